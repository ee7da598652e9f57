"""Hunks are found where they belong, or nowhere."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_sidecar.changes import views
from acp_sidecar.changes.anchor import How, Place, anchor_hunks, still_there
from acp_sidecar.changes.compare import hunks_between
from acp_sidecar.changes.edits import TextEdit, apply_edits, edits_to
from acp_sidecar.changes.hunks import Hunk, HunkLine, HunkState, LineKind, Side
from acp_sidecar.changes.positions import edits_between, follow
from acp_sidecar.changes.views import Likeness, TextView
from tests.changes.git import composed


def numbered(count: int) -> list[str]:
    return [f"line {number}\n" for number in range(1, count + 1)]


def changed(lines: list[str], at: int, *new: str, removed: int = 1) -> list[str]:
    return [*lines[: at - 1], *new, *lines[at - 1 + removed :]]


def one_hunk(old: list[str], new: list[str]) -> Hunk:
    hunks = hunks_between("".join(old), "".join(new))
    assert len(hunks) == 1
    return hunks[0]


def place_in(hunk: Hunk, lines: list[str], prefer: Side | None = None) -> Place:
    return anchor_hunks([hunk], TextView("".join(lines)), prefer=prefer)[0]


OLD = numbered(20)
NEW = changed(OLD, 10, "ten\n", "ten and a half\n")
HUNK = one_hunk(OLD, NEW)


def test_a_hunk_is_proposed_where_its_old_side_stands() -> None:
    place = place_in(HUNK, OLD)
    assert place.state is HunkState.PROPOSED
    assert place.anchor is not None
    assert (place.anchor.line, place.anchor.how) == (6, How.EXACT)
    assert "".join(OLD)[place.start : place.end] == "line 10\n"


def test_a_hunk_is_applied_where_its_new_side_stands() -> None:
    assert place_in(HUNK, NEW).state is HunkState.APPLIED


def test_a_hunk_moves_with_lines_that_were_added_above() -> None:
    place = place_in(HUNK, ["mine\n"] * 5 + OLD)
    assert place.state is HunkState.PROPOSED
    assert place.anchor is not None
    assert (place.anchor.line, place.anchor.how) == (11, How.MOVED)


def test_a_hunk_that_fits_twice_is_unanchored() -> None:
    text = ["mine\n", *OLD, *OLD]
    place = place_in(HUNK, text)
    assert place.state is HunkState.UNANCHORED
    assert place.reason == "This hunk fits in more than one place."
    assert (place.start, place.end) == (-1, -1)


def test_the_line_that_the_patch_names_wins_over_other_places() -> None:
    place = place_in(HUNK, OLD + OLD)
    assert place.anchor is not None
    assert place.anchor.line == 6


def test_both_sides_at_different_places_are_a_riddle() -> None:
    place = place_in(HUNK, ["mine\n", *OLD, "between\n", *NEW])
    assert place.state is HunkState.UNANCHORED


def test_less_context_is_enough_if_it_is_unique() -> None:
    text = changed(OLD, 7, "mine\n")
    place = place_in(HUNK, text)
    assert place.state is HunkState.PROPOSED
    assert place.anchor is not None
    assert place.anchor.how is How.CONTEXT
    made = edits_to(Side.NEW, [HUNK], [place], TextView("".join(text)))
    assert apply_edits("".join(text), made.edits) == "".join(
        changed(text, 10, "ten\n", "ten and a half\n")
    )


def test_no_context_at_all_is_not_enough() -> None:
    text = changed(changed(OLD, 9, "mine\n"), 11, "mine too\n")
    assert place_in(HUNK, text).state is HunkState.UNANCHORED


def test_a_hunk_whose_line_the_user_changed_is_not_applied_to_a_twin() -> None:
    text = changed(OLD, 10, "line X\n")
    assert place_in(HUNK, text).state is HunkState.UNANCHORED


@pytest.mark.parametrize("prefer", [None, *Side])
def test_a_line_appended_at_the_end_is_seen_as_applied(prefer: Side | None) -> None:
    hunk = one_hunk(OLD, [*OLD, "more\n"])
    assert place_in(hunk, OLD).state is HunkState.PROPOSED
    place = place_in(hunk, [*OLD, "more\n"], prefer)
    assert place.state is HunkState.APPLIED
    assert place.anchor is not None
    assert not place.anchor.doubtful
    made = edits_to(Side.NEW, [hunk], [place], TextView("".join([*OLD, "more\n"])))
    assert (made.edits, made.done) == ((), (0,))


@pytest.mark.parametrize("prefer", [None, *Side])
def test_a_line_removed_at_an_end_is_seen_as_proposed(prefer: Side | None) -> None:
    for less in (OLD[:-1], OLD[1:]):
        hunk = one_hunk(OLD, less)
        assert place_in(hunk, OLD, prefer).state is HunkState.PROPOSED
        assert place_in(hunk, less, prefer).state is HunkState.APPLIED
        assert place_in(hunk, ["mine\n", *OLD], prefer).state is HunkState.PROPOSED


def test_repetition_is_decided_by_the_hunks_around_it() -> None:
    old = [*numbered(5), *(["same\n"] * 12), *numbered(5)]
    new = changed([*old[:10], "same\n", *old[10:]], 2, "two\n")
    hunks = hunks_between("".join(old), "".join(new))
    assert len(hunks) == 2
    for text, state in ((old, HunkState.PROPOSED), (new, HunkState.APPLIED)):
        places = anchor_hunks(hunks, TextView("".join(text)))
        assert {place.state for place in places} == {state}


def test_a_piece_without_line_numbers_can_be_all_of_a_new_file() -> None:
    hunks = hunks_between("", "one\ntwo\n", numbered=False)
    assert [place.state for place in anchor_hunks(hunks, TextView(""))] == [HunkState.PROPOSED]
    assert [place.state for place in anchor_hunks(hunks, TextView("else\n"))] == [
        HunkState.UNANCHORED
    ]


def test_an_insertion_without_context_is_never_placed() -> None:
    hunk = hunks_between("".join(OLD), "".join(changed(OLD, 5, "x\n", removed=0)), context=0)[0]
    assert place_in(hunk, OLD).state is HunkState.UNANCHORED


def test_windows_endings_in_the_file_are_kept() -> None:
    text = "".join(OLD).replace("\n", "\r\n")
    view = TextView(text)
    places = anchor_hunks([HUNK], view)
    assert places[0].anchor is not None
    assert places[0].anchor.likeness is Likeness.ENDINGS
    made = edits_to(Side.NEW, [HUNK], places, view)
    assert apply_edits(text, made.edits) == "".join(NEW).replace("\n", "\r\n")


def test_a_lost_final_newline_does_not_matter_and_is_not_made() -> None:
    hunk = one_hunk(["a\n", "b\n"], ["a\n", "c\n", "d\n"])
    view = TextView("a\nb")
    places = anchor_hunks([hunk], view)
    assert places[0].anchor is not None
    assert places[0].anchor.likeness is Likeness.FINAL_NEWLINE
    applied = apply_edits("a\nb", edits_to(Side.NEW, [hunk], places, view).edits)
    assert applied == "a\nc\nd"
    view = TextView(applied)
    undone = edits_to(Side.OLD, [hunk], anchor_hunks([hunk], view), view)
    assert apply_edits(applied, undone.edits) == "a\nb"


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_hunk_that_ends_the_file_never_joins_lines(ending: str) -> None:
    """It was made for a file without a final newline, which has one, or more lines, by now."""
    hunk = one_hunk(["a\n", "b"], ["a\n", "c\n", "d"])
    for more in ("", "mine" + ending):
        text = f"a{ending}b{ending}{more}"
        view = TextView(text)
        places = anchor_hunks([hunk], view)
        assert places[0].state is HunkState.PROPOSED
        applied = apply_edits(text, edits_to(Side.NEW, [hunk], places, view).edits)
        assert applied == f"a{ending}c{ending}d{ending}{more}"
        view = TextView(applied)
        undone = edits_to(Side.OLD, [hunk], anchor_hunks([hunk], view), view)
        assert apply_edits(applied, undone.edits) == text


def test_a_text_that_is_too_repetitive_is_not_searched_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is placed by a search that was given up."""
    monkeypatch.setattr(views, "_EFFORT", 100)
    text = ["mine\n", *numbered(5), *(["a\n", "b\n"] * 100)]
    hunk = one_hunk(["a\n", "b\n", "c\n", "a\n", "a\n"], ["a\n", "b\n", "d\n", "a\n", "a\n"])
    text[50:50] = [line.text for line in hunk.lines if line.kind is not LineKind.ADDED]
    assert place_in(hunk, text).state is HunkState.PROPOSED
    repetitive = one_hunk(["a\n", "b\n", "a\n", "a\n"], ["a\n", "b\n", "b\n", "a\n", "a\n"])
    place = place_in(repetitive, text)
    assert place.state is HunkState.UNANCHORED
    assert "repetitive" in place.reason


