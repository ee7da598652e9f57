"""Files are replaced as a whole or not at all, and stay the files that they were."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from acp_sidecar.agent.disk import MOST_BYTES, LocalDisk

DISK = LocalDisk()


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_file_is_replaced_if_it_is_what_was_expected(tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert DISK.replace(str(file), b"one", None) == ""
    assert DISK.replace(str(file), b"two", b"one") == ""
    assert DISK.load(str(file)).data == b"two"
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("expected", [None, b"older"])
def test_a_file_that_is_another_by_now_is_left_alone(
    tmp_path: Path, expected: bytes | None
) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"newer")
    assert DISK.replace(str(file), b"mine", expected) is None
    assert file.read_bytes() == b"newer"


def test_a_file_that_is_gone_by_now_is_not_made_anew(tmp_path: Path) -> None:
    assert DISK.replace(str(tmp_path / "file"), b"mine", b"older") is None
    assert names(tmp_path) == []


def test_new_files_get_folders_and_the_mode_that_new_files_get(tmp_path: Path) -> None:
    made = tmp_path / "by hand"
    made.touch()
    new = tmp_path / "a" / "b" / "new"
    assert DISK.replace(str(new), b"x", None) == ""
    assert new.stat().st_mode == made.stat().st_mode


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
def test_what_cannot_be_written_whole_changes_nothing(tmp_path: Path) -> None:
    import resource  # noqa: PLC0415 - POSIX only

    file = tmp_path / "file"
    file.write_bytes(b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        reason = DISK.replace(str(file), b"x" * 100_000, b"old")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert reason is not None
    assert reason.startswith("cannot be written: ")
    assert file.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX links")
def test_a_file_with_two_names_keeps_both(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old")
    (tmp_path / "other name").hardlink_to(file)
    assert DISK.replace(str(file), b"new", b"old") == ""
    assert (tmp_path / "other name").read_bytes() == b"new"


def test_what_is_no_ordinary_file_is_not_read(tmp_path: Path) -> None:
    assert DISK.load(str(tmp_path)).reason == "is a directory"
    assert DISK.load(str(tmp_path / "nothing")).missing
    assert DISK.load("a\0b").reason
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    assert "larger" in DISK.load(str(large)).reason
    assert not DISK.load(str(large)).missing
