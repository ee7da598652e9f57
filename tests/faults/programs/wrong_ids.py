"""Answers with ids that nobody used, then properly; asks with ids that are none."""

from tests.faults.programs.rpc import requests, say

for request in requests():
    say(id=request["id"] + 1000, result="wrong")
    say(id=str(request["id"]), result="wrong type")
    say(id=None, result="nobody")
    say(id=None, method="ask")
    say(id=1.5, method="ask")
    say(id=request["id"], result="right")
