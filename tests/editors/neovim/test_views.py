"""Transcript, prompt buffer, terminals, and what they survive."""

from __future__ import annotations

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Neovim, wait_equal, wait_for, wait_in
from tests.editors.neovim.test_asking import odd

SESSION = "require('acp_sidecar.sessions').last"
TRANSCRIPT = f"require('acp_sidecar.transcript').all[{SESSION}]"


def shown(nvim: Neovim) -> str:
    return "\n".join(
        nvim.lua(f"return vim.api.nvim_buf_get_lines({TRANSCRIPT}.buffer, 0, -1, false)")
    )


def whole(nvim: Neovim) -> str:
    """The transcript as a late client gets it, laid out anew."""
    nvim.lua(
        f"""_G.whole = nil
        require('acp_sidecar.client').execute('acp.transcript.blocks', {{ sessionId = {SESSION} }},
          function(params)
            local model, lines = require('acp_sidecar.render.blocks').new(), {{}}
            for _, block in ipairs(params.blocks) do
              vim.list_extend(lines, require('acp_sidecar.render.blocks').apply(model, block).lines)
            end
            _G.whole = table.concat(lines, '\\n')
          end)"""
    )
    return str(nvim.wait("_G.whole"))


def wait_whole(nvim: Neovim) -> None:
    """Wait until all of the transcript is shown."""
    wanted = whole(nvim).rstrip("\n")
    wait_equal(lambda: shown(nvim).rstrip("\n"), wanted)


