"""Answers with a line as long as it is asked for."""

from tests.faults.programs.rpc import requests, say

for request in requests():
    say(id=request["id"], result="x" * request["params"])
    say(method="next")
