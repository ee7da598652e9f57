"""What a rich client is pushed adds up to what there is."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conductor import RICH, conducted
from tests.e2e.demo_agent import WORDS, demo_agents, is_solved, sample_project, solved, unsolved
from tests.e2e.faulty import said
from tests.harness import Editor, start_sidecar

Json = dict[str, Any]

pytestmark = pytest.mark.e2e


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return sample_project(tmp_path / "tally")


async def allow(params: Json) -> Json:
    """The user's answer to `acp/permission`."""
    (option,) = [each for each in params["options"] if each["kind"] == "allow_once"]
    return {"optionId": option["optionId"]}


# --- transcript, session --------------------------------------------------------------------------


def joined(deltas: list[Json]) -> list[Json]:
    """The blocks that the deltas of one session add up to, as the protocol says."""
    blocks: dict[str, Json] = {}
    for delta in deltas:
        if delta.get("reset"):
            blocks.clear()
        for each in delta["blocks"]:
            block = blocks.setdefault(each["id"], {})
            appended = block.get("text", "") + each.get("append", "")
            block.update({key: value for key, value in each.items() if key != "append"})
            if "append" in each:
                block["text"] = appended
    return list(blocks.values())


async def test_a_tour_is_pushed(protocol: int, sample: Path) -> None:
    agents = demo_agents(protocol)
    async with start_sidecar(sample, agents=agents, capabilities=RICH) as editor:
        editor.handlers["acp/permission"] = allow
        session = await editor.turn("/tour")
        assert is_solved(sample)
        await transcript_adds_up(editor)
        await pushed(editor, lambda: sessions_add_up(editor, session))
        await terminals_add_up(editor, session)
        state = await editor.state()
        sets = {each["changeSet"]: each for each in state["changeSets"]}
        await pushed(editor, lambda: reviewed(editor) == sets)
        assert state["problems"] == []
        # Everything has its own message; nothing is said twice in a plain way.
        methods = {received.method for received in editor.received}
        plain = {"window/showMessage", "window/showMessageRequest", "window/showDocument"}
        assert not methods & plain


async def pushed(editor: Editor, wanted: Callable[[], bool]) -> None:
    """Wait until what was pushed is as wanted: it comes in frames, a little after the fact."""
    await editor.connection.until(wanted, 30)


async def transcript_adds_up(editor: Editor) -> None:
    """Deltas that came while it grew, and the whole that a late client asks for, are the same."""
    whole = await editor.command("acp.transcript.blocks")
    await pushed(editor, lambda: joined(editor.sent("acp/transcript")) == joined([whole]))
    text = "".join(block["text"] + block["tail"] for block in whole["blocks"])
    assert "All tests pass now." in text


def sessions_add_up(editor: Editor, session: Json) -> bool:
    """The first has everything, the later ones what has changed."""
    first, *later = editor.sent("acp/session")
    assert {"title", "usage", "configOptions", "availableCommands", "plans"} <= set(first)
    now = first.copy()
    for each in later:
        now.update(each)
    members = ("state", "busy", "stopReason", "cancelling", "usage", "plans", "configOptions")
    return all(now[name] == session[name] for name in members)


def reviewed(editor: Editor) -> dict[str, Json]:
    """The change sets that the deltas add up to."""
    sets: dict[str, Json] = {}
    for delta in editor.sent("acp/review"):
        for each in delta["changeSets"]:
            files = {
                file["file"]: file for file in sets.get(each["changeSet"], {}).get("files", [])
            }
            files |= {file["file"]: file for file in each["files"]}
            kept = [files[index] for index in range(each["fileCount"])]
            sets[each["changeSet"]] = {
                **{key: value for key, value in each.items() if key != "fileCount"},
                "files": kept,
            }
        for gone in delta["removed"]:
            del sets[gone]
    return sets


# --- terminals ------------------------------------------------------------------------------------


