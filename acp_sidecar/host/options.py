"""Config options: set by the user, and those that settings fix for an agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from acp_sidecar.errors import EditorError, Fault, NotSupported, Problem, SidecarError
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.host.ports import Done, Listener
from acp_sidecar.host.signing_in import Failed, with_sign_in
from acp_sidecar.session.handshake import ConfigOptionsSet
from acp_sidecar.session.options import (
    BooleanConfigOption,
    SelectConfigOption,
    SelectGroup,
    SessionConfigOption,
)
from acp_sidecar.session.state import Session
from acp_sidecar.session.updates import ConfigOptionUpdate

Value = str | bool
NAMED = 20
"""Options or values that an error names."""


class Options:
    """The options of all sessions; what the user has set outlives a session's resuming."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._chosen: dict[tuple[str, str], dict[str, Value]] = {}

    def choose(
        self, host: AgentHost, session: Session, config_id: str, value: Value, done: Done
    ) -> None:
        """The user sets an option; kept for when the session is opened again."""
        unusable = _unusable(session.config_options, config_id, value)
        if unusable is not None:
            done(unusable)
            return

        def attempt(failed: Failed) -> None:
            def answered(error: SidecarError | None) -> None:
                if error is not None:
                    failed(error)
                    return
                key = (host.name, session.session_id)
                self._chosen.setdefault(key, {})[config_id] = value
                done(None)

            self._set(host, session, config_id, value, answered)

        with_sign_in(self._listener, host, attempt, done)

    def forget(self, agent: str, session_id: str) -> None:
        """The session is gone for good."""
        self._chosen.pop((agent, session_id), None)

    def configure(self, host: AgentHost, session: Session, done: Callable[[], None]) -> None:
        """Set what the settings say, and what the user has said since; `done` when it is so.

        One after the other, because an option may come only with the value of another one.
        What cannot be set is told as a problem and keeps nothing up.
        """
        chosen = self._chosen.get((host.name, session.session_id), {})
        self._next(host, session, {**host.settings.options, **chosen}, done)

    def _next(
        self, host: AgentHost, session: Session, wanted: dict[str, Value], done: Callable[[], None]
    ) -> None:
        offered = {option.config_id: option for option in session.config_options}
        config_id = next((each for each in wanted if each in offered), None)
        if config_id is None:
            for missing, value in wanted.items():
                self._tell(host, missing, _unusable(session.config_options, missing, value))
            done()
            return
        value = wanted[config_id]
        rest = {key: each for key, each in wanted.items() if key != config_id}
        unusable = _unusable([offered[config_id]], config_id, value)

        def go_on(error: SidecarError | None) -> None:
            self._tell(host, config_id, error)
            self._next(host, session, rest, done)

        if unusable is not None or _has(offered[config_id], value):
            go_on(unusable)
        else:
            self._set(host, session, config_id, value, go_on)

    def _tell(self, host: AgentHost, config_id: str, error: SidecarError | None) -> None:
        if error is not None:
            where = f"agents.{host.name}.options.{config_id}"
            text = f"Setting {where} has no effect: {error}"
            self._listener.problem(host.name, Problem(Fault.CONFIG, "bad-option", text, where))

    def _set(
        self, host: AgentHost, session: Session, config_id: str, value: Value, done: Done
    ) -> None:
        """`session/set_config_option` (v1: also `set_mode`, `set_model`)."""

        def answered(answer: ConfigOptionsSet | None) -> None:
            if answer is not None:
                update = ConfigOptionUpdate(config_options=answer.config_options)
                host.incoming.update(session, update)
            done(None)

        try:
            outgoing = host.adapter.set_option(session.session_id, config_id, value)
            host.request(outgoing, answered, done)
        except SidecarError as error:
            done(error)


def _has(option: SessionConfigOption, value: Value) -> bool:
    if not isinstance(option, SelectConfigOption | BooleanConfigOption):
        return False
    return option.current_value == value


def _unusable(
    options: Sequence[SessionConfigOption], config_id: str, value: Value
) -> SidecarError | None:
    """Why an option cannot be set to a value, if it cannot."""
    option = next((each for each in options if each.config_id == config_id), None)
    if option is None:
        names = _named([each.config_id for each in options])
        return EditorError(f"There is no option {config_id}.", advice=f"There are: {names}.")
    if isinstance(option, BooleanConfigOption):
        if isinstance(value, bool):
            return None
        return EditorError(f"The option {config_id} is either true or false.")
    if not isinstance(option, SelectConfigOption):
        return NotSupported(f"Options of type {option.type}, like {config_id}, cannot be set here.")
    values = _values(option)
    if value in values or not values:
        return None  # an agent that lists no values may have some all the same
    return EditorError(
        f"The option {config_id} has no value {value}.", advice=f"It has: {_named(values)}."
    )


def _values(option: SelectConfigOption) -> list[str]:
    values = []
    for each in option.options:
        choices = each.options if isinstance(each, SelectGroup) else [each]
        values += [choice.value for choice in choices]
    return values


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(names[:NAMED]) or "none"
    return f"{shown} and {len(names) - NAMED} more" if len(names) > NAMED else shown
