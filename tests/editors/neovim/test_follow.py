"""Following the agent, and getting out of the user's way."""

from __future__ import annotations

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Neovim, wait_equal, wait_until

FOLLOW = "require('acp_sidecar.follow')"
TARGET = f"({FOLLOW}.state or {{}}).target"


def current_file(nvim: Neovim) -> str:
    return str(nvim.rpc.current.buffer.name)


def wait_file(nvim: Neovim, name: str) -> None:
    """Wait until the current window shows a file of the project."""
    wait_until(lambda: current_file(nvim), lambda found: found.endswith(name), name)


def followed_file(nvim: Neovim) -> str:
    return str(
        nvim.lua(
            f"""local window = {FOLLOW}.window
            return window and vim.api.nvim_win_is_valid(window)
              and vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)) or ''"""
        )
    )


def wait_followed(nvim: Neovim, name: str) -> None:
    """Wait until the followed window shows a file of the project."""
    wait_until(lambda: followed_file(nvim), lambda found: found.endswith(name), name)


def cursor_line(nvim: Neovim) -> int:
    return int(nvim.rpc.current.window.cursor[0])


def test_a_free_window_goes_where_the_agent_is(nvim: Neovim) -> None:
    nvim.edit("docs/usage.txt")
    nvim.edit("README.md")
    history = "return {#vim.fn.getjumplist()[1], vim.fn.expand('#')}"
    before = nvim.lua(history)
    nvim.run_turn("/read tally/words.py:6-23")
    wait_file(nvim, "tally/words.py")
    wait_equal(lambda: cursor_line(nvim), 6)
    assert nvim.lua(history) == before
    wait_equal(
        lambda: nvim.lua("return require('acp_sidecar').statusline()"), "demo · idle · following"
    )


def test_the_window_of_a_typing_user_is_left_alone(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.keys("i")
    nvim.lua("require('acp_sidecar.prompt').send('/read tally/words.py:6-23')")
    nvim.prompts += 1
    nvim.wait(f"vim.endswith({TARGET}.path, 'words.py')")
    nvim.wait_idle()
    assert current_file(nvim).endswith("README.md")


def test_another_window_is_taken_and_the_focus_stays(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.command("vsplit")
    here = nvim.rpc.current.window.handle
    nvim.run_turn("/read tally/words.py:6-23")
    wait_followed(nvim, "tally/words.py")
    assert nvim.rpc.current.window.handle == here
    assert current_file(nvim).endswith("README.md")


def test_a_dedicated_window_and_a_window_of_its_own(start: Start) -> None:
    nvim = start(follow={"window": "split", "fade": 0})
    nvim.edit("README.md")
    here = nvim.rpc.current.window.handle
    nvim.run_turn("/read tally/words.py:6-23")
    wait_followed(nvim, "tally/words.py")
    assert len(nvim.rpc.windows) == 2
    assert nvim.rpc.current.window.handle == here
    nvim.run_turn("/read tally/report.py:1-5")
    wait_followed(nvim, "tally/report.py")
    assert len(nvim.rpc.windows) == 2


def test_our_own_moves_do_not_pause(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/tour")
    follow = nvim.state()["follow"]
    assert follow["mode"] == "on"
    assert follow.get("paused") is None, follow


def test_moving_the_cursor_in_the_followed_window_pauses_and_a_prompt_resumes(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/read tally/words.py:6-23")
    wait_file(nvim, "tally/words.py")
    nvim.keys("G")
    assert nvim.wait(f"{FOLLOW}.state.paused") in {"selected", "scrolled"}
    nvim.run_turn("/read tally/report.py:1-5")
    wait_file(nvim, "tally/report.py")
    nvim.wait(f"{FOLLOW}.state.paused == nil")


def test_presence_is_drawn_also_while_following_is_off(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    nvim.command("Acp follow off")
    nvim.wait(f"({FOLLOW}.state or {{}}).mode == 'off'")
    nvim.prompt("/edit tally/words.py")
    nvim.wait_permission()
    label = (
        "vim.api.nvim_buf_get_extmarks(0, require('acp_sidecar.presence').namespace,"
        " 0, -1, {details = true})[1][4].virt_text[2][1]"
    )
    nvim.wait(f"vim.trim({label}) == 'demo: edit'")
    nvim.command("Acp permissions 3")
    nvim.wait_idle()


def test_folds_open_and_the_range_is_in_view(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    nvim.command("setlocal foldmethod=manual foldlevel=0 | 1,$fold")
    nvim.run_turn("/read tally/words.py:6-23")
    wait_equal(lambda: cursor_line(nvim), 6)
    wait_equal(lambda: nvim.lua("return vim.fn.foldclosed(6)"), -1)


def test_the_trail_is_walked_back(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/read tally/words.py:6-23")
    nvim.run_turn("/read tally/report.py:1-5")
    wait_file(nvim, "tally/report.py")
    nvim.command("Acp trail back")
    wait_file(nvim, "tally/words.py")
    nvim.command("Acp trail forward")
    wait_file(nvim, "tally/report.py")
