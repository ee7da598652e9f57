"""The methods of both versions: negotiation, login, the life of sessions, options, wrong params."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.demo.client import (
    Client,
    Refused,
    initialize_params,
    start,
    started,
    story,
    update_of,
)

INVALID_PARAMS, INVALID_REQUEST, NOT_FOUND, METHOD_NOT_FOUND = -32602, -32600, -32002, -32601
AUTH_REQUIRED, UNSUPPORTED_VERSION, CANCELLED, INTERNAL = -32000, -32022, -32800, -32603


@pytest.mark.parametrize(
    ("options", "offered", "answered"),
    [
        ((), 1, 1),
        ((), 2, 2),
        ((), 7, 2),
        (("--protocol", "1"), 1, 1),
        (("--protocol", "1"), 2, 1),
        (("--protocol", "2"), 2, 2),
        (("--protocol", "2"), 3, 2),
    ],
)
async def test_the_highest_common_version_is_agreed(
    options: tuple[str, ...], offered: int, answered: int
) -> None:
    client = await start(answered, *options)
    params = {**initialize_params(2), **initialize_params(1), "protocolVersion": offered}
    result = await client.ask("initialize", **params)
    assert result["protocolVersion"] == answered
    assert ("info" in result) == (answered == 2)
    assert await client.close() == 0


@pytest.mark.parametrize(("options", "offered"), [((), 0), (("--protocol", "2"), 1)])
async def test_no_common_version_is_an_error_that_says_which_there_are(
    options: tuple[str, ...], offered: int
) -> None:
    client = await start(2, *options)
    with pytest.raises(Refused) as refused:
        await client.ask("initialize", protocolVersion=offered, info={"name": "t", "version": "1"})
    assert refused.value.code == UNSUPPORTED_VERSION
    assert refused.value.data == {"requested": offered, "supported": [2] if options else [1, 2]}
    assert await client.close() == 0


@pytest.mark.parametrize("offered", [True, "2", None, 2.5, -1, 65536, [2]])
async def test_a_version_that_is_none_is_refused(offered: object) -> None:
    client = await start(2)
    assert await code_of(client, "initialize", protocolVersion=offered) == INVALID_PARAMS
    assert await client.close() == 0


async def test_initialize_comes_first_and_once(tmp_path: Path) -> None:
    client = await start(2)
    assert await code_of(client, "session/new", cwd=str(tmp_path)) == INVALID_REQUEST
    await client.ask("initialize", **initialize_params(2))
    assert await code_of(client, "initialize", **initialize_params(2)) == INVALID_REQUEST
    assert await client.close() == 0


async def code_of(client: Client, method: str, **params: Any) -> int:
    """The code of the error that the request is answered with."""
    request_id = 1_000_000 + len(client.said)
    start_ = len(client.said)
    client._asked[request_id] = ("session/list", asyncio.get_running_loop().create_future())
    client.send({"id": request_id, "method": method, "params": params})
    _, future = client._asked[request_id]
    with pytest.raises(Refused) as refused:
        await asyncio.wait_for(future, 60)
    assert len(client.said) > start_
    return refused.value.code


async def test_every_method_of_a_version_exists_and_no_other(version: int) -> None:
    theirs = {
        1: {"authenticate", "logout", "session/load", "session/set_mode"},
        2: {"auth/login", "auth/logout", "tool_call/cancel", "terminal/cancel"},
    }
    shared = {f"session/{name}" for name in ("new", "resume", "close", "delete", "prompt")}
    async with started(version) as client:
        for method in shared | theirs[version] - {"logout", "auth/logout"}:
            assert await code_of(client, method) == INVALID_PARAMS, method
        assert "sessions" in await client.ask("session/list")
        for method in theirs[3 - version] | {"session/teleport"}:
            assert await code_of(client, method) == METHOD_NOT_FOUND, method


async def test_a_login_is_wanted_if_asked_for(version: int, tmp_path: Path) -> None:
    login, logout = ("authenticate", "logout") if version == 1 else ("auth/login", "auth/logout")
    async with started(version, "--login") as client:
        new = {"cwd": str(tmp_path), "mcpServers": []}
        assert await code_of(client, "session/new", **new) == AUTH_REQUIRED
        assert await code_of(client, login, methodId="other") == INVALID_PARAMS
        assert await client.ask(login, methodId="demo") == {}
        await client.ask("session/new", **new)
        assert await client.ask(logout) == {}
        assert await code_of(client, "session/new", **new) == AUTH_REQUIRED


@pytest.mark.parametrize("cwd", ["relative", "/no/such/directory", 7, None])
async def test_a_session_needs_a_directory(version: int, cwd: object) -> None:
    async with started(version) as client:
        code = await code_of(client, "session/new", cwd=cwd, mcpServers=[])
        assert code == INVALID_PARAMS


async def test_unknown_sessions_are_not_found(version: int, tmp_path: Path) -> None:
    async with started(version) as client:
        unknown = {"sessionId": "unknown", "cwd": str(tmp_path), "mcpServers": []}
        prompt = [{"type": "text", "text": "hi"}]
        assert await code_of(client, "session/prompt", **unknown, prompt=prompt) == NOT_FOUND
        assert await code_of(client, "session/resume", **unknown) == NOT_FOUND
        assert await client.ask("session/delete", sessionId="unknown") == {}
        assert await client.ask("session/close", sessionId="unknown") == {}


@pytest.mark.parametrize("prompt", [None, "hi", [7], [{"text": "hi"}], [{"type": "text"}]])
async def test_wrong_prompts_are_refused(version: int, prompt: object, tmp_path: Path) -> None:
    async with started(version) as client:
        session_id = await client.new_session(tmp_path)
        params = {"sessionId": session_id, "prompt": prompt}
        assert await code_of(client, "session/prompt", **params) == INVALID_PARAMS


async def test_sessions_are_listed_page_by_page(version: int, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    async with started(version) as client:
        made = [await client.new_session(tmp_path) for _ in range(23)]
        elsewhere = await client.new_session(other)
        found: list[str] = []
        pages, cursor = 0, None
        while pages == 0 or cursor:
            page = await client.ask("session/list", **({"cursor": cursor} if cursor else {}))
            found += [session["sessionId"] for session in page["sessions"]]
            pages, cursor = pages + 1, page.get("nextCursor")
        assert (sorted(found), pages) == (sorted([*made, elsewhere]), 3)
        filtered = await client.ask("session/list", cwd=str(other))
        assert [session["sessionId"] for session in filtered["sessions"]] == [elsewhere]
        assert await code_of(client, "session/list", cursor="made up") == INVALID_PARAMS
        await client.ask("session/delete", sessionId=elsewhere)
        assert (await client.ask("session/list", cwd=str(other)))["sessions"] == []


async def test_a_closed_session_is_resumed_and_told_again(version: int, sample: Path) -> None:
    async with started(version) as client:
        session_id = await client.new_session(sample)
        await client.turn(session_id, "/tour")
        await client.ask("session/close", sessionId=session_id)
        prompt = {"sessionId": session_id, "prompt": [{"type": "text", "text": "hi"}]}
        assert await code_of(client, "session/prompt", **prompt) == NOT_FOUND
        params: dict[str, Any] = {"sessionId": session_id, "cwd": str(sample), "mcpServers": []}
        live = client.updates(session_id)
        start_ = len(client.said)
        await client.ask("session/resume", **params)
        kinds = {update["sessionUpdate"] for update in client.updates(session_id, start_)}
        assert kinds <= {"available_commands_update"}, "no history unless it is asked for"
        start_ = len(client.said)
        if version == 1:
            await client.ask("session/load", **params)
        else:
            await client.ask("session/resume", **params, replayFrom={"type": "start"})
        replayed = client.updates(session_id, start_)
        assert story(replayed) == story(live) | {"user": "/tour"}
        assert (await client.turn(session_id, "/plan"))["stopReason"] == "end_turn"


async def test_replay_from_elsewhere_than_the_start_is_refused(tmp_path: Path) -> None:
    async with started(2) as client:
        session_id = await client.new_session(tmp_path)
        params = {"sessionId": session_id, "cwd": str(tmp_path)}
        for replay_from in ({"type": "middle"}, "start", {}):
            code = await code_of(client, "session/resume", **params, replayFrom=replay_from)
            assert code == INVALID_PARAMS


async def test_two_sessions_work_at_the_same_time(version: int, tmp_path: Path) -> None:
    async with started(version) as client:
        sessions = [await client.new_session(tmp_path) for _ in range(2)]
        start_ = len(client.said)
        prompts = [client.start_prompt(session, "/slow 0.6")[1] for session in sessions]
        for session, future in zip(sessions, prompts, strict=True):
            await client.end_of_turn(session, future, start_)
        order = [
            message["params"]["sessionId"]
            for message in client.said[start_:]
            if message.get("method") == "session/update"
        ]
        first_end = max(index for index, session in enumerate(order) if session == order[0])
        assert set(order[:first_end]) == set(sessions), "their updates are interleaved"


async def test_a_busy_session_refuses_a_second_prompt(version: int, tmp_path: Path) -> None:
    async with started(version) as client:
        session_id = await client.new_session(tmp_path)
        start_ = len(client.said)
        _, first = client.start_prompt(session_id, "/slow 30")
        _, second = client.start_prompt(session_id, "/plan")
        with pytest.raises(Refused) as refused:
            await second
        assert refused.value.code == INVALID_REQUEST
        client.cancel(session_id)
        end = await client.end_of_turn(session_id, first, start_)
        assert end["stopReason"] == "cancelled"


async def test_closing_ends_the_work_before_the_answer(version: int, tmp_path: Path) -> None:
    async with started(version) as client:
        session_id = await client.new_session(tmp_path)
        _, prompt = client.start_prompt(session_id, "/slow 30")
        await client.until(lambda message: "still at it" in output_in(message))
        await client.ask("session/close", sessionId=session_id)
        if version == 1:
            assert (await prompt)["stopReason"] == "cancelled"
        else:
            assert client.updates(session_id)[-1]["stopReason"] == "cancelled"
        heard = len(client.said)
        await client.ask("session/list")
        assert client.updates(session_id, heard) == []


def output_in(message: dict[str, Any]) -> str:
    """The output of a command in the message."""
    update = (message.get("params") or {}).get("update", {})
    if "data" in update:
        return base64.b64decode(update["data"]).decode()
    return json.dumps(update.get("content")) if update.get("sessionUpdate") != "tool_call" else ""


async def test_cancelling_the_request_of_a_v1_prompt_cancels_the_turn(tmp_path: Path) -> None:
    async with started(1) as client:
        session_id = await client.new_session(tmp_path)
        request_id, prompt = client.start_prompt(session_id, "/slow 30")
        await client.until(lambda message: "still at it" in output_in(message))
        client.tell("$/cancel_request", requestId=request_id)
        assert (await asyncio.wait_for(prompt, 60))["stopReason"] == "cancelled"


async def test_the_agent_takes_its_question_back_when_cancelled(version: int, sample: Path) -> None:
    async with started(version) as client:
        client.hold_permissions = True
        session_id = await client.new_session(sample)
        start_ = len(client.said)
        _, prompt = client.start_prompt(session_id, "/edit")
        asked = await client.until(
            lambda message: message.get("method") == "session/request_permission"
        )
        client.tell("session/cancel", sessionId=session_id)
        await client.until(
            lambda message: (
                message.get("method") == "$/cancel_request"
                and message["params"]["requestId"] == asked["id"]
            )
        )
        client.answer_permission(asked["id"], None)
        end = await client.end_of_turn(session_id, prompt, start_)
        assert end["stopReason"] == "cancelled"


async def test_one_tool_call_can_be_cancelled_alone(sample: Path) -> None:
    async with started(2) as client:
        client.hold_permissions = True
        session_id = await client.new_session(sample)
        start_ = len(client.said)
        _, prompt = client.start_prompt(session_id, "/edit")
        asked = await client.until(
            lambda message: message.get("method") == "session/request_permission"
        )
        call_id = asked["params"]["subject"]["toolCall"]["toolCallId"]
        client.hold_permissions = False
        await client.ask("tool_call/cancel", sessionId=session_id, toolCallId=call_id)
        end = await client.end_of_turn(session_id, prompt, start_)
        assert end["stopReason"] == "end_turn", "the rest of the turn goes on"
        statuses = [
            update["status"]
            for update in client.updates(session_id)
            if update.get("toolCallId") == call_id and "status" in update
        ]
        assert statuses[-1] == "cancelled"
        params = {"sessionId": session_id, "toolCallId": call_id}
        assert await code_of(client, "tool_call/cancel", **params) == INVALID_PARAMS


async def test_a_terminal_can_be_cancelled_alone(tmp_path: Path) -> None:
    async with started(2) as client:
        session_id = await client.new_session(tmp_path)
        start_ = len(client.said)
        _, prompt = client.start_prompt(session_id, "/slow 30")
        output = await client.until(lambda message: "still at it" in output_in(message))
        terminal_id = update_of(output, session_id)["terminalId"]
        params = {"sessionId": session_id, "terminalId": terminal_id}
        assert await client.ask("terminal/cancel", **params) == {}
        end = await client.end_of_turn(session_id, prompt, start_)
        assert end["stopReason"] == "end_turn"
        statuses = [update.get("exitStatus") for update in client.updates(session_id)]
        assert {"exitCode": None, "signal": "SIGTERM"} in statuses
        assert await code_of(client, "terminal/cancel", **params) == INVALID_PARAMS


async def test_options_can_be_set_and_have_effect(version: int, sample: Path) -> None:
    typed: dict[str, Any] = {"type": "id"} if version == 2 else {}
    key = "configId" if version == 2 else "id"
    async with started(version, session={"configOptions": {"boolean": {}}}) as client:
        session_id = await client.new_session(sample)

        async def set_option(name: str, value: object, **type_: Any) -> dict[str, object]:
            answer = await client.ask(
                "session/set_config_option",
                sessionId=session_id,
                configId=name,
                value=value,
                **(type_ or typed),
            )
            return {option[key]: option["currentValue"] for option in answer["configOptions"]}

        assert (await set_option("mode", "auto-accept"))["mode"] == "auto-accept"
        assert (await set_option("thoughts", False, type="boolean"))["thoughts"] is False
        await client.turn(session_id, "/tour")
        kinds = {update["sessionUpdate"] for update in client.updates(session_id)}
        assert "agent_thought_chunk" not in kinds
        assert not any(message.get("method", "").endswith("permission") for message in client.said)
        for name, value in (("mode", "mad"), ("moon", "full")):
            with pytest.raises(Refused) as refused:
                await set_option(name, value)
            assert refused.value.code == INVALID_PARAMS


async def test_v1_offers_a_boolean_option_only_to_clients_that_take_it(tmp_path: Path) -> None:
    async with started(1) as client:
        opened = await client.ask("session/new", cwd=str(tmp_path), mcpServers=[])
        assert [option["type"] for option in opened["configOptions"]] == ["select", "select"]


async def test_v1_modes_are_the_mode_option(tmp_path: Path) -> None:
    async with started(1) as client:
        session_id = await client.new_session(tmp_path)
        await client.ask("session/set_mode", sessionId=session_id, modeId="auto-accept")
        modes = [update.get("currentModeId") for update in client.updates(session_id)]
        assert "auto-accept" in modes
        params = {"sessionId": session_id, "modeId": "mad"}
        assert await code_of(client, "session/set_mode", **params) == INVALID_PARAMS


async def test_bad_input_ends_nothing() -> None:
    async with started(2) as client:
        assert client.process.stdin
        for line in (b"\n", b"{\n", b"\xff\xfe\n", b"[]\n", b"7\n", b'{"id": {}}\n'):
            client.process.stdin.write(line)
        client.send({"method": "session/cancel", "params": [1]})
        client.send({"method": "session/cancel", "params": {"sessionId": "unknown"}})
        client.send({"method": "$/cancel_request", "params": {"requestId": [7]}})
        client.send({"method": "_odd/notification"})
        client.send({"id": 424242, "result": {}})
        client.on_message = lambda _message: None
        assert "sessions" in await client.ask("session/list")
