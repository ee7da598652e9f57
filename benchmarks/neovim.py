"""The longest stall of Neovim's main loop while an agent streams into its plugin.

A timer in Neovim itself is due every few milliseconds, beside the plugin, the real server and a
flooding agent; the longest time between two of its calls is the longest that a key has to wait. The
processor time that Neovim took between two calls is what of it is Neovim's own: it does not depend
on what else the machine does. The same timer runs beside nothing first.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import pynvim

from benchmarks import programs
from benchmarks.agent import CALLS, LINES, file_name

PLUGIN: Final = Path(__file__).resolve().parent.parent / "editors" / "neovim"
TARGET_MS: Final = 50
TIMER_MS: Final = 2
IDLE_SECONDS: Final = 3
LIMIT_SECONDS: Final = 300
POLL_SECONDS: Final = 0.5
LINES_SHOWN, COLUMNS_SHOWN = 40, 120

Json = dict[str, Any]

PLANS: Final[dict[str, Json]] = {
    "10,000 mixed updates": {"kind": "mixed", "count": 10_000},
    "10 MB of messages in 10,000 updates": {"kind": "messages", "count": 10_000, "size": 1000},
    "10,000 more into that transcript": {"kind": "mixed", "count": 10_000, "first": 10_000},
}

SETUP: Final = """
local plugin, settings, every, limit = ...
vim.opt.runtimepath:prepend(plugin)
vim.cmd.runtime("plugin/acp_sidecar.lua")
require("acp_sidecar").setup(settings)
local sessions = require("acp_sidecar.sessions")
local update = sessions.update
_G.ended = 0
sessions.update = function(params)
  local before = sessions.all[params.sessionId]
  update(params)
  if before and before.busy and not params.busy then _G.ended = _G.ended + 1 end
end
local function processor_ms()
  local used = vim.uv.getrusage()
  local seconds = used.utime.sec + used.stime.sec
  return seconds * 1e3 + (used.utime.usec + used.stime.usec) / 1e3
end
_G.watch = { wall = 0, own = 0, above = 0 }
_G.timer = vim.uv.new_timer()
_G.timer:start(every, every, function()
  local watch, now, used = _G.watch, vim.uv.hrtime() / 1e6, processor_ms()
  if watch.now then
    watch.wall = math.max(watch.wall, now - watch.now)
    watch.own = math.max(watch.own, used - watch.used)
    watch.above = watch.above + (used - watch.used > limit and 1 or 0)
  end
  watch.now, watch.used = now, used
end)
"""

RESET: Final = "_G.watch = { wall = 0, own = 0, above = 0 }"


class Stall(NamedTuple):
    """The longest stall, and what Neovim itself took for the longest of its own, in milliseconds.

    Attributes:
        above: how many of its own were above the target.
        seconds: how long it all took.
    """

    wall: float
    own: float
    above: int
    seconds: float


class Editor:
    """A Neovim with the plugin in it, whose screen is drawn for a terminal that nobody looks at."""

    def __init__(self, root: Path) -> None:
        program = shutil.which("nvim", path=str(Path(sys.executable).parent)) or "nvim"
        arguments = [program, "--clean", "--embed", "--cmd", f"cd {root}"]
        self._rpc = pynvim.attach("child", argv=arguments)
        self._rpc.ui_attach(COLUMNS_SHOWN, LINES_SHOWN, rgb=True)
        server = {"cmd": list(programs.SIDECAR)}
        settings = {"server": server, "sidecar": programs.options(2)}
        self._rpc.exec_lua(SETUP, str(PLUGIN), settings, TIMER_MS, TARGET_MS)
        self._turns = 0

    def idle(self) -> Stall:
        """Nothing goes on."""
        return self._measured(self._rest)

    def open(self) -> None:
        """Begin a session and show its transcript, with the cursor at its end."""
        self._prompt({"kind": "messages", "count": 1, "size": 100})
        self._rpc.command("Acp transcript")
        self._rpc.command("wincmd b | normal! G")

    def turn(self, plan: Json) -> Stall:
        """A turn of the agent."""
        return self._measured(lambda: self._prompt(plan))

    def lines(self) -> int:
        """Lines of the transcript."""
        found: int = self._rpc.exec_lua("return vim.api.nvim_buf_line_count(0)")
        return found

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(OSError, EOFError):
            self._rpc.command("qa!")
        self._rpc.close()

    def _rest(self) -> None:
        self._rpc.exec_lua("vim.wait(...)", 1000 * IDLE_SECONDS)

    def _prompt(self, plan: Json) -> None:
        self._turns += 1
        send = "require('acp_sidecar.prompt').send(...)"
        self._rpc.exec_lua(send, json.dumps(plan))
        self._rpc.exec_lua("_G.turns = ...", self._turns)
        for _ in range(int(LIMIT_SECONDS / POLL_SECONDS)):
            if self._rpc.exec_lua("return _G.ended >= _G.turns"):
                return
            time.sleep(POLL_SECONDS)
        raise TimeoutError(f"a turn of more than {LIMIT_SECONDS} seconds")

    def _measured(self, act: Callable[[], object]) -> Stall:
        self._rpc.exec_lua(RESET)
        started = time.monotonic()
        act()
        seconds = time.monotonic() - started
        watch = "return { _G.watch.wall, _G.watch.own, _G.watch.above }"
        wall, own, above = self._rpc.exec_lua(watch)
        return Stall(wall, own, above, seconds)


def main() -> None:
    """Print the longest stalls."""
    print(f"neovim: the longest stall of the main loop, ms (aim: at most {TARGET_MS} of its own)")
    print(f"{'':36} {'seen':>8} {'its own':>8} {'turn':>8}")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for turn in range(CALLS):
            (root / file_name(turn)).write_text("a line of a program\n" * LINES, encoding="utf-8")
        editor = Editor(root)
        try:
            _show("nothing goes on", editor.idle())
            editor.open()
            for name, plan in PLANS.items():
                _show(name, editor.turn(plan))
            print(f"{'':36} {editor.lines():,} lines of transcript")
        finally:
            editor.close()


def _show(name: str, stall: Stall) -> None:
    above = f"{stall.above} above the aim" if stall.above else ""
    print(
        f"{name:36} {stall.wall:8.1f} {stall.own:8.1f} {stall.seconds:6.1f} s  {above}", flush=True
    )


if __name__ == "__main__":
    main()
