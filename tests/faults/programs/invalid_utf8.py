"""Cuts text in the middle of a character: alone on a line, and inside a notification."""

from tests.faults.programs.rpc import answer_everything, raw

raw(b"\xf0\x9f\x98\n")
raw(b'{"jsonrpc":"2.0","method":"note","params":"\xf0\x9f\x98"}\n')
answer_everything()
