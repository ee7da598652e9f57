"""Writing prompts: what the server completes, for which session, and by which keys."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Json, Neovim, wait_equal, wait_until
from tests.editors.neovim.says import prompts, says
from tests.editors.neovim.test_start import CLIENT

PROMPT = "require('acp_sidecar.prompt')"
SESSIONS = "require('acp_sidecar.sessions')"


def menu(nvim: Neovim) -> list[Json]:
    """What the completion menu shows."""
    seen = nvim.rpc.call("complete_info", ["matches", "pum_visible"])
    return list(seen["matches"]) if seen["pum_visible"] else []


def words(nvim: Neovim) -> list[str]:
    return [item["word"] for item in menu(nvim)]


def line(nvim: Neovim) -> str:
    return str(nvim.rpc.current.line)


def address(nvim: Neovim) -> str:
    return str(nvim.lua(f"return vim.api.nvim_buf_get_name({PROMPT}.buffer)"))


def open_prompt(nvim: Neovim) -> None:
    """The prompt buffer, in Insert mode, known to the server."""
    nvim.command("Acp prompt")
    nvim.wait(f"{CLIENT}.get().initialized")
    nvim.wait(f"{CLIENT}.get().attached_buffers[{PROMPT}.buffer]")
    nvim.wait("vim.api.nvim_get_mode().mode == 'i'")


def begin(start: Start, **settings: Json) -> Neovim:
    """An editor with a session of an agent that has commands, writing a prompt."""
    nvim = start(sidecar=says(), **settings)
    nvim.edit("README.md")
    nvim.run_turn("hello")
    nvim.wait(f"#{SESSIONS}.current().availableCommands == 2")
    open_prompt(nvim)
    return nvim


def test_commands_are_offered_with_what_they_take(start: Start) -> None:
    nvim = begin(start)
    nvim.keys("/")
    wait_equal(lambda: words(nvim), ["/many ", "/stop"])
    many = menu(nvim)[0]
    assert many["menu"] == "how many"
    assert many["info"] == "Make many tool calls"
    nvim.keys("m")
    wait_equal(lambda: words(nvim), ["/many "])
    nvim.keys("<C-n><C-y>3")
    wait_equal(lambda: line(nvim), "/many 3")


def test_files_are_offered_and_paths_with_blanks_written_whole(start: Start) -> None:
    nvim = begin(start)
    (nvim.project / "two words.txt").write_text("x", encoding="utf-8")
    nvim.keys("see @words")
    wait_until(lambda: words(nvim), lambda found: "@tally/words.py" in found)
    nvim.keys("<Esc>0D")
    nvim.keys("isee @two")
    wait_equal(lambda: words(nvim), ['@"two words.txt"'])
    nvim.keys("<C-n><C-y> now")
    wait_equal(lambda: line(nvim), 'see @"two words.txt" now')


def test_omni_completion_offers_the_same_without_being_asked_by_itself(start: Start) -> None:
    nvim = begin(start, prompt={"complete": False})
    nvim.keys("/m")
    wait_equal(lambda: line(nvim), "/m")
    nvim.keys("<C-x><C-o>")
    # The only one that fits is not chosen by itself.
    wait_equal(lambda: words(nvim), ["/many "])
    assert line(nvim) == "/m"


def test_the_server_is_started_and_offers_files_before_there_is_a_session(nvim: Neovim) -> None:
    nvim.edit("README.md")
    open_prompt(nvim)
    nvim.keys("@tally/wo")
    wait_until(lambda: words(nvim), lambda found: "@tally/words.py" in found)


def test_files_that_are_mentioned_go_with_the_prompt_once(start: Start, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    nvim = start(sidecar=says(2, record))
    nvim.edit("README.md")
    nvim.run_turn("look at @tally/words.py.")
    [blocks] = prompts(record)
    assert [block["type"] for block in blocks] == ["text", "resource_link"]
    assert blocks[1]["uri"] == (nvim.project / "tally/words.py").as_uri()


def test_a_picture_that_is_mentioned_is_sent_as_one(start: Start, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    nvim = start(sidecar=says(2, record))
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    (nvim.project / "a b.png").write_bytes(picture)
    nvim.edit("README.md")
    open_prompt(nvim)
    nvim.keys("what is @b.pn")
    wait_equal(lambda: words(nvim), ['@"a b.png"'])
    nvim.keys("<C-n><C-y>?<C-s>")
    wait_until(lambda: prompts(record), bool)
    [blocks] = prompts(record)
    assert [block["type"] for block in blocks] == ["text", "image"]
    assert blocks[1]["uri"] == (nvim.project / "a b.png").as_uri()
    assert base64.b64decode(blocks[1]["data"]) == picture


def test_the_buffer_is_named_after_the_session_that_it_is_for(nvim: Neovim) -> None:
    nvim.edit("README.md")
    open_prompt(nvim)
    assert address(nvim) == "acp-prompt://prompt"
    nvim.keys("not sent yet<Esc>")
    nvim.run_turn("/plan")
    first = nvim.lua(f"return {SESSIONS}.last")
    wait_equal(lambda: address(nvim), f"acp-prompt://prompt?session={first}")
    nvim.command("Acp sessions new")
    nvim.wait(f"{SESSIONS}.last ~= ...", first)
    second = nvim.lua(f"return {SESSIONS}.last")
    wait_equal(lambda: address(nvim), f"acp-prompt://prompt?session={second}")
    assert nvim.lua(f"return vim.api.nvim_buf_get_lines({PROMPT}.buffer, 0, -1, false)") == [
        "not sent yet"
    ]
    names = nvim.lua("return vim.tbl_map(vim.api.nvim_buf_get_name, vim.api.nvim_list_bufs())")
    assert [name for name in names if name.startswith("acp-prompt")] == [address(nvim)]
    assert nvim.told() == []


@pytest.mark.parametrize("way", ["restart", "stop and start"])
def test_after_a_restart_it_goes_on(nvim: Neovim, way: str) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    open_prompt(nvim)
    nvim.keys("/se")
    wait_equal(lambda: words(nvim), ["/search "])
    nvim.keys("<Esc>0D")
    first = nvim.lua(f"return {CLIENT}.get().id")
    if way == "restart":
        nvim.command("Acp restart")
    else:
        nvim.lua(f"vim.lsp.stop_client({CLIENT}.get().id)")
        nvim.wait(f"{CLIENT}.get() == nil")
        nvim.command("Acp start")
    nvim.wait(f"{CLIENT}.get() and {CLIENT}.get().id ~= {first} and {CLIENT}.get().initialized")
    assert address(nvim) == "acp-prompt://prompt"
    nvim.prompts = nvim.lua("return _G.turns")
    nvim.run_turn("/plan")
    open_prompt(nvim)
    nvim.keys("/se")
    wait_equal(lambda: words(nvim), ["/search "])


def test_keys_walk_through_the_history_and_through_an_open_menu(start: Start) -> None:
    nvim = begin(start)
    nvim.keys("<C-p>")
    wait_equal(lambda: line(nvim), "hello")
    nvim.keys("<C-n>")
    wait_equal(lambda: line(nvim), "")
    nvim.keys("/")
    wait_equal(lambda: words(nvim), ["/many ", "/stop"])
    nvim.keys("<C-n><C-n>")
    wait_equal(lambda: line(nvim), "/stop")
    nvim.keys("<C-p>")
    wait_equal(lambda: line(nvim), "/many ")
