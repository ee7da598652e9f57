"""The state file: what two write is in it, and what cannot be understood is never written over."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.memory.entries import (
    LONGEST,
    MOST,
    MOST_IN_A_WORKSPACE,
    Changes,
    Entry,
    bounded,
    merged,
)
from acp_sidecar.memory.lock import Busy, locked
from acp_sidecar.memory.place import state_directory, write_whole
from acp_sidecar.memory.state_file import Loaded, StateFile

Json = Any
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def entry(session_id: str, *, age: timedelta = timedelta(), **more: Json) -> Entry:
    fields: Json = {"workspace": "/w", "agent": "a", "cwd": "/w", **more}
    return Entry(session_id=session_id, last_used=NOW - age, **fields)


def changes(*entries: Entry) -> Changes:
    found = Changes()
    for each in entries:
        found.use(each)
    return found


def ids(loaded: Loaded) -> list[str]:
    return [session_id for _, session_id in loaded.entries]


# --- what is remembered ---------------------------------------------------------------------------


def test_what_was_used_last_counts_whoever_wrote_it() -> None:
    old, new = entry("s", age=timedelta(hours=1), title="old"), entry("s", title="new")
    assert merged({old.key: old}, changes(new))["a", "s"].title == "new"
    assert merged({new.key: new}, changes(old))["a", "s"].title == "new"


def test_forgotten_is_forgotten_until_it_is_used_again() -> None:
    one = entry("s")
    found = changes(one)
    found.forget(one.key)
    assert merged({one.key: one}, found) == {}
    found.use(one)
    assert merged({}, found) == {one.key: one}


def test_old_and_many_entries_go_and_those_used_last_stay() -> None:
    second = timedelta(seconds=1)
    here = [entry(f"s{number}", age=number * second) for number in range(MOST_IN_A_WORKSPACE + 5)]
    elsewhere = entry("t", age=LONGEST - second, workspace="/other")
    ancient = entry("u", age=LONGEST + second, workspace="/other")
    kept = bounded([ancient, elsewhere, *here], NOW)
    assert len(kept) == MOST_IN_A_WORKSPACE + 1
    assert ("a", "s0") in kept
    assert ("a", f"s{MOST_IN_A_WORKSPACE}") not in kept
    assert ("a", "t") in kept
    assert ("a", "u") not in kept


def test_there_is_a_most_over_all_workspaces() -> None:
    many = (entry(f"s{number}", workspace=f"/{number}") for number in range(MOST + 3))
    assert len(bounded(many, NOW)) == MOST


# --- the file -------------------------------------------------------------------------------------


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = StateFile(tmp_path / "deep" / "er")
    one = entry("s", title="Título", additional_directories=["/x"], updated_at="2026-01-01")
    assert file.load(NOW) == Loaded()
    assert file.write(changes(one), NOW).written
    assert file.load(NOW).entries == {one.key: one}
    if os.name != "nt":
        assert (file.path.stat().st_mode & 0o777, file.path.parent.stat().st_mode & 0o777) == (
            0o600,
            0o700,
        )


def test_nothing_is_left_beside_it(tmp_path: Path) -> None:
    file = StateFile(tmp_path)
    for number in range(3):
        file.write(changes(entry(str(number))), NOW)
    assert {each.name for each in tmp_path.iterdir()} == {"sessions.json", "sessions.json.lock"}


def test_two_sidecars_keep_what_either_remembers(tmp_path: Path) -> None:
    one, other = StateFile(tmp_path), StateFile(tmp_path)
    one.write(changes(entry("mine")), NOW)
    assert sorted(ids(other.write(changes(entry("theirs")), NOW))) == ["mine", "theirs"]
    gone = Changes()
    gone.forget(("a", "theirs"))
    assert ids(one.write(gone, NOW)) == ["mine"]


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from acp_sidecar.memory.entries import Changes, Entry
from acp_sidecar.memory.state_file import StateFile
file, name = StateFile(Path(sys.argv[1])), sys.argv[2]
now = datetime.now(UTC)
for number in range(15):
    changes = Changes()
    changes.use(Entry(workspace=f"/{name}", agent="a", session_id=f"{name}-{number}", cwd="/",
                      last_used=now))
    while not file.write(changes, now).written:
        pass  # the lock was not free for seconds: what was to be written is written next time
"""


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    writers = [subprocess.Popen([*command, name]) for name in "pqr"]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert len(StateFile(tmp_path).load(datetime.now(UTC)).entries) == 45


