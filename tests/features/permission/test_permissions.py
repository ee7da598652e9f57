"""Asking and answering, in plain and in rich editors."""

from __future__ import annotations

import dataclasses

import pytest

from acp_sidecar.config import PermissionRule
from acp_sidecar.errors import EditorError
from acp_sidecar.features.ports import Abilities
from tests.features.permission.world import (
    OPTIONS,
    PLAIN,
    RICH,
    Json,
    World,
    call,
    command,
    edit,
    rule,
    session,
    settings,
)


def a_rule(do: str, scope: str = "workspace", **match: Json) -> PermissionRule:
    return PermissionRule.model_validate({"do": do, "scope": scope, "match": match})


class TestPlainEditor:
    def test_the_answer_is_the_option_pressed(self) -> None:
        world = World()
        asked = world.ask(command("git push"))
        assert world.editor.current.actions == ["Allow", "Always allow", "Reject"]
        world.editor.current.press("Always allow")
        assert asked.answers == ["always"]
        assert world.permissions.view() == []

    def test_dismissal_is_cancelled(self) -> None:
        world = World()
        asked = world.ask(command("git push"))
        world.editor.current.answer(None)
        assert asked.answers == [None]

    def test_one_prompt_at_a_time_in_order_and_any_order_by_command(self) -> None:
        world = World()
        asked = [world.ask(command(f"run {n}")) for n in range(4)]
        assert [view["asked"] for view in world.permissions.view()] == [True, False, False, False]
        world.permissions.answer(asked[2].permission_id, "no")
        assert asked[2].answers == ["no"]
        world.editor.current.press("Allow")
        assert "run 1" in world.editor.current.params
        world.permissions.answer(asked[1].permission_id, "yes")
        assert world.editor.questions[1].withdrawn
        assert "run 3" in world.editor.current.params
        world.editor.current.press("Reject")
        assert [each.answers for each in asked] == [["yes"], ["yes"], ["no"], ["no"]]
        assert world.editor.on_screen == []

    def test_a_late_answer_is_ignored(self) -> None:
        world = World()
        first, second = world.ask(command("one")), world.ask(command("two"))
        world.ask(command("three"))
        stale = world.editor.current
        world.permissions.answer(first.permission_id, "no")
        stale.press("Allow")
        assert first.answers == ["no"]
        assert second.answers == []
        assert "two" in world.editor.current.params

    def test_options_with_one_name_can_be_told_apart(self) -> None:
        options = [
            {"optionId": str(n), "name": name, "kind": kind}
            for n, (name, kind) in enumerate(
                [("Yes", "allow_once"), ("yes", "allow_always"), ("", "reject_once")]
            )
        ]
        world = World()
        asked = world.ask(command("x"), options=options)
        assert world.editor.current.actions == ["Yes", "yes (2)", "reject_once"]
        world.editor.current.press("yes (2)")
        assert asked.answers == ["1"]

    @pytest.mark.parametrize(
        ("name", "kind", "label"),
        [
            ("Reject", "allow_once", "Reject [allow once]"),
            ("Don't allow", "allow_once", "Don't allow [allow once]"),
            ("Preview", "allow_always", "Preview [allow always]"),
            ("Yes", "reject_once", "Yes [reject once]"),
            ("Yes, and don't ask again", "allow_always", "Yes, and don't ask again"),
            ("No, and tell it why", "reject_once", "No, and tell it why"),
            ("Odd yes", "_probe", "Odd yes [probe]"),
            ("Allow\n\u202ex", "allow_once", "Allow␊⟨U+202E⟩x"),
        ],
    )
    def test_a_name_cannot_hide_what_the_option_does(
        self, name: str, kind: str, label: str
    ) -> None:
        world = World()
        world.ask(command("x"), options=[{"optionId": "o", "name": name, "kind": kind}])
        assert world.editor.current.actions == [label]

    def test_preview_shows_the_diff_and_asks_again(self) -> None:
        previews: list[str] = []
        world = World(previews=previews)
        asked = world.ask(edit("/project/a"))
        other = world.ask(command("later"))
        world.editor.current.press("Preview")
        assert previews == [asked.permission_id]
        assert asked.answers == []
        world.editor.current.press("Allow")
        assert asked.answers == ["yes"]
        assert other.answers == []

    def test_only_a_diff_has_a_preview(self) -> None:
        world = World(previews=[])
        world.ask(command("x"))
        assert "Preview" not in world.editor.current.actions

    def test_an_option_called_preview_is_not_ours(self) -> None:
        previews: list[str] = []
        world = World(previews=previews)
        options = [{"optionId": "p", "name": "Preview", "kind": "reject_once"}]
        asked = world.ask(edit("/project/a"), options=options)
        assert world.editor.current.actions == ["Preview", "Preview (2)"]
        world.editor.current.press("Preview")
        assert (asked.answers, previews) == (["p"], [])

    def test_without_buttons_it_is_told_and_answered_by_command(self) -> None:
        world = World(abilities=Abilities())
        asked = world.ask(command("git push"))
        (told,) = world.editor.messages
        assert "$ git push" in told
        assert f"Answer {asked.permission_id} with the command acp.permission.answer." in told
        world.pass_time(1)
        assert len(world.editor.messages) == 1
        world.permissions.answer(asked.permission_id, "yes")
        assert asked.answers == ["yes"]

    def test_an_editor_that_turns_out_to_have_no_buttons(self) -> None:
        """It says so only when it is asked; the question stays open for the command."""
        world = World()
        first, second = world.ask(command("one")), world.ask(command("two"))
        world.editor.abilities = dataclasses.replace(world.editor.abilities, message_actions=False)
        assert world.permissions.deadline() == world.clock.now
        world.pass_time(0)
        shown = [message.partition("$ ")[2][:3] for message in world.editor.messages]
        assert shown == ["one", "two"]
        assert all("acp.permission.answer" in message for message in world.editor.messages)
        assert world.permissions.deadline() is None
        for asked in (first, second):
            world.permissions.answer(asked.permission_id, "no")
        assert (first.answers, second.answers) == (["no"], ["no"])


