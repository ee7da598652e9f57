"""What stands round the words of a transcript: folds, the winbar, options, and its file."""

from __future__ import annotations

import re

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Json, Neovim, wait_for, wait_in, wait_until
from tests.editors.neovim.test_asking import SESSIONS, odd
from tests.editors.neovim.test_lists import offer
from tests.editors.neovim.test_views import TRANSCRIPT, shown, wait_whole

# For each block: its kind, its lines, and which of them are in a closed fold.
FOLDS = f"""
local found = {{}}
for _, block in ipairs({TRANSCRIPT}.blocks.list) do
  local closed = {{}}
  for line = block.start + 1, block.start + block.size do
    if vim.fn.foldclosed(line) ~= -1 then table.insert(closed, line - block.start) end
  end
  table.insert(found, {{ kind = block.kind, size = block.size, closed = closed }})
end
return found
"""
FOLDED = ("thought", "tool_call", "terminal")


def go_to_transcript(nvim: Neovim) -> None:
    nvim.command("Acp transcript")
    nvim.lua(f"vim.api.nvim_set_current_win(vim.fn.bufwinid({TRANSCRIPT}.buffer))")


def folds(nvim: Neovim) -> list[Json]:
    found: list[Json] = nvim.lua(FOLDS)
    return found


def winbar(nvim: Neovim) -> str:
    """The winbar of the transcript's window, as it is on screen."""
    return str(
        nvim.lua(
            f"""local window = vim.fn.bufwinid({TRANSCRIPT}.buffer)
            return vim.api.nvim_eval_statusline(vim.wo[window].winbar,
              {{ winid = window, use_winbar = true, maxwidth = 300 }}).str"""
        )
    )


def test_thoughts_tool_calls_and_terminals_are_folded_and_nothing_else(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    go_to_transcript(nvim)
    nvim.run_turn("/tour")  # the folds grow with the text
    wait_whole(nvim)
    blocks = folds(nvim)
    assert {block["kind"] for block in blocks} >= {"user", "agent", "plan", "thought", "tool_call"}
    for block in blocks:
        is_folded = block["kind"] in FOLDED and block["size"] >= 3
        # The empty line behind a block belongs to none.
        wanted = list(range(1, block["size"])) if is_folded else []
        assert block["closed"] == wanted, block


def test_a_fold_that_the_user_opened_stays_open_while_more_is_said(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/run echo one")
    go_to_transcript(nvim)
    wait_whole(nvim)
    before = folds(nvim)
    first = next(number for number, block in enumerate(before) if block["closed"])
    place = f"{{ {TRANSCRIPT}.blocks.list[...].start + 1, 0 }}"
    nvim.lua(f"vim.api.nvim_win_set_cursor(0, {place})", first + 1)
    nvim.command("normal! zo")
    nvim.run_turn("/run echo two")
    wait_whole(nvim)
    after = folds(nvim)
    assert after[first]["closed"] == []
    assert [block["kind"] for block in after[len(before) :] if block["closed"]]


def test_the_winbar_shows_the_plan_the_usage_and_the_options(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    nvim.command("Acp transcript")
    bar = wait_until(lambda: winbar(nvim), lambda text: "idle" in text)
    state, plan, usage, options = bar.split(" · ")[1:]
    assert state == "idle"
    done, whole = plan.removeprefix("plan ").split("/")
    assert done == whole
    assert int(whole) > 1
    assert re.fullmatch(r"\d+% context, \d+\.\d\d USD", usage)
    assert options == "Mode: Ask, Model: The script, Show thoughts: on"


def test_options_of_each_type_are_changed_and_shown(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    nvim.command("Acp transcript")
    nvim.answer("Mode: Ask", "Auto-accept")
    nvim.command("Acp options")
    wait_in("Mode: Auto-accept", lambda: winbar(nvim))
    assert nvim.offered() == ["Ask (now)", "Auto-accept"]
    nvim.answer("Show thoughts: on", "off")
    nvim.command("Acp options")
    wait_in("Show thoughts: off", lambda: winbar(nvim))
    nvim.answer("Model: The script", "The script, terse")
    nvim.command("Acp options")
    wait_in("Model: The script, terse", lambda: winbar(nvim))
    options = nvim.state()["sessions"][0]["configOptions"]
    assert [option["currentValue"] for option in options] == ["auto-accept", "script-terse", False]
    nvim.prompt("/run echo one")  # nothing is asked in this mode
    nvim.wait_idle()
    assert nvim.asked() == [
        "Option: ",
        "Mode: ",
        "Option: ",
        "Show thoughts: ",
        "Option: ",
        "Model: ",
    ]


def test_grouped_values_are_offered_and_options_of_unknown_types_only_shown(start: Start) -> None:
    nvim = start(sidecar=odd())
    nvim.edit("README.md")
    nvim.prompt("options")
    nvim.wait_idle()
    nvim.command("Acp transcript")
    wait_in("Model: Small, Loud: on, Dial: 7", lambda: winbar(nvim))
    assert offer(nvim, "Acp options") == ["Model: Small", "Loud: on"]
    nvim.answer("Model: Small", "Large")
    nvim.command("Acp options")
    wait_in("Model: Large", lambda: winbar(nvim))
    assert nvim.offered() == ["Small (now)", "Large"]


def test_the_transcript_is_written_to_a_file(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    nvim.command("Acp transcript file")
    wait_until(lambda: nvim.rpc.current.buffer.name, lambda name: name.endswith(".md"))
    wait_until(nvim.text, lambda text: "/plan" in text and "# " in text)
    assert nvim.rpc.current.buffer.name != str(nvim.project / "README.md")


def test_one_tool_call_is_stopped_and_the_turn_goes_on(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.command("Acp cancel call")
    wait_in("acp-sidecar: ", lambda: "".join(nvim.told()))
    told = len(nvim.told())
    nvim.prompt("/slow 600")
    nvim.allow()
    wait_for(lambda: calls(nvim) == ["in_progress"], "the command runs")
    nvim.command("Acp cancel call")
    nvim.wait_idle()
    assert calls(nvim) == ["cancelled"]
    [session] = nvim.state()["sessions"]
    assert session["stopReason"] == "end_turn"
    assert nvim.told()[told:] == []
    nvim.command("Acp cancel call")
    wait_until(nvim.told, lambda now: len(now) > told and "no tool call runs" in now[-1])
    nvim.command("Acp transcript")
    wait_in("⊘", lambda: shown(nvim))


def calls(nvim: Neovim) -> list[str]:
    """How the tool calls of the current session are."""
    [session] = [
        each for each in nvim.state()["sessions"]
        if each["sessionId"] == nvim.lua(f"return {SESSIONS}.last")
    ]  # fmt: skip
    return [call["status"] for call in session["toolCalls"] if call["kind"] == "execute"]