def test_a_byte_order_mark_is_neither_lost_nor_doubled() -> None:
    hunk = one_hunk(["\ufeffa\n", "b\n"], ["\ufeffx\n", "b\n"])
    for text, wanted in (("a\nb\n", "x\nb\n"), ("\ufeffa\nb\n", "\ufeffx\nb\n")):
        view = TextView(text)
        made = edits_to(Side.NEW, [hunk], anchor_hunks([hunk], view), view)
        assert apply_edits(text, made.edits) == wanted


def test_a_hunk_that_only_changes_endings_cannot_be_read_from_an_editor_that_hides_them() -> None:
    hunk = one_hunk(["a\r\n", "b\r\n"], ["a\n", "b\n"])
    assert place_in(hunk, ["a\r\n", "b\r\n"]).state is HunkState.PROPOSED
    assert place_in(hunk, ["a\n", "b\n"]).state is HunkState.APPLIED
    assert place_in(hunk, ["a\r", "b\r"]).state is HunkState.UNANCHORED


# A text whose lines repeat, but each of which has an identity that hunks and users do not see.

Edit = tuple[int, int, list[str]]
word = st.sampled_from(["a\n", "b\n", "}\n", "\n", "  x = 1\n"])


@st.composite
def replacements(draw: st.DrawFn, size: int, most: int) -> Edit:
    """Some lines of a text of `size` lines, and what takes their place."""
    low = draw(st.integers(0, size))
    high = draw(st.integers(low, min(size, low + 3)))
    return low, high, draw(st.lists(word, max_size=most))


