"""Choices by vim.ui.select: sessions, options, agents; and signing in."""

from __future__ import annotations

from tests.editors.neovim.editor import Neovim, wait_for, wait_in

SESSIONS = "require('acp_sidecar.sessions')"


def offer(nvim: Neovim, command: str) -> list[str]:
    """What a command offers, before anything is chosen."""
    nvim.lua("_G.offered = {}")
    nvim.command(command)
    return wait_for(nvim.offered, command)


def test_sessions_are_listed_opened_anew_and_chosen(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    first = nvim.lua(f"return {SESSIONS}.last")
    nvim.answer("a new session")
    nvim.command("Acp sessions")
    nvim.wait(f"{SESSIONS}.last ~= ...", first)
    nvim.wait(f"vim.tbl_count({SESSIONS}.all) == 2")
    old = nvim.lua(
        f"""local session = {SESSIONS}.all[...]
            return ('%s (%s, %s)'):format(session.title or ..., session.agent, session.state)""",
        first,
    )
    assert old in offer(nvim, "Acp sessions")
    nvim.answer(old)
    nvim.command("Acp sessions")
    nvim.wait(f"{SESSIONS}.last == ...", first)


def test_an_option_is_chosen_and_set(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    option = "Show thoughts: on"
    wait_in(option, lambda: offer(nvim, "Acp options"))
    nvim.answer(option, "off")
    nvim.command("Acp options")
    wait_in("Show thoughts: off", lambda: offer(nvim, "Acp options"))


def test_an_agent_is_chosen_and_stopped(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    [demo] = [label for label in offer(nvim, "Acp agents") if "default" in label]
    nvim.answer(demo, "stop")
    nvim.command("Acp agents")
    wait_for(lambda: demo not in offer(nvim, "Acp agents"), "the agent is stopped")
    nvim.prompts += 1
    nvim.command("Acp! prompt /plan")
    nvim.wait_idle()


def test_an_agent_that_needs_no_sign_in_says_so(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    nvim.command("Acp login demo")
    told = wait_for(nvim.told, "an answer")
    assert told[0].startswith("acp-sidecar: ")
