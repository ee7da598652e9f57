"""Sends 20 000 updates as fast as it can, and goes on more slowly until it is cancelled."""

import json
import threading
import time

from tests.e2e.programs.agent import Agent, Json, raw

COUNT = 20_000
PIECE = 500


class Floods(Agent):
    def turn(self, request: Json) -> None:
        self.cancelled = threading.Event()
        self.flood = threading.Thread(target=self.run, daemon=True)
        self.flood.start()

    def run(self) -> None:
        number = 0
        while not self.cancelled.is_set():
            raw(b"".join(self.line(number + each) for each in range(PIECE)))
            number += PIECE
            if number >= COUNT:
                time.sleep(0.01)

    def line(self, number: int) -> bytes:
        content = {"type": "text", "text": f" {number}"}
        update = {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": content}
        params = {"sessionId": self.session, "update": update}
        message = {"jsonrpc": "2.0", "method": "session/update", "params": params}
        return json.dumps(message).encode() + b"\n"

    def on_session_cancel(self, notification: Json) -> None:
        self.cancelled.set()
        self.flood.join()
        super().on_session_cancel(notification)


Floods().serve()