class TestInert:
    def test_a_key_typed_into_a_new_prompt_does_not_count(self) -> None:
        world = World(inert=0.5)
        asked = world.ask(command("rm -rf x"))
        world.clock.now += 0.4
        world.editor.current.press("Allow")
        assert asked.answers == []
        assert world.editor.on_screen == []
        assert world.permissions.deadline() == world.clock.now + 0.5
        world.pass_time(0.4)
        assert world.editor.on_screen == []
        world.pass_time(0.2)
        world.clock.now += 0.5
        world.editor.current.press("Allow")
        assert asked.answers == ["yes"]

    def test_the_same_prompt_comes_again_before_others(self) -> None:
        world = World(inert=0.5)
        world.ask(command("one"))
        world.editor.current.press("Allow")
        world.ask(command("two"))
        world.pass_time(0.6)
        assert "one" in world.editor.current.params

    def test_an_early_dismissal_counts_the_second_time(self) -> None:
        """An editor that cannot ask answers null at once, for ever."""
        world = World(inert=0.5)
        asked = world.ask(command("x"))
        world.editor.current.answer(None)
        assert asked.answers == []
        world.pass_time(0.6)
        world.editor.current.answer(None)
        assert asked.answers == [None]

    def test_a_program_that_always_answers_at_once_is_told(self) -> None:
        world = World(inert=0.5)
        asked = world.ask(command("x"))
        for _ in range(5):
            world.editor.current.press("Allow")
            world.pass_time(0.6)
        assert asked.answers == [None]
        assert any("permissions.inert" in line for line in world.editor.logs)

    def test_inert_can_be_turned_off(self) -> None:
        world = World(inert=0)
        asked = world.ask(command("x"))
        world.editor.current.press("Allow")
        assert asked.answers == ["yes"]

    def test_the_command_is_never_inert(self) -> None:
        world = World(inert=0.5)
        asked = world.ask(command("x"))
        world.permissions.answer(asked.permission_id, "yes")
        assert asked.answers == ["yes"]


