"""ACP v2, the client's side: our requests, the agent's messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from acp_sidecar.errors import Fault, NotSupported, Problem
from acp_sidecar.session.handshake import (
    AgentAuthMethod,
    AgentCapabilities,
    AuthMethod,
    ConfigOptionsSet,
    SessionCapabilities,
    SessionList,
    SessionOpened,
)
from acp_sidecar.session.permissions import ElicitationRequest, PermissionRequest
from acp_sidecar.session.terminals import TerminalOutputChunk, TerminalUpdate
from acp_sidecar.session.tool_calls import ToolCallContentChunk, ToolCallUpdate
from acp_sidecar.session.updates import (
    AvailableCommandsUpdate,
    CompactionSummaryChunk,
    CompactionUpdate,
    ConfigOptionUpdate,
    MessageChunk,
    MessageUpdate,
    Notice,
    PlanUpdate,
    SessionInfoUpdate,
    StateUpdate,
    UnknownUpdate,
    Update,
    UsageUpdate,
)
from acp_sidecar.wire.lenient import Decoded, decode, excerpt
from acp_sidecar.wire.protocol import (
    AgentMessage,
    ElicitationCompleted,
    Json,
    Outgoing,
    OutgoingNotification,
    PromptAnswer,
    RequestCancelled,
    ResumeKind,
    SessionUpdates,
    UnknownMethod,
    decode_nothing,
    not_by_protocol,
)
from acp_sidecar.wire.v2.drafts import modernize

UPDATE_TYPES: Final[dict[str, type[Any]]] = {
    "user_message": MessageUpdate,
    "agent_message": MessageUpdate,
    "agent_thought": MessageUpdate,
    "user_message_chunk": MessageChunk,
    "agent_message_chunk": MessageChunk,
    "agent_thought_chunk": MessageChunk,
    "state_update": StateUpdate,
    "tool_call_update": ToolCallUpdate,
    "tool_call_content_chunk": ToolCallContentChunk,
    "terminal_update": TerminalUpdate,
    "terminal_output_chunk": TerminalOutputChunk,
    "plan_update": PlanUpdate,
    "available_commands_update": AvailableCommandsUpdate,
    "config_option_update": ConfigOptionUpdate,
    "session_info_update": SessionInfoUpdate,
    "usage_update": UsageUpdate,
    "notice": Notice,
    "compaction_update": CompactionUpdate,
    "compaction_summary_chunk": CompactionSummaryChunk,
}
"""`sessionUpdate` to the type that holds it (ACP v2 `SessionUpdate`)."""

LONGEST_LIST: Final = 10_000
"""Sessions that are taken from one answer to `session/list`."""

_ROLES: Final = {
    "user_message": "user",
    "agent_message": "agent",
    "agent_thought": "thought",
    "user_message_chunk": "user",
    "agent_message_chunk": "agent",
    "agent_thought_chunk": "thought",
}


def malformed(where: str, value: Json) -> Decoded[Any]:
    """A message that has not even the shape to be looked into."""
    message = f"{where} is not what the protocol says; the message is ignored"
    return Decoded(None, [Problem(Fault.AGENT, "malformed", message, where, excerpt(value))])


_OF_IDLE: Final = frozenset({"stopReason", "error"})
"""Members of a state that only `idle` has; elsewhere they are extensions, and may be anything."""


def decode_update(update: Json) -> Decoded[Update]:
    """One v2 session update; unknown kinds are kept whole."""
    kind = update.get("sessionUpdate") if isinstance(update, dict) else None
    if not isinstance(kind, str):
        return malformed("session/update", update)
    model = UPDATE_TYPES.get(kind, UnknownUpdate)
    role = _ROLES.get(kind)
    payload = update if role is None else {**update, "role": role}
    if model is StateUpdate and payload.get("state") != "idle":
        payload = {name: item for name, item in payload.items() if name not in _OF_IDLE}
    return decode(model, payload, kind)


def decode_updates(params: Json) -> Decoded[SessionUpdates]:
    """`session/update`."""
    session_id = params.get("sessionId") if isinstance(params, dict) else None
    if not isinstance(session_id, str):
        return malformed("session/update", params)
    decoded = decode_update(params.get("update"))
    if decoded.value is None or decoded.problems:
        again = decode_update(modernize(params.get("update")))
        decoded = again if len(again.problems) < len(decoded.problems) else decoded
    if decoded.value is None:
        return Decoded(None, decoded.problems)
    return Decoded(SessionUpdates(session_id, (decoded.value,)), decoded.problems)


def decode_answer(model: type[Any], where: str, result: Json) -> Decoded[Any]:
    """An answer to a request of ours, in the newest draft's words or an older one's."""
    decoded = decode(model, result, where)
    if decoded.value is None or decoded.problems:
        again = decode(model, modernize(result), where)
        return again if len(again.problems) < len(decoded.problems) else decoded
    return decoded


def answer_decoder(model: type[Any], where: str) -> Callable[[Json], Decoded[Any]]:
    """How answers to `where` are understood."""
    return partial(decode_answer, model, where)


def decode_cancel_request(params: Json) -> Decoded[AgentMessage]:
    """`$/cancel_request`."""
    request_id = params.get("requestId") if isinstance(params, dict) else None
    if not isinstance(request_id, int | str) or isinstance(request_id, bool):
        return malformed("$/cancel_request", params)
    return Decoded(RequestCancelled(request_id))


def decode_completed(params: Json) -> Decoded[AgentMessage]:
    """`elicitation/complete`."""
    elicitation_id = params.get("elicitationId") if isinstance(params, dict) else None
    if not isinstance(elicitation_id, str):
        return malformed("elicitation/complete", params)
    return Decoded(ElicitationCompleted(elicitation_id))


def decode_shared(method: str, params: Json) -> Decoded[AgentMessage]:
    """What both versions say alike, and what neither knows."""
    match method:
        case "elicitation/create":
            return decode(ElicitationRequest, params, method)
        case "elicitation/complete":
            return decode_completed(params)
        case "$/cancel_request":
            return decode_cancel_request(params)
        case _:
            return Decoded(UnknownMethod(method))


def decode_session_list(result: Json) -> Decoded[SessionList]:
    """Answer to `session/list`; of an agent that answers with everything, the beginning."""
    sessions = result.get("sessions") if isinstance(result, dict) else None
    if not isinstance(sessions, list) or len(sessions) <= LONGEST_LIST:
        decoded: Decoded[SessionList] = decode_answer(SessionList, "session/list", result)
        return decoded
    cut = {**result, "sessions": sessions[:LONGEST_LIST]}
    decoded = decode_answer(SessionList, "session/list", cut)
    text = f"{len(sessions)} sessions in one answer; only the first {LONGEST_LIST} are shown."
    problem = Problem(Fault.AGENT, "list-too-long", text, "session/list")
    return Decoded(decoded.value, [*decoded.problems, problem])


class V2Adapter:
    """ACP v2 needs no memory: what it says is what we store.

    Args:
        capabilities: What the agent offers.
        signs_in: It offers ways to sign in, and so signing in and out at all.
    """

    version = 2
    takes_prompts_while_busy = True
    resumes: ResumeKind = "replay"
    resumes_in_place = True

    def __init__(
        self, capabilities: AgentCapabilities | None = None, *, signs_in: bool = True
    ) -> None:
        self._session = (capabilities or AgentCapabilities()).session
        self._signs_in = signs_in

    @property
    def takes_directories(self) -> bool:
        return takes_directories(self._session)

    def incoming(self, method: str, params: Json) -> Decoded[AgentMessage]:
        match method:
            case "session/update":
                return decode_updates(params)  # type: ignore[return-value]  # Decoded is covariant in use
            case "session/request_permission":
                return decode(PermissionRequest, params, method)
            case _:
                return decode_shared(method, params)

    def authenticate(self, method: AuthMethod) -> Outgoing[None]:
        if not isinstance(method, AgentAuthMethod):
            raise not_by_protocol(method)
        return Outgoing("auth/login", {"methodId": method.method_id}, decode_nothing)

    def logout(self) -> Outgoing[None]:
        if not self._signs_in:
            raise NotSupported("This agent cannot sign out.", advice="Sign out in its own program.")
        return Outgoing("auth/logout", {}, decode_nothing)

    def new_session(self, cwd: str, directories: Sequence[str]) -> Outgoing[SessionOpened]:
        params = place(cwd, directories, self._session)
        return Outgoing("session/new", params, answer_decoder(SessionOpened, "session/new"))

    def offering(
        self, opening: Outgoing[SessionOpened], servers: Sequence[Json]
    ) -> Outgoing[SessionOpened]:
        return replace(opening, params={**opening.params, "mcpServers": list(servers)})

    def list_sessions(self, cwd: str | None, cursor: str | None) -> Outgoing[SessionList]:
        params = {"cwd": cwd, "cursor": cursor}
        named = {key: value for key, value in params.items() if value is not None}
        return Outgoing("session/list", named, decode_session_list)

    def resume_session(
        self, session_id: str, cwd: str, directories: Sequence[str], *, replay: bool
    ) -> Outgoing[SessionOpened]:
        params = {"sessionId": session_id, **place(cwd, directories, self._session)}
        if replay:
            params["replayFrom"] = {"type": "start"}
        decoder = answer_decoder(SessionOpened, "session/resume")
        return Outgoing("session/resume", params, decoder, replays=replay)

    def close_session(self, session_id: str) -> Outgoing[None]:
        return Outgoing("session/close", {"sessionId": session_id}, decode_nothing)

    def delete_session(self, session_id: str) -> Outgoing[None]:
        if self._session is None or self._session.delete is None:
            raise NotSupported("This agent cannot delete sessions.")
        return Outgoing("session/delete", {"sessionId": session_id}, decode_nothing)

    def prompt(self, session_id: str, blocks: list[Json]) -> Outgoing[PromptAnswer]:
        params = {"sessionId": session_id, "prompt": blocks}
        return Outgoing("session/prompt", params, _decode_prompt)

    def prompt_updates(self, session_id: str, blocks: list[Json]) -> list[Update]:
        return []

    def cancel(self, session_id: str) -> OutgoingNotification:
        return OutgoingNotification("session/cancel", {"sessionId": session_id})

    def set_option(
        self, session_id: str, config_id: str, value: str | bool
    ) -> Outgoing[ConfigOptionsSet]:
        value_type = "boolean" if isinstance(value, bool) else "id"
        params = {
            "sessionId": session_id,
            "configId": config_id,
            "type": value_type,
            "value": value,
        }
        method = "session/set_config_option"
        return Outgoing(method, params, answer_decoder(ConfigOptionsSet, method))

    def cancel_tool_call(self, session_id: str, tool_call_id: str) -> Outgoing[None]:
        params = {"sessionId": session_id, "toolCallId": tool_call_id}
        return Outgoing("tool_call/cancel", params, decode_nothing)

    def cancel_terminal(self, session_id: str, terminal_id: str) -> Outgoing[None]:
        params = {"sessionId": session_id, "terminalId": terminal_id}
        return Outgoing("terminal/cancel", params, decode_nothing)


def place(
    cwd: str, directories: Sequence[str], capabilities: SessionCapabilities | None
) -> dict[str, Json]:
    """Where a session works, in the parameters that open it."""
    params: dict[str, Json] = {"cwd": cwd, "mcpServers": []}
    if directories and takes_directories(capabilities):
        params["additionalDirectories"] = list(directories)
    return params


def takes_directories(capabilities: SessionCapabilities | None) -> bool:
    """Whether sessions may have further roots."""
    return capabilities is not None and capabilities.additional_directories is not None


def _decode_prompt(result: Json) -> Decoded[PromptAnswer]:
    """v2 answers at once with a message id; an early draft answered at the end, as v1 does."""
    fields = result if isinstance(result, dict) else {}
    message_id, stop_reason = fields.get("messageId"), fields.get("stopReason")
    if isinstance(stop_reason, str):
        return Decoded(PromptAnswer(None, ended=True, stop_reason=stop_reason))
    if isinstance(message_id, str):
        return Decoded(PromptAnswer(message_id))
    return Decoded(PromptAnswer(), malformed("session/prompt", result).problems)
