"""ACP v1 diffs: whole files, fragments and hunks, told apart by the file's own text."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_sidecar.changes.anchor import anchor_hunks
from acp_sidecar.changes.edits import apply_edits, edits_to
from acp_sidecar.changes.from_diff import change_set
from acp_sidecar.changes.hunks import FileChange, HunkState, Side
from acp_sidecar.changes.snippets import settle
from acp_sidecar.changes.views import TextView
from acp_sidecar.session.tool_calls import Diff, PathChange

FILE = "def greet(name):\n    return 'Hello, ' + name\n\n\nif __name__ == '__main__':\n    main()\n"
DONE = FILE.replace("    return 'Hello, ' + name\n", "    hi = 'Hi'\n    return hi + name\n")


def v1(*pieces: tuple[str | None, str], path: str = "/w/f") -> FileChange:
    diffs = [
        Diff(
            changes=[
                PathChange(
                    operation="add" if old is None else "modify",
                    path=path,
                    old_text=old,
                    new_text=new,
                )
            ]
        )
        for old, new in pieces
    ]
    files = change_set(diffs).files
    assert len(files) == 1
    return files[0]


def states(change: FileChange, text: str, prefer: Side | None = None) -> set[HunkState]:
    places = anchor_hunks(change.hunks, TextView(text), prefer=prefer)
    return {place.state for place in places}


def brought(change: FileChange, text: str, side: Side) -> str:
    view = TextView(text)
    places = anchor_hunks(change.hunks, view, prefer=side.other)
    made = edits_to(side, change.hunks, places, view)
    assert not made.failed
    return apply_edits(text, made.edits)


@dataclass(frozen=True)
class Case:
    name: str
    pieces: tuple[tuple[str | None, str], ...]
    before: str
    after: str


OLD_LINE, NEW_LINES = "    return 'Hello, ' + name\n", "    hi = 'Hi'\n    return hi + name\n"

CASES = [
    Case("whole file", ((FILE, DONE),), FILE, DONE),
    Case("a line", ((OLD_LINE, NEW_LINES),), FILE, DONE),
    Case(
        "a hunk without its last newline",
        ((FILE[: FILE.index("\n    main")], DONE[: DONE.index("\n    main")]),),
        FILE,
        DONE,
    ),
    Case("part of a line", (("'Hello, '", "'Hi, '"),), FILE, FILE.replace("Hello", "Hi")),
    Case(
        "part of a line and the next",
        (("name\n\n", "name.title()\n"),),
        FILE,
        FILE.replace("name\n\n", "name.title()\n"),
    ),
    Case("newline joined", (("\n\n\nif", "\nif"),), FILE, FILE.replace("\n\n\nif", "\nif")),
    Case("last line joined", (("    main()\n", "    main()"),), FILE, FILE[:-1]),
    Case("appended", (("    main()\n", "    main()\n    more()\n"),), FILE, FILE + "    more()\n"),
    Case("removed", ((OLD_LINE, ""),), FILE, FILE.replace(OLD_LINE, "")),
    Case("emptied", ((FILE, ""),), FILE, ""),
    Case(
        "two pieces",
        ((OLD_LINE, NEW_LINES), ("main()", "go()")),
        FILE,
        DONE.replace("main()", "go()"),
    ),
    Case(
        "two pieces, last one first",
        (("main()", "go()"), (OLD_LINE, NEW_LINES)),
        FILE,
        DONE.replace("main()", "go()"),
    ),
    Case(
        "a piece of a piece",
        ((OLD_LINE, NEW_LINES), ("hi = 'Hi'", "hi = 'Ho'")),
        FILE,
        DONE.replace("'Hi'", "'Ho'"),
    ),
    Case("the same piece sent again", ((OLD_LINE, NEW_LINES), (OLD_LINE, NEW_LINES)), FILE, DONE),
    Case(
        "windows file",
        ((OLD_LINE, NEW_LINES),),
        FILE.replace("\n", "\r\n"),
        DONE.replace("\n", "\r\n"),
    ),
    Case("byte order mark", ((FILE, DONE),), "\ufeff" + FILE, "\ufeff" + DONE),
    Case("file without a final newline", ((FILE, DONE),), FILE[:-1], DONE[:-1]),
    Case("empty to something", (("", "x\n"),), "", "x\n"),
    Case("emoji", (("a😀b", "a😀😀b"),), "x a😀b\r", "x a😀😀b\r"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_proposal_becomes_exactly_what_the_agent_would_write(case: Case) -> None:
    change = settle(v1(*case.pieces), case.before, prefer=Side.OLD)
    assert not change.problems
    assert states(change, case.before, Side.OLD) == {HunkState.PROPOSED}
    assert brought(change, case.before, Side.NEW) == case.after


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_was_written_is_undone_exactly(case: Case) -> None:
    change = settle(v1(*case.pieces), case.after, prefer=Side.NEW)
    if case.name == "removed":
        # Nothing is left in the file that would say where the text was.
        assert [problem.code for problem in change.problems] == ["snippet-not-found"]
        return
    assert not change.problems
    assert states(change, case.after, Side.NEW) == {HunkState.APPLIED}
    assert brought(change, case.after, Side.OLD) == case.before


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_change_settled_before_the_write_is_seen_after_it(case: Case) -> None:
    change = settle(v1(*case.pieces), case.before, prefer=Side.OLD)
    assert states(change, case.after, Side.NEW) == {HunkState.APPLIED}
    assert brought(change, case.after, Side.OLD) == case.before


def test_a_new_file_is_proposed_until_it_is_there() -> None:
    for old in (None, ""):
        change = settle(v1((old, "# Notes\n")), None)
        assert change.operation in ("add", "modify")
        assert states(change, "") == {HunkState.PROPOSED}
        assert states(change, "# Notes\n") == {HunkState.APPLIED}


def test_no_old_text_on_a_file_that_exists_is_an_overwrite_only_while_it_waits() -> None:
    change = settle(v1((None, "print()\n")), FILE, prefer=Side.OLD)
    assert change.operation == "modify"
    assert states(change, FILE) == {HunkState.PROPOSED}
    assert brought(change, FILE, Side.NEW) == "print()\n"
    later = settle(v1((None, "print()\n")), FILE, prefer=Side.NEW)
    assert [problem.code for problem in later.problems] == ["snippet-not-found"]


@pytest.mark.parametrize("text", ["a\nb\na\n", "x\n"])
def test_a_piece_that_is_not_there_once_is_shown_and_never_applied(text: str) -> None:
    change = settle(v1(("a\n", "c\n")), text)
    assert [problem.code for problem in change.problems] == ["snippet-not-found"]
    assert len(change.hunks) == 1
    assert not change.hunks[0].numbered
    assert states(change, text) == {HunkState.UNANCHORED}


def test_a_piece_that_is_still_a_part_of_its_replacement_counts_as_replaced() -> None:
    change = v1(("foo()\n", "foo()\nbar()\n"))
    text = "foo()\nbar()\n"
    assert states(settle(change, text), text) == {HunkState.APPLIED}
    assert states(settle(change, text, prefer=Side.OLD), text, Side.OLD) == {HunkState.PROPOSED}


def test_one_of_two_pieces_may_be_lost() -> None:
    change = settle(v1((OLD_LINE, NEW_LINES), ("not there\n", "x\n")), FILE)
    assert [problem.code for problem in change.problems] == ["snippet-not-found"]
    assert {hunk.numbered for hunk in change.hunks} == {True, False}


piece = st.text("ab\n", min_size=1, max_size=6)


@settings(max_examples=300, deadline=None)
@given(before=piece, old=piece, new=st.text("abc\n", max_size=6), after=piece)
def test_a_piece_is_replaced_where_it_is_unique_or_not_at_all(
    before: str, old: str, new: str, after: str
) -> None:
    text = before + old + after
    change = settle(v1((old, new)), text, prefer=Side.OLD)
    once = sum(text.startswith(old, at) for at in range(len(text))) == 1
    if once and old != new:
        assert brought(change, text, Side.NEW) == text.replace(old, new)
    elif not once and new not in text and change.hunks:
        assert {hunk.numbered for hunk in change.hunks} <= {False}
