"""The slash commands, and the agent in projects that are not its sample."""

from __future__ import annotations

import asyncio
import base64
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.demo.agent.proposals import MARKER
from tests.demo.client import Refused, start, started, update_of
from tests.demo.client import initialize_params as params_of
from tests.demo.conftest import SAMPLE, texts
from tests.demo.test_agent_tour import final_calls, said

PYTHON = Path(sys.executable).name
CRASHED = 3


async def test_read_gives_the_lines_that_were_asked_for(version: int, sample: Path) -> None:
    async with started(version) as client:
        session_id = await client.new_session(sample)
        await client.turn(session_id, "/read tally/words.py:3-4")
        (call,) = final_calls(client, session_id).values()
        lines = (sample / "tally/words.py").read_text().split("\n")
        assert call["content"][0]["content"]["text"] == f"{lines[2]}\n{lines[3]}\n"
        assert call["locations"] == [{"path": str(sample / "tally/words.py"), "line": 3}]
        assert call["rawInput"] == {"path": "tally/words.py", "offset": 3, "limit": 2}


@pytest.mark.parametrize("name", ["../secret.txt", "missing.txt", "link.txt", "{tmp}/secret.txt"])
async def test_what_cannot_be_read_fails_honestly(version: int, name: str, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    project = tmp_path / "project"
    project.mkdir()
    (project / "link.txt").symlink_to(tmp_path / "secret.txt")
    async with started(version) as client:
        session_id = await client.new_session(project)
        end = await client.turn(session_id, f"/read {name.format(tmp=tmp_path)}")
        assert end["stopReason"] == "end_turn"
        (call,) = final_calls(client, session_id).values()
        assert call["status"] == "failed"
        assert "secret" not in str(client.said).replace("secret.txt", "")


async def test_edit_names_a_file_and_a_second_time_takes_the_note_out(
    version: int, sample: Path
) -> None:
    async with started(version) as client:
        session_id = await client.new_session(sample)
        await client.turn(session_id, "/edit README.md")
        assert MARKER in (sample / "README.md").read_text()
        await client.turn(session_id, "/edit README.md")
        assert texts(sample) == texts(SAMPLE)


@pytest.mark.parametrize("command", ["/edit ../outside.md", "/rename README.md ../outside.md"])
async def test_nothing_outside_is_changed(version: int, command: str, sample: Path) -> None:
    (sample.parent / "outside.md").write_text("mine\n")
    before = texts(sample.parent)
    async with started(version) as client:
        session_id = await client.new_session(sample)
        if version == 1:
            with pytest.raises(Refused):
                await client.turn(session_id, command)
        else:
            assert (await client.turn(session_id, command))["stopReason"] == "error"
    assert texts(sample.parent) == before


async def test_rename_moves_the_file_as_it_is(version: int, sample: Path) -> None:
    text = (sample / "README.md").read_bytes()
    async with started(version) as client:
        session_id = await client.new_session(sample)
        await client.turn(session_id, "/rename README.md notes/READ.md")
    assert not (sample / "README.md").exists()
    assert (sample / "notes/READ.md").read_bytes() == text


async def test_run_runs_what_was_said(version: int, tmp_path: Path) -> None:
    async with started(version) as client:
        session_id = await client.new_session(tmp_path)
        await client.turn(session_id, f'/run {PYTHON} -c \'open("made", "w")\'')
        assert (tmp_path / "made").exists()
        assert "exit code is 0" in said(client, session_id)
        await client.turn(session_id, "/run no-such-program-anywhere")
        assert "cannot be started" in said(client, session_id)


async def test_search_tells_the_places(version: int, sample: Path) -> None:
    async with started(version) as client:
        session_id = await client.new_session(sample)
        await client.turn(session_id, "/search def most_common")
        (call,) = final_calls(client, session_id).values()
        assert call["locations"] == [{"path": str(sample / "tally/words.py"), "line": 31}]


async def test_a_tool_call_can_fail_on_request(version: int, tmp_path: Path) -> None:
    async with started(version) as client:
        session_id = await client.new_session(tmp_path)
        assert (await client.turn(session_id, "/fail"))["stopReason"] == "end_turn"
        (call,) = final_calls(client, session_id).values()
        assert call["status"] == "failed"


async def test_a_turn_can_fail_on_request(version: int, tmp_path: Path) -> None:
    async with started(version) as client:
        session_id = await client.new_session(tmp_path)
        if version == 1:
            with pytest.raises(Refused, match="fails on request"):
                await client.turn(session_id, "/fail turn")
        else:
            end = await client.turn(session_id, "/fail turn")
            assert end["stopReason"] == "error"
            assert end["error"]["message"] == "This turn fails on request."
        assert (await client.turn(session_id, "/plan"))["stopReason"] == "end_turn"


async def test_the_agent_can_crash_on_request(version: int, tmp_path: Path) -> None:
    client = await start(version)
    await client.ask("initialize", **params_of(version))
    session_id = await client.new_session(tmp_path)
    client.start_prompt(session_id, "/fail crash")
    assert await asyncio.wait_for(client.process.wait(), 60) == CRASHED


SLEEPER = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"


@pytest.mark.skipif(sys.platform == "win32", reason="processes are looked for the POSIX way")
@pytest.mark.parametrize("how", ["end of input", "SIGTERM"])
async def test_no_command_outlives_the_agent(how: str, tmp_path: Path) -> None:
    client = await start(2)
    await client.ask("initialize", **params_of(2))
    session_id = await client.new_session(tmp_path)
    client.start_prompt(session_id, f"/run {PYTHON} -c '{SLEEPER}'")
    output = await client.until(lambda message: "data" in update_of(message, session_id))
    sleeper = int(base64.b64decode(update_of(output, session_id)["data"]))
    if how == "SIGTERM":
        client.process.terminate()
    assert await client.close() == 0
    with pytest.raises(ProcessLookupError):
        os.kill(sleeper, 0)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            {"name": "Ada", "greeting": "Hello", "times": 2, "loud": True},
            "Hello Hello, Ada!",
        ),
        (None, "Then I greet nobody."),
    ],
)
async def test_ask_shows_a_form_and_uses_the_answer(
    version: int, answer: dict[str, Any] | None, words: str, tmp_path: Path
) -> None:
    async with started(version, elicitation={"form": {}}) as client:
        filled = {"action": "accept", "content": answer} if answer else {"action": "decline"}
        client.handlers["elicitation/create"] = lambda _params: filled
        session_id = await client.new_session(tmp_path)
        assert (await client.turn(session_id, "/ask"))["stopReason"] == "end_turn"
        assert said(client, session_id) == words


