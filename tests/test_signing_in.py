"""Signing in: what the user is asked, what is run, and who waits for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from acp_sidecar.errors import AuthRequired, NotSupported, SidecarError
from acp_sidecar.features.ports import Abilities
from acp_sidecar.signing_in import SignIns
from acp_sidecar.wire.json_rpc import RpcError
from tests.desk import Desk
from tests.host.world import V1, V2, World

Json = dict[str, Any]

TERMINAL: Json = {
    "type": "terminal",
    "methodId": "tty",
    "name": "In a terminal",
    "args": ["--login", "it's"],
    "env": [{"name": "LOGIN", "value": "1 2"}],
}
BROWSER: Json = {
    "type": "agent",
    "methodId": "web",
    "name": "Browser",
    "description": "Opens a page\u202e of the provider",
}
LATER: Json = {"type": "_carrier_pigeon", "methodId": "pigeon", "name": "Pigeon"}
KEY_V1: Json = {"type": "env_var", "id": "key", "name": "Use KEY", "vars": [{"name": "KEY"}]}
RICH = frozenset({"runInTerminal"})


class Room:
    """An agent that offers `methods`, and an editor whose user the test is."""

    def __init__(
        self, *methods: Json, base: Json = V2, abilities: Abilities | None = None, **settings: Any
    ) -> None:
        self.world = World(**settings)
        self.desk = Desk()
        self.desk.abilities = abilities or self.desk.abilities
        note = ("The Agent", "Use its own program.")
        self.sign_ins = SignIns(self.desk, lambda _: note, lambda: "/p")
        self.base = {**base, "authMethods": list(methods)}
        self.world.ready(self.base)
        self.done: list[str] = []
        self.failed: list[SidecarError] = []
        self.heard: list[SidecarError | None] = []

    def login(self, method_id: str | None = None) -> None:
        self.sign_ins.login(self.world.host, method_id, self.done.append, self.failed.append)

    def wanted(self) -> None:
        """A request was refused."""
        refusal = RpcError(-32000, "Authentication required")
        error = self.world.host.error("session/new", refusal)
        assert isinstance(error, AuthRequired)
        self.sign_ins.wanted(self.world.host, error, self.heard.append)

    def restarted(self) -> None:
        """The old process ends, the new one comes up."""
        self.world.agent.exits(expected=True)
        self.world.run()
        self.world.agent.answers("initialize", self.base)


# --- by the agent ---------------------------------------------------------------------------------


def test_the_only_way_is_taken_when_the_user_asks_for_it() -> None:
    room = Room(BROWSER)
    room.login()
    assert room.desk.questions == []
    assert room.world.agent.asked("auth/login").params == {"methodId": "web"}


def test_it_is_waited_for_without_end_and_shown() -> None:
    room = Room(BROWSER)
    room.login("web")
    asked = room.world.agent.open[0]
    assert asked.timeout is None
    room.world.agent.answers("auth/login", {})
    assert room.done == ["web"]
    begun, ended = room.desk.progress
    assert begun == (ended[0], "Signing in to The Agent")


def test_v1_is_asked_in_its_own_words_also_for_ways_of_older_drafts() -> None:
    room = Room(KEY_V1, base=V1)
    room.login()
    assert room.world.agent.asked("authenticate").params == {"methodId": "key"}


def test_of_several_ways_the_user_chooses() -> None:
    room = Room(BROWSER, TERMINAL)
    room.login()
    question = room.desk.current
    assert question.actions == ["Browser", "In a terminal", "Not now"]
    assert "Opens a page⟨U+202E⟩ of the provider" in question.params
    question.press("Browser")
    room.world.agent.answers("auth/login", {})
    assert room.done == ["web"]


def test_buttons_of_one_name_are_told_apart() -> None:
    room = Room(BROWSER, {**BROWSER, "methodId": "other"}, {**BROWSER, "name": "Not now"})
    room.login()
    assert room.desk.current.actions == [
        "Browser (web)", "Browser (other)", "Not now (web)", "Not now"
    ]  # fmt: skip
    room.desk.current.press("Browser (other)")
    assert room.world.agent.asked("auth/login").params == {"methodId": "other"}


def test_not_now_is_an_error_that_says_how_to_go_on() -> None:
    room = Room(BROWSER, TERMINAL)
    room.login()
    room.desk.current.press("Not now")
    assert "acp.agent.login" in str(room.failed[0])


def test_a_way_that_is_not_offered_is_named_with_those_that_are() -> None:
    room = Room(BROWSER)
    room.login("nope")
    assert isinstance(room.failed[0], NotSupported)
    assert "web" in str(room.failed[0])


def test_an_agent_without_any_way_says_what_is_known_of_it() -> None:
    room = Room()
    room.login()
    assert "Use its own program." in str(room.failed[0])
    room.wanted()
    assert "Use its own program." in str(room.heard[0])
    assert room.desk.questions == []


def test_a_way_of_a_type_that_nobody_knows_is_not_asked_of_v2() -> None:
    room = Room(LATER)
    room.login()
    assert isinstance(room.failed[0], NotSupported)
    assert room.world.agent.open == []


def test_the_agents_refusal_is_told() -> None:
    room = Room(BROWSER)
    room.login()
    room.world.agent.refuses("auth/login", -32603, "wrong password")
    assert "wrong password" in str(room.failed[0])


# --- when a request was refused -------------------------------------------------------------------


def test_a_refused_request_leads_to_the_question_even_with_one_way() -> None:
    room = Room(BROWSER)
    room.wanted()
    assert room.world.host.auth_required
    assert "Authentication required" in room.desk.current.params
    room.desk.current.press("Browser")
    room.world.agent.answers("auth/login", {})
    assert room.heard == [None]
    assert not room.world.host.auth_required


def test_all_who_were_refused_wait_for_one_sign_in() -> None:
    room = Room(BROWSER)
    room.wanted()
    room.wanted()
    assert len(room.desk.questions) == 1
    room.desk.current.press("Browser")
    room.wanted()
    room.world.agent.answers("auth/login", {})
    assert room.heard == [None, None, None]


def test_the_command_answers_the_question_for_those_who_wait() -> None:
    room = Room(BROWSER, LATER)
    room.wanted()
    room.login("web")
    assert room.desk.on_screen == []
    room.world.agent.answers("auth/login", {})
    assert (room.heard, room.done) == ([None], ["web"])


def test_another_way_can_be_taken_when_the_first_never_ends() -> None:
    room = Room(BROWSER, {**BROWSER, "methodId": "other"})
    room.login("web")
    room.login("other")
    first, second = room.world.agent.open
    assert (first.params, second.params) == ({"methodId": "web"}, {"methodId": "other"})
    room.world.agent.refuses("auth/login", -32800, "given up")  # the first
    assert (room.done, room.failed) == ([], [])
    room.world.agent.answers("auth/login", {})
    assert room.done == ["other", "other"]


def test_an_agent_that_ends_meanwhile_fails_it() -> None:
    room = Room(BROWSER)
    room.wanted()
    room.desk.current.press("Browser")
    room.world.agent.exits()
    assert isinstance(room.heard[0], SidecarError)


def test_an_agent_that_ended_while_the_user_thought_is_started_for_it() -> None:
    room = Room(BROWSER)
    room.wanted()
    room.world.agent.exits()
    room.desk.current.press("Browser")
    room.world.run()
    room.world.agent.answers("initialize", room.base)
    room.world.agent.answers("auth/login", {})
    assert room.heard == [None]


def test_an_editor_that_cannot_ask_is_told_the_ways() -> None:
    room = Room(BROWSER, TERMINAL, abilities=Abilities())
    room.wanted()
    assert "web (Browser), tty (In a terminal)" in str(room.heard[0])


def test_an_editor_that_turns_out_unable_is_told_them_too() -> None:
    room = Room(BROWSER)
    room.wanted()
    room.desk.abilities = Abilities()
    room.sign_ins.editor_cannot_ask({"agent": room.world.host})
    assert "web (Browser)" in str(room.heard[0])


# --- in a terminal --------------------------------------------------------------------------------


def rich() -> Abilities:
    return replace(Desk().abilities, rich=RICH)


def test_a_rich_editor_runs_the_agents_own_program() -> None:
    room = Room(TERMINAL, abilities=rich(), command=["agent", "--acp"], env={"SECRET": "s"})
    room.login()
    asked = room.desk.current
    assert (asked.what, asked.params) == (
        "acp/runInTerminal",
        {
            "title": "Sign in to The Agent",
            "command": "agent",
            "args": ["--acp", "--login", "it's"],
            "cwd": "/p",
            "env": {"SECRET": "s", "LOGIN": "1 2"},
        },
    )
    assert room.world.agent.open == []  # a terminal method is never asked of the agent


def test_after_it_the_agent_is_started_anew() -> None:
    room = Room(TERMINAL, abilities=rich())
    room.wanted()
    room.desk.current.press("In a terminal")
    room.desk.current.answer({"exitCode": 0})
    assert room.heard == []
    room.restarted()
    assert room.heard == [None]
    assert len(room.world.programs.starts) == 2


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"exitCode": 1}, "exit status 1"),
        ({"exitCode": None}, "not finished"),
        ({}, "not finished"),
    ],
)
def test_a_program_that_fails_has_not_signed_anybody_in(answer: Json, told: str) -> None:
    room = Room(TERMINAL, abilities=rich())
    room.login()
    room.desk.current.answer(answer)
    assert told in str(room.failed[0])
    assert len(room.world.programs.starts) == 1


@pytest.mark.parametrize("how", ["null", "unknown", "plain"])
def test_others_are_told_what_to_run_by_hand(how: str) -> None:
    abilities = None if how == "plain" else rich()
    env = {"SECRET": "not shown"}
    room = Room(TERMINAL, abilities=abilities, command=["agent", "--acp"], env=env)
    room.login()
    if how == "null":
        room.desk.current.answer(None)
    elif how == "unknown":
        room.desk.current.unknown()
    question = room.desk.current
    assert "LOGIN='1 2' agent --acp --login 'it'\"'\"'s'" in question.params
    assert "SECRET" in question.params
    assert "not shown" not in question.params
    question.press("Done")
    room.restarted()
    assert room.done == ["tty"]


def test_by_hand_can_be_given_up() -> None:
    room = Room(TERMINAL)
    room.login()
    room.desk.current.press("Not now")
    assert isinstance(room.failed[0], AuthRequired)


def test_a_start_that_fails_after_it_is_told() -> None:
    room = Room(TERMINAL, abilities=rich())
    room.login()
    room.desk.current.answer({"exitCode": 0})
    room.world.agent.exits(expected=True)
    room.world.programs.starts[-1].on_failed(NotSupported("gone"))
    assert str(room.failed[0]) == "gone"


LEGACY: Json = {
    "id": "old-login",
    "name": "Login with the agent",
    "_meta": {"terminal-auth": {"command": "agent-cli", "args": ["auth", "login"], "label": "x"}},
}


def test_a_program_that_the_agent_names_is_shown_before_it_runs() -> None:
    room = Room(LEGACY, base=V1, abilities=rich())
    room.login()
    question = room.desk.current
    assert (question.what, question.actions) == ("ask", ["Run", "Not now"])
    assert "agent-cli auth login" in question.params
    question.press("Run")
    params = room.desk.current.params
    assert (params["command"], params["args"]) == ("agent-cli", ["auth", "login"])
    room.desk.current.answer({"exitCode": 0})
    room.restarted()
    assert room.done == ["old-login"]


def test_it_need_not_run() -> None:
    room = Room(LEGACY, base=V1, abilities=rich())
    room.login()
    room.desk.current.press("Not now")
    assert isinstance(room.failed[0], AuthRequired)
    assert room.desk.on_screen == []


def test_without_a_terminal_it_is_run_by_hand() -> None:
    room = Room(LEGACY, base=V1)
    room.login()
    assert "agent-cli auth login" in room.desk.current.params
    assert room.desk.current.actions == ["Done", "Not now"]


@pytest.mark.parametrize("told", [None, "x", {}, {"command": 5}, {"args": ["x"]}])
def test_what_is_no_program_is_left_to_the_agent(told: Any) -> None:
    room = Room({**LEGACY, "_meta": {"terminal-auth": told}}, base=V1)
    room.login()
    assert room.world.agent.asked("authenticate").params == {"methodId": "old-login"}


# --- signing out ----------------------------------------------------------------------------------


def test_v2_signs_out_where_it_signs_in() -> None:
    room = Room(BROWSER)
    assert room.world.host.adapter.logout().method == "auth/logout"
    with pytest.raises(NotSupported):
        Room().world.host.adapter.logout()
