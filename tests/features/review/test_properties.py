"""Whatever the texts, the edits and the choices: the file ends as exactly the chosen mix."""

from __future__ import annotations

from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from acp_sidecar.changes.edits import TextEdit
from tests.features.review.desk import Desk, path, v1_diff

ENDINGS = st.sampled_from(["\n", "\n", "\n", "\r\n"])
WORDS = st.sampled_from(
    [
        "",
        "a",
        "b",
        "c",
        "}",
        "    return x",
        "\tx ",
        "caf\u00e9",
        "\U0001f600",
        "\x0c",
        "e\u0301",
        "x\u2028y",
        "x\x85y",
        "\ufeff",
    ]
)
LINES = st.lists(st.builds("{}{}".format, WORDS, ENDINGS), max_size=14)


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, str]:
    """A text and what an agent makes of it: different, and both there."""
    old = draw(LINES)
    new = list(old)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(new)))
        size = draw(st.integers(0, 2))
        new[at : at + size] = draw(st.lists(st.builds("{}{}".format, WORDS, ENDINGS), max_size=2))
    one, other = "".join(old), "".join(new)
    if draw(st.booleans()):
        one = one.removesuffix("\n").removesuffix("\r")
    if draw(st.booleans()):
        other = other.removesuffix("\n").removesuffix("\r")
    return (one, other) if one != other and one else ("x\n" + one, "y\n" + other)


def mix(old: str, hunks: list[Any], taken: set[int]) -> str:
    """The old text with some hunks applied, by line numbers and lines alone."""
    lines = old.split("\n")
    rows = [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    made: list[str] = []
    at = 0
    for hunk in hunks:
        start = hunk["oldStart"] - 1
        made += rows[at:start]
        before, after = sides(hunk["lines"])
        assert rows[start : start + len(before)] == before
        made += after if hunk["hunk"] in taken else before
        at = start + len(before)
    return "".join(made + rows[at:])


def sides(lines: list[str]) -> tuple[list[str], list[str]]:
    before: list[str] = []
    after: list[str] = []
    for index, line in enumerate(lines):
        if line.startswith("\\"):
            continue
        bare = index + 1 < len(lines) and lines[index + 1].startswith("\\")
        text = line[1:] + ("" if bare else "\n")
        if line[0] in " -":
            before.append(text)
        if line[0] in " +":
            after.append(text)
    return before, after


def hunks_of(desk: Desk) -> list[Any]:
    hunks: list[Any] = desk.view()["files"][0]["hunks"]
    return hunks


@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(texts(), st.data(), st.booleans())
def test_any_hunks_refused_before_the_write(
    both: tuple[str, str], data: st.DataObject, open_it: bool
) -> None:
    old, new = both
    desk = Desk({"a": old})
    if open_it:
        desk.open("a")
    desk.call(status="pending", content=[v1_diff("a", old, new)])
    desk.asks()
    hunks = hunks_of(desk)
    taken = {each["hunk"] for each in hunks if data.draw(st.booleans())}
    for each in hunks:
        verb = "accept" if each["hunk"] in taken else "reject"
        desk.choose(verb, change_set="s/c", file=0, hunk=each["hunk"])
    allowed = desk.permissions.answers == {"permission-c": True}
    assert allowed is bool(taken)
    assert desk.text("a") == old
    if allowed:
        desk.writes("a", new)
    desk.call(status="completed" if allowed else "failed")
    desk.passes(3)
    assert desk.text("a") == mix(old, hunks, taken)
    assert len(desk.editor.applied) <= 1


@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(texts(), st.data(), st.booleans())
def test_any_hunks_rejected_after_the_write_and_taken_back(
    both: tuple[str, str], data: st.DataObject, open_it: bool
) -> None:
    old, new = both
    desk = Desk({"a": old})
    if open_it:
        desk.open("a")
    desk.call(status="pending", content=[v1_diff("a", old, new)])
    hunks = hunks_of(desk)
    desk.writes("a", new)
    desk.call(status="completed")
    assert set(desk.states()) == {"applied"}
    order = data.draw(st.permutations(range(len(hunks))))
    rejected = order[: data.draw(st.integers(0, len(order)))]
    for hunk in rejected:
        answer = desk.choose("reject", change_set="s/c", file=0, hunk=hunk)
        assert answer == {"changed": 1, "failed": []}
    assert desk.text("a") == mix(old, hunks, set(order) - set(rejected))
    for _ in rejected:
        assert desk.undo()["failed"] == []
    assert desk.text("a") == new
    assert desk.choose("reject", change_set="s/c")["failed"] == []
    assert desk.text("a") == old
    assert desk.choose("accept", change_set="s/c")["failed"] == []
    assert desk.text("a") == new


@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(texts(), st.data())
def test_what_the_user_typed_survives_any_choice(
    both: tuple[str, str], data: st.DataObject
) -> None:
    old, new = both
    desk = Desk({"a": old})
    desk.open("a")
    desk.call(status="pending", content=[v1_diff("a", old, new)])
    hunks = hunks_of(desk)
    desk.writes("a", new)
    desk.call(status="completed")
    rows = new.split("\n")
    line = data.draw(st.integers(0, max(0, len(rows) - 2)))
    at = sum(len(row) + 1 for row in rows[:line])
    at = min(at, len(new))
    desk.editor.change(path("a"), [TextEdit(at, at, "TYPED BY THE USER\n")])
    rejected = {each["hunk"] for each in hunks if data.draw(st.booleans())}
    for hunk in sorted(rejected):
        answer = desk.choose("reject", change_set="s/c", file=0, hunk=hunk)
        if answer["failed"]:
            rejected.discard(hunk)
    text = desk.text("a") or ""
    assert text.count("TYPED BY THE USER\n") == 1
    taken = {each["hunk"] for each in hunks} - rejected
    assert text.replace("TYPED BY THE USER\n", "") == mix(old, hunks, taken)


@settings(max_examples=60, deadline=None)
@given(texts(), st.data())
def test_nothing_is_applied_twice(both: tuple[str, str], data: st.DataObject) -> None:
    old, new = both
    desk = Desk({"a": old})
    desk.call(status="failed", content=[v1_diff("a", old, new)])
    for _ in range(data.draw(st.integers(1, 3))):
        desk.choose("accept", change_set="s/c")
        assert desk.text("a") == new
    for _ in range(data.draw(st.integers(1, 3))):
        desk.choose("reject", change_set="s/c")
        assert desk.text("a") == old
    assert len(desk.editor.applied) == 2
