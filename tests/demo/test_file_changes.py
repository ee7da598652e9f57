"""Patches judged by git itself, and writing that never goes over what was not read."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_sidecar.demo.agent.file_changes import (
    ChangedMeanwhile,
    FileChange,
    first_changed_line,
    git_patch,
    lines_of,
    write,
)

LINES = st.lists(
    st.sampled_from(["a", "b", "", "  c", "d\r", "\x0ce", "f\u2028g", "é"]), max_size=30
)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))


@pytest.mark.skipif(shutil.which("git") is None, reason="git is the judge")
@settings(max_examples=60, deadline=None)
@given(before=TEXTS, after=TEXTS)
def test_git_applies_the_patch_to_the_same_text(before: str, after: str) -> None:
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory).resolve() / "file.txt"
        file.write_bytes(before.encode())
        change = FileChange("modify", file, before, after)
        if before != after:
            # git apply wants relative names; the patch has absolute ones, as ACP does.
            command = ["git", "apply", "--whitespace=nowarn", f"-p{len(file.parts) - 1}", "-"]
            patch = git_patch(change).encode()
            subprocess.run(command, cwd=directory, input=patch, check=True)
        assert file.read_bytes() == after.encode()


@given(text=TEXTS)
def test_lines_are_the_text(text: str) -> None:
    assert "".join(lines_of(text)) == text


@pytest.mark.parametrize(
    ("name", "quoted"),
    [
        ("plain.txt", "/p/plain.txt"),
        ("with space.txt", "/p/with space.txt"),
        ("é.txt", '"/p/\\303\\251.txt"'),
        ('say "hi".txt', '"/p/say \\"hi\\".txt"'),
        ("tab\t.txt", '"/p/tab\\t.txt"'),
    ],
)
def test_paths_are_quoted_as_git_quotes_them(name: str, quoted: str) -> None:
    patch = git_patch(FileChange("modify", Path("/p") / name, "a\n", "b\n"))
    assert f"\n+++ {quoted}\n" in patch


def test_a_move_says_where_from() -> None:
    change = FileChange("move", Path("/p/new"), "a\nb\n", "a\nc\n", old_path=Path("/p/old"))
    assert git_patch(change).startswith(
        "diff --git /p/old /p/new\nsimilarity index 50%\nrename from /p/old\nrename to /p/new\n"
        "--- /p/old\n+++ /p/new\n@@ "
    )


def test_a_move_without_change_has_no_hunks() -> None:
    change = FileChange("move", Path("/p/new"), "a\n", "a\n", old_path=Path("/p/old"))
    assert git_patch(change).endswith(
        "similarity index 100%\nrename from /p/old\nrename to /p/new\n"
    )


def test_a_new_file_comes_from_nowhere() -> None:
    patch = git_patch(FileChange("add", Path("/p/new"), "", "a\n"))
    assert "new file mode 100644\n--- /dev/null\n+++ /p/new\n@@ -0,0 +1 @@\n+a\n" in patch


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [("a\nb\n", "a\nc\n", 2), ("a\n", "a\nb\n", 1), ("", "a\n", 1), ("a\nb\n", "b\n", 1)],
)
def test_the_first_changed_line_counts_from_one(before: str, after: str, line: int) -> None:
    assert first_changed_line(FileChange("modify", Path("/p"), before, after)) == line


def test_a_file_that_changed_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("theirs\n")
    with pytest.raises(ChangedMeanwhile):
        write(FileChange("modify", file, "read\n", "mine\n"))
    assert file.read_text() == "theirs\n"


@pytest.mark.parametrize("operation", ["add", "move"])
def test_nothing_is_written_over_a_file_that_is_there(tmp_path: Path, operation: str) -> None:
    old, file = tmp_path / "old", tmp_path / "file"
    old.write_text("mine\n")
    file.write_text("theirs\n")
    change = FileChange(operation, file, "mine\n", "mine\n", old_path=old)  # type: ignore[arg-type]
    with pytest.raises(ChangedMeanwhile):
        write(change)
    assert (old.read_text(), file.read_text()) == ("mine\n", "theirs\n")


def test_a_file_that_is_gone_stays_gone(tmp_path: Path) -> None:
    with pytest.raises(ChangedMeanwhile):
        write(FileChange("modify", tmp_path / "gone", "a\n", "b\n"))
    assert not (tmp_path / "gone").exists()


def test_a_move_moves_and_edits(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "sub" / "new"
    old.write_bytes(b"a\r\n")
    write(FileChange("move", new, "a\r\n", "b\r\n", old_path=old))
    assert not old.exists()
    assert new.read_bytes() == b"b\r\n"