class TestRichEditor:
    def test_all_are_asked_at_once_and_answered_in_any_order(self) -> None:
        world = World(abilities=RICH)
        asked = [world.ask(command(f"run {n}")) for n in range(3)]
        assert [each.what for each in world.editor.on_screen] == ["acp/permission"] * 3
        for n in (2, 0, 1):
            world.editor.questions[n].answer({"optionId": "yes" if n else "no"})
        assert [each.answers for each in asked] == [["no"], ["yes"], ["yes"]]

    def test_an_editor_that_does_not_know_the_request_is_asked_plainly(self) -> None:
        world = World(abilities=RICH)
        asked = world.ask(command("ls"))
        world.editor.abilities = PLAIN
        world.editor.current.unknown()
        world.clock.now += 1
        world.editor.current.press("Allow")
        assert asked.answers == ["yes"]

    def test_the_payload_tells_all_that_is_known(self) -> None:
        world = World([rule("ask")], abilities=RICH, inert=0.5)
        world.ask(
            command("git status", cwd="/other"), title="Run\u202e?", description="Because\nso"
        )
        assert world.editor.current.params == {
            "permissionId": "permission-1",
            "sessionId": "s",
            "agent": "claude",
            "title": "Run⟨U+202E⟩?",
            "description": "Because\nso",
            "tool": None,
            "subject": {"type": "command", "toolCallId": None, "terminalId": None},
            "options": OPTIONS,
            "facts": {
                "kinds": ["execute"],
                "files": [],
                "complete": False,
                "command": {
                    "text": "git status",
                    "words": ["git", "status"],
                    "doubt": "",
                    "cwd": "/other",
                    "cwdOutside": True,
                },
                "outside": True,
                "hasDiff": False,
            },
            "warnings": ["Something lies outside the workspace."],
            "reason": "asked by rule 1",
            "inert": 0.5,
            "suggestedRules": [
                {
                    "label": "Exactly this command: git status (in /other)",
                    "match": {"agent": "claude", "command": "git status", "path": "/other"},
                }
            ],
        }

    def test_the_ends_of_a_move_are_told_apart(self) -> None:
        change = {"operation": "move", "oldPath": "/project/a", "path": "/project/b"}
        subject = call(kind="move", content=[{"type": "diff", "changes": [change]}])
        rich, plain = World(abilities=RICH), World()
        rich.ask(subject)
        plain.ask(subject)
        files = rich.editor.questions[0].params["facts"]["files"]
        assert [(file["path"], file["end"]) for file in files] == [
            ("/project/a", "from"),
            ("/project/b", "to"),
        ]
        shown = plain.editor.current.params.split("\n")
        assert {"move from: /project/a", "move to: /project/b"} <= set(shown)

    def test_files_carry_what_was_written_and_what_was_verified(self) -> None:
        world = World(abilities=RICH)
        world.workspace.links["/project/link"] = "/etc"
        world.ask(edit("link/x", "a", "~/y"))
        facts = world.editor.current.params["facts"]
        assert facts["files"] == [
            {
                "path": "link/x",
                "real": "/etc/x",
                "outside": True,
                "operation": "modify",
                "end": None,
            },
            {
                "path": "a",
                "real": "/project/a",
                "outside": False,
                "operation": "modify",
                "end": None,
            },
            {"path": "~/y", "real": None, "outside": True, "operation": "modify", "end": None},
        ]
        assert world.editor.current.params["warnings"] == [
            "Something lies outside the workspace.",
            "A path cannot be verified.",
        ]

    @pytest.mark.parametrize(
        "answer",
        [None, {}, {"optionId": None}, {"optionId": "nope"}, {"optionId": 1}, "yes", ["yes"], True],
    )
    def test_whatever_is_no_option_cancels(self, answer: Json) -> None:
        world = World(abilities=RICH)
        asked = world.ask(command("x"))
        world.editor.current.answer(answer)
        assert asked.answers == [None]

    def test_settled_elsewhere_it_is_withdrawn_and_told(self) -> None:
        world = World(abilities=RICH)
        asked = world.ask(call("c7", kind="read"))
        world.permissions.answer(asked.permission_id, "yes")
        assert world.editor.questions[0].withdrawn
        assert world.editor.notified == [
            (
                "acp/permissionSettled",
                {
                    "permissionId": asked.permission_id,
                    "sessionId": "s",
                    "agent": "claude",
                    "title": "Do it?",
                    "toolCallId": "c7",
                    "outcome": "selected",
                    "optionId": "yes",
                    "by": "user",
                    "reason": "chosen by the user",
                },
            )
        ]
        world.editor.questions[0].answer({"optionId": "no"})
        assert asked.answers == ["yes"]


