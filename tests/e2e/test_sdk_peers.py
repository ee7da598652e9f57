"""The whole line with the SDK agents: what the editor is shown and asked, through plain LSP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.harness import BARE, DISMISS, NEVER, Answers, Editor, start_sidecar
from tests.harness.documents import path_of
from tests.peers.project import GREET, GREETED, NUMBERS, OLD_NAME
from tests.peers.sdk_agent import sdk_command

Json = dict[str, Any]

pytestmark = pytest.mark.e2e

OPTIONS = ["Allow", "Always allow", "Reject"]
NUMBERS_AFTER = (
    NUMBERS.replace("line 10\n", "line ten\n")
    .replace("line 60\n", "line 60\nline 60 and a half\n")
    .replace("line 90\n", "")
)


def titles(prompt: Json) -> list[str]:
    return [action["title"] for action in prompt["actions"]]


def outcome(editor: Editor, edit: Json) -> dict[str, str | None]:
    """What a previewed edit would lead to, by file name."""
    return {path_of(uri).name: text for uri, text in editor.documents.outcome(edit).items()}


def asked(count: int) -> Any:
    return lambda state: len(state["permissions"]) == count


def told(state: Json) -> list[Json]:
    """The change sets of tool calls, without what a session changed all in all."""
    return [change_set for change_set in state["changeSets"] if change_set["toolCallId"]]


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


async def test_a_read_is_followed(editor: Editor, project: Path) -> None:
    await editor.turn("[[peer:read]]")
    shown = await editor.until_sent("window/showDocument")
    assert shown["uri"] == (project / "numbers.txt").as_uri()
    assert shown["selection"]["start"]["line"] == 39
    assert not shown.get("takeFocus")
    state = await editor.state()
    assert [place["path"] for place in state["trail"]] == [str(project / "numbers.txt")]


async def test_an_edit_is_followed_to_its_line(editor: Editor, project: Path) -> None:
    editor.answers = Answers("Allow")
    await editor.turn("[[peer:edit]]")
    shown = await editor.until_sent("window/showDocument")
    assert shown["uri"] == (project / "greet.py").as_uri()
    assert shown["selection"]["start"]["line"] == 4


async def test_follow_can_be_switched_off(editor: Editor) -> None:
    await editor.command("acp.follow", {"mode": "off"})
    await editor.turn("[[peer:read]]")
    state = await editor.state()
    assert state["follow"]["mode"] == "off"
    assert len(state["trail"]) == 1
    assert editor.sent("window/showDocument") == []


async def test_permission_offers_all_options_in_order(editor: Editor, project: Path) -> None:
    editor.answers = Answers("Allow")
    session = await editor.turn("[[peer:edit]]")
    (prompt,) = editor.sent("window/showMessageRequest")
    assert titles(prompt)[:3] == OPTIONS
    assert "Change the greeting" in prompt["message"]
    assert read(project / "greet.py") == GREETED
    assert [call["status"] for call in session["toolCalls"]] == ["completed"]
    assert (await editor.state())["permissions"] == []


async def test_an_answer_that_comes_too_early_does_not_count(protocol: int, project: Path) -> None:
    agents = {"peer": {"command": sdk_command(protocol)}}
    options: Json = {"permissions": {"inert": 0.3}}
    async with start_sidecar(project, agents=agents, options=options) as editor:
        editor.answers = Answers("Allow", NEVER)
        await editor.prompt("[[peer:edit]]")
        again = await editor.until_sent("window/showMessageRequest", 2)
        assert titles(again)[:3] == OPTIONS
        assert len((await editor.state())["permissions"]) == 1
        assert read(project / "greet.py") == GREET


async def test_refused(editor: Editor, project: Path) -> None:
    editor.answers = Answers("Reject")
    session = await editor.turn("[[peer:edit]]")
    assert session["stopReason"] == "end_turn"
    assert [call["status"] for call in session["toolCalls"]] == ["failed"]
    assert read(project / "greet.py") == GREET


async def test_dismissed_is_cancelled_and_not_approved(editor: Editor, project: Path) -> None:
    editor.answers = Answers(DISMISS)
    session = await editor.turn("[[peer:edit]]")
    assert session["stopReason"] == "cancelled"
    assert read(project / "greet.py") == GREET


async def test_cancel_with_a_permission_open(editor: Editor, project: Path) -> None:
    editor.answers = Answers(NEVER)
    session = await editor.prompt("[[peer:edit]]")
    await editor.until_sent("window/showMessageRequest")
    await editor.command("acp.cancel", {"sessionId": session})
    ended = await editor.idle(session)
    assert ended["stopReason"] == "cancelled"
    assert [call["status"] for call in ended["toolCalls"]] == ["cancelled"]
    assert (await editor.state())["permissions"] == []
    prompts = [r for r in editor.received if r.method == "window/showMessageRequest"]
    assert [prompt.cancelled for prompt in prompts] == [True]
    assert read(project / "greet.py") == GREET


async def test_a_prompt_that_the_agent_takes_back(editor: Editor) -> None:
    editor.answers = Answers(NEVER)
    session = await editor.turn("[[peer:withdrawn]]")
    assert "outcome: cancelled" in str(session["toolCalls"][0]["content"])
    prompts = [r for r in editor.received if r.method == "window/showMessageRequest"]
    assert [prompt.cancelled for prompt in prompts] == [True]
    assert (await editor.state())["permissions"] == []


async def test_an_unannounced_call_is_asked_for(editor: Editor) -> None:
    editor.answers = Answers("Allow")
    session = await editor.turn("[[peer:unknown_call]]")
    (call,) = session["toolCalls"]
    assert (call["title"], call["status"]) == ("An unannounced call", "completed")


async def test_two_permissions_answered_out_of_order(editor: Editor) -> None:
    editor.answers = Answers(NEVER)
    session = await editor.prompt("[[peer:two_permissions]]")
    first, second = (await editor.until(asked(2)))["permissions"]
    refuse = {"permissionId": second["permissionId"], "optionId": "no"}
    await editor.command("acp.permission.answer", refuse)
    (left,) = (await editor.until(asked(1)))["permissions"]
    assert left["permissionId"] == first["permissionId"]
    allow = {"permissionId": first["permissionId"], "optionId": "yes"}
    await editor.command("acp.permission.answer", allow)
    ended = await editor.idle(session)
    assert [call["status"] for call in ended["toolCalls"]] == ["completed", "failed"]


async def test_a_command_permission_shows_the_command(editor: Editor) -> None:
    editor.answers = Answers("Reject")
    session = await editor.turn("[[peer:command]]")
    (prompt,) = editor.sent("window/showMessageRequest")
    assert "node coloured.js" in prompt["message"]
    assert session["terminals"] == []
    assert session["toolCalls"][0]["status"] == "failed"


async def test_a_client_that_can_do_nothing_answers_by_command(
    protocol: int, project: Path
) -> None:
    agents = {"peer": {"command": sdk_command(protocol)}}
    async with start_sidecar(project, agents=agents, capabilities=BARE) as editor:
        session = await editor.prompt("[[peer:edit]]")
        (permission,) = (await editor.until(asked(1)))["permissions"]
        assert [option["name"] for option in permission["options"]] == OPTIONS
        answer = {"permissionId": permission["permissionId"], "optionId": "yes"}
        await editor.command("acp.permission.answer", answer)
        await editor.idle(session)
        assert read(project / "greet.py") == GREETED
        # Without a capability of its own in LSP; everything else must not be asked of it.
        asked_for = {received.method for received in editor.received if received.is_request}
        assert asked_for <= {"window/showMessageRequest"}


@pytest.mark.parametrize(
    ("story", "texts"),
    [
        ("edit", {"greet.py": GREETED}),
        ("two_files", {"greet.py": GREETED, "numbers.txt": NUMBERS_AFTER}),
        ("new_file", {"new.md": "# Notes\n\n- one\n"}),
        ("delete", {"old_name.txt": None}),
        (
            "rename",
            {"old_name.txt": None, "new_name.txt": OLD_NAME.replace("before\n", "after\n")},
        ),
    ],
)
async def test_a_proposal_is_previewed_before_it_is_allowed(
    editor: Editor, protocol: int, project: Path, story: str, texts: dict[str, str | None]
) -> None:
    editor.answers = Answers(NEVER)
    session = await editor.prompt(f"[[peer:{story}]]")
    state = await editor.until(asked(1))
    (change_set,) = told(state)
    preview = await editor.command("acp.review.preview", {"changeSet": change_set["changeSet"]})
    # In v1 a file that goes is one that becomes empty.
    gone = {name: text or ("" if protocol == 1 else None) for name, text in texts.items()}
    assert outcome(editor, preview["edit"]) == gone
    (permission,) = state["permissions"]
    allow = {"permissionId": permission["permissionId"], "optionId": "yes"}
    await editor.command("acp.permission.answer", allow)
    await editor.idle(session)
    on_disk = {name: _text(project, name) for name in texts}
    assert on_disk == texts


def _text(project: Path, name: str) -> str | None:
    found = [path for path in project.rglob(name) if ".git" not in path.parts]
    return read(found[0]) if found else None


async def test_hunks_of_two_files(editor: Editor, project: Path) -> None:
    editor.answers = Answers("Allow")
    session = await editor.turn("[[peer:two_files]]")
    state = await editor.until(lambda state: bool(told(state)))
    (change_set,) = told(state)
    assert change_set["sessionId"] == session["sessionId"]
    assert change_set["toolCallId"] == session["toolCalls"][0]["toolCallId"]
    files = {Path(file["path"]).name: file for file in change_set["files"]}
    assert {name: len(file["hunks"]) for name, file in files.items()} == {
        "greet.py": 1,
        "numbers.txt": 3,
    }
    assert read(project / "numbers.txt") == NUMBERS_AFTER


async def test_a_written_hunk_is_rejected(editor: Editor, project: Path) -> None:
    editor.answers = Answers("Allow")
    await editor.turn("[[peer:two_files]]")
    (change_set,) = told(await editor.state())
    index, numbers = next(
        (index, file)
        for index, file in enumerate(change_set["files"])
        if file["path"].endswith("numbers.txt")
    )
    what = {
        "changeSet": change_set["changeSet"],
        "file": index,
        "hunk": numbers["hunks"][1]["hunk"],
    }
    await editor.command("acp.review.reject", what)
    await editor.until_sent("workspace/applyEdit")
    assert read(project / "numbers.txt") == NUMBERS_AFTER.replace("line 60 and a half\n", "")
    assert read(project / "greet.py") == GREETED


def agreeable(prompt: Json) -> str:
    """A user who opens pages, takes the first answer to each question, and sends full forms."""
    final = [title for title in titles(prompt) if title in {"Send", "Open page"}]
    return (final or titles(prompt))[0]


@pytest.mark.parametrize(
    ("mode", "answer"),
    [("form", 'elicitation accept {"strategy":"careful"'), ("url", "elicitation accept null")],
)
async def test_elicitation_in_a_plain_client(editor: Editor, mode: str, answer: str) -> None:
    editor.answers = Answers(agreeable)
    session = await editor.turn(f"[[peer:{mode}]]")
    said = "".join(block.get("text", "") for block in session["messages"][-1]["content"])
    assert said.startswith(answer)
    external = [
        shown["uri"] for shown in editor.sent("window/showDocument") if shown.get("external")
    ]
    assert external == ([] if mode == "form" else ["https://agent.example/connect?step=1"])


async def test_cancel_by_progress(editor: Editor) -> None:
    editor.answers = Answers("Allow")
    session = await editor.prompt("[[peer:slow]]")
    created = await editor.until_sent("window/workDoneProgress/create")
    await editor.until(lambda state: bool(state["sessions"][0]["terminals"]))
    await editor.connection.notify("window/workDoneProgress/cancel", {"token": created["token"]})
    assert (await editor.idle(session))["stopReason"] == "cancelled"
    progress = [params["value"]["kind"] for params in editor.sent("$/progress")]
    assert (progress[0], progress[-1]) == ("begin", "end")
