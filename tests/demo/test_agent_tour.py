"""The tour as a whole: allowed, refused, dismissed, and cancelled at every step of it."""

from __future__ import annotations

import asyncio
import base64
import sys
from pathlib import Path

import pytest

from tests.demo.client import Client, Json, started, update_of
from tests.demo.conftest import SAMPLE, SOLUTION, copy_sample, solved, texts

FINAL = {"completed", "failed", "cancelled"}
LAST_STEP = "tool_call_update execute completed"
STEPS_V2 = [
    "user_message",
    "session_info_update",
    "state_update running",
    "agent_message_chunk",
    "plan_update",
    "agent_thought_chunk",
    "state_update requires_action",
    "session/request_permission execute",
    "session/request_permission edit",
    "session/request_permission move",
    "terminal_update",
    "terminal_output_chunk",
    *(
        f"tool_call_update {kind} {status}"
        for kind in ("execute", "search", "read", "edit", "move")
        for status in ("pending", "in_progress", "completed")
    ),
    "tool_call_update execute failed",
]
STEPS_V1 = [
    "session_info_update",
    "agent_message_chunk",
    "plan",
    "agent_thought_chunk",
    "session/request_permission execute",
    "session/request_permission edit",
    "session/request_permission move",
    *(
        f"tool_call{'' if status == 'pending' else '_update'} {kind} {status}"
        for kind in ("execute", "search", "read", "edit", "move")
        for status in ("pending", "in_progress", "completed")
    ),
    "tool_call_update execute failed",
]


class Names:
    """Names the steps of one turn: messages in the order in which they come."""

    def __init__(self, session_id: str) -> None:
        self._session_id = session_id
        self._kinds: dict[str, str] = {}
        self.seen: list[str] = []

    def __call__(self, message: Json) -> str:
        """The name of a message's step, empty for what is no step of the turn."""
        name = self._name(message)
        self.seen.append(name)
        return name

    def _name(self, message: Json) -> str:
        if message.get("method") == "session/request_permission":
            params = message["params"]
            subject = params.get("subject", params)
            call = subject.get("toolCall", subject)
            return f"session/request_permission {self._kinds[call['toolCallId']]}"
        update = update_of(message, self._session_id)
        kind = update.get("sessionUpdate", "")
        if kind == "state_update":
            return f"{kind} {update['state']}"
        if kind.startswith("tool_call"):
            call_id = update["toolCallId"]
            self._kinds.setdefault(call_id, update.get("kind", ""))
            return f"{kind} {self._kinds[call_id]} {update['status']}" if "status" in update else ""
        return str(kind)


def final_calls(client: Client, session_id: str) -> dict[str, Json]:
    """The tool calls by id, each with the last value of every field."""
    calls: dict[str, Json] = {}
    for update in client.updates(session_id):
        if update["sessionUpdate"].startswith("tool_call"):
            calls.setdefault(update["toolCallId"], {}).update(update)
    return calls


def said(client: Client, session_id: str) -> str:
    return "".join(
        update["content"]["text"]
        for update in client.updates(session_id)
        if update["sessionUpdate"] == "agent_message_chunk"
    )


async def test_all_allowed_solves_the_task(version: int, sample: Path) -> None:
    async with started(version) as client:
        session_id = await client.new_session(sample)
        end = await client.turn(session_id, "Please fix the tests.")
        assert end["stopReason"] == "end_turn"
        assert texts(sample) == solved()
        statuses = [call["status"] for call in final_calls(client, session_id).values()]
        assert statuses.count("failed") == 1, "the tests fail before the fix, and only then"
        assert set(statuses) == {"completed", "failed"}
        assert said(client, session_id).endswith("All tests pass now.")


