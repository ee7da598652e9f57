"""Greets, colours, leaves blank lines and logs to stdout between its messages."""

from typing import Any

from tests.e2e.programs import agent

NOISE = (b"Welcome to faulty 1.0!\n", b"\n \r\n", b"\x1b[2J\x1b[32mready\x1b[0m\n", b"{not json}\n")

send = agent.raw


def noisy(data: bytes) -> None:
    """Send a message with noise before and after it."""
    send(b"".join(NOISE) + data + b"\xff\xfe bytes of no encoding\n" + b'{"json": "but no RPC"}\n')


class Banners(agent.Agent):
    def turn(self, request: Any) -> None:
        self.message("heard through the noise")
        self.end()


agent.raw = noisy
Banners().serve()
