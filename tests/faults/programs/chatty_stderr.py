"""Writes 10 MB to stderr before it answers, and last words before it ends."""

import sys

from tests.faults.programs.rpc import requests, say

for request in requests():
    for number in range(100_000):
        sys.stderr.write(f"{number:06d} " + "debug " * 16 + "\n")
    sys.stderr.write("\x1b[31mthe very last words\x1b[0m\n")
    say(id=request["id"], result="ok")
