"""Speaks ACP v1 and writes a file by its client, line for line what the prompt says."""

from pathlib import Path

from tests.e2e.programs.agent import Agent, Json, say


class Writer(Agent):
    version = 1

    def turn(self, request: Json) -> None:
        name, text = request["params"]["prompt"][0]["text"].split(maxsplit=1)
        path = Path.cwd() / name
        content = path.read_text("utf-8") + text + "\n"
        params = {"sessionId": self.session, "path": str(path), "content": content}
        say(id="write", method="fs/write_text_file", params=params)


Writer().serve()
