"""A user who does, through the editor's commands, what the recorded client did."""

from __future__ import annotations

import asyncio
from typing import Any

from acp_sidecar.wire.trace import Direction, TraceLine
from tests.harness import Editor, EditorError
from tests.replay_state.projection import at_home, differences, of_session
from tests.replay_state.reference import Reference

Json = Any

_SECONDS = 90
_POLL_SECONDS = 0.03
_BY_THE_SIDECAR = {"initialize"}


class RecordedUser:
    """Relives one recording with one agent of a sidecar.

    Before everything the recorded client did, and at the end, `acp.state` must have become what
    the reference says that the messages up to there add up to.
    """

    def __init__(self, editor: Editor, agent: str, lines: list[TraceLine]) -> None:
        self._editor = editor
        self._agent = agent
        self._lines = lines
        self._reference = Reference()
        self._keys: dict[str, str] = {}
        self._cancelled: set[Json] = set()

    async def relive(self) -> None:
        """Do it all.

        Raises:
            AssertionError: The state is not what it should be, or a command ended otherwise.
        """
        for line in self._lines:
            if line.dir is Direction.IN:
                self._reference.agent(line.msg)
            elif line.dir is Direction.OUT and not await self._do(line.msg):
                return
        await self._settled()

    async def _do(self, message: Json) -> bool:
        """One thing that the client did; False if the sidecar rightly would not."""
        method, params = message.get("method"), message.get("params") or {}
        if method in _BY_THE_SIDECAR or (method is None and not self._is_choice(message)):
            self._reference.client(message)
            return True
        await self._settled()
        if method is None:
            await self._choose(message)
            return True
        if method == "session/prompt" and params["sessionId"] not in self._reference.sessions:
            await self._refused("acp.prompt", {"sessionId": params["sessionId"], "text": "hi"})
            return False
        if method == "session/cancel":
            self._cancelled |= self._reference.asked.keys()
        self._reference.client(message)
        await self._command(message, method, params)
        return True

    # --- permissions ------------------------------------------------------------------------------

    def _is_choice(self, message: Json) -> bool:
        """Whether an answer is the user's; others the sidecar gives by itself."""
        return message["id"] in self._reference.asked and message["id"] not in self._cancelled

    async def _choose(self, message: Json) -> None:
        place = list(self._reference.asked).index(message["id"])
        request = self._reference.asked[message["id"]]
        permission = (await self._permissions())[place]
        offered = [option["optionId"] for option in permission["options"]]
        assert offered == [option["optionId"] for option in request["options"]]
        self._reference.client(message)
        option = message["result"]["outcome"].get("optionId")
        answer = {"permissionId": permission["permissionId"], "optionId": option}
        await self._editor.command("acp.permission.answer", answer)

    async def _permissions(self) -> list[Json]:
        state = await self._editor.state()
        mine = set(self._keys.values())
        return [each for each in state["permissions"] if each["sessionId"] in mine]

    # --- commands ---------------------------------------------------------------------------------

    async def _command(self, message: Json, method: str, params: Json) -> None:
        name, argument = self._as_command(method, params)
        if "id" in message and method != "session/prompt" and self._recorded_error(message["id"]):
            await self._refused(name, argument)
            return
        answer = await self._editor.command(name, argument, seconds=_SECONDS)
        if method == "session/new":
            self._keys[self._recorded_answer(message["id"])["result"]["sessionId"]] = answer[
                "sessionId"
            ]
        elif method == "session/list":
            recorded = self._recorded_answer(message["id"])["result"]["sessions"]
            listed = at_home(answer["sessions"], self._editor.root)
            assert [one["sessionId"] for one in listed] == [one["sessionId"] for one in recorded]
            assert [one["cwd"] for one in listed] == [one["cwd"] for one in recorded]
        elif method == "session/resume":
            self._keys[params["sessionId"]] = answer["sessionId"]

    def _as_command(self, method: str, params: Json) -> tuple[str, Json]:
        key = self._keys.get(params.get("sessionId"), params.get("sessionId"))
        session = {"sessionId": key}
        match method:
            case "session/new":
                return "acp.session.new", {"agent": self._agent}
            case "session/prompt":
                text = "".join(block["text"] for block in params["prompt"])
                return "acp.prompt", {**session, "text": self._here(text)}
            case "session/cancel":
                return "acp.cancel", session
            case "session/list":
                return "acp.session.list", {"agent": self._agent}
            case "session/resume":
                replay = bool(params.get("replayFrom"))
                return "acp.session.resume", {**session, "agent": self._agent, "replay": replay}
            case "session/close":
                return "acp.session.close", session
            case "session/delete":
                return "acp.session.delete", {**session, "agent": self._agent}
            case "session/set_config_option":
                option = {"option": params["configId"], "value": params["value"]}
                return "acp.session.setOption", {**session, **option}
        raise AssertionError(method)

    def _here(self, text: str) -> str:
        return text.replace("/workspace", str(self._editor.root))

    async def _refused(self, name: str, argument: Json) -> None:
        try:
            answer = await self._editor.command(name, argument)
        except EditorError:
            return
        raise AssertionError(f"{name} was not refused but answered {answer}")

    def _recorded_answer(self, request_id: Json) -> Json:
        return next(
            line.msg
            for line in self._lines
            if line.dir is Direction.IN
            and "method" not in line.msg
            and line.msg["id"] == request_id
        )

    def _recorded_error(self, request_id: Json) -> bool:
        return "error" in self._recorded_answer(request_id)

    # --- the state --------------------------------------------------------------------------------

    async def _settled(self) -> None:
        """Wait until the state is what it should be by now."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _SECONDS
        while found := await self._differences():
            assert loop.time() < deadline, "\n".join(found)
            await asyncio.sleep(_POLL_SECONDS)

    async def _differences(self) -> list[str]:
        state = at_home(await self._editor.state(), self._editor.root)
        mine = {
            s["sessionId"]: of_session(s) for s in state["sessions"] if s["agent"] == self._agent
        }
        expected = {
            self._keys.get(session_id, session_id): told.shown()
            for session_id, told in self._reference.sessions.items()
        }
        open_permissions = [p for p in state["permissions"] if p["sessionId"] in expected]
        waiting = len(open_permissions), len(self._reference.asked.keys() - self._cancelled)
        found = differences(expected, mine)
        if waiting[0] != waiting[1]:
            found.append(f"{waiting[0]} permissions are open, not {waiting[1]}")
        return found
