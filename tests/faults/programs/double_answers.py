"""Answers every request twice, and asks twice with one id."""

from tests.faults.programs.rpc import requests, say

for request in requests():
    say(id=7, method="ask")
    say(id=7, method="ask")
    say(id=request["id"], result="first")
    say(id=request["id"], result="second")
    say(method="done")
