"""Review through the executable: the demo agent's edits, hunk by hunk, in a plain LSP client."""

from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import acp_sidecar.demo
from tests.harness import NEVER, Answers, Editor, start_sidecar

SAMPLE = Path(acp_sidecar.demo.__file__).parent / "sample"

pytestmark = pytest.mark.e2e


@pytest.fixture
async def demo(protocol: int, tmp_path: Path) -> AsyncIterator[Editor]:
    """An editor whose user leaves prompts open, with the demo agent in its sample project."""
    root = tmp_path / "sample"
    shutil.copytree(SAMPLE, root, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "acp_sidecar", "agent", "--protocol", str(protocol)]
    async with start_sidecar(root, agents={"demo": {"command": command}}) as editor:
        editor.answers = Answers(NEVER)
        yield editor


def pending(state: Any) -> list[Any]:
    """Change sets whose permission is open."""
    return [each for each in state["changeSets"] if each["pending"]]


async def first_edit(editor: Editor) -> Any:
    """The first change set with several hunks that the agent asks for."""
    await editor.prompt("Do the tour.")
    while True:
        state = await editor.until(lambda state: bool(state["permissions"]))
        sets = pending(state)
        if sets and sum(len(file["hunks"]) for file in sets[0]["files"]) > 1:
            return sets[0]
        await editor.command("acp.permission.answer", allowing(state["permissions"][0]))


def allowing(permission: Any) -> Any:
    option = next(each for each in permission["options"] if each["kind"] == "allow_once")
    return {"permissionId": permission["permissionId"], "optionId": option["optionId"]}


def states(state: Any, change_set: str) -> list[str]:
    (found,) = [each for each in state["changeSets"] if each["changeSet"] == change_set]
    return [hunk["state"] for file in found["files"] for hunk in file["hunks"]]


@pytest.mark.parametrize("is_open", [False, True])
async def test_one_of_the_hunks_is_refused_before_the_write(demo: Editor, is_open: bool) -> None:
    edit = await first_edit(demo)
    (file,) = edit["files"]
    path = Path(file["path"])
    before = demo.documents.text(path.as_uri())
    if is_open:
        await demo.open(path)
    preview = await demo.command("acp.review.preview", {"changeSet": edit["changeSet"]})
    assert preview["direction"] == "forward"
    (wanted,) = demo.documents.outcome(preview["edit"]).values()
    assert wanted not in (None, before)
    for hunk in file["hunks"]:
        verb = "reject" if hunk["hunk"] == 0 else "accept"
        where = {"changeSet": edit["changeSet"], "file": 0, "hunk": hunk["hunk"]}
        await demo.command(f"acp.review.{verb}", where)
    chosen = ["undone", *["kept"] * (len(file["hunks"]) - 1)]
    await demo.until(lambda state: states(state, edit["changeSet"]) == chosen)
    text = demo.documents.text(path.as_uri())
    refused = [line[1:] for line in file["hunks"][0]["lines"] if line.startswith("-")]
    assert all(line in text for line in refused)
    assert text not in (before, wanted)


async def test_an_edit_is_undone_and_redone_after_the_write(demo: Editor) -> None:
    edit = await first_edit(demo)
    path = Path(edit["files"][0]["path"])
    before = demo.documents.text(path.as_uri())
    await demo.command("acp.review.accept", {"changeSet": edit["changeSet"]})
    await demo.until(lambda state: set(states(state, edit["changeSet"])) == {"kept"})
    after = demo.documents.text(path.as_uri())
    answer = await demo.command("acp.review.reject", {"changeSet": edit["changeSet"]})
    assert answer["failed"] == []
    assert demo.documents.text(path.as_uri()) == before
    assert (await demo.command("acp.review.undo"))["failed"] == []
    assert demo.documents.text(path.as_uri()) == after
