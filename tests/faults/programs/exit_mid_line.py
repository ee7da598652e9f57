"""Answers once, begins a message and ends in the middle of it."""

import sys

from tests.faults.programs.rpc import raw, requests, say

for request in requests():
    say(id=request["id"], result="first")
    raw(b'{"jsonrpc":"2.0","method":"session/upd')
    sys.exit(3)
