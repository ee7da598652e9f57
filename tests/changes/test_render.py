"""What is written as a patch is read back as the same hunks, by git too."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from acp_sidecar.changes.compare import hunks_between, net_change
from acp_sidecar.changes.git_patch import parse
from acp_sidecar.changes.git_paths import unquote
from acp_sidecar.changes.hunks import FileChange
from acp_sidecar.changes.render import hunk_names, patch_text, quoted
from tests.changes.git import Git, composed
from tests.changes.texts_strategies import text_pairs


@pytest.fixture(scope="module")
def git(tmp_path_factory: pytest.TempPathFactory) -> Git:
    return Git(tmp_path_factory.mktemp("git"))


@settings(max_examples=80, deadline=None)
@given(pair=text_pairs())
def test_a_written_patch_is_read_back(pair: tuple[str, str]) -> None:
    old, new = pair
    change = net_change("/w/a b", old, new)
    assume(change is not None and ("\r" not in old + new or "\n" in old + new))
    assert change is not None
    sections, problems = parse(patch_text(change))
    assert not problems
    assert [section.path for section in sections] == ["/w/a b"]
    assert not sections[0].problems
    assert [hunk.lines for hunk in sections[0].hunks] == [hunk.lines for hunk in change.hunks]
    assert [hunk.old_start for hunk in sections[0].hunks] == [
        hunk.old_start for hunk in change.hunks
    ]


@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(pair=text_pairs(), data=st.data())
def test_git_applies_a_written_hunk(git: Git, pair: tuple[str, str], data: st.DataObject) -> None:
    old, new = (text.replace("\r", "") for text in pair)
    hunks = hunks_between(old, new)
    assume(hunks)
    chosen = data.draw(st.sampled_from(range(len(hunks))))
    change = FileChange("modify", "/f", hunks=hunks, file_type="text")
    patch = patch_text(change, [chosen]).encode("utf-8", "surrogateescape")
    applied = git.apply(patch, old.encode("utf-8", "surrogateescape"), "--unidiff-zero")
    sections, _ = parse(patch.decode("utf-8", "surrogateescape"))
    assert sections[0].hunks[0].lines == hunks[chosen].lines
    assert applied is not None


ODD = ["/a", "/a b", "/t\tb", '/q"', "/b\\", "/ä", "/n\n", "/\udcff", "/\x1b", "/😀", "C:\\w\\f"]


@pytest.mark.parametrize("path", ODD)
def test_paths_are_quoted_as_git_reads_them(path: str) -> None:
    written = quoted(path)
    assert (unquote(written) if written.startswith('"') else written) == path
    for operation in ("add", "delete", "modify"):
        hunks = hunks_between(
            "" if operation == "add" else "a\n", "" if operation == "delete" else "b\n"
        )
        sections, problems = parse(patch_text(FileChange(operation, path, hunks=hunks)))
        assert not problems
        assert (sections[0].path, sections[0].operation) == (path, operation)


def test_changes_without_text_have_their_headers() -> None:
    for change in (
        FileChange("move", "/w/new", old_path="/w/old"),
        FileChange("copy", "/w/new", old_path="/w/old", file_type="text"),
        FileChange("modify", "/w/b", file_type="binary"),
        FileChange("add", "/w/l", file_type="symlink"),
        FileChange("modify", "/w/x", old_mode="100644", new_mode="100755"),
    ):
        section = parse(patch_text(change))[0][0]
        assert (section.operation, section.path) == (change.operation, change.path)
        assert section.file_type == (change.file_type or "text")
        assert (section.old if change.old_path else None) == change.old_path
        assert (section.old_mode, section.new_mode) in (
            (change.old_mode, change.new_mode),
            (None, "120000"),
        )


def test_hunks_keep_their_names_wherever_they_go() -> None:
    text = [f"{n}\n" for n in range(40)]
    new = [*text[:5], "x\n", *text[5:20], "x\n", *text[20:]]
    names = hunk_names(hunks_between("".join(text), "".join(new)))
    moved = hunk_names(hunks_between("top\n" + "".join(text), "top\n" + "".join(new), context=1))
    assert names == moved
    assert len(set(names)) == 2
    assert names[1] == names[0] + ".1"


@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(pair=text_pairs(), data=st.data())
def test_git_applies_any_subset_as_one_patch(
    git: Git, pair: tuple[str, str], data: st.DataObject
) -> None:
    old, new = (text.replace("\r", "") for text in pair)
    hunks = hunks_between(old, new)
    assume(hunks)
    chosen = data.draw(st.sets(st.sampled_from(range(len(hunks))), min_size=1))
    change = FileChange("modify", "/f", hunks=hunks, file_type="text")
    patch = patch_text(change, chosen).encode("utf-8", "surrogateescape")
    applied = git.apply(patch, old.encode("utf-8", "surrogateescape"), "--unidiff-zero")
    assert applied == composed(old, hunks, chosen).encode("utf-8", "surrogateescape")
