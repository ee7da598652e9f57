"""Places move with the text that they are in."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_sidecar.changes.edits import TextEdit, apply_edits, ranges
from acp_sidecar.changes.positions import edits_between, moved_offset, moved_range
from acp_sidecar.changes.texts import Encoding, LineIndex
from tests.changes.texts_strategies import text_pairs


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, list[TextEdit]]:
    """A text of different characters and some edits of it that do not touch each other."""
    size = draw(st.integers(0, 30))
    text = "".join(chr(0x100 + number) for number in range(size))
    edits: list[TextEdit] = []
    at = 0
    while at <= size and len(edits) < 4:
        start = draw(st.integers(at, size))
        end = draw(st.integers(start, min(size, start + 4)))
        edits.append(TextEdit(start, end, draw(st.text("xyz", max_size=3))))
        at = end + 1
    return text, edits


@given(case=edited(), data=st.data())
def test_an_offset_stays_between_the_same_characters(
    case: tuple[str, list[TextEdit]], data: st.DataObject
) -> None:
    text, edits = case
    offset = data.draw(st.integers(0, len(text)))
    new = apply_edits(text, edits)
    for after in (False, True):
        moved = moved_offset(offset, edits, after=after)
        assert 0 <= moved <= len(new)
        assert [c for c in new[:moved] if c in text] == [c for c in text[:offset] if c in new]
    assert moved_offset(offset, edits) <= moved_offset(offset, edits, after=True)


@given(case=edited(), data=st.data(), wide=st.booleans())
def test_a_range_keeps_what_is_in_it_and_nothing_that_is_not(
    case: tuple[str, list[TextEdit]], data: st.DataObject, wide: bool
) -> None:
    text, edits = case
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    new = apply_edits(text, edits)
    low, high = moved_range(start, end, edits, wide=wide)
    assert 0 <= low <= high <= len(new)
    assert set(text[start:end]) & set(new) <= set(new[low:high])
    crossing = [e for e in edits if e.start <= end and e.end >= start]
    if not crossing:
        assert new[low:high] == text[start:end]
    outside = set(new[:low] + new[high:])
    assert not outside & set(text[start:end])


@pytest.mark.parametrize(
    ("edit", "narrow", "wide"),
    [
        (TextEdit(0, 0, "xx"), (6, 9), (6, 9)),
        (TextEdit(4, 4, "xx"), (6, 9), (4, 9)),
        (TextEdit(5, 5, "xx"), (4, 9), (4, 9)),
        (TextEdit(7, 7, "xx"), (4, 7), (4, 9)),
        (TextEdit(8, 9, "xx"), (4, 7), (4, 7)),
        (TextEdit(4, 7, "xx"), (4, 6), (4, 6)),
        (TextEdit(2, 5, "xx"), (2, 6), (2, 6)),
        (TextEdit(0, 10, "xx"), (0, 2), (0, 2)),
        (TextEdit(2, 4, ""), (2, 5), (2, 5)),
    ],
)
def test_ranges(edit: TextEdit, narrow: tuple[int, int], wide: tuple[int, int]) -> None:
    assert moved_range(4, 7, [edit]) == narrow
    assert moved_range(4, 7, [edit], wide=True) == wide


@settings(max_examples=200, deadline=None)
@given(pair=text_pairs(), encoding=st.sampled_from(Encoding))
def test_an_editor_that_gets_the_edits_by_columns_has_the_same_text(
    pair: tuple[str, str], encoding: Encoding
) -> None:
    """What a client does with LSP edits: each place looked up in the old text."""
    old, new = pair
    edits = edits_between(old, new)
    index = LineIndex(old)
    told = [
        TextEdit(
            index.offset(edit.start, encoding), index.offset(edit.end, encoding), edit.new_text
        )
        for edit in ranges(edits, old, encoding)
    ]
    assert apply_edits(old, told) == new


@given(pair=text_pairs())
def test_edits_between_two_texts_make_one_of_the_other(pair: tuple[str, str]) -> None:
    old, new = pair
    edits = edits_between(old, new)
    assert apply_edits(old, edits) == new
    assert edits == sorted(edits)
    assert (edits == []) == (old == new)


def test_edits_that_overlap_are_refused() -> None:
    for edits in (
        [TextEdit(0, 2, ""), TextEdit(1, 3, "")],
        [TextEdit(0, 9, "")],
        [TextEdit(2, 1, "")],
    ):
        with pytest.raises(ValueError, match="overlaps"):
            apply_edits("abc", edits)
