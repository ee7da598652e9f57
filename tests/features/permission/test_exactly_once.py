"""Whatever happens in whatever order: each permission is answered once, by who had a say in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from acp_sidecar.config import PermissionRule
from acp_sidecar.errors import EditorError
from acp_sidecar.features.ports import Abilities
from acp_sidecar.session.state import Session
from tests.features.permission.world import (
    OPTIONS,
    RICH,
    Asked,
    Json,
    Question,
    World,
    command,
    edit,
    session,
)

SUBJECTS: dict[str, Json] = {
    "ls": command("ls"),
    "rm": command("rm x"),
    "both": command("ls; rm x"),
    "edit": edit("/project/a"),
    "unknown": {"type": "_new"},
    "none": None,
}

COVERS: dict[str, tuple[Json, set[str]]] = {
    "ls": ({"command": "ls"}, {"ls"}),
    "rm": ({"command": "rm *"}, {"rm"}),
    "edit": ({"path": "**"}, {"edit"}),
    "all": ({}, {"ls", "rm", "both", "edit"}),
}
"""What an allow rule may settle at most, said without the code under test."""

ODD_OPTIONS = [
    {"optionId": "odd", "name": "Sure", "kind": "_sure"},
    {"optionId": "always", "name": "Always", "kind": "allow_always"},
]
KINDS = {each["optionId"]: each["kind"] for each in [*OPTIONS, *ODD_OPTIONS]}


@dataclass
class Case:
    """A permission and everything that had a say in it."""

    asked: Asked
    subject: str
    place: Session
    offered: set[str]
    chosen: set[str | None] = field(default_factory=set)
    unanswerable: bool = False


class AnyOrder(RuleBasedStateMachine):
    cases = Bundle("cases")

    @initialize(
        abilities=st.sampled_from([RICH, Abilities(message_actions=True), Abilities()]),
        inert=st.sampled_from([0.0, 0.5]),
    )
    def begin(self, abilities: Abilities, inert: float) -> None:
        self.previews: list[str] = []
        self.world = World(abilities=abilities, inert=inert, timeout=20, previews=self.previews)
        self.sessions = [session("s"), session("t"), session("u", agent="codex")]
        self.all: list[Case] = []
        self.allowing: list[tuple[set[str], str | None]] = []
        self.denying = False

    @rule(
        target=cases,
        subject=st.sampled_from(sorted(SUBJECTS)),
        place=st.integers(0, 2),
        odd=st.booleans(),
    )
    def request(self, subject: str, place: int, odd: bool) -> Case:
        options = ODD_OPTIONS if odd else OPTIONS
        within = self.sessions[place]
        case = Case(Asked(), subject, within, {each["optionId"] for each in options})
        self.all.append(case)
        title = f"<{len(self.all)}>"
        case.asked = self.world.ask(SUBJECTS[subject], options=options, title=title, within=within)
        return case

    def _case_of(self, question: Question) -> Case:
        text = question.params if isinstance(question.params, str) else question.params["title"]
        number = int(text[text.index("<") + 1 : text.index(">")])
        return self.all[number - 1]

    @rule(data=st.data(), late=st.booleans())
    def press(self, data: st.DataObject, late: bool) -> None:
        """On screen, or on what a client should have taken away."""
        editor = self.world.editor
        questions = editor.questions if late else editor.on_screen
        if not questions:
            return
        question = data.draw(st.sampled_from(questions))
        if question.answered:
            return  # a request has one response
        case = self._case_of(question)
        if question.what == "ask":
            self._press_button(data, question, case)
        else:
            option_id = data.draw(st.sampled_from([*sorted(case.offered), "bogus", None]))
            case.chosen.add(option_id if option_id in case.offered else None)
            question.answer(None if option_id is None else {"optionId": option_id})

    def _press_button(self, data: st.DataObject, question: Question, case: Case) -> None:
        index = data.draw(st.one_of(st.none(), st.integers(0, len(question.actions) - 1)))
        options = ODD_OPTIONS if "odd" in case.offered else OPTIONS
        if index is None:
            case.chosen.add(None)
        elif index < len(options):
            case.chosen.add(options[index]["optionId"])
            case.chosen.add(None)  # a program that answers too early too often is dismissed
        question.answer(index)

    @rule(case=cases, option_id=st.sampled_from(["yes", "no", "always", "odd", "bogus", None]))
    def answer_by_command(self, case: Case, option_id: str | None) -> None:
        open_before = self._is_open(case)
        valid = option_id is None or option_id in case.offered
        if open_before and valid:
            case.chosen.add(option_id)
        try:
            self.world.permissions.answer(case.asked.permission_id, option_id)
        except EditorError:
            assert not (open_before and valid)
        else:
            assert open_before
            assert valid
            assert case.asked.answers == [option_id]

    @rule(case=cases)
    def withdraw(self, case: Case) -> None:
        case.unanswerable |= self.world.permissions.withdraw(case.asked.permission_id)

    @rule(place=st.integers(0, 2))
    def cancel(self, place: int) -> None:
        for case in self.all:
            if case.place is self.sessions[place]:
                case.chosen.add(None)
        self.world.permissions.cancel_session(self.sessions[place])

    @rule(place=st.integers(0, 2), cancelling=st.booleans())
    def cancelling(self, place: int, cancelling: bool) -> None:
        self.sessions[place].cancelling = cancelling

    @rule(agent=st.sampled_from(["claude", "codex"]))
    def agent_gone(self, agent: str) -> None:
        for case in self.all:
            if case.place.agent == agent and self._is_open(case):
                case.unanswerable = True
        self.world.permissions.agent_gone(agent)

    @rule(what=st.sampled_from(sorted(COVERS)), place=st.one_of(st.none(), st.integers(0, 2)))
    def allow(self, what: str, place: int | None) -> None:
        match, covered = COVERS[what]
        within = None if place is None else self.sessions[place]
        self.allowing.append((covered, None if within is None else within.key))
        self._add("allow", match, within)

    @rule(what=st.sampled_from(sorted(COVERS)), do=st.sampled_from(["deny", "ask"]))
    def deny_or_ask(self, what: str, do: str) -> None:
        self.denying |= do == "deny"
        self._add(do, COVERS[what][0], None)

    def _add(self, do: str, match: Json, within: Session | None) -> None:
        raw: dict[str, Any] = {"do": do, "match": match}
        raw["scope"] = "workspace" if within is None else "session"
        self.world.permissions.add_rule(PermissionRule.model_validate(raw), within)

    @rule(seconds=st.sampled_from([0.1, 0.6, 5.0, 21.0]))
    def wait(self, seconds: float) -> None:
        self.world.pass_time(seconds)

    def _is_open(self, case: Case) -> bool:
        views = self.world.permissions.view()
        return case.asked.permission_id in {view["permissionId"] for view in views}

    @invariant()
    def answered_at_most_once_and_once_when_settled(self) -> None:
        for case in getattr(self, "all", []):
            expected = 0 if self._is_open(case) or case.unanswerable else 1
            assert len(case.asked.answers) == expected

    @invariant()
    def an_option_is_chosen_by_the_user_or_by_a_rule(self) -> None:
        for case in getattr(self, "all", []):
            for option_id in case.asked.answers:
                if option_id is not None and option_id not in case.chosen:
                    self._must_be_by_rule(case, option_id)

    def _must_be_by_rule(self, case: Case, option_id: str) -> None:
        if KINDS[option_id] == "allow_once":
            covered: set[str] = set()
            for subjects, key in self.allowing:
                covered |= subjects if key in {None, case.place.key} else set()
            assert case.subject in covered
        else:
            assert self.denying
            assert KINDS[option_id].startswith("reject")

    @invariant()
    def a_plain_editor_shows_one_at_a_time(self) -> None:
        if hasattr(self, "world") and not self.world.editor.abilities.rich:
            assert len(self.world.editor.on_screen) <= 1

    @invariant()
    def nothing_settled_stays_on_screen(self) -> None:
        if hasattr(self, "world"):
            for question in self.world.editor.on_screen:
                assert self._is_open(self._case_of(question))

    @invariant()
    def nothing_open_is_forgotten(self) -> None:
        """Each is on screen, waits for its turn behind one, will come again, or was told."""
        if not hasattr(self, "world"):
            return
        world = self.world
        views = world.permissions.view()
        if not views or not (world.editor.abilities.rich or world.editor.abilities.message_actions):
            return
        if world.editor.abilities.rich:
            assert all(view["asked"] for view in views)
        else:
            assert world.editor.on_screen or world.prompts.deadline() is not None

    def teardown(self) -> None:
        if not hasattr(self, "world"):
            return
        self.world.permissions.shutdown()
        assert self.world.permissions.view() == []
        assert self.world.editor.on_screen == []
        for case in self.all:
            assert len(case.asked.answers) == (0 if case.unanswerable else 1)


def test_each_permission_is_answered_exactly_once() -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]  # hypothesis leaves it so
        AnyOrder,
        settings=hypothesis_settings(max_examples=40, stateful_step_count=30, deadline=None),
    )
