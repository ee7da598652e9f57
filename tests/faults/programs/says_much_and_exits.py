"""Fills its pipe and ends at once, whether or not anybody has read."""

import sys

from tests.faults.programs.rpc import requests, say

for request in requests():
    for number in range(1000):
        say(method="n", params=number)
    say(id=request["id"], result="all said")
    sys.exit(0)