@st.composite
def stories(draw: st.DrawFn) -> tuple[list[str], Edit, list[Edit]]:
    """A text, one edit that an agent proposes, and the user's edits one after the other."""
    text = draw(st.lists(word, min_size=1, max_size=25))
    agent = draw(replacements(len(text), 3))
    users: list[Edit] = []
    size = len(text)
    for _ in range(draw(st.integers(1, 4))):
        users.append(draw(replacements(size, 2)))
        low, high, new = users[-1]
        size += len(new) - (high - low)
    return text, agent, users


class Known:
    """A text whose lines know who they are: from 0 the original ones, below 0 the user's."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = list(enumerate(lines))

    @property
    def text(self) -> str:
        return "".join(line for _, line in self.lines)

    def ids(self, low: int, high: int) -> list[int]:
        return [who for who, _ in self.lines[low:high]]

    def replace(self, edit: Edit) -> TextEdit:
        low, high, new = edit
        start = len("".join(line for _, line in self.lines[:low]))
        end = start + len("".join(line for _, line in self.lines[low:high]))
        self.lines[low:high] = [(-1, line) for line in new]
        return TextEdit(start, end, "".join(new))


def followed(hunks: tuple[Hunk, ...], text: str, known: Known, users: list[Edit]) -> list[Place]:
    places = anchor_hunks(hunks, TextView(text), prefer=Side.OLD)
    assert {place.state for place in places} <= {HunkState.PROPOSED}
    for user in users:
        edit = known.replace(user)
        places = [follow(place, [edit]) for place in places]
        view = TextView(known.text)
        pairs = zip(hunks, places, strict=True)
        places = [still_there(hunk, view, place) for hunk, place in pairs]
    return places


@settings(max_examples=400, deadline=None)
@given(story=stories())
def test_a_followed_hunk_changes_its_own_lines_or_none(
    story: tuple[list[str], Edit, list[Edit]],
) -> None:
    """Never an original line that it was not about; additions stay between the same lines."""
    text, (low, high, new), users = story
    hunks = hunks_between("".join(text), "".join([*text[:low], *new, *text[high:]]))
    known = Known(text)
    places = followed(hunks, "".join(text), known, users)
    for hunk, place in zip(hunks, places, strict=True):
        if place.anchor is None or place.anchor.side is Side.NEW:
            continue
        base, first = place.anchor.line - place.anchor.skip, hunk.old_start - 1
        for group in hunk.groups:
            start, end = base + group.old_lo, base + group.old_hi
            own = range(first + group.old_lo, first + group.old_hi)
            assert all(who < 0 or who in own for who in known.ids(start, end))
            assert all(who < own.start for who in known.ids(0, start))
            assert all(who < 0 or who >= own.stop for who in known.ids(end, len(known.lines)))


@settings(max_examples=200, deadline=None)
@given(
    count=st.integers(9, 20),
    agent=st.integers(0, 7),
    users=st.lists(st.tuples(st.integers(0, 25), st.booleans()), max_size=6),
)
def test_edits_elsewhere_never_cost_a_hunk(
    count: int, agent: int, users: list[tuple[int, bool]]
) -> None:
    """While its own lines and one line next to it are as they were, a hunk stays proposed."""
    text = numbered(count)
    hunk = one_hunk(text, changed(text, agent + 1, "changed\n"))
    known = Known(text)
    safe: list[Edit] = []
    size = count
    for at, inserts in users:
        who = known.ids(0, len(known.lines))
        line = at % (size + 1)
        near = {agent, agent + 1} & set(who[line : line + 1]) if not inserts else ()
        if near or (inserts and who[line : line + 1] == [agent + 1]):
            continue
        safe.append((line, line if inserts else min(size, line + 1), ["mine\n"]))
        known.replace(safe[-1])
        size = len(known.lines)
    places = followed((hunk,), "".join(text), Known(text), safe)
    assert places[0].state is HunkState.PROPOSED


@settings(max_examples=200, deadline=None)
@given(text=st.lists(word, max_size=25), written=st.lists(word, max_size=25), data=st.data())
def test_hunks_are_undone_and_done_again(
    text: list[str], written: list[str], data: st.DataObject
) -> None:
    """Any subset, one after the other, each followed through the edits before it."""
    old, new = "".join(text), "".join(written)
    hunks = hunks_between(old, new)
    places = anchor_hunks(hunks, TextView(new), prefer=Side.NEW)
    chosen = {index for index in range(len(hunks)) if data.draw(st.booleans())}
    present = new
    for side, expected in (
        (Side.OLD, composed(old, hunks, set(range(len(hunks))) - chosen)),
        (Side.NEW, new),
    ):
        for index in chosen:
            view = TextView(present)
            made = edits_to(side, hunks, places, view, chosen=[index])
            assert made.changed == (index,)
            present = apply_edits(present, made.edits)
            view = TextView(present)
            places = [follow(place, made.edits) for place in places]
            pairs = zip(hunks, places, strict=True)
            places = [still_there(hunk, view, place) for hunk, place in pairs]
        assert present == expected


@settings(max_examples=200, deadline=None)
@given(data=st.data(), count=st.integers(1, 60), above=st.integers(0, 3))
def test_any_mixture_of_hunks_is_read_from_the_text(
    data: st.DataObject, count: int, above: int
) -> None:
    """Some hunks written, some not, and lines of the user's above: each state is told apart."""
    text = numbered(count)
    new: list[str] = []
    for number, line in enumerate(text):
        kind = data.draw(st.sampled_from(["keep", "keep", "keep", "drop", "change", "add"]))
        new += {
            "keep": [line],
            "drop": [],
            "change": [f"changed {number}\n"],
            "add": [line, f"added {number}\n"],
        }[kind]
    hunks = hunks_between("".join(text), "".join(new))
    chosen = {index for index in range(len(hunks)) if data.draw(st.booleans())}
    present = "mine\n" * above + composed("".join(text), hunks, chosen)
    if not present.removeprefix("mine\n" * above):
        return
    places = anchor_hunks(hunks, TextView(present))
    for index, place in enumerate(places):
        wanted = HunkState.APPLIED if index in chosen else HunkState.PROPOSED
        assert place.state in (wanted, HunkState.UNANCHORED)
        if not above:
            assert place.state is wanted