DAMAGED = {
    "no JSON": b'{"version": 1, "sessions": [',
    "no text": b"\xff\x00\xfe",
    "deep": b"[" * 100_000,
    "a list": b"[]",
    "no version": b'{"sessions": []}',
    "an odd version": b'{"version": true, "sessions": []}',
    "no sessions": b'{"version": 1}',
    "a bad session": b'{"version": 1, "sessions": [{"agent": 5}]}',
    "empty": b"",
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
@pytest.mark.parametrize("first", ["load", "write"])
def test_a_damaged_file_is_kept_aside_and_told(tmp_path: Path, data: bytes, first: str) -> None:
    file = StateFile(tmp_path)
    file.path.write_bytes(data)
    if first == "load":
        loaded = file.load(NOW)
        assert (loaded.entries, file.path.exists()) == ({}, False)
    else:
        loaded = file.write(changes(entry("s")), NOW)
        assert (ids(loaded), loaded.written) == (["s"], True)
    (problem,) = loaded.problems
    assert problem.code == "state-damaged"
    assert "sessions.json.damaged-1" in problem.message
    assert (tmp_path / "sessions.json.damaged-1").read_bytes() == data


def test_a_second_damaged_file_does_not_replace_the_first(tmp_path: Path) -> None:
    file = StateFile(tmp_path)
    for text in ("one", "two"):
        file.path.write_text(text, encoding="utf-8")
        file.load(NOW)
    kept = [(tmp_path / f"sessions.json.damaged-{number}").read_text() for number in (1, 2)]
    assert kept == ["one", "two"]


@pytest.mark.parametrize("first", ["load", "write"])
def test_a_file_from_the_future_is_left_alone_and_told(tmp_path: Path, first: str) -> None:
    file = StateFile(tmp_path)
    text = json.dumps({"version": 2, "sessions": {"in": "another way"}})
    file.path.write_text(text, encoding="utf-8")
    loaded = file.load(NOW) if first == "load" else file.write(changes(entry("s")), NOW)
    assert (loaded.writable, loaded.written, loaded.entries) == (False, False, {})
    assert [problem.code for problem in loaded.problems] == ["state-from-the-future"]
    assert "Update acp-sidecar" in loaded.problems[0].message
    assert file.path.read_text(encoding="utf-8") == text


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    loaded = StateFile(tmp_path / "file" / "state").write(changes(entry("s")), NOW)
    assert [problem.code for problem in loaded.problems] == ["state-unwritable"]
    assert (loaded.written, loaded.writable) == (False, True)


# --- lock and place -------------------------------------------------------------------------------


HOLDER = """
import sys
from pathlib import Path
from acp_sidecar.memory.lock import locked
with locked(Path(sys.argv[1]), 30):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_is_held_by_one_and_let_go_by_the_death_of_its_holder(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(Busy), locked(path, 0):
            pass
        holder.kill()
        holder.wait()
    with locked(path, 30):
        assert path.exists()


def test_where_state_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    named = tmp_path / "named"
    for platform in ("linux", "darwin", "win32"):
        assert state_directory({"XDG_STATE_HOME": str(named)}, platform) == named / "acp-sidecar"
    ours = {
        "linux": tmp_path / ".local" / "state",
        "darwin": tmp_path / "Library" / "Application Support",
        "win32": tmp_path / "AppData" / "Local",
    }
    for platform, base in ours.items():
        for environ in ({}, {"XDG_STATE_HOME": "relative"}):
            assert state_directory(environ, platform) == base / "acp-sidecar"
    local = {"LOCALAPPDATA": str(tmp_path / "local")}
    assert state_directory(local, "win32") == tmp_path / "local" / "acp-sidecar"


def test_a_file_is_written_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\ud800")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]