def written(editor: Editor, terminal: str) -> bytes:
    """The bytes of a terminal since its last snapshot; each must follow the one before it."""
    data = b""
    for each in editor.sent("acp/terminal"):
        if each["terminalId"] != terminal:
            continue
        if each.get("reset"):
            data = b""
        if "data" in each:
            assert each["offset"] == len(data)
            data += base64.b64decode(each["data"])
            assert each["next"] == len(data)
    return data


async def terminals_add_up(editor: Editor, session: Json) -> None:
    """What was pushed is what a late client gets."""
    assert session["terminals"] or session["protocolVersion"] == 1
    for terminal in session["terminals"]:
        asked = {"terminalId": terminal["terminalId"]}
        late = base64.b64decode((await editor.command("acp.terminal.output", asked))["data"])
        await pushed(editor, lambda: written(editor, terminal["terminalId"]) == late)  # noqa: B023


async def test_bytes_of_a_terminal_come_whole_and_in_order(project: Path) -> None:
    pieces = [bytes([byte]) for byte in "€ \x1b[31mred\x1b[0m\r\n".encode()] * 20
    pieces += [b"\xff\xfe", b"\x00" * 3000, b"end"]
    async with conducted(project) as (editor, agent):
        session = await editor.prompt("Go")
        await agent.update("terminal_update", terminalId="t", command="make", cwd=str(project))
        for piece in pieces:
            data = base64.b64encode(piece).decode()
            await agent.update("terminal_output_chunk", terminalId="t", data=data)
        await agent.update("terminal_update", terminalId="t", exitStatus={"exitCode": 2})
        await agent.end()
        await editor.idle(session)
        everything = b"".join(pieces)
        await pushed(editor, lambda: "exitStatus" in editor.sent("acp/terminal")[-1])
        assert written(editor, "t") == everything
        first, last = editor.sent("acp/terminal")[0], editor.sent("acp/terminal")[-1]
        assert (first["command"], first["cwd"]) == ("make", str(project))
        assert last["exitStatus"]["exitCode"] == 2
        late = await editor.command("acp.terminal.output", {"terminalId": "t", "offset": 100})
        assert base64.b64decode(late["data"]) == everything[100 : late["next"]]
        snapshot = {"data": base64.b64encode(b"anew").decode()}
        await editor.prompt("Go on")
        await agent.update("terminal_update", terminalId="t", output=snapshot)
        await agent.end()
        await editor.idle(session)
        await pushed(editor, lambda: written(editor, "t") == b"anew")


# --- review ---------------------------------------------------------------------------------------


async def proposal(editor: Editor) -> Json:
    """Wait until the demo agent asks for its first edit; return its change set."""

    def pending(state: Json) -> list[Json]:
        sets: list[Json] = state["changeSets"]
        return [each for each in sets if each["pending"] and each["toolCallId"]]

    return pending(await editor.until(lambda state: bool(pending(state))))[0]


async def never_mind(_params: Json) -> None:
    """The prompt is not answered: the review is."""
    await asyncio.Event().wait()


@pytest.mark.parametrize("document", ["closed", "clean", "dirty"])
async def test_hunks_are_refused_before_and_kept_after_the_write(
    document: str, protocol: int, sample: Path
) -> None:
    path = sample / WORDS
    mine = unsolved(WORDS) + "\n# mine, and not saved\n"
    agents = demo_agents(protocol)
    async with start_sidecar(sample, agents=agents, capabilities=RICH) as editor:
        editor.handlers["acp/permission"] = never_mind
        shown = {"dirty": mine, "clean": unsolved(WORDS)}.get(document)
        opened = None if shown is None else await editor.open(path, shown)
        session = await editor.prompt("/edit")
        change_set = await proposal(editor)
        (file,) = change_set["files"]
        assert {hunk["state"] for hunk in file["hunks"]} == {"proposed"}
        where = {"changeSet": change_set["changeSet"], "file": 0}
        await editor.command("acp.review.reject", {**where, "hunk": 0})
        assert path.read_text(encoding="utf-8") == unsolved(WORDS)
        for hunk in file["hunks"][1:]:
            await editor.command("acp.review.accept", {**where, "hunk": hunk["hunk"]})
        # All is decided, so the permission is answered, and the agent writes all of it.
        if opened is not None:
            await editor.until(lambda _: path.read_text(encoding="utf-8") == solved(WORDS))
            if not opened.dirty:
                await editor.reload(opened)
        # A buffer with changes of the user's gets what was accepted, and keeps what is theirs.
        wanted = ["undone", *["kept"] * (len(file["hunks"]) - 1)]
        await pushed(editor, lambda: hunks(editor, change_set) == wanted)
        text = editor.documents.text(path.as_uri())
        assert "\n".join(lines(file["hunks"][0], " -")) in text
        for hunk in file["hunks"][1:]:
            assert "\n".join(lines(hunk, " +")) in text
        assert text.endswith("# mine, and not saved\n") == (document == "dirty")
        await editor.command("acp.cancel", {"sessionId": session})