Move = tuple[str, int, int, int]
moves = st.lists(
    st.tuples(
        st.sampled_from(["insert", "delete", "copy", "cut", "change"]),
        st.integers(0, 40),
        st.integers(0, 8),
        st.integers(0, 40),
    ),
    min_size=1,
    max_size=4,
)


def rearranged(lines: list[tuple[int, str]], todo: list[Move]) -> list[tuple[int, str]]:
    """A user who also copies, cuts and pastes: copies are the user's, pieces stay who they are."""
    for number, (kind, at, size, to) in enumerate(todo):
        low = at % (len(lines) + 1)
        piece = lines[low : low + size]
        if kind in ("delete", "cut", "change"):
            lines = lines[:low] + lines[low + size :]
        target = to % (len(lines) + 1)
        if kind == "insert":
            lines = [*lines[:low], (-1, f"mine {number}\n"), *lines[low:]]
        elif kind == "change":
            mine = [(-1, f"mine {number} {line}") for _, line in piece]
            lines = lines[:low] + mine + lines[low:]
        elif kind == "copy":
            lines = lines[:target] + [(-1, line) for _, line in piece] + lines[target:]
        elif kind == "cut":
            lines = lines[:target] + piece + lines[target:]
    return lines


@settings(max_examples=400, deadline=None)
@given(count=st.integers(3, 30), agent=st.integers(0, 29), size=st.integers(0, 2), todo=moves)
def test_a_hunk_that_is_searched_for_is_found_at_its_own_lines_or_not_at_all(
    count: int, agent: int, size: int, todo: list[Move]
) -> None:
    """Nobody told us of the user's edits; the text's lines were all different to begin with."""
    text = numbered(count)
    agent %= count
    hunk = one_hunk(text, [*text[:agent], "agent\n", *text[agent + size :]])
    lines = rearranged(list(enumerate(text)), todo)
    place = place_in(hunk, [line for _, line in lines], Side.OLD)
    if place.anchor is None:
        return
    assert place.anchor.side is Side.OLD
    base, first = place.anchor.line - place.anchor.skip, hunk.old_start - 1
    who = [line_id for line_id, _ in lines]
    for group in hunk.groups:
        own = [*range(first + group.old_lo, first + group.old_hi)]
        found = who[base + group.old_lo : base + group.old_hi]
        assert all(line_id in (mine, -1) for line_id, mine in zip(found, own, strict=True))
        touching = who[max(0, base + group.old_lo - 1) : base + group.old_hi + 1]
        assert {first + group.old_lo - 1, first + group.old_hi, -1} & set(touching) or count <= 3


