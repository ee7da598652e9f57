"""What keeps Neovim's main loop free: an update costs what it is, not what is there already.

Times are measured by `dev.py bench neovim`; here it is counted what each update touches.
"""

from __future__ import annotations

import json

from benchmarks import programs
from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import wait_until

TRANSCRIPT = "require('acp_sidecar.transcript').all[require('acp_sidecar.sessions').last]"
LINE, UPDATES = 1000, 10_000

WATCH = f"""
_G.touched = 0
vim.api.nvim_buf_attach({TRANSCRIPT}.buffer, false, {{
  on_lines = function(_, _, _, first, last, new_last)
    _G.touched = math.max(_G.touched, last - first, new_last - first)
  end,
}})
"""

LARGEST = f"""
local largest = 0
for _, block in ipairs({TRANSCRIPT}.blocks.list) do largest = math.max(largest, block.size) end
return largest
"""

BYTES = f"""
return vim.api.nvim_buf_get_offset({TRANSCRIPT}.buffer,
  vim.api.nvim_buf_line_count({TRANSCRIPT}.buffer))
"""


def test_an_update_touches_no_more_than_its_own_block(start: Start) -> None:
    """10 MB in 10,000 updates of a real agent, into a transcript that is shown at its end."""
    nvim = start(sidecar=programs.options(2))
    nvim.edit("README.md")
    nvim.prompt(json.dumps({"kind": "messages", "count": 1, "size": LINE}))
    nvim.wait_idle()
    nvim.command("Acp transcript")
    nvim.lua(WATCH)
    nvim.prompt(json.dumps({"kind": "messages", "count": UPDATES, "size": LINE, "first": 1}))
    nvim.wait_idle()
    wait_until(lambda: nvim.lua(BYTES), lambda size: size > LINE * UPDATES, "all of it is shown")
    assert 0 < nvim.lua("return _G.touched") <= nvim.lua(LARGEST)
    assert nvim.lua("return _G.touched") < UPDATES / 10
    assert nvim.told() == []
