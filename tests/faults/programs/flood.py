"""Sends as many notifications as it is asked for, as fast as it can, and then answers."""

import json

from tests.faults.programs.rpc import raw, requests, say

for request in requests():
    count = request["params"]
    block = 500
    for start in range(0, count, block):
        raw(
            b"".join(
                json.dumps({"jsonrpc": "2.0", "method": "n", "params": number}).encode() + b"\n"
                for number in range(start, min(start + block, count))
            )
        )
    say(id=request["id"], result=count)
    say(method="n", params="after")