@settings(max_examples=200, deadline=None)
@given(story=stories())
def test_what_the_agent_wrote_is_seen_and_undone(story: tuple[list[str], Edit, list[Edit]]) -> None:
    text, (low, high, new), _ = story
    old, written = "".join(text), "".join([*text[:low], *new, *text[high:]])
    hunks = hunks_between(old, written)
    view = TextView(written)
    places = anchor_hunks(hunks, view, prefer=Side.NEW)
    assert {place.state for place in places} <= {HunkState.APPLIED}
    undone = edits_to(Side.OLD, hunks, places, view)
    assert apply_edits(written, undone.edits) == old


@pytest.mark.parametrize(
    ("new", "state"),
    [
        (changed(OLD, 10, "ten\n", "ten and a half\n"), HunkState.APPLIED),
        (changed(OLD, 10, "ten\n", "somewhat more\n"), HunkState.CONFLICT),
        (changed(OLD, 10, "mine\n"), HunkState.CONFLICT),
        (changed(OLD, 11, "mine\n"), HunkState.PROPOSED),
        (changed(OLD, 10, "mine\n", removed=0), HunkState.PROPOSED),
        (OLD[:9], HunkState.CONFLICT),
        ([], HunkState.CONFLICT),
    ],
)
def test_a_followed_hunk_after_the_whole_text_was_replaced(
    new: list[str], state: HunkState
) -> None:
    edits = edits_between("".join(OLD), "".join(new))
    place = follow(place_in(HUNK, OLD), edits)
    assert still_there(HUNK, TextView("".join(new)), place).state is state


