"""Prompts that wait for the end of a turn: seen, taken back, dropped, released."""

from __future__ import annotations

from pathlib import Path

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Json, Neovim, wait_equal, wait_for, wait_until
from tests.editors.neovim.says import prompts, says

PROMPT = "require('acp_sidecar.prompt')"
SESSION = "require('acp_sidecar.sessions').current()"


def queued(nvim: Neovim) -> list[str]:
    """The texts of the prompts that wait, with how they do."""
    found: list[str] = nvim.lua(
        f"""return vim.tbl_map(function(prompt) return prompt.state .. ' ' .. prompt.text end,
              ({SESSION} or {{}}).queued or {{}})"""
    )
    return found


def drawn(nvim: Neovim) -> list[str]:
    """The virtual lines below what is being written, and the row that they are below."""
    found: list[str] = nvim.lua(
        f"""local lines = {{}}
            for _, mark in ipairs(vim.api.nvim_buf_get_extmarks({PROMPT}.buffer,
                require('acp_sidecar.queue').namespace, 0, -1, {{ details = true }})) do
              for _, line in ipairs(mark[4].virt_lines) do
                table.insert(lines, mark[2] .. ': ' .. line[1][1])
              end
            end
            return lines"""
    )
    return found


def written(nvim: Neovim) -> str:
    """What is in the prompt buffer."""
    lines = nvim.lua(f"return vim.api.nvim_buf_get_lines({PROMPT}.buffer, 0, -1, false)")
    return "\n".join(lines)


def beside_a_turn(start: Start, record: Path, *texts: str) -> Neovim:
    """An editor with a turn that goes on, the prompt buffer, and prompts that wait."""
    nvim = start(sidecar=says(1, record))
    nvim.edit("README.md")
    nvim.command("Acp prompt slowly one two")
    nvim.wait(f"{SESSION}.busy")
    wait_for(lambda: prompts(record), "the agent has the first prompt")
    nvim.command("Acp prompt")
    nvim.command("stopinsert")
    for text in texts:
        nvim.command(f"Acp prompt {text}")
    wait_equal(lambda: queued(nvim), [f"waiting {text}" for text in texts])
    return nvim


def said(record: Path) -> list[str]:
    return [blocks[0]["text"] for blocks in prompts(record)]


def test_prompts_that_wait_are_shown_and_sent_when_they_are_released(
    start: Start, tmp_path: Path
) -> None:
    record = tmp_path / "record.jsonl"
    nvim = beside_a_turn(start, record, "second", "third")
    wait_equal(
        lambda: drawn(nvim),
        ["0: 1  second (waits for the turn's end)", "0: 2  third (waits for the turn's end)"],
    )
    assert "2 queued" in nvim.lua(f"return {PROMPT}.winbar()")
    assert "2 queued" in nvim.lua("return require('acp_sidecar').statusline()")
    assert len([text for text in nvim.told() if "when the turn ends" in text]) == 2
    nvim.command("Acp cancel")
    wait_equal(lambda: queued(nvim), ["held second", "held third"])
    wait_equal(lambda: drawn(nvim)[-1:], ["0:    :Acp queue release sends what is held"])
    assert "2 held" in nvim.lua(f"return {PROMPT}.winbar()")
    assert said(record) == ["slowly one two"]
    nvim.command("Acp queue release")
    wait_equal(lambda: said(record), ["slowly one two", "second", "third"])
    wait_equal(lambda: drawn(nvim), [])


def test_a_prompt_is_taken_back_into_the_prompt_buffer(start: Start, tmp_path: Path) -> None:
    nvim = beside_a_turn(start, tmp_path / "record.jsonl", "second", "third")
    nvim.lua(f"vim.api.nvim_buf_set_lines({PROMPT}.buffer, 0, -1, false, {{'begun'}})")
    nvim.command("1wincmd w")
    nvim.command("Acp queue take 1")
    wait_equal(lambda: written(nvim), "second\nbegun")
    wait_equal(lambda: queued(nvim), ["waiting third"])
    wait_equal(lambda: drawn(nvim), ["1: 1  third (waits for the turn's end)"])
    assert nvim.lua(f"return vim.api.nvim_get_current_buf() == {PROMPT}.buffer")


def test_the_queue_follows_the_end_of_what_is_written(start: Start, tmp_path: Path) -> None:
    nvim = beside_a_turn(start, tmp_path / "record.jsonl", "second")
    nvim.keys("ione<CR>two<CR>three")
    wait_equal(lambda: drawn(nvim), ["2: 1  second (waits for the turn's end)"])


def test_prompts_are_dropped_by_number_and_by_choice(start: Start, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    nvim = beside_a_turn(start, record, "second", "third", "fourth")
    nvim.command("Acp queue drop 2")
    wait_equal(lambda: queued(nvim), ["waiting second", "waiting fourth"])
    nvim.command("Acp queue drop")
    wait_equal(lambda: queued(nvim), ["waiting second"])
    nvim.answer("drop 1  second (waits for the turn's end)")
    nvim.command("Acp queue")
    wait_equal(lambda: queued(nvim), [])
    assert nvim.offered()[0] == "take back 1  second (waits for the turn's end)"
    nvim.command("Acp queue")
    wait_until(nvim.told, lambda told: told[-1] == "acp-sidecar: no prompt waits")
    assert said(record) == ["slowly one two"]


def test_what_cannot_be_done_is_told(start: Start, tmp_path: Path) -> None:
    nvim = beside_a_turn(start, tmp_path / "record.jsonl", "second")
    nvim.command("Acp queue drop 7")
    assert "no prompt of that number" in nvim.told()[-1]
    nvim.command("Acp queue mow")
    assert nvim.told()[-1] == "acp-sidecar: there is no :Acp queue mow"
    nvim.command("Acp queue release")  # nothing is held: nothing happens
    words: Json = nvim.rpc.call("getcompletion", "Acp queue ", "cmdline")
    assert words == ["take", "drop", "release"]
    assert queued(nvim) == ["waiting second"]
