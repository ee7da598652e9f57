"""Greets on stdout, in colour, with blank lines, before and between its messages."""

from tests.faults.programs.rpc import raw, requests, say

raw(b"\xef\xbb\xbfWelcome to agent 1.0!\n\n\x1b[32mready\x1b[0m\n\x1b[2K\r\n   \n")
for request in requests():
    raw(b"(node:1) ExperimentalWarning: something\n")
    say(id=request["id"], result="ok")