async def test_every_step_of_the_tour_is_in_the_lists_above(version: int, sample: Path) -> None:
    async with started(version) as client:
        session_id = await client.new_session(sample)
        client.on_message = names = Names(session_id)  # type: ignore[assignment]
        await client.turn(session_id, "/tour")
    steps = {step for step in names.seen if step}
    ends = {"available_commands_update", "usage_update", "state_update idle"}
    assert steps - ends == set(STEPS_V1 if version == 1 else STEPS_V2)


@pytest.mark.parametrize(("version", "steps"), [(1, STEPS_V1), (2, STEPS_V2)], ids=["v1", "v2"])
async def test_cancelled_at_every_step(version: int, steps: list[str], tmp_path: Path) -> None:
    """Every step in a session of its own, several at a time in one agent."""
    few = asyncio.Semaphore(8)
    async with started(version, delay=0.02) as client:
        canceller = Canceller(client)
        client.on_message, client.choose = canceller.see, canceller.choose

        async def in_turn(number: int, step: str) -> None:
            async with few:
                await cancel_at(client, canceller, step, copy_sample(tmp_path / str(number)))

        steps = [step for step in steps if step != LAST_STEP]
        cancelled = [in_turn(number, step) for number, step in enumerate(steps)]
        failures = await asyncio.gather(*cancelled, return_exceptions=True)
    found = {step: failure for step, failure in zip(steps, failures, strict=True) if failure}
    assert not found


async def test_cancelled_at_the_last_step(version: int, sample: Path) -> None:
    """So near the end that only a slow agent can be caught there."""
    async with started(version, delay=0.5) as client:
        canceller = Canceller(client)
        client.on_message = canceller.see
        session_id = await client.new_session(sample)
        canceller.cancel(session_id, LAST_STEP)
        end = await client.turn(session_id, f"/run {Path(sys.executable).name} --version")
        assert end["stopReason"] == "cancelled"


