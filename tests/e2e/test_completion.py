"""Completion in prompts, by standard LSP, and what becomes of the mentions that it writes."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.faulty import faulty, said
from tests.environment import program
from tests.harness import Editor, start_sidecar
from tests.harness.connection import LspError
from tests.harness.documents import Document

Json = Any
pytestmark = pytest.mark.e2e


async def prompt(editor: Editor, text: str, uri: str = "untitled:Prompt") -> Document:
    """A prompt that is being written."""
    document = Document(uri, 1, text, True)
    item = {"uri": uri, "languageId": "acp-prompt", "version": 1, "text": text}
    await editor.connection.notify("textDocument/didOpen", {"textDocument": item})
    return document


def at_end(document: Document) -> Json:
    """Where the text ends, in UTF-16 code units."""
    lines = document.text.split("\n")
    units = len(lines[-1].encode("utf-16-le")) // 2
    place = {"line": len(lines) - 1, "character": units}
    return {"textDocument": {"uri": document.uri}, "position": place}


async def completion(editor: Editor, document: Document) -> Json:
    """What is offered at the end of the text."""
    return await editor.connection.request("textDocument/completion", at_end(document), 60)


async def labels(editor: Editor, document: Document) -> list[str]:
    found = await completion(editor, document)
    return [item["label"] for item in found["items"]] if found else []


async def test_it_is_announced_with_what_triggers_it(project: Path) -> None:
    async with faulty(project, "offers_commands") as editor:
        provider = editor.server["capabilities"]["completionProvider"]
        assert provider["triggerCharacters"] == ["/", "@"]


async def test_commands_of_the_session_are_offered_with_what_they_take(project: Path) -> None:
    async with faulty(project, "offers_commands") as editor:
        session = (await editor.turn("hi"))["sessionId"]
        document = await prompt(editor, "/")
        assert await labels(editor, document) == ["/plan", "/web", "/wheel", "/later"]
        await editor.change(document, "/we")
        (web,) = (await completion(editor, document))["items"]
        assert (web["detail"], web["documentation"]) == ("what for", "Looks it up.")
        where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}
        assert web["textEdit"] == {"range": where, "newText": "/web "}
        named = await prompt(editor, "/p", f"acp://prompt?session={session}")
        assert await labels(editor, named) == ["/plan"]
        other = await prompt(editor, "/p", "acp://prompt?session=another")
        assert await labels(editor, other) == []


async def test_files_are_offered_as_git_has_them_and_open_ones_first(project: Path) -> None:
    git = program("git", "files are offered as it has them")
    (project / ".gitignore").write_text("build/\n", encoding="utf-8")
    for name in ("build/out.txt", "src/a b.txt", "src/zebra.txt"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text("x", encoding="utf-8")
    initialized = await asyncio.create_subprocess_exec(git, "init", "-q", cwd=project)
    assert await initialized.wait() == 0
    async with faulty(project, "offers_commands") as editor:
        document = await prompt(editor, "Ünï 😀 @")
        assert "build/out.txt" not in await labels(editor, document)
        await editor.open(project / "src" / "zebra.txt")
        assert (await labels(editor, document))[0] == "src/zebra.txt"
        await editor.change(document, 'Ünï 😀 @"a b')
        (item,) = (await completion(editor, document))["items"]
        assert item["textEdit"]["newText"] == '@"src/a b.txt"'
        assert item["textEdit"]["range"]["start"] == {"line": 0, "character": 7}


async def test_nothing_is_offered_elsewhere(project: Path) -> None:
    async with faulty(project, "offers_commands") as editor:
        await editor.turn("hi")
        assert await completion(editor, await prompt(editor, "see /")) is None
        (project / "code.txt").write_text("/", encoding="utf-8")
        code = await editor.open(project / "code.txt")
        assert await completion(editor, code) is None
        gone = Document("untitled:Gone", 1, "/", True)
        assert await completion(editor, gone) is None


SLOW_GIT = """#!/bin/sh
while [ ! -e "$RELEASED" ]; do sleep 0.05; done
printf 'found.txt\\0'
"""


async def test_what_is_cancelled_is_answered_so_and_the_next_has_the_names(project: Path) -> None:
    tools = project.parent / "tools"
    tools.mkdir()
    (tools / "git").write_text(SLOW_GIT, encoding="utf-8")
    (tools / "git").chmod(0o755)
    released = project.parent / "released"
    env = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "RELEASED": str(released)}
    async with start_sidecar(project, env=env) as editor:
        document = await prompt(editor, "@")
        number, answer = await editor.connection.begin("textDocument/completion", at_end(document))
        await editor.connection.notify("$/cancelRequest", {"id": number})
        with pytest.raises(LspError, match="-32800"):
            await asyncio.wait_for(answer, 60)
        released.touch()
        assert await labels(editor, document) == ["found.txt"]


async def test_mentions_go_with_the_prompt(project: Path) -> None:
    """The agent takes embedded texts: of an unsaved file what the editor shows."""
    (project / "a b.txt").write_text("on disk", encoding="utf-8")
    (project / "sub").mkdir()
    outside = project.parent / "outside.txt"
    outside.write_text("not yours", encoding="utf-8")
    async with faulty(project, "offers_commands") as editor:
        await editor.open(project / "a b.txt", "not saved")
        text = 'Look at @"a b.txt", @sub, @nothing and @../outside.txt.'
        session = await editor.turn(text)
        first, *more = json.loads(said(session))
        assert first["text"] == text
        assert [block["type"] for block in more] == ["resource", "resource_link"]
        assert more[0]["resource"]["text"] == "not saved"
        assert more[1]["uri"] == (project / "sub").as_uri()
        told = said(await editor.turn(text, mentions=False))
        (only,) = json.loads(told.removeprefix(said(session)))
        assert only["text"] == text


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


@pytest.mark.parametrize("speaks", ["v2", "v1"])
async def test_pictures_that_are_mentioned_go_along_where_they_are_taken(
    project: Path, speaks: str
) -> None:
    (project / "a.png").write_bytes(PNG)
    (project / "large.png").write_bytes(PNG + bytes(10_000_000))
    (project / "song.wav").write_bytes(b"RIFF\x10\0\0\0WAVEfmt ")
    (project / "drawing.svg").write_text("<svg/>", encoding="utf-8")
    text = "Compare @a.png with @large.png, @drawing.svg, @song.wav and @./a.png"
    async with faulty(project, "takes_media", speaks) as editor:
        first = said(await editor.turn(text))
        told, *more = json.loads(first)
        assert told["text"] == text
        assert [block["type"] for block in more] == [
            "image",
            "resource_link",
            "resource",
            "audio",
        ]
        picture, link, drawing, song = more
        uri = (project / "a.png").as_uri()
        data = base64.b64encode(PNG).decode()
        assert picture == {"type": "image", "mimeType": "image/png", "data": data, "uri": uri}
        assert link["uri"] == (project / "large.png").as_uri()
        assert drawing["resource"]["text"] == "<svg/>"
        assert song["mimeType"] == "audio/wav"
        given = {"type": "image", "uri": uri}
        again = said(await editor.turn("Once more @a.png", context=[given]))
        _, *once = json.loads(again.removeprefix(first))
        assert once == [picture]


async def test_a_picture_is_a_link_where_none_is_taken(project: Path) -> None:
    (project / "a.png").write_bytes(PNG)
    async with faulty(project, "offers_commands") as editor:
        _, link = json.loads(said(await editor.turn("Look at @a.png")))
        assert link["type"] == "resource_link"