def test_the_streamed_transcript_is_the_whole_one(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    nvim.command("Acp transcript")
    nvim.run_turn("/tour")
    wait_whole(nvim)
    assert "All tests pass now" in shown(nvim)


def test_the_end_is_followed_only_from_the_end(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    nvim.command("Acp transcript")
    window = nvim.lua(f"return vim.fn.bufwinid({TRANSCRIPT}.buffer)")
    line = "return vim.api.nvim_win_get_cursor(...)[1]"
    nvim.run_turn("/plan")
    wait_whole(nvim)
    last = nvim.lua(f"return vim.api.nvim_buf_line_count({TRANSCRIPT}.buffer)")
    assert nvim.lua(line, window) == last
    nvim.lua("vim.api.nvim_win_set_cursor(..., {2, 0})", window)
    nvim.run_turn("/plan")
    wait_whole(nvim)
    assert nvim.lua(line, window) == 2


def test_tool_calls_are_folded_and_the_winbar_tells_the_state(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/run echo one")
    nvim.command("Acp transcript")
    nvim.lua(f"vim.api.nvim_set_current_win(vim.fn.bufwinid({TRANSCRIPT}.buffer))")
    nvim.wait(
        """vim.iter(vim.fn.range(1, vim.fn.line('$'))):any(function(line)
             return vim.fn.foldclosed(line) == line end)"""
    )
    wait_in("idle", lambda: nvim.lua("return require('acp_sidecar.transcript').winbar()"))


def test_a_place_in_the_transcript_is_opened(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/read tally/words.py:6-23")
    nvim.command("Acp follow off")
    nvim.edit("README.md")
    nvim.command("Acp transcript")
    nvim.lua(f"vim.api.nvim_set_current_win(vim.fn.bufwinid({TRANSCRIPT}.buffer))")
    nvim.command("normal zR")
    wait_for(lambda: nvim.rpc.call("search", r"words\.py:6\|words\.py#L6", "w"), "the place")
    nvim.rpc.command('execute "normal \\<CR>"')
    assert nvim.rpc.current.buffer.name.endswith("tally/words.py")
    assert nvim.rpc.current.window.cursor[0] == 6


def test_the_prompt_buffer_sends_and_remembers(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.command("Acp prompt")
    nvim.command("stopinsert")
    nvim.rpc.current.buffer[:] = ["/plan"]
    nvim.prompts += 1
    nvim.rpc.command('execute "normal \\<CR>"')
    assert nvim.rpc.current.buffer[:] == [""]
    nvim.wait_idle()
    nvim.rpc.command('execute "normal \\<C-p>"')
    assert nvim.rpc.current.buffer[:] == ["/plan"]
    nvim.rpc.command('execute "normal \\<C-n>"')
    assert nvim.rpc.current.buffer[:] == [""]


def test_a_range_goes_with_the_prompt(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    nvim.prompts += 1
    nvim.command("6,8Acp prompt /plan")
    nvim.wait_idle()
    nvim.command("Acp transcript")
    wait_in("words.py", lambda: shown(nvim))


def opened_late(nvim: Neovim, command: str) -> list[str]:
    """The lines of a terminal that is opened when its command has ended."""
    nvim.edit("README.md")
    nvim.run_turn(f"/run {command}")
    nvim.command("Acp terminal")
    wait_in("[ended with status 0]", lambda: terminal(nvim))
    return terminal(nvim)


def test_a_terminal_opened_late_shows_everything(nvim: Neovim) -> None:
    lines = opened_late(nvim, "printf 'one\\ntwo\\n'")
    assert lines[lines.index("one") + 1] == "two"


def test_a_long_terminal_opened_late_shows_each_line_once_and_its_end(nvim: Neovim) -> None:
    found = opened_late(nvim, "seq 1 400")
    assert found[:400] == [str(number) for number in range(1, 401)]
    buffer = "require('acp_sidecar.terminal').all[require('acp_sidecar.terminal').order[1]].buffer"
    nvim.wait(
        f"vim.fn.line('w$', vim.fn.bufwinid({buffer})) == vim.api.nvim_buf_line_count({buffer})"
    )


def test_a_terminal_that_is_painted_anew_shows_only_that(start: Start) -> None:
    nvim = start(sidecar=odd())
    nvim.edit("README.md")
    nvim.run_turn("repaint")
    nvim.command("Acp terminal")
    lines = [f"line {number};" for number in range(60)]
    wait_equal(lambda: terminal(nvim)[:60], lines)
    here = nvim.rpc.current.window.handle
    nvim.run_turn("repaint")
    again = [f"line {100 + number};" for number in range(60)]
    wait_equal(lambda: terminal(nvim)[:60], again)
    assert not set(lines) & set(terminal(nvim))
    names = nvim.lua("return vim.tbl_map(vim.api.nvim_buf_get_name, vim.api.nvim_list_bufs())")
    assert len([name for name in names if name.startswith("acp-terminal")]) == 1
    assert nvim.rpc.current.window.handle == here
    assert nvim.told() == []


def test_a_running_terminal_grows(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.prompt("/slow 2")
    nvim.allow()
    nvim.wait("#require('acp_sidecar.terminal').order == 1")
    nvim.command("Acp terminal")
    nvim.wait_idle()
    wait_in("[ended with status 0]", lambda: terminal(nvim))


def terminal(nvim: Neovim) -> list[str]:
    found: list[str] = nvim.lua(
        """local t = require('acp_sidecar.terminal')
           return vim.api.nvim_buf_get_lines(t.all[t.order[#t.order]].buffer, 0, -1, false)"""
    )
    return [line.rstrip() for line in found]


def test_closing_our_windows_and_buffers_in_the_midst_hurts_nobody(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.prompt("/slow 1")
    nvim.allow()
    nvim.wait("#require('acp_sidecar.terminal').order == 1")
    nvim.command("Acp transcript")
    nvim.command("Acp terminal")
    nvim.command("tabnew")
    nvim.command("cd tally")
    nvim.lua(
        """for _, b in ipairs(vim.api.nvim_list_bufs()) do
             if vim.api.nvim_buf_get_name(b):find('^acp%-') then
               vim.api.nvim_buf_delete(b, { force = true }) end end"""
    )
    nvim.wait_idle()
    nvim.command("Acp transcript")
    wait_in("It is over", lambda: shown(nvim))
    assert nvim.told() == []


STRESS = """
local transcript = require('acp_sidecar.transcript')
local worst = 0
local function timed(update)
  local before = vim.uv.hrtime()
  transcript.update(update)
  vim.cmd.redraw()
  worst = math.max(worst, (vim.uv.hrtime() - before) / 1e6)
end
local id = require('acp_sidecar.sessions').last
for n = 1, 100 do
  timed({ sessionId = id, blocks = { { id = 'b' .. n, kind = 'agent', head = '', tail = '',
    text = ('x'):rep(100, '\\n') } } })
  for _ = 1, 99 do
    local more = (' word'):rep(200) .. '\\nnext'
    timed({ sessionId = id, blocks = { { id = 'b' .. n, append = more } } })
  end
end
return { worst, vim.fn.wordcount().bytes }
"""


def test_ten_thousand_updates_do_not_stall_the_main_loop(nvim: Neovim) -> None:
    """10 MB in 10,000 updates into a shown transcript; measured per update, drawing included."""
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    nvim.command("Acp transcript")
    nvim.lua(f"vim.api.nvim_set_current_win(vim.fn.bufwinid({TRANSCRIPT}.buffer))")
    worst, size = nvim.lua(STRESS)
    assert size > 9_900_000
    print(f"worst update: {worst:.1f} ms")  # a time is not asserted: the machine may be busy
    assert nvim.told() == []
