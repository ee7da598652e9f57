"""What is new between two states is told once, whole lines at a time."""

from __future__ import annotations

from typing import Any

from acp_sidecar.demo.news import Called, Exited, Planned, Printed, Said, Titled, Used, Watch

EMPTY: dict[str, Any] = {
    "title": None,
    "timeline": [],
    "messages": [],
    "toolCalls": [],
    "terminals": [],
    "plans": [],
    "usage": None,
}


def message(text: str) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return EMPTY | {
        "timeline": [{"kind": "agent", "id": "m"}],
        "messages": [{"messageId": "m", "role": "agent", "content": content}],
    }


def running(output: str, exit_status: dict[str, int] | None, status: str) -> dict[str, Any]:
    call = {
        "toolCallId": "c",
        "status": status,
        "content": [{"type": "terminal", "terminalId": "t"}],
    }
    terminal = {
        "terminalId": "t",
        "command": "make",
        "output": output,
        "exitStatus": exit_status,
    }
    timeline = [{"kind": "terminal", "id": "t"}, {"kind": "tool_call", "id": "c"}]
    return EMPTY | {"timeline": timeline, "toolCalls": [call], "terminals": [terminal]}


def test_more_of_a_message_is_what_came_since() -> None:
    watch = Watch()
    assert list(watch.news(message("Hel"))) == [Said("agent", "Hel", begins=True)]
    assert list(watch.news(message("Hello"))) == [Said("agent", "lo", begins=False)]
    assert list(watch.news(message("Hello"))) == []


def test_output_comes_in_whole_lines_until_the_command_is_over() -> None:
    watch = Watch()
    call = running("", None, "in_progress")["toolCalls"][0]
    first = list(watch.news(running("one\ntw", None, "in_progress")))
    assert first == [Called(call, began=True), Printed("t", "one\n", "make")]
    assert list(watch.news(running("one\ntwo", None, "in_progress"))) == []
    over = running("one\ntwo", {"exitCode": 0}, "completed")
    assert list(watch.news(over)) == [
        Printed("t", "two", None),
        Exited("t", {"exitCode": 0}),
        Called(over["toolCalls"][0], began=False),
    ]
    assert list(watch.news(over)) == []


def test_plans_titles_and_usage_are_told_when_they_change() -> None:
    watch = Watch()
    entries = [{"content": "a", "status": "pending"}]
    state = EMPTY | {"plans": [{"entries": entries}], "title": "T", "usage": {"used": 1}}
    assert list(watch.news(state)) == [Titled("T"), Planned(entries), Used({"used": 1})]
    assert list(watch.news(state)) == []
