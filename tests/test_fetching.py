"""Nothing is fetched that was not agreed to, however the agent comes to be started."""

from __future__ import annotations

import json
import os
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from acp_sidecar.configuration import Configuration
from acp_sidecar.consents import Consents
from acp_sidecar.errors import EnvironmentProblem, SidecarError
from acp_sidecar.features.ports import Abilities
from acp_sidecar.fetching import FetchingConnector
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.memory.place import state_directory
from acp_sidecar.session.store import SessionStore
from acp_sidecar.wire.protocol import ClientInfo
from tests.desk import Desk
from tests.host.world import V2, Ears, Programs

KEY = "npx @google/gemini-cli"


class Place:
    """A sidecar's share of it: settings, a connector without processes, and hosts."""

    def __init__(self, path: Path, settings: object = None, *, asks: bool = True) -> None:
        self.desk = Desk()
        self.desk.abilities = replace(self.desk.abilities, message_actions=asks)
        self.consents = Consents(path / "state" / "consents.json")
        self.settings = Configuration(settings, self.consents)
        self.programs = Programs()
        self.connector = FetchingConnector(self.programs, self.settings, self.desk)
        self.ears = Ears()
        self.outcomes: list[SidecarError | None] = []
        self.host = AgentHost(
            "gemini",
            self.settings.agents["gemini"],
            client=ClientInfo("test", "Test", "1"),
            timeouts=self.settings.timeouts("gemini"),
            connector=self.connector,
            store=SessionStore(),
            listener=self.ears,
        )

    def start(self) -> None:
        self.host.when_ready(self.outcomes.append)

    def comes_up(self) -> None:
        start = self.programs.starts[-1]
        start.on_ready(start.agent)
        start.agent.answers("initialize", V2)
        self.connector.agent_changed(self.host)


@pytest.fixture(autouse=True)
def only_npx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with npx and no agent."""
    programs = tmp_path / "programs"
    programs.mkdir()
    name = "npx.cmd" if sys.platform == "win32" else "npx"
    (programs / name).write_text("", encoding="utf-8")
    (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))


def test_the_user_is_asked_and_then_it_starts(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.start()
    assert place.programs.starts == []
    question = place.desk.current
    for told in ("Gemini CLI", "@google/gemini-cli", "npx", "npm registry"):
        assert told in question.params
    question.press("Run with npx")
    assert len(place.programs.starts) == 1
    place.comes_up()
    assert place.outcomes == [None]
    begun, ended = place.desk.progress
    assert begun[0] == ended[0]
    assert "@google/gemini-cli" in begun[1]
    assert ended[1] == "Ready"


def test_the_answer_is_kept(tmp_path: Path) -> None:
    first = Place(tmp_path)
    first.start()
    first.desk.current.press("Run with npx")
    second = Place(tmp_path)
    assert not second.settings.known["gemini"].needs_consent
    assert second.settings.known["claude"].needs_consent
    second.start()
    assert second.desk.questions == []
    assert len(second.programs.starts) == 1


@pytest.mark.parametrize("answer", [1, None], ids=["not now", "dismissed"])
def test_no_is_no_and_says_what_else_to_do(tmp_path: Path, answer: int | None) -> None:
    place = Place(tmp_path)
    place.start()
    place.desk.current.answer(answer)
    (error,) = place.outcomes
    assert isinstance(error, EnvironmentProblem)
    assert "npm install -g @google/gemini-cli" in error.advice
    assert 'agents.gemini.run to "npx"' in error.advice
    assert place.programs.starts == []
    place.start()  # asked again when it is wanted again
    assert len(place.desk.on_screen) == 1


def test_an_editor_that_cannot_ask_gets_the_advice(tmp_path: Path) -> None:
    place = Place(tmp_path, asks=False)
    place.start()
    assert "gemini.run" in str(place.outcomes[0])


def test_an_editor_that_turns_out_unable_gets_it_too(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.start()
    place.connector.editor_cannot_ask()
    assert place.outcomes == []  # it can
    place.desk.abilities = Abilities()
    place.connector.editor_cannot_ask()
    assert "gemini.run" in str(place.outcomes[0])


def test_who_waits_is_started_by_the_command_that_allows_it(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.start()
    place.connector.allow("gemini")
    assert place.desk.on_screen == []
    assert len(place.programs.starts) == 1
    place.connector.allow("gemini")
    assert len(place.programs.starts) == 1


def test_stopping_takes_the_question_back(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.start()
    stopped: list[bool] = []
    place.host.stop(lambda: stopped.append(True))
    place.connector.give_up("gemini")
    assert place.desk.on_screen == []
    assert stopped == [True]
    assert place.host.state.value == "stopped"


def test_the_setting_is_consent(tmp_path: Path) -> None:
    place = Place(tmp_path, {"agents": {"gemini": {"run": "npx"}}})
    place.start()
    assert place.desk.questions == []
    assert len(place.programs.starts) == 1
    assert not (tmp_path / "state").exists()


def test_what_may_be_fetched_gets_more_time(tmp_path: Path) -> None:
    settings = Configuration({"timeouts": {"initialize": 5, "fetch": 50}}, Consents())
    assert settings.timeouts("gemini").initialize == 50
    assert settings.timeouts("demo").initialize == 5


# --- what is kept ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b'{"version": 2, "packages": ["npx @google/gemini-cli"]}',
        b'{"version": 1, "packages": "npx @google/gemini-cli"}',
        b'{"version": 1, "packages": [5, null]}',
        b"[" * 100_000,
    ],
)
def test_damaged_state_or_that_of_the_future_agrees_to_nothing(
    tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "consents.json"
    file.write_bytes(content)
    assert Consents(file).packages == set()
    assert file.read_bytes() == content


def test_two_sidecars_keep_each_others_answers(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "consents.json"
    one, other = Consents(file), Consents(file)
    one.agree("npx a")
    other.agree("uvx b")
    assert Consents(file).packages == {"npx a", "uvx b"}
    assert json.loads(file.read_text("utf-8"))["version"] == 1
    assert [each.name for each in file.parent.iterdir()] == ["consents.json"]


def test_state_is_its_owners(tmp_path: Path) -> None:
    file = tmp_path / "state" / "consents.json"
    Consents(file).agree(KEY)
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_an_answer_that_cannot_be_kept_holds_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file is in the way", encoding="utf-8")
    place = Place(tmp_path)
    place.start()
    place.desk.current.press("Run with npx")
    assert len(place.programs.starts) == 1
    assert "could not be kept" in place.desk.logs[0]


def test_where_state_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variable = "LOCALAPPDATA" if os.name == "nt" else "XDG_STATE_HOME"
    monkeypatch.setenv(variable, str(tmp_path))
    if sys.platform != "darwin":
        assert state_directory() == tmp_path / "acp-sidecar"
    assert state_directory().name == "acp-sidecar"