class TestRemembering:
    def test_an_answer_becomes_a_rule_that_settles_what_is_open(self) -> None:
        world = World(abilities=RICH)
        first = world.ask(command("git status"))
        same = world.ask(command("git  'status'"))
        other = world.ask(command("git push"))
        remember = {"scope": "workspace"}
        world.editor.questions[0].answer({"optionId": "yes", "remember": remember})
        assert (first.answers, same.answers, other.answers) == (["yes"], ["yes"], [])
        assert world.ask(command("git status"), within=session("t")).answers == ["yes"]
        assert world.ask(command("git status; rm x")).answers == []

    def test_rejecting_is_remembered_as_denying(self) -> None:
        world = World(abilities=RICH)
        world.ask(command("git push"))
        remember = {"scope": "session", "match": {"command": "git push *"}}
        world.editor.current.answer({"optionId": "no", "remember": remember})
        assert world.ask(command("git push -f")).answers == ["no"]

    def test_a_rule_of_a_session_ends_with_it_and_covers_no_other(self) -> None:
        world = World()
        world.permissions.add_rule(a_rule("allow", "session", kind="execute"), world.session)
        assert world.ask(command("x")).answers == ["yes"]
        other = session("t")
        assert world.ask(command("x"), within=other).answers == []
        world.permissions.session_closed(world.session)
        assert world.permissions.rules_view() == []

    def test_a_remembered_rule_can_be_seen_and_taken_back(self) -> None:
        world = World()
        world.permissions.add_rule(a_rule("allow", "session", kind="execute"), world.session)
        world.permissions.add_rule(a_rule("deny", command="rm *"))
        assert world.permissions.rules_view() == [
            {
                "number": 2,
                "sessionId": None,
                "rule": {"match": {"command": "rm *"}, "do": "deny", "scope": "workspace"},
            },
            {
                "number": 1,
                "sessionId": "s",
                "rule": {"match": {"kind": "execute"}, "do": "allow", "scope": "session"},
            },
        ]
        world.permissions.forget_rule(1)
        with pytest.raises(EditorError):
            world.permissions.forget_rule(1)
        assert world.ask(command("ls")).answers == []
        outcomes = [entry["outcome"] for entry in world.permissions.audit_view()]
        assert outcomes == ["remembered", "remembered", "forgotten"]

    def test_a_late_answer_makes_no_rule(self) -> None:
        world = World(abilities=RICH)
        asked = world.ask(command("ls"))
        world.permissions.answer(asked.permission_id, "no")
        late = {"optionId": "yes", "remember": {"scope": "workspace"}}
        world.editor.questions[0].answer(late)
        assert world.permissions.rules_view() == []

    def test_a_rule_for_a_session_needs_one(self) -> None:
        with pytest.raises(EditorError):
            World().permissions.add_rule(a_rule("allow", "session"))

    def test_settings_come_first_then_the_newest(self) -> None:
        world = World([rule("deny", command="rm *"), rule("ask", command="mv *")])
        world.permissions.add_rule(a_rule("deny", kind="execute"))
        world.permissions.add_rule(a_rule("allow", kind="execute"))
        assert world.ask(command("rm x")).answers == ["no"]
        assert world.ask(command("mv x y")).answers == []
        assert world.ask(command("ls")).answers == ["yes"]
        assert world.ask(command("ls; rm x")).answers == []

    @pytest.mark.parametrize(
        "remember",
        [
            True,
            {"scope": "for ever"},
            {"scope": "workspace", "match": {}},
            {"scope": "workspace", "match": {"kind": None}},
            {"scope": "workspace", "match": {"kind": "exec"}},
            {"scope": "workspace", "match": "all"},
            {"scope": "workspace", "do": "allow"},
        ],
    )
    def test_what_makes_no_rule_is_said_and_the_answer_stands(self, remember: Json) -> None:
        world = World(abilities=RICH)
        asked = world.ask(command("x"))
        world.editor.current.answer({"optionId": "yes", "remember": remember})
        assert asked.answers == ["yes"]
        assert world.permissions.rules_view() == []
        assert len(world.editor.messages) == 1

    def test_nothing_is_remembered_of_what_is_in_doubt_or_of_an_unknown_kind(self) -> None:
        world = World(abilities=RICH)
        world.ask(command("a; b"))
        world.editor.current.answer({"optionId": "yes", "remember": {"scope": "workspace"}})
        odd = [{"optionId": "yes", "name": "Odd", "kind": "_allow"}]
        world.ask(command("a"), options=odd)
        world.editor.current.answer({"optionId": "yes", "remember": {"scope": "workspace"}})
        assert world.permissions.rules_view() == []

    @pytest.mark.parametrize(
        ("subject", "matches"),
        [
            (command("echo '*' 'a b' '[x]'"), [{"command": "echo '[*]' 'a b' '[[]x]'"}]),
            (command("a; b"), []),
            (edit("/project/a[1]"), [{"kind": "edit", "path": "/project/a[[]1]"}, {"path": "**"}]),
            (edit("/project/a", "/project/b"), [{"kind": "edit", "path": "**"}]),
            (edit("/project/a", "/etc/b"), []),
            (edit("/etc/b"), [{"kind": "edit", "path": "/etc/b"}]),
            (edit("~/b"), []),
            (call(kind="fetch"), []),
            (None, []),
            ({"type": "_new"}, []),
        ],
    )
    def test_suggestions_cover_the_request_and_say_how_far(
        self, subject: Json, matches: list[Json]
    ) -> None:
        world = World(abilities=RICH)
        world.ask(subject)
        suggested = [each["match"] for each in world.editor.current.params["suggestedRules"]]
        assert len(suggested) == len(matches)
        for found, expected in zip(suggested, matches, strict=True):
            assert found.items() >= expected.items()
            assert found["agent"] == "claude"
        for match in suggested:
            again = World([{"do": "allow", "match": match}])
            assert again.ask(subject).answers == ["yes"]

    @pytest.mark.parametrize(
        ("before", "after"),
        [("/project/src/a", "/project/secret"), ("/project/secret", "/project/src/a")],
    )
    def test_a_call_that_changed_since_it_was_asked_about_is_not_settled_by_a_rule(
        self, before: str, after: str
    ) -> None:
        world = World()
        asked = world.ask(edit(before, call_id="c1"))
        world.ask(edit(after, call_id="c1"), options=[])
        world.permissions.add_rule(a_rule("allow", path="src/**"))
        assert asked.answers == []

    def test_too_many_rules_never_push_out_one_that_denies(self) -> None:
        world = World()
        world.permissions.add_rule(a_rule("deny", command="rm *"))
        for n in range(600):
            world.permissions.add_rule(a_rule("allow", command=f"run {n}"))
        assert len(world.permissions.rules_view()) == 500
        assert world.ask(command("rm x")).answers == ["no"]

    def test_new_settings_settle_what_they_cover(self) -> None:
        world = World()
        asked = world.ask(command("ls"))
        world.permissions.configure(settings([rule("allow", command="ls")]))
        assert asked.answers == ["yes"]

    def test_new_settings_change_how_long_prompts_are_inert(self) -> None:
        world = World(inert=0)
        world.permissions.configure(settings(inert=0.5))
        asked = world.ask(command("ls"))
        world.editor.current.press("Allow")
        assert asked.answers == []


