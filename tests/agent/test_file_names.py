"""Names of files: as git has them, else as the disk does, however many there are."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

import pytest

from acp_sidecar.agent import file_names
from acp_sidecar.agent.file_names import FileNames, with_folders
from tests.environment import program

FILES = ["a.txt", "src/deep/b.py", "src/c d.py", "ignored/x.log", "kept/ü.md"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x", encoding="utf-8")
    return root


def make_repository(folder: Path) -> None:
    git = program("git", "repositories are listed by it")
    (folder / ".gitignore").write_text("ignored/\n", encoding="utf-8")
    subprocess.run([git, "init", "-q"], cwd=folder, check=True)
    subprocess.run([git, "add", "a.txt", "kept"], cwd=folder, check=True)


async def names(folder: Path) -> set[str]:
    found = FileNames()
    try:
        return set(await found.of(str(folder)))
    finally:
        await found.close()


async def test_git_says_what_is_there_and_what_is_ignored(folder: Path) -> None:
    make_repository(folder)
    expected = {*FILES, ".gitignore", "src/", "src/deep/", "kept/"} - {"ignored/x.log"}
    assert await names(folder) == expected
    assert await names(folder / "src") == {"c d.py", "deep/b.py", "deep/"}


async def test_without_a_repository_the_disk_says_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (".hidden/h", "node_modules/m", ".editorconfig"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("x", encoding="utf-8")
    expected = {*FILES, ".editorconfig", "src/", "src/deep/", "kept/", "ignored/"}
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    assert await names(folder) == expected
    monkeypatch.setattr("shutil.which", lambda _name: None)
    assert await names(folder) == expected


async def test_a_folder_that_is_not_there_has_nothing(tmp_path: Path) -> None:
    assert await names(tmp_path / "gone") == set()


async def test_links_in_a_circle_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _name: None)
    (folder / "src" / "back").symlink_to(folder, target_is_directory=True)
    assert "src/back" in await names(folder)


async def test_there_is_a_most(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_names, "MOST", 2)
    make_repository(folder)
    found = [name for name in await names(folder) if not name.endswith("/")]
    assert len(found) == 2


async def test_who_loses_interest_leaves_the_answer_to_the_next(folder: Path) -> None:
    found = FileNames()
    first = asyncio.create_task(found.of(str(folder)))
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert "a.txt" in await found.of(str(folder))
    await found.close()


async def test_what_is_new_is_told_when_it_has_been_looked_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_names, "FRESH_SECONDS", 0.0)
    found = FileNames()
    await found.of(str(folder))
    (folder / "new.txt").write_text("x", encoding="utf-8")
    assert "a.txt" in await found.of(str(folder))  # at once, and is looked up anew
    async with asyncio.timeout(60):
        while "new.txt" not in await found.of(str(folder)):
            await found.looked(str(folder))
    await found.close()


def test_every_folder_is_told_once() -> None:
    files = ["a", "b/c", "b/d/e", "b/d/f"]
    assert sorted(with_folders(files)) == sorted([*files, "b/", "b/d/"])
