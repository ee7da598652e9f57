"""ACP v1, the client's side, upgraded to v2 semantics.

v1 leaves more unsaid than v2, so this adapter remembers a little per session: which message the
chunks belong to, the modes and models, and the prompt that some agents echo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from acp_sidecar.errors import NotSupported, Problem
from acp_sidecar.session.handshake import (
    AgentCapabilities,
    AuthMethod,
    ConfigOptionsSet,
    SessionList,
    SessionOpened,
    TerminalAuthMethod,
)
from acp_sidecar.session.permissions import PermissionRequest
from acp_sidecar.session.updates import Update
from acp_sidecar.wire.lenient import Decoded, decode
from acp_sidecar.wire.protocol import (
    AgentMessage,
    Json,
    Outgoing,
    OutgoingNotification,
    PromptAnswer,
    ResumeKind,
    SessionUpdates,
    decode_nothing,
    not_by_protocol,
)
from acp_sidecar.wire.v1 import upgrade
from acp_sidecar.wire.v1.client_methods import METHODS, decode_client_request
from acp_sidecar.wire.v2.adapter import (
    decode_session_list,
    decode_shared,
    decode_update,
    malformed,
    place,
    takes_directories,
)

_CHUNK_ROLES = {
    "user_message_chunk": "user",
    "agent_message_chunk": "agent",
    "agent_thought_chunk": "thought",
}


@dataclass(slots=True)
class _V1Session:
    """What v1 does not repeat.

    Attributes:
        role: Whose message is open: the next chunk of the same role without an id joins it.
        echo: What is left of the prompt if the agent repeats it as user chunks.
    """

    modes: dict[str, Json] | None = None
    models: dict[str, Json] | None = None
    options: list[Json] = field(default_factory=list)
    role: str | None = None
    message_count: int = 0
    echo: str = ""

    def message_id(self, role: str) -> str:
        """The id of the open message, or of a new one."""
        if self.role != role:
            self.role = role
            self.message_count += 1
        return f"{role}-{self.message_count}"

    def config_options(self) -> list[Json]:
        """Options, modes and models as one list; real options win over what they replace."""
        categories = {o.get("category") for o in self.options if isinstance(o, dict)}
        extra = []
        if self.modes and upgrade.MODE_OPTION not in categories:
            extra.append(upgrade.mode_option(self.modes))
        if self.models and upgrade.MODEL_OPTION not in categories:
            extra.append(upgrade.model_option(self.models))
        return [*self.options, *extra]


class V1Adapter:
    """Made after `initialize`: `capabilities` decide what resume means."""

    version = 1
    takes_prompts_while_busy = False

    def __init__(self, capabilities: AgentCapabilities | None = None) -> None:
        self._capabilities = capabilities or AgentCapabilities()
        self._sessions: dict[str, _V1Session] = {}

    @property
    def resumes(self) -> ResumeKind:
        session = self._capabilities.session
        if session is None:
            return "none"
        if session.load is not None:
            return "replay"
        return "none" if session.resume is None else "plain"

    @property
    def resumes_in_place(self) -> bool:
        return getattr(self._capabilities.session, "resume", None) is not None

    @property
    def takes_directories(self) -> bool:
        return takes_directories(self._capabilities.session)

    def _session(self, session_id: str) -> _V1Session:
        return self._sessions.setdefault(session_id, _V1Session())

    def incoming(self, method: str, params: Json) -> Decoded[AgentMessage]:
        match method:
            case "session/update":
                return self._updates(params)
            case "session/request_permission":
                return self._permission(params)
            case _ if method in METHODS:
                return decode_client_request(method, params)
            case _:
                return decode_shared(method, params)

    def _updates(self, params: Json) -> Decoded[AgentMessage]:
        session_id = params.get("sessionId") if isinstance(params, dict) else None
        update = params.get("update") if isinstance(params, dict) else None
        if not isinstance(session_id, str) or not isinstance(update, dict):
            return malformed("session/update", params)
        decoded = [decode_update(each) for each in self._upgrade(session_id, update)]
        problems = [problem for one in decoded for problem in one.problems]
        updates = [one.value for one in decoded if one.value is not None]
        if not updates:
            return Decoded(None, problems)
        return Decoded(SessionUpdates(session_id, updates), problems)

    def _upgrade(self, session_id: str, update: dict[str, Json]) -> list[Json]:
        session = self._session(session_id)
        kind = update.get("sessionUpdate")
        if kind in _CHUNK_ROLES:
            return self._chunk(session, _CHUNK_ROLES[kind], update)
        match kind:
            case "tool_call" | "tool_call_update":
                session.role = None
                return [*upgrade.terminal_updates(update), upgrade.tool_call(update)]
            case "plan":
                return [upgrade.plan_update(update)]
            case "available_commands_update":
                return [upgrade.available_commands(update)]
            case "current_mode_update":
                session.modes = {
                    **(session.modes or {}),
                    "currentModeId": update.get("currentModeId"),
                }
                session.options = upgrade.with_mode(session.options, update.get("currentModeId"))
                return [_options_update(session)]
            case "config_option_update":
                session.options = upgrade.config_options(update.get("configOptions")) or []
                return [_options_update(session)]
            case _:
                return [update]

    def _chunk(self, session: _V1Session, role: str, update: dict[str, Json]) -> list[Json]:
        if role != "user":
            session.echo = ""  # the turn has begun: what is said for the user now is no echo
        elif _is_echo(session, update):
            return []
        if isinstance(update.get("messageId"), str):
            session.role = None
            return [update]
        return [{**update, "messageId": session.message_id(role)}]

    def _permission(self, params: Json) -> Decoded[AgentMessage]:
        call = params.get("toolCall") if isinstance(params, dict) else None
        if not isinstance(call, dict):
            return malformed("session/request_permission", params)
        title = call.get("title")
        upgraded = {
            "sessionId": params.get("sessionId"),
            "title": title if isinstance(title, str) else "",
            "subject": {"type": "tool_call", "toolCall": upgrade.tool_call(call)},
            "options": params.get("options"),
            "_meta": params.get("_meta"),
        }
        return decode(PermissionRequest, upgraded, "session/request_permission")

    def authenticate(self, method: AuthMethod) -> Outgoing[None]:
        if isinstance(method, TerminalAuthMethod):
            raise not_by_protocol(method)
        # Of v1 all else is the agent's to do, `env_var` of older drafts included.
        return Outgoing("authenticate", {"methodId": method.method_id}, decode_nothing)

    def logout(self) -> Outgoing[None]:
        if self._capabilities.auth is None or self._capabilities.auth.logout is None:
            raise NotSupported("This agent cannot sign out.", advice="Sign out in its own program.")
        return Outgoing("logout", {}, decode_nothing)

    def new_session(self, cwd: str, directories: Sequence[str]) -> Outgoing[SessionOpened]:
        return Outgoing(
            "session/new", place(cwd, directories, self._capabilities.session), self._decode_new
        )

    def offering(
        self, opening: Outgoing[SessionOpened], servers: Sequence[Json]
    ) -> Outgoing[SessionOpened]:
        """In v1 a server on stdio is the one without a type."""
        known = [
            {name: value for name, value in each.items() if (name, value) != ("type", "stdio")}
            for each in servers
        ]
        return replace(opening, params={**opening.params, "mcpServers": known})

    def list_sessions(self, cwd: str | None, cursor: str | None) -> Outgoing[SessionList]:
        self._need("list", "list its sessions")
        params = {"cwd": cwd, "cursor": cursor}
        named = {key: value for key, value in params.items() if value is not None}
        return Outgoing("session/list", named, decode_session_list)

    def resume_session(
        self, session_id: str, cwd: str, directories: Sequence[str], *, replay: bool
    ) -> Outgoing[SessionOpened]:
        """v1 has `session/load` (tells the past again) and `session/resume` (does not)."""
        abilities = self._capabilities.session
        can_load = abilities is not None and abilities.load is not None
        can_resume = abilities is not None and abilities.resume is not None
        if not can_load and not can_resume:
            raise NotSupported("This agent cannot resume sessions.", advice="Start a new one.")
        method = "session/load" if can_load and (replay or not can_resume) else "session/resume"
        params = {"sessionId": session_id, **place(cwd, directories, self._capabilities.session)}
        self._sessions.pop(session_id, None)
        decoder = partial(self._decode_opened, session_id, method)
        return Outgoing(method, params, decoder, replays=method == "session/load")

    def close_session(self, session_id: str) -> Outgoing[None]:
        self._need("close", "close sessions")
        return Outgoing("session/close", {"sessionId": session_id}, decode_nothing)

    def delete_session(self, session_id: str) -> Outgoing[None]:
        self._need("delete", "delete sessions")
        return Outgoing("session/delete", {"sessionId": session_id}, decode_nothing)

    def _need(self, ability: str, what: str) -> None:
        if getattr(self._capabilities.session, ability, None) is None:
            raise NotSupported(f"This agent cannot {what}.")

    def prompt(self, session_id: str, blocks: list[Json]) -> Outgoing[PromptAnswer]:
        params = {"sessionId": session_id, "prompt": blocks}
        return Outgoing("session/prompt", params, _decode_prompt)

    def prompt_updates(self, session_id: str, blocks: list[Json]) -> list[Update]:
        """v1 agents do not tell the user's message or that they are running."""
        session = self._session(session_id)
        session.role = None
        message_id = session.message_id("user")
        session.role = None
        session.echo = "".join(block["text"] for block in blocks if block.get("type") == "text")
        said = [
            {"sessionUpdate": "user_message", "messageId": message_id, "content": blocks},
            {"sessionUpdate": "state_update", "state": "running"},
        ]
        return [one.value for one in map(decode_update, said) if one.value is not None]

    def cancel(self, session_id: str) -> OutgoingNotification:
        return OutgoingNotification("session/cancel", {"sessionId": session_id})

    def set_option(
        self, session_id: str, config_id: str, value: str | bool
    ) -> Outgoing[ConfigOptionsSet]:
        session = self._session(session_id)
        if not any(isinstance(o, dict) and o.get("configId") == config_id for o in session.options):
            if config_id == upgrade.MODE_OPTION and session.modes is not None:
                return self._set(session, "modes", "currentModeId", session_id, value)
            if config_id == upgrade.MODEL_OPTION and session.models is not None:
                return self._set(session, "models", "currentModelId", session_id, value)
        params = {"sessionId": session_id, "configId": config_id, "value": value}
        if isinstance(value, bool):
            params["type"] = "boolean"
        method = "session/set_config_option"
        return Outgoing(method, params, partial(self._decode_options, session))

    def _set(
        self, session: _V1Session, where: str, key: str, session_id: str, value: str | bool
    ) -> Outgoing[ConfigOptionsSet]:
        """`session/set_mode`, and `session/set_model` of the agents that send models."""
        method, param = {
            "modes": ("session/set_mode", "modeId"),
            "models": ("session/set_model", "modelId"),
        }[where]

        def done(_result: Json) -> Decoded[ConfigOptionsSet]:
            setattr(session, where, {**(getattr(session, where) or {}), key: value})
            return _options_set(session)

        return Outgoing(method, {"sessionId": session_id, param: value}, done)

    def cancel_tool_call(self, session_id: str, tool_call_id: str) -> Outgoing[None]:
        raise NotSupported("ACP v1 cannot cancel one tool call.", advice="Cancel the turn instead.")

    def cancel_terminal(self, session_id: str, terminal_id: str) -> Outgoing[None]:
        raise NotSupported("ACP v1 cannot stop one terminal.", advice="Cancel the turn instead.")

    def _decode_new(self, result: Json) -> Decoded[SessionOpened]:
        session_id = result.get("sessionId") if isinstance(result, dict) else None
        if not isinstance(session_id, str):
            return malformed("session/new", result)
        return self._decode_opened(session_id, "session/new", result)

    def _decode_opened(self, session_id: str, method: str, result: Json) -> Decoded[SessionOpened]:
        fields = result if isinstance(result, dict) else {}
        session = self._session(session_id)
        session.modes = _object(fields.get("modes"))
        session.models = _object(fields.get("models"))
        session.options = upgrade.config_options(fields.get("configOptions")) or []
        session.role = None
        opened = {
            "sessionId": session_id,
            "configOptions": session.config_options(),
            "_meta": fields.get("_meta"),
        }
        return decode(SessionOpened, opened, method)

    def _decode_options(self, session: _V1Session, result: Json) -> Decoded[ConfigOptionsSet]:
        fields = result if isinstance(result, dict) else {}
        session.options = upgrade.config_options(fields.get("configOptions")) or []
        return _options_set(session)


def _object(value: Json) -> dict[str, Json] | None:
    return value if isinstance(value, dict) else None


def _options_update(session: _V1Session) -> Json:
    return {"sessionUpdate": "config_option_update", "configOptions": session.config_options()}


def _options_set(session: _V1Session) -> Decoded[ConfigOptionsSet]:
    options = {"configOptions": session.config_options()}
    return decode(ConfigOptionsSet, options, "session/set_config_option")


def _is_echo(session: _V1Session, update: dict[str, Json]) -> bool:
    """Whether a user chunk repeats the prompt that is already shown; takes it off the rest."""
    content = update.get("content")
    text = content.get("text") if isinstance(content, dict) else None
    if not isinstance(text, str) or not text or not session.echo.startswith(text):
        return False
    session.echo = session.echo[len(text) :]
    return True


def _decode_prompt(result: Json) -> Decoded[PromptAnswer]:
    """v1 answers when the turn is over."""
    reason: Any = result.get("stopReason") if isinstance(result, dict) else None
    problems: list[Problem] = []
    if not isinstance(reason, str):
        problems = malformed("session/prompt", result).problems
        reason = None
    return Decoded(PromptAnswer(None, ended=True, stop_reason=reason), problems)
