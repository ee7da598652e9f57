"""`terminal/*` of ACP v1 on the whole line: real commands, from create to release and beyond."""

from __future__ import annotations

import asyncio
import shlex
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.client_requests import CREATE, KILL, OUTPUT, RELEASE, WAIT, answers, asked, asking
from tests.e2e.faulty import faulty, program
from tests.faults.harness import is_alive, wait_until_gone
from tests.harness import PLAIN, Answers, Editor, start_sidecar

Json = dict[str, Any]

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(sys.platform == "win32", reason="the commands are POSIX's"),
]

T = {"terminalId": "$t"}
SLEEP = "import time; print('asleep', flush=True); time.sleep(600)"
STUBBORN = (
    "import os, signal, subprocess, sys, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    "print(os.getpid(), child.pid, flush=True)\n"
    "time.sleep(600)\n"
)


def python(script: str, **more: Any) -> list[Any]:
    """The step that makes the terminal `$t`, in which Python runs a script."""
    return [CREATE, {"command": sys.executable, "args": ["-c", script], **more}, "t"]


async def ran(editor: Editor, *create: Any) -> tuple[Json, Json]:
    """Run a command to its end: how it ended, and its output."""
    answered = await asked(editor, [*create, "t"], [WAIT, T], [OUTPUT, T], [RELEASE, T])
    return answered[1], answered[2]


async def test_arguments_environment_and_folder(tmp_path: Path) -> None:
    (tmp_path / "a folder").mkdir()
    script = (
        "import os, sys; print(os.getcwd(), os.environ['GIVEN'], sys.argv[1:], sys.stdin.read())"
    )
    params: Json = {
        "command": sys.executable,
        "args": ["-c", script, "a b", "$HOME", "*"],
        "env": [{"name": "GIVEN", "value": "é=1"}],
        "cwd": str(tmp_path / "a folder"),
    }
    async with faulty(tmp_path, "asks_client") as editor:
        ended, output = await ran(editor, CREATE, params)
        (terminal,) = (await editor.state())["sessions"][0]["terminals"]
    assert ended == {"exitCode": 0, "signal": None}
    said = f"{tmp_path / 'a folder'} é=1 ['a b', '$HOME', '*'] \n"
    assert output == {"output": said, "truncated": False, "exitStatus": ended}
    assert terminal["command"] == shlex.join([params["command"], *params["args"]])
    assert terminal["cwd"] == params["cwd"]


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"command": "echo one two | tr a-z A-Z && echo $((1 + 2))"}, "ONE TWO\n3\n"),
        ({"command": "printf '%s-' a 'b c'"}, "a-b c-"),
        ({"command": "echo plain", "args": None}, "plain\n"),
        ({"command": "echo out; echo err >&2"}, "out\nerr\n"),
        ({"command": "printf %s-", "args": ["a b", "$HOME"]}, "a b-$HOME-"),
        ({"command": "pwd"}, None),
        ({"command": "./a script", "args": []}, "from a script\n"),
    ],
)
async def test_whole_command_lines_and_split_ones(
    tmp_path: Path, params: Json, said: str | None
) -> None:
    script = tmp_path / "a script"
    script.write_text("#!/bin/sh\necho from a script\n", encoding="utf-8")
    script.chmod(0o755)
    async with faulty(tmp_path, "asks_client") as editor:
        ended, output = await ran(editor, CREATE, params)
    assert ended["exitCode"] == 0
    assert output["output"] == (f"{tmp_path}\n" if said is None else said)


async def test_how_commands_end(tmp_path: Path) -> None:
    async with faulty(tmp_path, "asks_client") as editor:
        for script, ended in [
            ("raise SystemExit(3)", {"exitCode": 3, "signal": None}),
            ("import os; os.kill(os.getpid(), 9)", {"exitCode": None, "signal": "SIGKILL"}),
        ]:
            assert (await ran(editor, *python(script)[:2]))[0] == ended
        missing, _ = await ran(editor, CREATE, {"command": "no-such-program-anywhere -x"})
        assert missing["exitCode"] == 127
        bad = [
            [CREATE, {"command": "no-such-program-anywhere", "args": ["-x"]}],
            [CREATE, {"command": "pwd", "cwd": str(tmp_path / "nowhere")}],
            [CREATE, {"command": "pwd", "cwd": "relative"}],
            [CREATE, {"command": "  "}],
            [CREATE, {"command": "pwd", "env": [{"name": "A=B", "value": ""}]}],
            [CREATE, {"command": "pwd", "args": ["\x00"]}],
        ]
        found = await asked(editor, *bad)
        assert [answer["code"] for answer in found] == [-32603] * 2 + [-32602] * 4
        assert "no-such-program-anywhere" in found[0]["message"]