class TestEnds:
    def test_cancelling_a_session_cancels_its_own_alone(self) -> None:
        world = World()
        other = session("t")
        mine, theirs = world.ask(command("x")), world.ask(command("y"), within=other)
        world.permissions.cancel_session(world.session)
        assert (mine.answers, theirs.answers) == ([None], [])
        assert "y" in world.editor.current.params

    def test_what_is_asked_while_cancelling_is_cancelled_even_if_a_rule_allows(self) -> None:
        world = World([rule("allow")])
        world.session.cancelling = True
        assert world.ask(command("x")).answers == [None]

    def test_an_agent_that_is_gone_is_not_answered(self) -> None:
        world = World()
        other = session("t", agent="codex")
        mine, theirs = world.ask(command("x")), world.ask(command("y"), within=other)
        world.permissions.agent_gone("claude")
        assert (mine.answers, theirs.answers) == ([], [])
        assert [view["agent"] for view in world.permissions.view()] == ["codex"]
        with pytest.raises(EditorError):
            world.permissions.answer(mine.permission_id, "yes")

    def test_withdrawn_by_the_agent(self) -> None:
        world = World()
        asked = world.ask(command("x"))
        assert world.permissions.withdraw(asked.permission_id)
        assert not world.permissions.withdraw(asked.permission_id)
        assert asked.answers == []
        assert world.editor.on_screen == []

    def test_shutdown_cancels_everything(self) -> None:
        world = World()
        asked = [world.ask(command("x")), world.ask(command("y"))]
        world.permissions.shutdown()
        assert [each.answers for each in asked] == [[None], [None]]

    def test_time_out_is_cancelled(self) -> None:
        world = World(timeout=30)
        asked = world.ask(command("x"))
        assert world.permissions.deadline() == world.clock.now + 30
        world.pass_time(29)
        assert asked.answers == []
        world.pass_time(1)
        assert asked.answers == [None]
        assert world.permissions.deadline() is None
        assert world.permissions.audit_view()[-1]["by"] == "timeout"

    def test_no_time_out_by_default(self) -> None:
        world = World()
        asked = world.ask(command("x"))
        assert world.permissions.deadline() is None
        world.pass_time(1e9)
        assert asked.answers == []

    def test_a_flood_is_cancelled_beyond_what_anybody_answers(self) -> None:
        world = World(abilities=RICH)
        asked = [world.ask(command(f"run {n}")) for n in range(210)]
        assert [each.answers for each in asked] == [[]] * 200 + [[None]] * 10
        assert len(world.editor.on_screen) == 200

    def test_no_options_is_cancelled(self) -> None:
        world = World([rule("allow")])
        assert world.ask(command("x"), options=[]).answers == [None]
        assert world.editor.questions == []

    def test_a_command_that_makes_no_sense_is_refused(self) -> None:
        world = World()
        asked = world.ask(command("x"))
        for wrong in [("permission-9", "yes"), (asked.permission_id, "nope")]:
            with pytest.raises(EditorError):
                world.permissions.answer(*wrong)
        world.permissions.answer(asked.permission_id, None)
        with pytest.raises(EditorError):
            world.permissions.answer(asked.permission_id, "yes")
        assert asked.answers == [None]


