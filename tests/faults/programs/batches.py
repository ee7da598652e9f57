"""Sends its requests as a batch, and puts the answer that it gets into its own answer."""

import json
import sys

from tests.faults.programs.rpc import raw, requests, say

for request in requests():
    batch = [
        {"jsonrpc": "2.0", "id": 1, "method": "ask"},
        {"jsonrpc": "2.0", "method": "note"},
        {"jsonrpc": "2.0", "id": "two", "method": "ask"},
    ]
    raw(json.dumps(batch).encode() + b"\n")
    say(id=request["id"], result=json.loads(sys.stdin.buffer.readline()))
