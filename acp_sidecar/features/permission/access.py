"""May an agent have the client do this? For what it does not ask permission for by itself.

Agents of ACP v1 ask before they act, and then have the client read, write or run. So what lies
inside the workspace is done without asking again; but a rule that denies holds, a rule that asks
holds unless the user has just allowed the very same thing, and what lies outside of the workspace
is asked if no rule allows it. All of it is decided on verified facts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from acp_sidecar.features.permission.facts import Facts, gather
from acp_sidecar.features.permission.rules import Decision, Rules
from acp_sidecar.features.ports import Workspace
from acp_sidecar.features.served import Caller, Refusal
from acp_sidecar.session.permissions import (
    PermissionOption,
    PermissionRequest,
    ServedCall,
    ToolCallSubject,
)
from acp_sidecar.session.state import Session
from acp_sidecar.session.tool_calls import ToolCallLocation

_ALLOW: Final = PermissionOption(option_id="allow", name="Allow", kind="allow_once")
_REJECT: Final = PermissionOption(option_id="reject", name="Reject", kind="reject_once")
_CHANGES: Final = frozenset({"edit", "delete", "move"})


@dataclass(slots=True)
class _Granted:
    """What was allowed in a session's turn: real paths, and commands with their folders."""

    read: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    run: set[tuple[str, str | None]] = field(default_factory=set)

    def add(self, facts: Facts) -> None:
        reals = {fact.real for fact in facts.paths if fact.real is not None}
        self.read |= reals
        if facts.kinds & _CHANGES:
            self.changed |= reals
        if facts.command is not None:
            self.run.add((facts.command.text, facts.command.cwd))

    def covers(self, facts: Facts) -> bool:
        if facts.command is not None:
            return (facts.command.text, facts.command.cwd) in self.run
        known = self.changed if facts.kinds & _CHANGES else self.read
        return bool(facts.paths) and all(fact.real in known for fact in facts.paths)


class Access:
    """Decides by rules and by what was allowed just now, else asks the user."""

    def __init__(self, rules: Rules, workspace: Workspace) -> None:
        self._rules = rules
        self._workspace = workspace
        self._granted: dict[str, _Granted] = {}
        self._count = 0

    # --- what agents ask permission for by themselves ---------------------------------------------

    def asked(self, session: Session, request: PermissionRequest) -> Callable[[], None]:
        """An agent asks permission; call what this returns if it is allowed.

        The facts are those of now, when the user is asked: what the agent adds later counts not.
        """
        facts = gather(session, request, self._workspace)

        def allowed() -> None:
            self._granted.setdefault(session.key, _Granted()).add(facts)

        return allowed

    def turn_ended(self, session: Session) -> None:
        """What was allowed was for this turn."""
        self._granted.pop(session.key, None)

    # --- what agents have the client do -----------------------------------------------------------

    def to_file(
        self, session: Session, path: str, kind: str, caller: Caller[Any], go: Callable[[], None]
    ) -> None:
        """`go` if the agent may read (`kind` "read") or write ("edit") a file; else refuse."""
        title = f"{'Read' if kind == 'read' else 'Write'} {path}"
        call = ServedCall(
            tool_call_id=self._next_id(),
            title=title,
            kind=kind,
            locations=[ToolCallLocation(path=path)],
        )
        self._check(session, call, title, caller, go)

    def to_run(
        self,
        session: Session,
        command: str | list[str],
        cwd: str,
        caller: Caller[Any],
        go: Callable[[], None],
    ) -> None:
        """`go` if the agent may run a command (a line, or words) in a folder; else refuse."""
        title = "Run a command in the editor's terminal"
        call = ServedCall(
            tool_call_id=self._next_id(),
            title=title,
            kind="execute",
            raw_input={"command": command, "cwd": cwd},
        )
        self._check(session, call, title, caller, go)

    def _next_id(self) -> str:
        self._count += 1
        return f"client-request-{self._count}"

    def _check(
        self,
        session: Session,
        call: ServedCall,
        title: str,
        caller: Caller[Any],
        go: Callable[[], None],
    ) -> None:
        request = PermissionRequest(
            session_id=session.session_id,
            title=title,
            subject=ToolCallSubject(tool_call=call),
            options=[_ALLOW, _REJECT],
        )
        facts = gather(session, request, self._workspace)
        decision = self._decision(session, facts)
        if decision.do == "deny":
            caller.refuse(Refusal.DENIED, f"The user's permission rules forbid it: {title}")
        elif decision.do == "allow" or self._needs_no_question(session, facts, decision):
            go()
        elif session.cancelling:
            caller.refuse(Refusal.CANCELLED, f"The turn was cancelled: {title}")
        else:
            caller.ask(session, request, lambda option: _answered(option, title, caller, go))

    def _decision(self, session: Session, facts: Facts) -> Decision:
        """The stricter decision, where a rule may name what this is in two ways."""
        decision = self._rules.decide(facts, session.key)
        if facts.command is None or decision.do == "deny":
            return decision
        other = self._rules.decide(replace(facts, subject="command"), session.key)
        return other if other.do == "deny" or not decision.rule else decision

    def _needs_no_question(self, session: Session, facts: Facts, decision: Decision) -> bool:
        granted = self._granted.get(session.key)
        if granted is not None and granted.covers(facts):
            return True
        certain = facts.command is not None or facts.complete
        return certain and not decision.rule and not facts.outside


def _answered(
    option_id: str | None, title: str, caller: Caller[Any], go: Callable[[], None]
) -> None:
    if option_id == _ALLOW.option_id:
        go()
    elif option_id is None:
        caller.refuse(Refusal.CANCELLED, f"The user was asked and did not allow it: {title}")
    else:
        caller.refuse(Refusal.DENIED, f"The user refused it: {title}")
