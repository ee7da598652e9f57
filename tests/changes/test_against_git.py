"""What git says a diff means is what we make of it, byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from acp_sidecar.changes.anchor import anchor_hunks
from acp_sidecar.changes.compare import hunks_between
from acp_sidecar.changes.edits import apply_edits, edits_to
from acp_sidecar.changes.git_patch import parse
from acp_sidecar.changes.hunks import Hunk, HunkState, Side
from acp_sidecar.changes.views import TextView
from tests.changes.git import Git, as_patch, composed
from tests.changes.texts_strategies import text_pairs

JUDGED = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

options = st.lists(
    st.sampled_from(
        [
            "-U1",
            "-U2",
            "-U8",
            "--inter-hunk-context=4",
            "--patience",
            "--histogram",
            "--minimal",
            "--no-prefix",
            "--src-prefix=o/",
            "--function-context",
            "--full-index",
            "--no-indent-heuristic",
        ]
    ),
    max_size=3,
    unique=True,
)


@pytest.fixture(scope="module")
def git(tmp_path_factory: pytest.TempPathFactory) -> Git:
    return Git(tmp_path_factory.mktemp("git"))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _normal(text: str) -> str:
    """Surrogates that together are valid UTF-8 would come back as characters."""
    return _bytes(text).decode("utf-8", "surrogateescape")


def _parsed(git: Git, old: str, new: str, arguments: list[str]) -> tuple[Hunk, ...]:
    patch = git.diff(_bytes(old), _bytes(new), "--text", *arguments)
    sections, problems = parse(patch.decode("utf-8", "surrogateescape"))
    assert not problems
    assert len(sections) == 1
    assert not sections[0].problems
    return sections[0].hunks


def _to(side: Side, hunks: tuple[Hunk, ...], text: str, chosen: set[int] | None = None) -> str:
    view = TextView(text)
    places = anchor_hunks(hunks, view, prefer=side.other)
    made = edits_to(side, hunks, places, view, chosen=chosen)
    assert not made.failed
    assert not made.done
    return apply_edits(text, made.edits)


@JUDGED
@given(pair=text_pairs(), arguments=options)
def test_accepting_all_gives_the_new_bytes_and_rejecting_all_the_old(
    git: Git, pair: tuple[str, str], arguments: list[str]
) -> None:
    old, new = map(_normal, pair)
    assume(old != new)
    hunks = _parsed(git, old, new, arguments)
    assert _to(Side.NEW, hunks, old) == new
    assert _to(Side.OLD, hunks, new) == old


@JUDGED
@given(pair=text_pairs(), arguments=options, data=st.data())
def test_any_subset_of_hunks_is_what_git_apply_makes_of_it(
    git: Git, pair: tuple[str, str], arguments: list[str], data: st.DataObject
) -> None:
    old, new = map(_normal, pair)
    assume(old != new)
    hunks = _parsed(git, old, new, arguments)
    chosen = data.draw(st.sets(st.integers(0, len(hunks) - 1), min_size=1))
    mixed = _to(Side.NEW, hunks, old, chosen)
    assert mixed == composed(old, hunks, chosen)
    judged = git.apply(as_patch([hunks[index] for index in sorted(chosen)]), _bytes(old))
    assert judged is None or judged == _bytes(mixed)


@JUDGED
@given(pair=text_pairs())
def test_our_own_hunks_are_a_patch_that_git_applies(git: Git, pair: tuple[str, str]) -> None:
    old, new = map(_normal, pair)
    assume(old != new)
    assume("\r" not in old + new or "\n" in old + new)
    hunks = hunks_between(old, new)
    assert composed(old, hunks, set(range(len(hunks)))) == new
    for hunk in hunks:
        wanted = composed(old, [hunk], {0})
        assert git.apply(as_patch([hunk]), _bytes(old), "--unidiff-zero") in (
            _bytes(wanted),
            None,
        )
    assert _to(Side.NEW, hunks, old) == new
    assert _to(Side.OLD, hunks, new) == old


@JUDGED
@given(pair=text_pairs(), arguments=options)
def test_states_are_read_from_the_text(
    git: Git, pair: tuple[str, str], arguments: list[str]
) -> None:
    old, new = map(_normal, pair)
    assume(old != new)
    hunks = _parsed(git, old, new, arguments)
    before = anchor_hunks(hunks, TextView(old), prefer=Side.OLD)
    after = anchor_hunks(hunks, TextView(new), prefer=Side.NEW)
    assert {place.state for place in before} == {HunkState.PROPOSED}
    assert {place.state for place in after} == {HunkState.APPLIED}