async def test_ask_is_not_asked_where_forms_are_not_shown(tmp_path: Path) -> None:
    async with started(2) as client:
        session_id = await client.new_session(tmp_path)
        end = await client.turn(session_id, "/ask")
        assert (end["stopReason"], end["error"]["message"]) == (
            "error",
            "Your editor cannot show forms.",
        )


async def test_an_unknown_command_is_free_text(version: int, sample: Path) -> None:
    async with started(version) as client:
        session_id = await client.new_session(sample)
        await client.turn(session_id, "/etc/passwd looks odd")
        assert said(client, session_id).startswith("I am a scripted demo")


def foreign_project(root: Path) -> Path:
    """A project of several kinds of file, in several endings and encodings."""
    (root / "src").mkdir(parents=True)
    (root / "README.md").write_bytes(b"# Mine\r\n\r\nText without an end")
    (root / "src/main.c").write_bytes(b"\n".join(b"int f%d;" % n for n in range(30)) + b"\n")
    (root / "latin.txt").write_bytes(b"caf\xe9\n")
    (root / "data.bin").write_bytes(bytes(range(256)))
    (root / ".env").write_bytes(b"SECRET=1\n")
    return root


async def test_a_foreign_project_gets_harmless_notes_and_takes_them_back(
    version: int, tmp_path: Path
) -> None:
    root = foreign_project(tmp_path / "project with spaces é")
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    async with started(version) as client:
        session_id = await client.new_session(root)
        end = await client.turn(session_id, "do something")
        assert end["stopReason"] == "end_turn"
        after = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
        changed = {path.name for path in after if before.get(path) != after[path]}
        assert changed == {"README.md", "main.c"}
        assert after[root / "README.md"].count(b"\r\n") == 4, "its line endings are kept"
        await client.turn(session_id, "do something")
        again = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
        assert again == before | {root / "README.md": before[root / "README.md"] + b"\r\n"}


async def test_a_foreign_project_is_not_touched_without_permission(
    version: int, tmp_path: Path
) -> None:
    root = foreign_project(tmp_path / "project")
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    async with started(version) as client:
        client.choose = lambda _params: "reject-once"
        session_id = await client.new_session(root)
        await client.turn(session_id, "do something")
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


async def test_an_empty_project_is_no_trouble(version: int, tmp_path: Path) -> None:
    async with started(version) as client:
        session_id = await client.new_session(tmp_path)
        assert (await client.turn(session_id, "hello"))["stopReason"] == "end_turn"
        assert "no text file" in said(client, session_id)


async def test_v1_commands_run_at_a_client_that_offers_terminals(tmp_path: Path) -> None:
    async with started(1, terminal=True) as client:
        session_id = await client.new_session(tmp_path)
        done: list[subprocess.CompletedProcess[str]] = []
        released: list[str] = []

        def create(params: dict[str, Any]) -> dict[str, str]:
            command = [params["command"], *params["args"]]
            done.append(
                subprocess.run(
                    command, cwd=params["cwd"], capture_output=True, text=True, check=False
                )
            )
            return {"terminalId": "client-term"}

        def release(params: dict[str, Any]) -> dict[str, str]:
            released.append(params["terminalId"])
            return {}

        client.handlers = {
            "terminal/create": create,
            "terminal/wait_for_exit": lambda _params: {"exitCode": done[0].returncode},
            "terminal/output": lambda _params: {"output": done[0].stdout, "truncated": False},
            "terminal/release": release,
        }
        await client.turn(session_id, f"/run {PYTHON} -c 'print(6 * 7)'")
        (call,) = final_calls(client, session_id).values()
        assert call["content"] == [{"type": "terminal", "terminalId": "client-term"}]
        assert call["rawOutput"] == {"exitCode": 0}
        assert (done[0].stdout, released) == ("42\n", ["client-term"])
