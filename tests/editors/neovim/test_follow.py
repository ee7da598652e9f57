"""Following the agent, and getting out of the user's way."""

from __future__ import annotations

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Neovim, wait_for

FOLLOW = "require('acp_sidecar.follow')"
TARGET = f"({FOLLOW}.state or {{}}).target"


def current_file(nvim: Neovim) -> str:
    return str(nvim.rpc.current.buffer.name)


def test_a_free_window_goes_where_the_agent_is(nvim: Neovim) -> None:
    nvim.edit("docs/usage.txt")
    nvim.edit("README.md")
    history = "return {#vim.fn.getjumplist()[1], vim.fn.expand('#')}"
    before = nvim.lua(history)
    nvim.run_turn("/read tally/words.py:6-23")
    wait_for(lambda: current_file(nvim).endswith("tally/words.py"))
    assert nvim.rpc.current.window.cursor[0] == 6
    assert nvim.lua(history) == before
    assert nvim.lua("return require('acp_sidecar').statusline()") == "demo · idle · following"


def test_the_window_of_a_typing_user_is_left_alone(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.keys("i")
    nvim.lua("require('acp_sidecar.prompt').send('/read tally/words.py:6-23')")
    nvim.prompts += 1
    nvim.wait(TARGET)
    nvim.wait_idle()
    assert current_file(nvim).endswith("README.md")


def test_another_window_is_taken_and_the_focus_stays(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.command("vsplit")
    here = nvim.rpc.current.window.handle
    nvim.run_turn("/read tally/words.py:6-23")
    assert nvim.rpc.current.window.handle == here
    assert current_file(nvim).endswith("README.md")
    followed = nvim.lua(
        f"return vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf({FOLLOW}.window))"
    )
    assert followed.endswith("tally/words.py")


def test_a_dedicated_window_and_a_window_of_its_own(start: Start) -> None:
    nvim = start(follow={"window": "split", "fade": 0})
    nvim.edit("README.md")
    here = nvim.rpc.current.window.handle
    nvim.run_turn("/read tally/words.py:6-23")
    assert len(nvim.rpc.windows) == 2
    assert nvim.rpc.current.window.handle == here
    nvim.run_turn("/read tally/report.py:1-5")
    assert len(nvim.rpc.windows) == 2


def test_our_own_moves_do_not_pause(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/tour")
    assert nvim.lua(f"return {FOLLOW}.state.mode") == "on"
    assert nvim.lua(f"return {FOLLOW}.state.paused") is None


def test_moving_the_cursor_in_the_followed_window_pauses_and_a_prompt_resumes(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/read tally/words.py:6-23")
    wait_for(lambda: current_file(nvim).endswith("tally/words.py"))
    nvim.keys("G")
    nvim.wait(f"{FOLLOW}.state.paused")
    assert nvim.lua(f"return {FOLLOW}.state.paused") in {"selected", "scrolled"}
    nvim.run_turn("/read tally/report.py:1-5")
    assert nvim.lua(f"return {FOLLOW}.state.paused") is None


def test_presence_is_drawn_also_while_following_is_off(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    nvim.command("Acp follow off")
    nvim.wait(f"({FOLLOW}.state or {{}}).mode == 'off'")
    nvim.prompt("/edit tally/words.py")
    nvim.wait_permission()
    marks = nvim.wait(
        "#vim.api.nvim_buf_get_extmarks(0, require('acp_sidecar.presence').namespace, 0, -1, {})"
    )
    assert marks > 0
    label = nvim.lua(
        "return vim.api.nvim_buf_get_extmarks(0, require('acp_sidecar.presence').namespace,"
        " 0, -1, {details = true})[1][4].virt_text[2][1]"
    )
    assert label.strip() == "demo: edit"
    nvim.command("Acp permissions 3")
    nvim.wait_idle()


def test_folds_open_and_the_range_is_in_view(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    nvim.command("setlocal foldmethod=manual foldlevel=0 | 1,$fold")
    nvim.run_turn("/read tally/words.py:6-23")
    wait_for(lambda: nvim.rpc.current.window.cursor[0] == 6)
    assert nvim.lua("return vim.fn.foldclosed(6)") == -1


def test_the_trail_is_walked_back(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/read tally/words.py:6-23")
    nvim.run_turn("/read tally/report.py:1-5")
    wait_for(lambda: current_file(nvim).endswith("tally/report.py"))
    nvim.command("Acp trail back")
    wait_for(lambda: current_file(nvim).endswith("tally/words.py"))
    nvim.command("Acp trail forward")
    wait_for(lambda: current_file(nvim).endswith("tally/report.py"))
