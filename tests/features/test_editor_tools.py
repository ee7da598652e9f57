"""The editor's tools for agents: what each tells, what it refuses, and who is asked first."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from acp_sidecar.config import FollowSettings, ReviewSettings
from acp_sidecar.features.editor_tools.catalogue import TOOLS
from acp_sidecar.features.editor_tools.texts import MOST_CHARACTERS
from acp_sidecar.features.editor_tools.tools import Answer, EditorTools
from acp_sidecar.features.follow import Follow
from acp_sidecar.features.permission import Permissions, PromptQueue
from acp_sidecar.features.ports import Abilities
from acp_sidecar.features.review.review import Review
from acp_sidecar.lsp.documents import Documents
from acp_sidecar.lsp.workspace import EditorWorkspace
from acp_sidecar.session.state import Session
from tests.features.permission.world import Clock, FakeEditor, rule, settings

Json = Any
RICH = Abilities(rich=frozenset({"tools", "permission"}))


class NoPermissions:
    """No tool call of an agent waits for anything here."""

    def open_for(self, session_key: str, tool_call_id: str) -> str | None:
        return None

    def settle(self, permission_id: str, allow: bool) -> None:
        raise AssertionError(permission_id)


class Desk:
    """A workspace on disk, an editor with documents, and an agent that uses tools."""

    def __init__(
        self, root: Path, *rules: Json, abilities: Abilities = RICH, kept: int = 5_000_000
    ) -> None:
        self.root = root / "project"
        self.root.mkdir()
        self.documents = Documents()
        self.workspace = EditorWorkspace(self.documents, kept)
        self.workspace.set_roots([str(self.root)])
        self.editor = FakeEditor(abilities)
        clock = Clock()
        permissions = Permissions(
            settings(list(rules)),
            self.editor,
            self.workspace,
            clock=clock,
            prompts=PromptQueue(self.editor, clock, 0),
        )
        self.review = Review(ReviewSettings(), self.editor, self.workspace, NoPermissions())
        self.follow = Follow(FollowSettings(), self.editor, self.workspace, home="")
        self.tools = EditorTools(
            self.editor, self.workspace, permissions, self.review, self.follow, clock=clock
        )
        self.session = Session("s", "s", "claude", str(self.root), 2)

    def file(self, name: str, text: str) -> str:
        path = self.root / name
        path.write_text(text, encoding="utf-8", newline="")
        return str(path)

    def open(self, path: str, text: str) -> None:
        item = types.TextDocumentItem(Path(path).as_uri(), "text", 1, text)
        self.documents.open(item)

    def ask(self, tool: str, **arguments: Json) -> list[Answer]:
        answers: list[Answer] = []
        self.tools.call(self.session, tool, arguments, answers.append)
        return answers

    def told(self, tool: str, **arguments: Json) -> str:
        (answer,) = self.ask(tool, **arguments)
        assert not answer.failed, answer.text
        return answer.text

    def refused(self, tool: str, **arguments: Json) -> str:
        (answer,) = self.ask(tool, **arguments)
        assert answer.failed, answer.text
        return answer.text


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


# --- reading --------------------------------------------------------------------------------------


def test_open_documents_are_listed_with_what_is_not_saved(desk: Desk) -> None:
    assert desk.told("open_documents") == "No file is open."
    saved, changed = desk.file("a.py", "a\n"), desk.file("b.py", "b\n")
    desk.open(saved, "a\n")
    desk.open(changed, "typed\n")
    assert desk.told("open_documents").split("\n") == [saved, f"{changed} (unsaved)"]


def test_a_document_is_read_as_the_editor_shows_it(desk: Desk) -> None:
    path = desk.file("a.py", "on disk\n")
    assert desk.told("read_document", path=path) == "on disk\n"
    desk.open(path, "typed\r\nmore")
    assert desk.told("read_document", path="a.py") == "typed\r\nmore"


@pytest.mark.parametrize(
    ("line", "limit", "told"),
    [
        (1, None, "one\r\ntwo\x0c\nthree"),
        (2, None, "two\x0c\nthree"),
        (2, 1, "two\x0c\n"),
        (3, 9, "three"),
    ],
)
def test_lines_are_read_from_one_on(desk: Desk, line: int, limit: int | None, told: str) -> None:
    path = desk.file("a", "one\r\ntwo\x0c\nthree")
    assert desk.told("read_document", path=path, line=line, limit=limit) == told


def test_an_empty_file_has_a_first_line_and_no_second(desk: Desk) -> None:
    path = desk.file("a", "")
    assert desk.told("read_document", path=path) == ""
    assert "0 lines" in desk.refused("read_document", path=path, line=2)


def test_a_long_text_is_told_in_parts_that_join_to_the_whole(desk: Desk) -> None:
    text = "".join(f"{n:09}\n" for n in range(MOST_CHARACTERS // 10 * 2 + 5))
    path = desk.file("a", text)
    whole, line = "", 1
    while True:
        told = desk.told("read_document", path=path, line=line)
        part, more, rest = told.partition("\n[There is more. Go on from line ")
        whole += part
        if not more:
            break
        line = int(rest.split(" ")[0])
    assert whole == text


def test_one_endless_line_is_cut(desk: Desk) -> None:
    path = desk.file("a", "x" * (MOST_CHARACTERS + 1))
    told = desk.told("read_document", path=path)
    assert len(told) < MOST_CHARACTERS + 200
    assert "too long" in told


def test_what_has_no_text_is_refused_with_the_reason(desk: Desk) -> None:
    (desk.root / "binary").write_bytes(b"\0\1\2")
    assert "no such file" in desk.refused("read_document", path="missing")
    assert "directory" in desk.refused("read_document", path=str(desk.root))
    assert "no text file" in desk.refused("read_document", path="binary")
    assert "no path" in desk.refused("read_document", path="https://example.com/x")


def test_what_is_read_is_followed(desk: Desk) -> None:
    path = desk.file("a.py", "1\n2\n3\n4\n")
    desk.told("read_document", path=path, line=3, limit=2)
    (place,) = desk.follow.trail_view(0)
    assert (place["path"], place["line"]) == (path, 3)


# --- what makes no sense --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("no_such_tool", {}, "no tool no_such_tool"),
        ("read_document", {}, "path"),
        ("read_document", {"path": "a", "line": 0}, "line"),
        ("read_document", {"path": "a", "lines": 1}, "lines"),
        ("propose_edit", {"path": "a"}, "newText"),
        ("references", {"path": "a", "line": 1}, "symbol"),
    ],
)
def test_mistakes_are_told(desk: Desk, tool: str, arguments: Json, told: str) -> None:
    assert told in desk.refused(tool, **arguments)


@pytest.mark.parametrize("arguments", [[], "x", 3])
def test_arguments_that_are_no_object_are_refused(desk: Desk, arguments: Json) -> None:
    answers: list[Answer] = []
    desk.tools.call(desk.session, "open_documents", arguments, answers.append)
    assert answers[0].failed


# --- rules ----------------------------------------------------------------------------------------


def test_the_user_is_asked_for_what_is_outside(desk: Desk, tmp_path: Path) -> None:
    outside = tmp_path / "secret"
    outside.write_text("x", encoding="utf-8")
    for option, failed in (("allow", False), ("reject", True)):
        answers = desk.ask("read_document", path=str(outside))
        assert answers == []
        question = desk.editor.current
        assert str(outside) in question.params["title"]
        assert question.params["facts"]["outside"]
        question.answer({"optionId": option})
        assert [answer.failed for answer in answers] == [failed]


def test_a_link_out_of_the_workspace_is_outside(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x", encoding="utf-8")
    (desk.root / "link").symlink_to(tmp_path / "secret")
    assert desk.ask("read_document", path="link") == []
    assert desk.editor.current.params["facts"]["outside"]


def test_rules_hold_for_tools(tmp_path: Path) -> None:
    denied, asked = rule("deny", path="*.key"), rule("ask", kind="edit")
    desk = Desk(tmp_path, denied, asked)
    desk.file("a.key", "x")
    desk.file("a.py", "x")
    assert "refused" in desk.refused("read_document", path="a.key")
    assert desk.told("read_document", path="a.py") == "x"
    assert desk.ask("propose_edit", path="a.py", newText="y") == []
    desk.editor.current.answer({"optionId": "reject"})
    assert desk.review.view() == []


# --- proposing ------------------------------------------------------------------------------------


def test_an_edit_is_proposed_and_not_made(desk: Desk) -> None:
    path = desk.file("a.py", "one\ntwo\nthree\n")
    told = desk.told("propose_edit", path=path, oldText="two", newText="2", title="Count")
    (shown,) = desk.review.view()
    assert shown["changeSet"] in told
    assert (shown["title"], shown["state"]) == ("Count", "proposed")
    (hunk,) = shown["files"][0]["hunks"]
    assert [line for line in hunk["lines"] if line[0] != " "] == ["-two", "+2"]
    assert Path(path).read_text(encoding="utf-8") == "one\ntwo\nthree\n"


def test_a_new_file_is_proposed(desk: Desk) -> None:
    desk.told("propose_edit", path="new.py", newText="x = 1\n")
    (file,) = desk.review.view()[0]["files"]
    assert (file["operation"], file["path"]) == ("add", str(desk.root / "new.py"))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("four", "4", "not in the file"),
        ("o", "0", "more than once"),
        ("two", "two", "change nothing"),
        (None, "one\ntwo\n", "change nothing"),
    ],
)
def test_an_edit_that_cannot_be_meant_is_refused(
    desk: Desk, old: str | None, new: str, told: str
) -> None:
    desk.file("a.py", "one\ntwo\n")
    assert told in desk.refused("propose_edit", path="a.py", oldText=old, newText=new)
    assert desk.review.view() == []


def test_occurrences_that_overlap_are_several(desk: Desk) -> None:
    desk.file("a.py", "aaa")
    assert "more than once" in desk.refused("propose_edit", path="a.py", oldText="aa", newText="b")


def test_several_proposals_are_several_sets(desk: Desk) -> None:
    desk.file("a.py", "one\n")
    for text in ("1\n", "2\n"):
        desk.told("propose_edit", path="a.py", newText=text)
    assert len({shown["changeSet"] for shown in desk.review.view()}) == 2


# --- what only the editor knows -------------------------------------------------------------------

PLACE = {"uri": "file:///project/a%20b.py", "startLine": 2, "endLine": 4}
DIAGNOSTIC = {**PLACE, "severity": "error", "message": "bad", "source": "ruff", "code": "E1"}
SYMBOL = {**PLACE, "name": "run", "kind": "method", "container": "Job"}
HERE = {**PLACE, "endLine": 2, "text": ""}
ANSWERS: list[tuple[str, Json, Json, str]] = [
    ("selection", {}, {**PLACE, "text": "x = 1"}, "/project/a b.py:3-5\nx = 1"),
    ("selection", {}, HERE, "/project/a b.py:3: nothing is selected"),
    (
        "diagnostics",
        {},
        {"diagnostics": [DIAGNOSTIC]},
        "/project/a b.py:3-5: error: ruff E1 bad",
    ),
    ("diagnostics", {"path": "a.py"}, {"diagnostics": []}, "The editor reports no problems."),
    ("symbols", {"path": "a.py"}, {"symbols": [SYMBOL]}, "/project/a b.py:3-5: method Job.run"),
    (
        "references",
        {"path": "a.py", "line": 3, "symbol": "run"},
        {"references": [PLACE, {**PLACE, "uri": "untitled:1"}]},
        "/project/a b.py:3-5\nuntitled:1:3-5",
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "result", "told"), ANSWERS)
def test_the_editor_is_asked(
    desk: Desk, tool: str, arguments: Json, result: Json, told: str
) -> None:
    answers = desk.ask(tool, **arguments)
    assert desk.editor.current.what == f"acp/{tool}"
    desk.editor.current.answer(result)
    assert answers == [Answer(told)]


def test_the_editor_is_asked_in_its_own_terms(desk: Desk) -> None:
    desk.ask("references", path="a.py", line=3, symbol="run")
    uri = (desk.root / "a.py").as_uri()
    assert desk.editor.current.params == {"uri": uri, "line": 2, "symbol": "run"}


@pytest.mark.parametrize("result", [None, {}, {"diagnostics": [{"uri": 3}]}, [], "x"])
def test_an_editor_that_cannot_tell_or_makes_no_sense(desk: Desk, result: Json) -> None:
    answers = desk.ask("diagnostics")
    desk.editor.current.answer(result)
    assert answers == [Answer("The editor cannot tell.", failed=True)]


def test_long_lists_are_counted(desk: Desk) -> None:
    answers = desk.ask("references", path="a.py", line=1, symbol="x")
    desk.editor.current.answer({"references": [PLACE] * 1500})
    assert answers[0].text.endswith("[and 500 more]")


def test_an_editor_without_them_is_offered_without_them(tmp_path: Path) -> None:
    desk = Desk(tmp_path, abilities=Abilities())
    offered = {tool.name for tool in desk.tools.offered()}
    assert offered == {"open_documents", "read_document", "show_place", "propose_edit"}
    assert "no tool" in desk.refused("selection")


def test_an_editor_that_promised_what_it_does_not_know(desk: Desk) -> None:
    answers = desk.ask("selection")
    desk.editor.current.unknown()
    assert answers[0].failed


# --- showing --------------------------------------------------------------------------------------


def test_a_place_is_shown_as_following_allows(desk: Desk) -> None:
    path = desk.file("a.py", "1\n2\n3\n")
    assert "goes there" in desk.told("show_place", path=path, line=2)
    desk.follow.set_mode(0, "off")
    assert "does not move" in desk.told("show_place", path=path, line=3, endLine=1)
    assert "no such file" in desk.refused("show_place", path="missing")


def test_the_document_names_the_tools_and_what_they_need() -> None:
    text = (Path(__file__).parents[2] / "docs" / "editor-tools.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.*\| (any LSP client|a plugin) \|$", text, re.MULTILINE)
    assert dict(rows) == {
        tool.name: "a plugin" if tool.asks_editor else "any LSP client" for tool in TOOLS
    }
