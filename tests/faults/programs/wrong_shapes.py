"""JSON that is no JSON-RPC, and JSON that is nested absurdly deep."""

from tests.faults.programs.rpc import answer_everything, raw

raw(b'42\n"hello"\nnull\n{}\n[]\n[[]]\n{"jsonrpc":"2.0","id":1,"method":{}}\n')
raw(b'{"jsonrpc":"2.0","method":"m","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n")
answer_everything()