def hunks(editor: Editor, change_set: Json) -> list[str]:
    """The states of the hunks of the first file, as they have been pushed."""
    (file,) = reviewed(editor)[change_set["changeSet"]]["files"]
    return [hunk["state"] for hunk in file["hunks"]]


def lines(hunk: Json, signs: str) -> list[str]:
    """The lines of one side of a hunk."""
    return [line[1:].rstrip("\n") for line in hunk["lines"] if line[0] in signs]


# --- elicitation ----------------------------------------------------------------------------------


async def test_a_form_is_filled_in(sample: Path) -> None:
    async with start_sidecar(sample, agents=demo_agents(), capabilities=RICH) as editor:
        answers = iter([{"name": "", "greeting": "Hello"}, {"name": "Ada", "greeting": "Hello"}])

        async def fill_in(_params: Json) -> Json:
            return {"action": "accept", "content": next(answers)}

        editor.handlers["acp/elicitation"] = fill_in
        session = await editor.turn("/ask")
        first, again = editor.sent("acp/elicitation")
        fields = {field["name"]: field for field in first["form"]["fields"]}
        assert [fields[name]["type"] for name in ("name", "greeting", "times", "loud")] == [
            "string",
            "choice",
            "integer",
            "boolean",
        ]
        assert (fields["name"]["required"], fields["name"]["error"]) == (True, None)
        # What does not fit never reaches the agent: the form comes again and says where.
        wrong = next(field for field in again["form"]["fields"] if field["name"] == "name")
        assert wrong["error"]
        assert said(session) == "Hello, Ada."
        (settled,) = editor.sent("acp/elicitationSettled")
        assert settled["elicitationId"] == first["elicitationId"]
        assert (await editor.state())["elicitations"] == []


@pytest.mark.parametrize("answer", [None, {"action": "decline"}, {"action": "nonsense"}])
async def test_a_form_is_not_filled_in(answer: Any, sample: Path) -> None:
    async with start_sidecar(sample, agents=demo_agents(), capabilities=RICH) as editor:

        async def refuse(_params: Json) -> Any:
            return answer

        editor.handlers["acp/elicitation"] = refuse
        session = await editor.turn("/ask")
        assert said(session) == "Then I greet nobody."
        assert len(editor.sent("acp/elicitation")) == 1


async def test_a_form_is_cancelled_with_its_turn(sample: Path) -> None:
    # Slow enough to hear of the cancel after the form's answer, before its turn is over.
    agents = demo_agents(delay=0.3)
    async with start_sidecar(sample, agents=agents, capabilities=RICH) as editor:
        editor.handlers["acp/elicitation"] = never_mind
        session = await editor.prompt("/ask")
        await editor.until_sent("acp/elicitation")
        await editor.command("acp.cancel", {"sessionId": session})
        assert (await editor.idle(session))["stopReason"] == "cancelled"
        open_ones = [each for each in editor.received if each.method == "acp/elicitation"]
        assert [each.cancelled for each in open_ones] == [True]
