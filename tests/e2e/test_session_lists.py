"""Lists of sessions, page by page, of agents that list too much, in a circle, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.faulty import faulty, problems
from tests.harness import Editor, EditorError

Json = Any
pytestmark = pytest.mark.e2e


async def page(editor: Editor, cursor: str | None = None) -> Json:
    return await editor.command("acp.session.list", {"cursor": cursor})


def ids(page: Json) -> list[str]:
    return [each["sessionId"] for each in page["sessions"]]


async def test_pages_have_the_remembered_first_and_no_session_twice(project: Path) -> None:
    async with faulty(project, "lists", "few") as editor:
        await editor.turn("hi")
        await editor.command("acp.session.resume", {"sessionId": "old-2", "agent": "faulty"})
        first = await page(editor)
        assert ids(first) == ["old-2", "kept", "old-0", "old-1"]
        second = await page(editor, first["nextCursor"])
        assert (ids(second), second["nextCursor"]) == ([], None)
        assert [each["remembered"] for each in first["sessions"]] == [True, True, False, False]
        assert [each["open"] for each in first["sessions"]] == [True, True, False, False]
        assert ids(await page(editor, first["nextCursor"])) == []  # asked again, answered again


async def test_a_million_sessions_are_asked_for_as_far_as_somebody_looks(project: Path) -> None:
    async with faulty(project, "lists", "million") as editor:
        seen: list[str] = []
        cursor = None
        for _ in range(5):
            told = await page(editor, cursor)
            cursor = told["nextCursor"]
            seen += ids(told)
        assert seen == [f"old-{number}" for number in range(500)]
        assert cursor is not None


async def test_a_heap_of_sessions_is_cut_and_told_in_pages(project: Path) -> None:
    async with faulty(project, "lists", "heap") as editor:
        told = await page(editor)
        seen = ids(told)
        while told["nextCursor"] is not None:
            told = await page(editor, told["nextCursor"])
            assert len(told["sessions"]) <= 500
            seen += ids(told)
        assert seen == [f"old-{number}" for number in range(10_000)]
        assert "list-too-long" in problems(await editor.state())


async def test_a_list_in_a_circle_ends(project: Path) -> None:
    async with faulty(project, "lists", "circle") as editor:
        told = await page(editor)
        seen = ids(told)
        while told["nextCursor"] is not None:
            told = await page(editor, told["nextCursor"])
            seen += ids(told)
        # Nobody can know that the page "0" is the first one before it has been asked for.
        assert seen == ["old-0", "old-1", "old-2", "old-0"]
        assert "list-loop" in problems(await editor.state())


async def test_an_agent_that_lists_nothing_has_what_is_remembered(project: Path) -> None:
    """It answers that there is no such method; in v1 it would not have offered it."""
    async with faulty(project, "lists", "none") as editor:
        await editor.turn("hi")
        told = await page(editor)
        assert (ids(told), told["nextCursor"], told["listed"]) == (["kept"], None, False)


async def test_cursors_of_no_list_are_refused(project: Path) -> None:
    async with faulty(project, "lists", "few") as editor:
        for cursor in ("", "x", "r:", "r:7", "r:-1", "r:" + "9" * 5000):
            with pytest.raises(EditorError, match="list"):
                await page(editor, cursor)