async def test_output_while_it_runs_then_kill_then_release(tmp_path: Path) -> None:
    async with faulty(tmp_path, "asks_client") as editor:
        session = await asking(
            editor, python(SLEEP), [WAIT, T], [OUTPUT, T], [RELEASE, T], [OUTPUT, T]
        )
        state = await editor.until(lambda state: _outputs(state) == ["asleep\n"])
        (terminal,) = state["sessions"][0]["terminals"]
        assert state["sessions"][0]["busy"]
        stop = {"sessionId": session, "terminalId": terminal["terminalId"]}
        await editor.command("acp.terminal.stop", stop)
        ended = await editor.idle(session)
        _, status, output, released, gone = answers(ended)
        assert status == {"exitCode": None, "signal": "SIGTERM"}
        assert output == {"output": "asleep\n", "truncated": False, "exitStatus": status}
        assert released == {}
        assert gone["code"] == -32002
        assert ended["terminals"][0]["output"] == "asleep\n"  # kept for the user


async def test_kill_keeps_the_terminal(tmp_path: Path) -> None:
    async with faulty(tmp_path, "asks_client") as editor:
        steps = [[KILL, T], [WAIT, T], [KILL, T], [OUTPUT, T], [RELEASE, T], [RELEASE, T]]
        _, killed, status, again, output, released, twice = await asked(
            editor, python(SLEEP), *steps
        )
    assert (killed, again, released) == ({}, {}, {})
    assert status["signal"] == "SIGTERM"
    assert output["exitStatus"] == status
    assert twice["code"] == -32002


async def test_a_wait_is_answered_when_the_terminal_is_released(tmp_path: Path) -> None:
    async with faulty(tmp_path, "asks_client") as editor:
        _, status, released = await asked(editor, python(SLEEP), ["later", WAIT, T], [RELEASE, T])
    assert (status["signal"], released) == ("SIGTERM", {})


async def test_terminals_of_nobody_and_of_others(tmp_path: Path) -> None:
    verbs = (OUTPUT, WAIT, KILL, RELEASE)
    async with faulty(tmp_path, "asks_client") as editor:
        found = await asked(editor, *([verb, {"terminalId": "strange"}] for verb in verbs))
        assert [answer["code"] for answer in found] == [-32002] * 4
        (stranger,) = await asked(editor, [CREATE, {"command": "pwd", "sessionId": "nobody's"}])
        assert stranger["code"] == -32002


@pytest.mark.parametrize(
    ("limit", "kept"), [(0, ""), (1, ""), (3, "€"), (4, "€"), (5, "€"), (6, "€€"), (100, "ab€€€€")]
)
async def test_output_is_cut_at_characters(tmp_path: Path, limit: int, kept: str) -> None:
    create = python("print('ab€€€€', end='')", outputByteLimit=limit, env=_UTF8)[:2]
    async with faulty(tmp_path, "asks_client") as editor:
        _, output = await ran(editor, *create)
    assert output["output"] == kept
    assert output["truncated"] is (limit < 14)


async def test_bytes_that_are_no_text_stay_within_the_limit(tmp_path: Path) -> None:
    script = "import sys; sys.stdout.buffer.write(b'\\xff\\x80' * 50 + b'\\xe2\\x82')"
    async with faulty(tmp_path, "asks_client") as editor:
        _, output = await ran(editor, *python(script, outputByteLimit=60)[:2])
        terminal = (await editor.state())["sessions"][0]["terminals"][0]["terminalId"]
        raw = await editor.command("acp.terminal.output", {"terminalId": terminal})
    assert set(output["output"]) == {"\ufffd"}
    assert 57 <= len(output["output"].encode()) <= 60
    assert output["truncated"]
    assert b64decode(raw["data"]) == b"\xff\x80" * 50 + b"\xe2\x82"


async def test_a_flood_is_bounded_and_ends(tmp_path: Path) -> None:
    script = "import sys\nfor _ in range(100): sys.stdout.write('x' * 2**20)\nprint('end')"
    capabilities = {**PLAIN, "experimental": {"acp": {"terminal": True}}}
    async with faulty(tmp_path, "asks_client", capabilities=capabilities) as editor:
        ended, output = await ran(editor, *python(script, outputByteLimit=2**63)[:2])
        (terminal,) = (await editor.state())["sessions"][0]["terminals"]
        sent = sum(len(params.get("data", "")) for params in editor.sent("acp/terminal"))
    assert ended["exitCode"] == 0
    assert output["truncated"]
    assert output["output"].endswith("xend\n")
    assert len(output["output"]) <= 8 * 2**20
    assert terminal["output"].endswith("end\n")
    assert sent < 200 * 2**20


async def test_rich_clients_see_the_bytes_live(tmp_path: Path) -> None:
    capabilities = {**PLAIN, "experimental": {"acp": {"terminal": True}}}
    script = "print('\\x1b[31mred\\x1b[0m')"
    async with faulty(tmp_path, "asks_client", capabilities=capabilities) as editor:
        await ran(editor, *python(script)[:2])
        first = await editor.until_sent("acp/terminal")
        await editor.until(lambda _: any("exitStatus" in each for each in _told(editor)))
        data = b"".join(b64decode(params.get("data", "")) for params in _told(editor))
    assert first["command"].endswith(shlex.quote(script))
    assert data == b"\x1b[31mred\x1b[0m\n"


