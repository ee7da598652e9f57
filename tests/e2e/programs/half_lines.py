"""Sends every message in three pieces, cut also inside a character, with pauses between."""

import time

from tests.e2e.programs import agent

send = agent.raw


def in_pieces(data: bytes) -> None:
    """Send a first half, one byte, and the rest."""
    middle = data.find(b"\xe2") + 1 or len(data) // 2
    for piece in (data[:middle], data[middle : middle + 1], data[middle + 1 :]):
        send(piece)
        time.sleep(0.02)


class HalfLines(agent.Agent):
    def turn(self, request: agent.Json) -> None:
        # json.dumps would escape it; the wire may carry it as it is.
        content = '{"type": "text", "text": "100 \u20ac"}'
        update = f'{{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{content}}}'
        params = f'{{"sessionId":"{self.session}","update":{update}}}'
        line = f'{{"jsonrpc":"2.0","method":"session/update","params":{params}}}\n'
        agent.raw(line.encode())
        self.end()


agent.raw = in_pieces
HalfLines().serve()
