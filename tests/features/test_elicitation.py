"""What agents want to know: forms and pages, in plain and in rich editors, answered once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from acp_sidecar.errors import EditorError
from acp_sidecar.features.elicitation import Elicitations
from acp_sidecar.features.elicitation.form import Form, checked, read_form
from acp_sidecar.features.elicitation.link import Link, read_link
from acp_sidecar.features.permission import PromptQueue
from acp_sidecar.features.ports import Abilities
from acp_sidecar.session.permissions import ElicitationRequest
from acp_sidecar.session.state import Session
from tests.features.permission.world import PLAIN, RICH, Clock, FakeEditor, Json, session

REQUEST: TypeAdapter[ElicitationRequest] = TypeAdapter(ElicitationRequest)


@dataclass
class Asked:
    elicitation_id: str = ""
    answers: list[tuple[str, Json]] = field(default_factory=list)


class World:
    def __init__(self, abilities: Abilities = PLAIN, inert: float = 0.0) -> None:
        self.clock = Clock()
        self.editor = FakeEditor(abilities)
        self.prompts = PromptQueue(self.editor, self.clock, inert)
        self.elicitations = Elicitations(self.editor, clock=self.clock, prompts=self.prompts)
        self.session = session()

    def ask(self, raw: Json, within: Session | None = None) -> Asked:
        asked = Asked()
        request = REQUEST.validate_python({"message": "Tell me", **raw})
        asked.elicitation_id = self.elicitations.requested(
            "claude",
            within,
            request,
            lambda action, content: asked.answers.append((action, content)),
        )
        return asked

    def form(self, *required: str, **properties: Json) -> Asked:
        schema = {"type": "object", "properties": properties, "required": list(required)}
        return self.ask({"mode": "form", "requestedSchema": schema}, self.session)

    def page(self, url: str = "https://example.com/connect?x=1") -> Asked:
        return self.ask({"mode": "url", "elicitationId": "their-id", "url": url})


STRATEGY = {
    "type": "string",
    "title": "Strategy",
    "oneOf": [
        {"const": "slow", "title": "Careful"},
        {"const": "fast", "title": "Quick", "description": "Less sure"},
    ],
}


class TestPlainForm:
    def test_it_is_asked_field_by_field_and_reviewed(self) -> None:
        world = World()
        asked = world.form(
            "strategy", "tests", strategy=STRATEGY, tests={"type": "boolean", "default": True}
        )
        assert world.editor.current.params == "claude asks: Tell me\n1 of 2: Strategy"
        assert world.editor.current.actions == ["Careful", "Quick", "Decline"]
        world.editor.current.press("Quick")
        assert world.editor.current.actions == ["Yes (default)", "No", "Decline"]
        world.editor.current.press("No")
        assert world.editor.current.params == (
            "claude asks: Tell me\nStrategy: Quick\ntests: No\nSend this?"
        )
        assert asked.answers == []
        world.editor.current.press("Send")
        assert asked.answers == [("accept", {"strategy": "fast", "tests": False})]
        assert world.editor.on_screen == []

    def test_an_answer_can_be_changed_before_it_is_sent(self) -> None:
        world = World()
        asked = world.form("strategy", strategy=STRATEGY)
        world.editor.current.press("Quick")
        world.editor.current.press("Change")
        world.editor.current.press("Careful")
        world.editor.current.press("Send")
        assert asked.answers == [("accept", {"strategy": "slow"})]

    def test_optional_fields_can_be_skipped(self) -> None:
        world = World()
        asked = world.form(strategy=STRATEGY, name={"type": "string"})
        world.editor.current.press("Skip")
        assert "No field is filled in." in world.editor.current.params
        world.editor.current.press("Send")
        assert asked.answers == [("accept", {})]

    def test_text_and_numbers_are_answered_by_their_default(self) -> None:
        world = World()
        asked = world.form(
            "name", name={"type": "string", "default": "tally"}, n={"type": "integer", "default": 3}
        )
        assert world.editor.current.actions == ["tally (default)", "Decline"]
        world.editor.current.press("tally (default)")
        assert world.editor.current.actions == ["3 (default)", "Skip", "Decline"]
        world.editor.current.press("3 (default)")
        world.editor.current.press("Send")
        assert asked.answers == [("accept", {"name": "tally", "n": 3})]

    @pytest.mark.parametrize(
        "raw", [{"type": "string"}, {"type": "integer"}, {"type": "number", "default": "x"}]
    )
    def test_what_must_be_typed_is_declined_with_a_reason(self, raw: Json) -> None:
        world = World()
        asked = world.form("field", field=raw, strategy=STRATEGY)
        assert asked.answers == [("decline", None)]
        assert world.editor.questions == []
        assert "cannot ask for text, which it needs for field" in world.editor.messages[0]

    def test_several_choices_are_taken_one_by_one_within_their_bounds(self) -> None:
        world = World()
        items = {"type": "string", "enum": ["a", "b", "c"]}
        asked = world.form(
            "tags", tags={"type": "array", "items": items, "minItems": 1, "maxItems": 2}
        )
        assert world.editor.current.actions == ["a", "b", "c", "Decline"]
        world.editor.current.press("c")
        world.editor.current.press("a")
        assert world.editor.current.actions == ["✓ a", "✓ c", "Done", "Decline"]
        assert world.editor.current.params.endswith("Chosen: c, a")
        world.editor.current.press("✓ c")
        world.editor.current.press("Done")
        world.editor.current.press("Send")
        assert asked.answers == [("accept", {"tags": ["a"]})]

    def test_dismissing_any_step_cancels_and_declining_declines(self) -> None:
        world = World()
        asked = world.form("strategy", strategy=STRATEGY)
        world.editor.current.press("Quick")
        world.editor.current.answer(None)
        assert asked.answers == [("cancel", None)]
        asked = world.form("strategy", strategy=STRATEGY)
        world.editor.current.press("Decline")
        assert asked.answers == [("decline", None)]

    def test_the_steps_of_one_form_stay_together(self) -> None:
        world = World()
        world.form("a", a={"type": "boolean"}, b={"type": "boolean"})
        world.form("z", z={"type": "boolean"})
        world.editor.current.press("Yes")
        assert "2 of 2: b" in world.editor.current.params

    def test_choices_with_one_title_can_be_told_apart(self) -> None:
        world = World()
        same = [{"const": "1", "title": "Same"}, {"const": "2", "title": "Same"}]
        asked = world.form("x", x={"type": "string", "oneOf": same})
        world.editor.current.press("Same (2)")
        world.editor.current.press("Send")
        assert asked.answers == [("accept", {"x": "2"})]

    def test_a_choice_called_decline_is_a_choice(self) -> None:
        world = World()
        asked = world.form("x", x={"type": "string", "enum": ["Decline"]})
        world.editor.current.press("Decline")
        world.editor.current.press("Send")
        assert asked.answers == [("accept", {"x": "Decline"})]

    def test_without_buttons_a_command_answers_even_with_text(self) -> None:
        world = World(Abilities())
        asked = world.form("name", name={"type": "string"})
        assert "acp.elicitation.answer" in world.editor.messages[0]
        with pytest.raises(EditorError, match="name: This is required"):
            world.elicitations.answer(asked.elicitation_id, "accept", {})
        world.elicitations.answer(asked.elicitation_id, "accept", {"name": "x", "more": 1})
        assert asked.answers == [("accept", {"name": "x"})]


class TestRichForm:
    def test_the_payload_has_every_field(self) -> None:
        world = World(RICH, inert=0.5)
        world.form("strategy", strategy=STRATEGY, n={"type": "integer", "minimum": 1, "default": 2})
        params = world.editor.current.params
        assert world.editor.current.what == "acp/elicitation"
        assert (params["agent"], params["sessionId"], params["mode"]) == ("claude", "s", "form")
        assert (params["link"], params["inert"]) == (None, 0.5)
        strategy, number = params["form"]["fields"]
        assert strategy["type"] == "choice"
        assert strategy["required"]
        assert strategy["choices"][1] == {
            "value": "fast",
            "title": "Quick",
            "description": "Less sure",
        }
        assert (number["type"], number["least"], number["most"]) == ("integer", 1, None)
        assert (number["default"], number["required"]) == (2, False)

    def test_mistakes_are_shown_again(self) -> None:
        world = World(RICH)
        asked = world.form("n", n={"type": "integer", "maximum": 5})
        world.editor.current.answer({"action": "accept", "content": {"n": 9}})
        assert asked.answers == []
        assert world.editor.current.params["form"]["fields"][0]["error"] == "At most 5."
        world.editor.current.answer({"action": "accept", "content": {"n": 5, "other": "x"}})
        assert asked.answers == [("accept", {"n": 5})]

    def test_mistakes_without_end_cancel(self) -> None:
        world = World(RICH)
        asked = world.form("n", n={"type": "integer"})
        for _ in range(5):
            world.editor.current.answer({"action": "accept", "content": None})
        assert asked.answers == [("cancel", None)]

    @pytest.mark.parametrize(
        "answer", [None, {}, [], "accept", {"action": "yes"}, {"action": None}]
    )
    def test_whatever_is_no_answer_cancels(self, answer: Json) -> None:
        world = World(RICH)
        asked = world.form(x={"type": "boolean"})
        world.editor.current.answer(answer)
        assert asked.answers == [("cancel", None)]

    def test_decline(self) -> None:
        world = World(RICH)
        asked = world.form(x={"type": "boolean"})
        world.editor.current.answer({"action": "decline", "content": {"x": True}})
        assert asked.answers == [("decline", None)]

    def test_what_was_typed_is_kept_nowhere(self) -> None:
        world = World(RICH)
        world.form("name", name={"type": "string", "maxLength": 8})
        typed = "hunter2-hunter2"
        world.editor.current.answer({"action": "accept", "content": {"name": typed}})
        assert typed not in str(world.elicitations.view())
        world.editor.current.answer({"action": "accept", "content": {"name": typed[:8]}})
        told = (world.elicitations.view(), world.editor.notified, world.editor.logs)
        assert "hunter" not in str((told, world.editor.messages, vars(world.elicitations)))


class TestSecrets:
    @pytest.mark.parametrize(
        ("name", "raw"),
        [
            ("password", {}),
            ("dbPassword", {}),
            ("api_key", {}),
            ("x", {"title": "Your GitHub access token"}),
            ("token", {}),
            ("x", {"title": "Credit card number"}),
            ("recoveryCode", {}),
            ("x", {"format": "password"}),
        ],
    )
    def test_a_form_for_secrets_is_declined(self, name: str, raw: Json) -> None:
        for abilities in (PLAIN, RICH, Abilities()):
            world = World(abilities)
            asked = world.form(**{name: {"type": "string", **raw}})
            assert asked.answers == [("decline", None)]
            assert world.editor.questions == []
            assert "secret" in world.editor.messages[0]

    @pytest.mark.parametrize("name", ["tokenCount", "name", "author", "compass", "pinned"])
    def test_ordinary_fields_are_not_taken_for_secrets(self, name: str) -> None:
        world = World(RICH)
        assert world.form(**{name: {"type": "string"}}).answers == []


LINKS: list[tuple[str, str, list[str]]] = [
    ("https://example.com/a?b=c#d", "example.com", []),
    ("https://EXAMPLE.com./", "example.com", []),
    ("http://localhost:8080/cb", "localhost", []),
    ("http://127.0.0.1:9/cb", "127.0.0.1", []),
    ("http://example.com/", "example.com", ["not encrypted"]),
    ("https://example.com:8443/", "example.com", ["port 8443"]),
    ("https://github.com@evil.example/", "evil.example", ["leads to evil.example"]),
    ("https://xn--pple-43d.com/", "xn--pple-43d.com", ["looks like \u0430pple.com"]),
    ("https://\u0430pple.com/", "xn--pple-43d.com", ["looks like \u0430pple.com"]),
    ("https://10.0.0.1/", "10.0.0.1", ["bare number"]),
    ("https://0x7f000001/", "0x7f000001", ["bare number"]),
    ("https://2130706433/", "2130706433", ["bare number"]),
    ("https://[2001:db8::1]/", "2001:db8::1", ["bare number"]),
]


class TestPage:
    def test_it_is_opened_only_with_consent(self) -> None:
        world = World()
        asked = world.page()
        shown = world.editor.current.params
        assert "Host: example.com\nAddress: https://example.com/connect?x=1" in shown
        assert world.editor.opened == []
        world.editor.current.press("Open page")
        assert asked.answers == [("accept", None)]
        assert world.editor.opened == ["https://example.com/connect?x=1"]

    @pytest.mark.parametrize(("index", "action"), [(None, "cancel"), (0, "decline")])
    def test_it_is_not_opened_otherwise(self, index: int | None, action: str) -> None:
        world = World()
        asked = world.page()
        world.editor.current.answer(index)
        assert asked.answers == [(action, None)]
        assert world.editor.opened == []

    def test_a_key_that_was_typed_too_early_opens_nothing(self) -> None:
        world = World(inert=0.5)
        asked = world.page()
        world.editor.current.press("Open page")
        assert (asked.answers, world.editor.opened) == ([], [])

    def test_rich_editors_consent_and_the_sidecar_opens(self) -> None:
        world = World(RICH)
        asked = world.page("https://bücher.example/")
        link = world.editor.current.params["link"]
        assert link["host"] == "xn--bcher-kva.example"
        assert link["url"] == "https://bücher.example/"
        assert "punycode" in link["warnings"][0]
        world.editor.current.answer({"action": "accept"})
        assert asked.answers == [("accept", None)]
        assert world.editor.opened == ["https://bücher.example/"]

    def test_an_editor_that_does_not_know_the_request_is_asked_plainly(self) -> None:
        world = World(RICH)
        asked = world.page()
        world.editor.abilities = PLAIN
        world.editor.current.unknown()
        world.editor.current.press("Open page")
        assert asked.answers == [("accept", None)]

    def test_a_form_that_needs_typing_is_declined_where_there_turn_out_to_be_no_forms(self) -> None:
        world = World(RICH)
        asked = world.form("name", name={"type": "string"})
        world.editor.abilities = PLAIN
        world.editor.current.unknown()
        assert asked.answers == [("decline", None)]
        assert "cannot ask for text" in world.editor.messages[0]
        assert world.editor.on_screen == []

    def test_what_the_editor_cannot_open_is_shown_to_be_opened_by_hand(self) -> None:
        world = World()
        world.editor.can_open = False
        asked = world.page()
        world.editor.current.press("Open page")
        assert asked.answers == [("accept", None)]
        assert "https://example.com/connect?x=1" in world.editor.messages[0]

    def test_completion_is_told_once_and_only_for_pages_that_were_opened(self) -> None:
        world = World(RICH)
        world.page()
        world.elicitations.completed("claude", "their-id")
        assert world.editor.notified == []
        world.editor.current.answer({"action": "accept"})
        world.editor.notified.clear()
        for agent, page in [("codex", "their-id"), ("claude", "no"), *[("claude", "their-id")] * 2]:
            world.elicitations.completed(agent, page)
        assert world.editor.notified == [
            ("acp/elicitationCompleted", {"elicitationId": "elicitation-1"})
        ]

    @pytest.mark.parametrize(("url", "host", "warnings"), LINKS)
    def test_the_host_is_what_it_leads_to(self, url: str, host: str, warnings: list[str]) -> None:
        link = read_link(url)
        assert isinstance(link, Link)
        assert (link.url, link.host) == (url, host)
        assert len(link.warnings) == len(warnings)
        for found, expected in zip(link.warnings, warnings, strict=True):
            assert expected in found

    @pytest.mark.parametrize(
        "url",
        [
            "",
            "example.com",
            "//example.com/",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "vscode://x/y",
            "command:x",
            "data:text/html,x",
            "https://",
            "https:///x",
            "https://good.example\\@evil.example/",
            "https://exam\tple.com/",
            "https://example.com/\n",
            " https://example.com/",
            "https://example.com/a b",
            "https://example.com\x00/",
            "https://ex%61mple.com/",
            "https://example.com:99999/",
            "https://[::1/",
            "https://a..\u0430.com/",
            "https://example.com/" + "a" * 9000,
        ],
    )
    def test_what_is_never_opened_is_declined(self, url: str) -> None:
        world = World()
        assert world.page(url).answers == [("decline", None)]
        assert world.editor.questions == []
        assert world.editor.messages


class TestEnds:
    @pytest.mark.parametrize("abilities", [PLAIN, RICH, Abilities()])
    @pytest.mark.parametrize("url", [True, False])
    def test_every_end_answers_once_or_not_at_all(self, abilities: Abilities, url: bool) -> None:
        ends: dict[str, list[tuple[str, Any]]] = {
            "withdraw": [],
            "agent_gone": [],
            "cancel_session": [("cancel", None)],
            "shutdown": [("cancel", None)],
        }
        for end, answers in ends.items():
            world = World(abilities)
            page = {"mode": "url", "elicitationId": "e", "url": "https://example.com/"}
            schema = {"type": "object", "properties": {"x": {"type": "boolean"}}}
            form = {"mode": "form", "requestedSchema": schema}
            asked = world.ask(page if url else form, world.session)
            argument = {
                "withdraw": asked.elicitation_id,
                "agent_gone": "claude",
                "cancel_session": world.session,
            }
            getattr(world.elicitations, end)(*([argument[end]] if end in argument else []))
            assert asked.answers == answers
            assert world.editor.on_screen == []
            for late in world.editor.questions:
                late.answer({"action": "accept"} if late.what == "acp/elicitation" else 1)
            assert asked.answers == answers
            assert world.editor.opened == []
            assert world.elicitations.view() == []
            with pytest.raises(EditorError):
                world.elicitations.answer(asked.elicitation_id, "accept")

    def test_what_is_asked_while_cancelling_is_cancelled(self) -> None:
        world = World()
        world.session.cancelling = True
        assert world.form(x={"type": "boolean"}).answers == [("cancel", None)]

    def test_a_flood_is_cancelled_beyond_what_anybody_answers(self) -> None:
        world = World(RICH)
        asked = [world.form(x={"type": "boolean"}) for _ in range(55)]
        assert [each.answers for each in asked] == [[]] * 50 + [[("cancel", None)]] * 5

    def test_an_unknown_mode_is_declined(self) -> None:
        assert World().ask({"mode": "_voice"}).answers == [("decline", None)]

    def test_an_unknown_action_is_refused(self) -> None:
        world = World()
        asked = world.form(x={"type": "boolean"})
        with pytest.raises(EditorError):
            world.elicitations.answer(asked.elicitation_id, "yes")
        world.elicitations.answer(asked.elicitation_id, "decline")
        assert asked.answers == [("decline", None)]

    def test_hostile_text_is_shown_not_run(self) -> None:
        world = World()
        world.ask(
            {
                "mode": "form",
                "message": "[x](command:y)\u202e",
                "requestedSchema": {"properties": {"a\x1b": {"type": "boolean"}}},
            }
        )
        assert world.editor.current.params == ("claude asks: [x] (command:y)⟨U+202E⟩\n1 of 1: a␛")


VALUES: list[tuple[Json, Json, bool]] = [
    ({"type": "boolean"}, True, True),
    ({"type": "boolean"}, 1, False),
    ({"type": "integer"}, 3, True),
    ({"type": "integer"}, 3.5, False),
    ({"type": "integer"}, True, False),
    ({"type": "integer", "minimum": 2}, 1, False),
    ({"type": "integer", "maximum": 10**400}, 1, True),
    ({"type": "number"}, 3.5, True),
    ({"type": "number"}, float("nan"), False),
    ({"type": "number"}, "3", False),
    ({"type": "number", "maximum": 1.5}, 1.6, False),
    ({"type": "string"}, "", True),
    ({"type": "string", "minLength": 2}, "a", False),
    ({"type": "string", "maxLength": 2}, "abc", False),
    ({"type": "string", "format": "email"}, "a@b", True),
    ({"type": "string", "format": "email"}, "a b", False),
    ({"type": "string", "format": "uri"}, "https://x", True),
    ({"type": "string", "format": "uri"}, "x", False),
    ({"type": "string", "format": "date"}, "2026-12-02", True),
    ({"type": "string", "format": "date"}, "2026-13-02", False),
    ({"type": "string", "format": "date-time"}, "2026-12-02T10:00:00Z", True),
    ({"type": "string", "format": "date-time"}, "2026-12-02", False),
    ({"type": "string", "format": "_odd"}, "x", True),
    ({"type": "string", "pattern": "(a+)+$"}, "a" * 60 + "!", True),
    ({"type": "string", "enum": ["a"]}, "a", True),
    ({"type": "string", "enum": ["a"]}, "b", False),
    ({"type": "string", "enum": ["a", 1, None]}, "a", True),
    ({"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}, ["a"], True),
    ({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}, ["a", "a"], False),
    ({"type": "array", "items": {"type": "string", "enum": ["a"]}}, "a", False),
    ({"type": "array", "items": {"enum": ["a"]}, "minItems": 1}, [], False),
]


@pytest.mark.parametrize(("raw", "value", "good"), VALUES)
def test_values_are_checked(raw: Json, value: Json, good: bool) -> None:
    form = read_form({"type": "object", "properties": {"x": raw}})
    assert isinstance(form, Form)
    kept, errors = checked(form, {"x": value})
    assert (kept == {"x": value}) is good
    assert (errors == {}) is good


def test_a_whole_float_is_an_integer() -> None:
    form = read_form({"properties": {"x": {"type": "integer"}}})
    assert isinstance(form, Form)
    kept, _ = checked(form, {"x": 3.0})
    assert type(kept["x"]) is int


@pytest.mark.parametrize(
    "schema",
    [
        None,
        [],
        {},
        {"properties": []},
        {"type": "array", "properties": {}},
        {"properties": {}, "required": ["x"]},
        {"properties": {}, "required": "x"},
        {"properties": {str(n): {"type": "boolean"} for n in range(101)}},
        {"properties": {"x": {"type": "_new"}}, "required": ["x"]},
        {"properties": {"x": 3}, "required": ["x"]},
    ],
)
def test_a_form_that_cannot_be_filled_in_is_declined(schema: Json) -> None:
    world = World(RICH)
    if isinstance(schema, dict):
        asked = world.ask({"mode": "form", "requestedSchema": schema})
        assert asked.answers == [("decline", None)]
    else:
        assert isinstance(read_form(schema), str)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
PROPERTY = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "number", "integer", "boolean", "array", "_x", 3]),
        "title": JSON,
        "default": JSON,
        "enum": JSON | st.lists(st.text(max_size=4), max_size=3),
        "oneOf": JSON,
        "items": JSON | st.just({"enum": ["a", "b"]}),
        "minimum": JSON,
        "maxLength": JSON,
        "minItems": JSON,
        "format": JSON,
    },
)


@given(
    properties=st.dictionaries(st.text(max_size=6), PROPERTY | JSON, max_size=4),
    required=st.lists(st.text(max_size=6), max_size=2),
    abilities=st.sampled_from([PLAIN, RICH, Abilities()]),
    data=st.data(),
)
@hypothesis_settings(max_examples=60, deadline=None)
def test_any_form_and_any_answers_end_in_one_answer_that_fits(
    properties: dict[str, Json], required: list[str], abilities: Abilities, data: st.DataObject
) -> None:
    world = World(abilities)
    schema = {"type": "object", "properties": properties, "required": required}
    asked = world.ask({"mode": "form", "requestedSchema": schema}, world.session)
    for _ in range(12):
        if not world.editor.on_screen:
            break
        question = world.editor.current
        if question.what == "ask":
            index = data.draw(st.one_of(st.none(), st.integers(0, len(question.actions) - 1)))
            question.answer(index)
        else:
            answer = {"action": data.draw(st.sampled_from(["accept", "decline"])), "content": {}}
            question.answer(answer)
    world.elicitations.shutdown()
    assert len(asked.answers) == 1
    action, content = asked.answers[0]
    if action == "accept":
        form = read_form(schema)
        assert isinstance(form, Form)
        assert checked(form, content) == (content, {})