# --- permission -----------------------------------------------------------------------------------


async def test_rules_hold_for_commands(tmp_path: Path) -> None:
    rules = [
        {"do": "deny", "match": {"command": "curl *"}},
        {"do": "deny", "match": {"subject": "command", "command": "wget *"}},
        {"do": "ask", "match": {"command": "git push *"}},
    ]
    denied = ["curl http://x.y", "/usr/bin/curl -s", "wget x"]
    asked_about = ["git push origin", "cd . && curl http://x.y"]
    permissions = {"rules": rules, "inert": 0}
    async with faulty(tmp_path, "asks_client", permissions=permissions) as editor:
        editor.answers = Answers("Reject")
        steps = [[CREATE, {"command": each}] for each in denied]
        steps.append([CREATE, {"command": "curl", "args": ["-s"]}])
        found = await asked(editor, *steps)
        assert [answer["code"] for answer in found] == [-32603] * 4
        assert editor.sent("window/showMessageRequest") == []
        found = await asked(editor, *([CREATE, {"command": each}] for each in asked_about))
        assert [answer["code"] for answer in found] == [-32603] * 2
        assert len(editor.sent("window/showMessageRequest")) == 2
        ended, _ = await ran(editor, CREATE, {"command": "true"})
        assert (await editor.state())["sessions"][0]["terminals"][0]["command"] == "true"
    assert ended["exitCode"] == 0


async def test_a_folder_outside_is_asked_about(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    async with faulty(root, "asks_client") as editor:
        editor.answers = Answers("Allow", "Reject")
        create = [CREATE, {"command": "pwd", "cwd": str(tmp_path)}]
        ended, output = await ran(editor, *create)
        (refused,) = await asked(editor, create)
    assert (ended["exitCode"], output["output"]) == (0, f"{tmp_path}\n")
    assert refused["code"] == -32603


# --- nothing lives on -----------------------------------------------------------------------------


async def _close_input(editor: Editor) -> None:
    assert editor.process
    assert editor.process.stdin
    editor.process.stdin.close()
    await editor.process.wait()


async def _kill_sidecar(editor: Editor) -> None:
    assert editor.process
    editor.process.kill()
    await editor.process.wait()


async def _stop_agent(editor: Editor) -> None:
    await editor.command("acp.agent.stop")


@pytest.mark.parametrize("end", [_stop_agent, _close_input, _kill_sidecar])
async def test_commands_and_their_children_end_with_it(end: Any, tmp_path: Path) -> None:
    agents = {"faulty": program("asks_client")}
    async with start_sidecar(tmp_path, agents=agents) as editor:
        await asking(editor, python(STUBBORN), [WAIT, T])
        pids = await _pids(editor)
        await end(editor)
        assert await asyncio.to_thread(wait_until_gone, pids) == []


async def test_release_ends_the_children_of_a_command_too(tmp_path: Path) -> None:
    async with faulty(tmp_path, "asks_client") as editor:
        session = await asking(editor, python(STUBBORN), [KILL, T], [WAIT, T], [RELEASE, T])
        ended = await editor.idle(session)
        assert answers(ended)[2]["signal"] in {"SIGKILL", "SIGTERM"}
        words = ended["terminals"][0]["output"].split()
        pids = [int(word) for word in words]
        assert await asyncio.to_thread(wait_until_gone, pids) == []


async def test_what_a_command_leaves_behind_runs_until_release(tmp_path: Path) -> None:
    line = f"{shlex.quote(sys.executable)} -c {shlex.quote(SLEEP)} & echo $!; sleep 0.01"
    async with faulty(tmp_path, "asks_client") as editor:
        _, ended, output = await asked(
            editor, [CREATE, {"command": line}, "t"], [WAIT, T], [OUTPUT, T]
        )
        assert ended["exitCode"] == 0
        pid = int(output["output"].split()[0])
        assert is_alive(pid)
        session = (await editor.state())["sessions"][0]
        stop = {"terminalId": session["terminals"][0]["terminalId"]}
        await editor.command("acp.terminal.stop", {"sessionId": session["sessionId"], **stop})
        assert await asyncio.to_thread(wait_until_gone, [pid]) == []


_UTF8 = [{"name": "PYTHONIOENCODING", "value": "utf-8"}]


def _outputs(state: Json) -> list[str]:
    return [each["output"] for session in state["sessions"] for each in session["terminals"]]


def _told(editor: Editor) -> list[Json]:
    return editor.sent("acp/terminal")


async def _pids(editor: Editor) -> list[int]:
    state = await editor.until(lambda state: any(_outputs(state)))
    return [int(word) for word in _outputs(state)[0].split()]
