"""What a user does in an editor with no plugin: lenses, actions, progress, transcript, preview."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.demo_agent import WORDS, demo_agents, sample_project, solved, unsolved
from tests.e2e.faulty import program, said
from tests.harness import PLAIN, Answers, Editor, start_sidecar
from tests.harness.documents import path_of

Json = dict[str, Any]

pytestmark = pytest.mark.e2e

# A selection of the third and the fourth line of `project`'s greet.py, and what is wrong there.
SELECTION = {"start": {"line": 3, "character": 4}, "end": {"line": 4, "character": 10}}
DIAGNOSTIC = {
    "range": {"start": {"line": 4, "character": 4}, "end": {"line": 4, "character": 10}},
    "message": "Use an f-string",
    "severity": 2,
    "source": "linter",
    "code": "F1",
}


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return sample_project(tmp_path / "tally")


async def run(editor: Editor, action: Json) -> Any:
    """Run the command of a code lens or a code action."""
    command = action["command"]
    return await editor.command(command["command"], command["arguments"][0])


async def lenses(editor: Editor, uri: str) -> list[Json]:
    found: list[Json] = await editor.connection.request(
        "textDocument/codeLens", {"textDocument": {"uri": uri}}
    )
    return found


async def actions(editor: Editor, uri: str, where: Json, diagnostics: list[Json]) -> list[Json]:
    params = {
        "textDocument": {"uri": uri},
        "range": where,
        "context": {"diagnostics": diagnostics},
    }
    found: list[Json] = await editor.connection.request("textDocument/codeAction", params)
    return found


# --- review ---------------------------------------------------------------------------------------


async def edited(editor: Editor, sample: Path) -> Any:
    """Let the demo agent edit the sample, and open what it has edited."""
    editor.answers = Answers("Allow")
    await editor.turn("/edit")
    assert (sample / WORDS).read_text(encoding="utf-8") == solved(WORDS)
    return await editor.open(sample / WORDS)


async def test_lenses_undo_and_keep(protocol: int, sample: Path) -> None:
    async with start_sidecar(sample, agents=demo_agents(protocol)) as editor:
        document = await edited(editor, sample)
        found = await lenses(editor, document.uri)
        undo = [lens for lens in found if lens["command"]["title"].startswith("Undo")]
        keep = [lens for lens in found if lens["command"]["title"].startswith("Keep")]
        assert len(undo) == len(keep) >= 2
        await run(editor, undo[0])
        await run(editor, keep[-1])
        assert unsolved(WORDS) != document.text != solved(WORDS)
        left = await lenses(editor, document.uri)
        assert len(left) == len(found) - (2 if len(undo) == 1 else 4)
        for lens in [each for each in left if each["command"]["title"].startswith("Undo")]:
            await run(editor, lens)
        await editor.command("acp.review.undo")
        assert await lenses(editor, document.uri)


async def test_the_file_is_undone_by_a_code_action(sample: Path) -> None:
    async with start_sidecar(sample, agents=demo_agents()) as editor:
        document = await edited(editor, sample)
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
        offered = await actions(editor, document.uri, everything, [])
        (undo,) = [each for each in offered if each["title"] == "Undo all hunks in this file"]
        result = await run(editor, undo)
        assert result["failed"] == []
        assert document.text == unsolved(WORDS)
        # The user's to save: what is on disk is the agent's until then.
        assert (sample / WORDS).read_text(encoding="utf-8") == solved(WORDS)
        assert await lenses(editor, document.uri) == []


async def test_an_editor_that_claims_to_have_edited(sample: Path) -> None:
    async with start_sidecar(sample, agents=demo_agents()) as editor:
        document = await edited(editor, sample)
        honest = editor.handlers["workspace/applyEdit"]
        editor.handlers["workspace/applyEdit"] = claim
        undo = next(
            lens
            for lens in await lenses(editor, document.uri)
            if lens["command"]["title"].startswith("Undo")
        )
        result = await run(editor, undo)
        assert result["changed"] == 0
        assert "said that it applied" in result["failed"][0]["reason"]
        (change_set,) = [
            each
            for each in (await editor.state())["changeSets"]
            if WORDS in str(each["files"])
            if each["toolCallId"]
        ]
        assert {hunk["state"] for hunk in change_set["files"][0]["hunks"]} == {"applied"}
        # Nothing is lost: the lens is still there, and works with an editor that is honest.
        editor.handlers["workspace/applyEdit"] = honest
        assert (await run(editor, undo))["failed"] == []


async def claim(_params: Any) -> Json:
    return {"applied": True}


async def test_an_editor_that_denies_to_have_edited(sample: Path) -> None:
    async with start_sidecar(sample, agents=demo_agents()) as editor:
        document = await edited(editor, sample)
        honest = editor.handlers["workspace/applyEdit"]

        async def deny(params: Any) -> Json:
            await honest(params)
            return {"applied": False, "failureReason": "no"}

        editor.handlers["workspace/applyEdit"] = deny
        found = await lenses(editor, document.uri)
        undo = next(lens for lens in found if lens["command"]["title"].startswith("Undo"))
        result = await run(editor, undo)
        assert (result["changed"], result["failed"]) == (1, [])


async def test_preview_shows_the_diff_read_only_and_asks_again(sample: Path) -> None:
    async with start_sidecar(sample, agents=demo_agents()) as editor:
        editor.answers = Answers("Preview", "Reject all edits in this session")
        await editor.turn("/edit")
        first, second, *_ = editor.sent("window/showMessageRequest")
        assert first == second
        shown = [
            path
            for params in editor.sent("window/showDocument")
            if (path := path_of(params["uri"])).suffix == ".diff"
        ]
        # It is removed when the sidecar ends, so it is looked at now.
        text = shown[0].read_text(encoding="utf-8")
        assert "tally/words.py" in text
        assert any(line.startswith("+") for line in text.split("\n"))
        assert shown[0].stat().st_mode & 0o222 == 0
        assert (sample / WORDS).read_text(encoding="utf-8") == unsolved(WORDS)
    assert not shown[0].exists()


# --- asking about code ----------------------------------------------------------------------------


@pytest.mark.parametrize("embedded", [True, False])
async def test_ask_and_fix_carry_what_the_user_sees(
    embedded: bool, project: Path, tmp_path: Path
) -> None:
    record = tmp_path / "record"
    agent = program("healthy", *(["embedded"] if embedded else []), record=record)
    async with start_sidecar(project, agents={"healthy": agent}) as editor:
        text = (project / "greet.py").read_text(encoding="utf-8").replace("Hello", "Unsaved 😀")
        document = await editor.open(project / "greet.py", text, "python")
        offered = await actions(editor, document.uri, SELECTION, [DIAGNOSTIC])
        assert [each["title"] for each in offered] == ["Ask agent about this", "Fix with agent"]
        assert offered[1]["diagnostics"] == [DIAGNOSTIC]
        for each in offered:
            await editor.idle((await run(editor, each))["sessionId"])
        asked, fix = prompts(record)
        assert asked[0] == {"type": "text", "text": "Explain greet.py, lines 4-5."}
        assert fix[0] == {"type": "text", "text": "Fix this problem in greet.py, lines 4-5."}
        selected = 'def greet(name):\n    return "Unsaved 😀, " + name\n'
        uri = (project / "greet.py").as_uri() + "#L4-L5"
        for blocks in (asked, fix):
            if embedded:
                resource = {"uri": uri, "text": selected, "mimeType": "text/plain"}
                assert blocks[1] == {"type": "resource", "resource": resource}
            else:
                assert (blocks[1]["type"], blocks[1]["uri"]) == ("resource_link", uri)
                assert f"```\n{selected}```" in blocks[2]["text"]
                assert "not saved yet" in blocks[2]["text"]
        problem = "- line 5, column 5: warning: Use an f-string (linter F1)"
        assert problem in fix[-1]["text"]
        assert "f-string" not in str(asked)


def prompts(record: Path) -> list[list[Json]]:
    """The content blocks of each prompt that the agent got."""
    messages = [json.loads(line) for line in record.read_bytes().split(b"\n") if line]
    return [
        message["params"]["prompt"]
        for message in messages
        if message.get("method") == "session/prompt"
    ]


async def test_nothing_is_offered_for_nothing(project: Path) -> None:
    async with start_sidecar(project, agents={"healthy": program("healthy")}) as editor:
        document = await editor.open(project / "greet.py")
        nowhere = {"start": SELECTION["start"], "end": SELECTION["start"]}
        assert await actions(editor, document.uri, nowhere, []) == []
        assert await lenses(editor, document.uri) == []


# --- turns ----------------------------------------------------------------------------------------


async def test_progress_tells_what_runs_and_cancels_by_its_token(
    protocol: int, sample: Path
) -> None:
    async with start_sidecar(sample, agents=demo_agents(protocol)) as editor:
        editor.answers = Answers("Allow")
        session = await editor.prompt("/slow 60")
        created = await editor.until_sent("window/workDoneProgress/create")
        await editor.connection.until(lambda: "countdown" in str(editor.sent("$/progress")), 60)
        token = created["token"]
        await editor.connection.notify("window/workDoneProgress/cancel", {"token": token})
        ended = await editor.idle(session)
        assert ended["stopReason"] == "cancelled"
        last = editor.sent("$/progress")[-1]
        assert last == {"token": token, "value": {"kind": "end", "message": "cancelled"}}
        # A token that is over cancels nothing.
        await editor.connection.notify("window/workDoneProgress/cancel", {"token": token})
        assert (await editor.turn("/plan"))["stopReason"] == "end_turn"


async def test_the_transcript_is_opened_on_command(protocol: int, sample: Path) -> None:
    async with start_sidecar(sample, agents=demo_agents(protocol)) as editor:
        editor.answers = Answers("Allow")
        await editor.turn("/tour")
        opened = await editor.command("acp.transcript.open")
        assert opened["shown"]
        shown = editor.sent("window/showDocument")[-1]
        assert (shown["uri"], shown["takeFocus"]) == (opened["uri"], True)
        path = path_of(opened["uri"])
        text = path.read_text(encoding="utf-8")
        for told in ("/tour", "tally/words.py", "All tests pass now.", "See which tests fail"):
            assert told in text
        assert "\x1b" not in text
        assert not os.access(path, os.W_OK) or os.geteuid() == 0


async def test_without_a_code_lens_refresh_nothing_is_refreshed(sample: Path) -> None:
    workspace = {**PLAIN["workspace"], "codeLens": {}}
    capabilities = {**PLAIN, "workspace": workspace}
    async with start_sidecar(sample, agents=demo_agents(), capabilities=capabilities) as editor:
        await edited(editor, sample)
        assert editor.sent("workspace/codeLens/refresh") == []
    async with start_sidecar(sample, agents=demo_agents()) as editor:
        editor.answers = Answers("Allow")
        session = await editor.turn("/edit README.md")
        assert said(session)
        await editor.until_sent("workspace/codeLens/refresh")