class TestWhatIsShown:
    def test_a_plain_prompt_shows_the_whole_of_it(self) -> None:
        world = World()
        world.workspace.links["/project/link"] = "/etc"
        fields: dict[str, Json] = {
            "name": "Bash",
            "kind": "execute",
            "title": "Tidy up",
            "rawInput": {"command": "rm -rf build\n", "cwd": "/tmp/x"},  # noqa: S108
            "locations": [{"path": "link/a"}, {"path": "/project/b"}, {"path": "~/c"}],
        }
        world.ask(call(**fields), title="", description="It is old.")
        assert world.editor.current.params == (
            "claude: Tidy up\n"
            "⚠ Something lies outside the workspace.\n"
            "⚠ A path cannot be verified.\n"
            "It is old.\n"
            "Tool: Bash · Kind: execute\n"
            "$ rm -rf build␊\n\n"
            "  in /tmp/x (outside the workspace)\n"
            "path: link/a → /etc/a (outside the workspace)\n"
            "path: /project/b\n"
            "path: ~/c (cannot be verified)"
        )

    def test_hostile_text_is_shown_not_run(self) -> None:
        world = World()
        world.ask(
            command("git status\u202e; rm\x1b[2K"),
            title="[Open](command:evil)\nYou approved this",
            description="a\u200bb",
        )
        shown = world.editor.current.params
        assert "[Open] (command:evil)␊You approved this" in shown
        assert "$ git status⟨U+202E⟩; rm␛[2K" in shown
        assert "a⟨U+200B⟩b" in shown
        assert "⚠ The command contains characters that are not normally seen." in shown

    @pytest.mark.parametrize(
        ("text", "warning"),
        [
            ("git status" + " " * 200 + "; rm x", "long blanks"),
            ("git status\n" + "\n" * 50 + "rm x", "long blanks"),
            ("echo " + "a" * 5000 + "; rm x", "too long to be shown whole"),
        ],
    )
    def test_what_may_be_pushed_out_of_sight_is_warned_about(self, text: str, warning: str) -> None:
        world = World()
        world.ask(command(text))
        second_line = world.editor.current.params.split("\n")[1]
        assert warning in second_line

    def test_many_paths_are_counted(self) -> None:
        world = World()
        world.ask(edit(*(f"/project/{n}" for n in range(25))))
        assert "… and 5 more paths" in world.editor.current.params

    def test_an_unknown_subject_is_said_to_be_unknown(self) -> None:
        world = World()
        world.ask({"type": "_probe_subject", "y": 2})
        assert "does not say in a known way" in world.editor.current.params
        (view,) = world.permissions.view()
        assert view["subject"] == {"type": "_probe_subject", "y": 2}

    def test_the_state_has_the_agents_own_subject(self) -> None:
        world = World()
        world.ask(edit("/project/a"))
        world.clock.now += 3
        (view,) = world.permissions.view()
        assert view["subject"]["toolCall"]["content"][0]["changes"][0]["path"] == "/project/a"
        assert view["options"] == OPTIONS
        assert view["age"] == 3

    def test_the_audit_is_bounded(self) -> None:
        world = World([rule("allow")])
        for _ in range(600):
            world.ask(command("x"))
        audit = world.permissions.audit_view()
        assert len(audit) == 500
        assert audit[-1]["permissionId"] == "permission-600"