class Canceller:
    """Cancels each of several sessions when it comes to the step chosen for it."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._steps: dict[str, tuple[str, Names]] = {}
        self.done: set[str] = set()

    def cancel(self, session_id: str, step: str) -> None:
        self._steps[session_id] = (step, Names(session_id))

    def see(self, message: Json) -> None:
        session_id = (message.get("params") or {}).get("sessionId")
        if session_id not in self._steps or session_id in self.done:
            return
        step, names = self._steps[session_id]
        if names(message) == step:
            self.done.add(session_id)
            self._client.cancel(session_id)

    def choose(self, params: Json) -> str | None:
        return None if params["sessionId"] in self.done else "allow-once"


async def cancel_at(client: Client, canceller: Canceller, step: str, sample: Path) -> None:
    session_id = await client.new_session(sample)
    canceller.cancel(session_id, step)
    end = await client.turn(session_id, "/tour")
    assert session_id in canceller.done
    assert end["stopReason"] == "cancelled"
    assert_nothing_is_left_running(client, session_id)
    assert_files_are_whole(sample)
    after = await client.turn(session_id, "/plan")
    assert after["stopReason"] == "end_turn", "the session lives on"


def assert_nothing_is_left_running(client: Client, session_id: str) -> None:
    calls = final_calls(client, session_id)
    assert {call["status"] for call in calls.values()} <= FINAL
    started_terminals, ended_terminals = set(), set()
    for update in client.updates(session_id):
        if update["sessionUpdate"] == "terminal_update":
            started_terminals.add(update["terminalId"])
            if update.get("exitStatus"):
                ended_terminals.add(update["terminalId"])
    assert started_terminals == ended_terminals


def assert_files_are_whole(sample: Path) -> None:
    before, after = texts(SAMPLE), solved()
    for name, text in texts(sample).items():
        assert text in {before.get(name), after.get(name)}, name


@pytest.mark.parametrize("option", ["reject-once", "reject-always"])
async def test_all_rejected_touches_nothing(version: int, option: str, sample: Path) -> None:
    async with started(version) as client:
        client.choose = lambda _params: option
        session_id = await client.new_session(sample)
        end = await client.turn(session_id, "/tour")
        assert end["stopReason"] == "end_turn"
        assert texts(sample) == texts(SAMPLE)
        asked = [message for message in client.said if "id" in message and "method" in message]
        assert len(asked) == (2 if option == "reject-always" else 6)
        assert "You rejected it" in said(client, session_id)


async def test_allow_always_asks_once_for_each_subject(version: int, sample: Path) -> None:
    async with started(version) as client:
        client.choose = lambda _params: "allow-always"
        session_id = await client.new_session(sample)
        await client.turn(session_id, "/tour")
        assert texts(sample) == solved()
        asked = [message for message in client.said if "id" in message and "method" in message]
        assert len(asked) == 2


@pytest.mark.parametrize(
    "outcome",
    [
        {"outcome": "selected", "optionId": "no such option"},
        {"outcome": "_something_new", "optionId": "allow-once"},
        {"outcome": "selected"},
        "yes",
    ],
)
async def test_only_a_known_allow_option_is_approval(
    version: int, outcome: object, sample: Path
) -> None:
    async with started(version) as client:
        client.hold_permissions = True

        def answer_oddly(message: Json) -> None:
            if message.get("method") == "session/request_permission":
                client.send({"id": message["id"], "result": {"outcome": outcome}})

        client.on_message = answer_oddly
        session_id = await client.new_session(sample)
        end = await client.turn(session_id, "/tour")
        assert end["stopReason"] == "end_turn"
        assert texts(sample) == texts(SAMPLE)


async def test_a_dismissed_permission_ends_the_turn_as_cancelled(
    version: int, sample: Path
) -> None:
    async with started(version) as client:
        client.choose = lambda _params: None
        session_id = await client.new_session(sample)
        end = await client.turn(session_id, "/tour")
        assert end["stopReason"] == "cancelled"
        assert texts(sample) == texts(SAMPLE)


async def test_a_file_changed_in_between_is_left_alone(version: int, sample: Path) -> None:
    """The user edits while the question is open: that one call fails, the rest is done."""
    target = sample / "tally" / "words.py"
    mine = target.read_bytes() + b"\n# mine\n"

    def edit_then_allow(params: Json) -> str:
        if "tally/words.py" in str(params):
            target.write_bytes(mine)
        return "allow-once"

    async with started(version) as client:
        client.choose = edit_then_allow
        session_id = await client.new_session(sample)
        await client.turn(session_id, "/edit")
        assert target.read_bytes() == mine
        assert (sample / "tally/__main__.py").read_text() == (
            SOLUTION / "tally/__main__.py"
        ).read_text()
        calls = final_calls(client, session_id)
        assert [call["status"] for call in calls.values()] == ["failed", "completed"]
        assert "changed on disk" in said(client, session_id)


async def test_the_terminal_shows_what_the_command_wrote(sample: Path) -> None:
    async with started(2) as client:
        session_id = await client.new_session(sample)
        await client.turn(session_id, "/run")
        output = b"".join(
            base64.b64decode(update["data"], validate=True)
            for update in client.updates(session_id)
            if update["sessionUpdate"] == "terminal_output_chunk"
        ).decode()
        assert "\x1b[32;1m7 passed\x1b[0m, \x1b[31;1m2 failed\x1b[0m" in output


async def test_v1_shows_the_output_as_text_of_the_call(sample: Path) -> None:
    async with started(1) as client:
        session_id = await client.new_session(sample)
        await client.turn(session_id, "/run")
        (call,) = final_calls(client, session_id).values()
        assert "7 passed, 2 failed" in call["content"][0]["content"]["text"]


async def test_edits_come_in_several_hunks(sample: Path) -> None:
    async with started(2) as client:
        session_id = await client.new_session(sample)
        await client.turn(session_id, "/edit")
        patches = [
            call["content"][0]["patch"]["text"] for call in final_calls(client, session_id).values()
        ]
        assert [patch.count("\n@@ ") for patch in patches] == [3, 3]