def test_half_of_an_addition_is_a_conflict_and_never_added_again() -> None:
    """The agent added two lines and the user changed one of them before we looked."""
    hunk = one_hunk(OLD, changed(OLD, 10, "one\n", "two\n", removed=0))
    now = changed(OLD, 10, "one\n", "2\n", removed=0)
    place = follow(place_in(hunk, OLD), edits_between("".join(OLD), "".join(now)))
    view = TextView("".join(now))
    place = still_there(hunk, view, place)
    assert place.state is HunkState.CONFLICT
    assert edits_to(Side.NEW, [hunk], [place], view).edits == ()


WIDE = Hunk(
    9,
    9,
    tuple(
        HunkLine(LineKind(line[0]), line[1:] + "\n")
        for line in (
            " line 9",
            "+one",
            " line 10",
            " line 11",
            " line 12",
            "-line 13",
            "+two",
            " line 14",
        )
    ),
)
WIDE_NEW = [*OLD[:9], "one\n", *OLD[9:12], "two\n", *OLD[13:]]


def touched(text: list[str]) -> tuple[Place, TextView]:
    place = place_in(WIDE, WIDE_NEW)
    assert place.state is HunkState.APPLIED
    view = TextView("".join(text))
    place = follow(place, edits_between("".join(WIDE_NEW), view.text))
    return still_there(WIDE, view, place), view


def test_a_touched_hunk_is_undone_around_the_users_lines() -> None:
    place, view = touched(changed(WIDE_NEW, 12, "mine\n"))
    assert place.state is HunkState.CONFLICT
    made = edits_to(Side.OLD, [WIDE], [place], view)
    assert made.changed == (0,)
    assert apply_edits(view.text, made.edits) == "".join(changed(OLD, 11, "mine\n"))


def test_a_hunk_touched_in_its_own_lines_is_left_alone() -> None:
    place, view = touched(changed(WIDE_NEW, 14, "mine\n"))
    made = edits_to(Side.OLD, [WIDE], [place], view)
    assert made.edits == ()
    assert made.failed == ((0, "The text was changed in the same lines as this hunk."),)


def test_a_touched_hunk_is_already_where_it_was() -> None:
    place, view = touched(changed(WIDE_NEW, 12, "mine\n"))
    assert edits_to(Side.NEW, [WIDE], [place], view).done == (0,)


@settings(max_examples=200, deadline=None)
@given(old=st.lists(word, max_size=20), new=st.lists(word, max_size=20))
def test_edits_between_two_texts_make_the_second_of_the_first(
    old: list[str], new: list[str]
) -> None:
    before, after = "".join(old), "".join(new)
    assert apply_edits(before, edits_between(before, after)) == after
