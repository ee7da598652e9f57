"""The editor's side of a server under measurement: as little as it takes, and blocking."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

Json = Any

RICH: Final = ("follow", "review", "permission", "terminal", "transcript", "session")
READ_SIZE: Final = 1 << 20
STOP_SECONDS: Final = 10


class Editor:
    """A server process and what an editor says to it.

    Attributes:
        abandoned: Nobody waits for the server's own end: it is killed.
    """

    def __init__(self, command: Sequence[str], cwd: Path) -> None:
        self._process = subprocess.Popen(
            command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._buffer = bytearray()
        self._ids = 0
        self.abandoned = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if error is not None or self.abandoned:
            self._process.kill()
        else:
            self.request("shutdown", None)
            self.notify("exit", None)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait(STOP_SECONDS)

    # --- what is said ---------------------------------------------------------------------------

    def initialize(self, root: Path, rich: Sequence[str] = (), options: Json = None) -> None:
        """The handshake of an editor that shows progress, and `acp/*` as far as it is rich."""
        capabilities = {
            "window": {"workDoneProgress": True, "showDocument": {"support": True}},
            "experimental": {"acp": dict.fromkeys(rich, True)},
        }
        folder = {"uri": root.as_uri(), "name": "bench"}
        params = {
            "processId": None,
            "rootUri": root.as_uri(),
            "capabilities": capabilities,
            "workspaceFolders": [folder],
            "initializationOptions": options,
        }
        self.request("initialize", params)
        self.notify("initialized", {})

    def command(self, name: str, argument: Json) -> Json:
        return self.request("workspace/executeCommand", {"command": name, "arguments": [argument]})

    def request(self, method: str, params: Json) -> Json:
        """Ask, and answer what the server asks meanwhile."""
        self._ids += 1
        wanted = self._ids
        self._send({"id": wanted, "method": method, "params": params})
        found: Json = self.until(lambda body: body.get("id") == wanted and "method" not in body)
        if "error" in found:
            raise RuntimeError(found["error"])
        return found["result"]

    def notify(self, method: str, params: Json) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        os.write(self._stdin, b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    # --- what is heard --------------------------------------------------------------------------

    def until(self, wanted: Callable[[Json], bool]) -> Json:
        """Read until a message is the wanted one."""
        while True:
            body = json.loads(self.next_body())
            self.answer_request(body)
            if wanted(body):
                return body

    def answer_request(self, body: Json) -> None:
        """Answer a message if it is a request."""
        if "method" in body and "id" in body:
            shown = {"success": True} if body["method"] == "window/showDocument" else None
            self._send({"id": body["id"], "result": shown})

    def next_body(self) -> bytes:
        """The next message as it came."""
        while (body := self._complete()) is None:
            data = os.read(self._stdout, READ_SIZE)
            if not data:
                raise RuntimeError("the server has ended")
            self._buffer += data
        return body

    def _complete(self) -> bytes | None:
        """The message at the front of the buffer, if all of it has come."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return None
        start = end + 4
        stop = start + _length(self._buffer[:end])
        if len(self._buffer) < stop:
            return None
        body = bytes(self._buffer[start:stop])
        del self._buffer[:stop]
        return body

    # --- what the server costs ------------------------------------------------------------------

    def cpu_seconds(self) -> float:
        """Processor time of the server process so far, without its children."""
        fields = self._proc("stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self) -> int:
        """Memory of the server process that is in RAM now."""
        return int(self._proc("statm").split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def _proc(self, name: str) -> str:
        return Path(f"/proc/{self._process.pid}/{name}").read_text(encoding="utf-8")

    @property
    def _stdin(self) -> int:
        assert self._process.stdin is not None
        return self._process.stdin.fileno()

    @property
    def _stdout(self) -> int:
        assert self._process.stdout is not None
        return self._process.stdout.fileno()


def _length(header: bytes | bytearray) -> int:
    return int(bytes(header).lower().partition(b"content-length:")[2].split(b"\r\n")[0])


def prompt(editor: Editor, plan: Json) -> tuple[float, float]:
    """Let the agent carry out a plan, to the end of its turn; wall and processor seconds."""
    cpu, started = editor.cpu_seconds(), time.monotonic()
    editor.command("acp.prompt", {"text": json.dumps(plan)})
    editor.until(is_end_of_turn)
    return time.monotonic() - started, editor.cpu_seconds() - cpu


def is_end_of_turn(body: Json) -> bool:
    """Whether a message says that the progress of a turn is over."""
    if body.get("method") != "$/progress":
        return False
    return bool(body["params"]["value"]["kind"] == "end")
