"""Open permissions: each is settled exactly once, by whoever comes first.

Law of this file: an agent is answered in `_settle` and nowhere else, and the option it is given was
chosen by the user or by a rule. Everything else that can happen (dismissal, time-out, cancelling,
an answer that makes no sense, the end of anybody) cancels.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Literal

from acp_sidecar.config import PermissionRule, PermissionSettings
from acp_sidecar.errors import EditorError
from acp_sidecar.features.permission import ask
from acp_sidecar.features.permission.audit import Audit, remembered_view
from acp_sidecar.features.permission.choices import (
    chosen_to_allow,
    chosen_to_deny,
    labels,
    option_by_id,
)
from acp_sidecar.features.permission.facts import Facts, gather
from acp_sidecar.features.permission.messages import (
    PERMISSION,
    PERMISSION_SETTLED,
    AuditEntry,
    By,
    Outcome,
    PermissionSettledParams,
    Question,
    RememberedView,
)
from acp_sidecar.features.permission.opened import Answer, Open
from acp_sidecar.features.permission.prompts import Clock, Prompt, PromptQueue
from acp_sidecar.features.permission.remember import rule_of_answer
from acp_sidecar.features.permission.rules import Decision, Remembered, Rules, unless_outside
from acp_sidecar.features.permission.suggest import suggestions
from acp_sidecar.features.ports import Editor, Json, Level, Workspace
from acp_sidecar.session.permissions import PermissionOption, PermissionRequest
from acp_sidecar.session.state import Session
from acp_sidecar.session.view import plain

PREVIEW: Final = "Preview"
MOST_OPEN: Final = 200


class Permissions:
    """Decides by rules, else asks the user, and answers each request exactly once."""

    def __init__(
        self,
        settings: PermissionSettings,
        editor: Editor,
        workspace: Workspace,
        *,
        clock: Clock,
        prompts: PromptQueue,
        preview: Callable[[str], None] | None = None,
    ) -> None:
        """Create it without any open permission.

        Args:
            settings: Rules, time-out and how long prompts are inert.
            editor: Where to ask.
            workspace: Resolves paths.
            clock: Seconds, never going back.
            prompts: Asks one at a time where the editor has no prompts of its own.
            preview: Shows the change of the permission with this id, read-only.
        """
        self._settings = settings
        self._editor = editor
        self._workspace = workspace
        self._clock = clock
        self._prompts = prompts
        self._preview = preview
        self.rules = Rules(settings.rules, workspace.resolve)
        self._audit = Audit()
        self._open: dict[str, Open] = {}
        self._count = 0

    # --- what happens -----------------------------------------------------------------------------

    def requested(
        self,
        session: Session,
        request: PermissionRequest,
        answer: Answer,
        *,
        within: Literal["allow", "ask"] = "ask",
    ) -> str:
        """An agent asks; returns the permission's id.

        Args:
            session: Its session; the tool call's patch has been applied to it.
            request: What it asks.
            answer: Called exactly once, perhaps before this returns, unless the agent withdraws
                the request or is gone.
            within: What to do, if no rule speaks, with what is certainly within the workspace.
        """
        self._count += 1
        permission_id = f"permission-{self._count}"
        facts = gather(session, request, self._workspace)
        one = Open(permission_id, session, request, facts, self._clock(), answer)
        self._open[permission_id] = one
        if session.cancelling or session.closed:
            self._settle(one, "cancelled", None, "session", "the turn was being cancelled")
        elif not request.options:
            self._settle(one, "cancelled", None, "agent", "the agent offers no options")
        elif len(self._open) > MOST_OPEN:
            self._settle(one, "cancelled", None, "agent", "too many permissions are open")
        elif not self._settled_by_rule(one, self._decide(facts, session.key, within)):
            self._ask(one)
        return permission_id

    def _decide(self, facts: Facts, session: str, within: str) -> Decision:
        decision = self.rules.decide(facts, session)
        return decision if within == "ask" else unless_outside(decision, facts)

    def answer(self, permission_id: str, option_id: str | None, remember: Json = None) -> None:
        """The user answers by command; `None` cancels.

        Args:
            permission_id: Which one.
            option_id: The option chosen.
            remember: As in `PermissionAnswer`: make a rule of it.

        Raises:
            EditorError: The permission is unknown or settled, or has no such option.
        """
        one = self._open.get(permission_id)
        if one is None:
            raise EditorError("There is no such open permission.", advice="See acp.state.")
        option = None if option_id is None else option_by_id(one.request.options, option_id)
        if option_id is not None and option is None:
            raise EditorError("The permission has no such option.", advice="See acp.state.")
        self._settle_by_user(one, option, remember)

    def withdraw(self, permission_id: str) -> bool:
        """The agent takes its request back; whether it was still open. `answer` is not called."""
        one = self._open.get(permission_id)
        if one is None:
            return False
        self._settle(one, "withdrawn", None, "agent", "withdrawn by the agent")
        return True

    def cancel_session(self, session: Session) -> None:
        """The session's turn is cancelled: so is all it asks."""
        for one in self._of(lambda each: each.session is session):
            self._settle(one, "cancelled", None, "session", "the turn was cancelled")

    def session_closed(self, session: Session) -> None:
        """The session is over, and with it the rules remembered for it."""
        self.cancel_session(session)
        self.rules.forget_session(session.key)

    def agent_gone(self, agent: str) -> None:
        """The agent's process is gone: nobody is left to answer."""
        for one in self._of(lambda each: each.session.agent == agent):
            self._settle(one, "closed", None, "agent", "the agent is gone")

    def shutdown(self) -> None:
        """The editor is gone."""
        for one in self._of(lambda _: True):
            self._settle(one, "cancelled", None, "shutdown", "the editor is gone")

    def configure(self, settings: PermissionSettings) -> None:
        """The settings have changed; new rules settle what they cover."""
        self._settings = settings
        self.rules.configure(settings.rules)
        self._prompts.inert = settings.inert
        self._settle_covered()

    def add_rule(self, rule: PermissionRule, session: Session | None = None) -> None:
        """Remember a rule; it settles the open permissions that it covers.

        Raises:
            EditorError: A rule for a session without one.
        """
        if rule.scope == "session" and session is None:
            raise EditorError("A rule for a session needs one.", advice="Name the session.")
        key = session.key if session is not None and rule.scope == "session" else None
        self._audit_rule(self.rules.remember(rule, key), session)
        self._settle_covered()

    def forget_rule(self, number: int) -> None:
        """Take back a remembered rule.

        Raises:
            EditorError: There is none of this number.
        """
        forgotten = self.rules.forget(number)
        if forgotten is None:
            raise EditorError("There is no such remembered rule.", advice="See acp.state.")
        self._audit.rule(self._clock(), forgotten, "", "forgotten")
        self._editor.log(Level.INFO, f"Permission: remembered rule {number} was forgotten.")

    def deadline(self) -> float | None:
        """When `tick` has something to do, by the clock; `None` is never."""
        found = [self._prompts.deadline()]
        if self._settings.timeout is not None:
            found += [one.since + self._settings.timeout for one in self._open.values()]
        return min((each for each in found if each is not None), default=None)

    def tick(self) -> None:
        """Time has passed."""
        timeout = self._settings.timeout
        if timeout is not None:
            now = self._clock()
            for one in self._of(lambda each: now >= each.since + timeout):
                self._settle(one, "cancelled", None, "timeout", "nobody answered in time")
        self._prompts.tick()

    # --- what is shown ----------------------------------------------------------------------------

    def view(self) -> list[Json]:
        """`permissions` of `acp.state`: a list of `PermissionView`."""
        return [self._view(one) for one in self._open.values()]

    def audit_view(self) -> list[AuditEntry]:
        """What was decided, by whom and why; the oldest first."""
        return self._audit.view(self._clock())

    def rules_view(self) -> list[RememberedView]:
        """Rules that the user has added; the newest first, as they are tried."""
        return [remembered_view(each) for each in self.rules.remembered()]

    def _view(self, one: Open) -> Json:
        subject = one.request.subject
        asked = one.withdraw is not None
        asked = asked or (one.prompt is not None and self._prompts.is_showing(one.prompt))
        return {
            **self._question(one),
            "subject": None if subject is None else plain(subject),
            "asked": asked,
            "age": self._clock() - one.since,
        }

    def _question(self, one: Open) -> Question:
        suggested = suggestions(one.facts, self._workspace.resolve)
        return ask.question_of(
            one.permission_id,
            one.session,
            one.request,
            one.facts,
            reason=one.reason,
            suggested=suggested,
        )

    # --- asking -----------------------------------------------------------------------------------

    def _ask(self, one: Open) -> None:
        one.withdraw = None
        if "permission" not in self._editor.abilities.rich:
            self._ask_plainly(one, again=False)
            return
        params = {
            **self._question(one),
            "subject": ask.subject_of(one.request),
            "inert": self._settings.inert,
        }
        on_answer = partial(self._rich_answer, one)
        withdraw = self._editor.request(PERMISSION, params, on_answer, lambda: self._ask(one))
        if one.permission_id in self._open:
            one.withdraw = withdraw

    def _ask_plainly(self, one: Open, *, again: bool) -> None:
        shows = one.facts.has_diff and self._preview is not None
        one.prompt = Prompt(
            Level.WARNING,
            ask.message_of(one.session, one.request, one.facts),
            labels(one.request.options, [PREVIEW] if shows else []),
            lambda index: self._plain_answer(one, index),
            f"Answer {one.permission_id} with the command acp.permission.answer.",
        )
        self._prompts.put(one.prompt, first=again)

    def _plain_answer(self, one: Open, index: int | None) -> None:
        options = one.request.options
        if index is None or index < len(options):
            self._settle_by_user(one, None if index is None else options[index])
        elif self._preview is not None and one.permission_id in self._open:
            self._preview(one.permission_id)
            if one.permission_id in self._open:
                self._ask_plainly(one, again=True)

    def _rich_answer(self, one: Open, result: Json) -> None:
        one.withdraw = None  # it is over on the editor's side
        if result is None:
            self._settle_by_user(one, None)
            return
        option_id = result.get("optionId") if isinstance(result, dict) else None
        option = (
            option_by_id(one.request.options, option_id) if isinstance(option_id, str) else None
        )
        if option is None:
            reason = "the editor's answer names no option of it"
            self._settle(one, "cancelled", None, "editor", reason)
        else:
            self._settle_by_user(one, option, result.get("remember"))

    # --- settling ---------------------------------------------------------------------------------

    def _settle_by_user(
        self, one: Open, option: PermissionOption | None, remember: Json = None
    ) -> None:
        if one.permission_id not in self._open:
            return
        if option is None:
            self._settle(one, "cancelled", None, "user", "dismissed by the user")
            return
        self._settle(one, "selected", option, "user", "chosen by the user")
        if remember is not None:
            self._remember(one, option, remember)

    def _remember(self, one: Open, option: PermissionOption, remember: Json) -> None:
        rule = rule_of_answer(remember, option, suggestions(one.facts, self._workspace.resolve))
        if isinstance(rule, PermissionRule):
            self.add_rule(rule, one.session)
        else:
            self._editor.message(Level.WARNING, f"The answer was not made a rule: {rule}")

    def _settled_by_rule(self, one: Open, decision: Decision) -> bool:
        """Whether a rule settled it; else `reason` tells which rule asks."""
        one.reason = decision.reason if decision.do == "ask" else ""
        options = one.request.options
        if decision.do == "allow":
            option = chosen_to_allow(options)
            if option is None:
                one.reason = f"asked, because {decision.rule} finds no option to allow it once"
                return False
            self._settle(one, "selected", option, "rule", decision.reason)
            return True
        if decision.do == "deny":
            option = chosen_to_deny(options)
            outcome: Outcome = "selected" if option is not None else "cancelled"
            self._settle(one, outcome, option, "rule", decision.reason)
            return True
        return False

    def _settle_covered(self) -> None:
        """Rules have changed. The call may have, too, since it was asked about: both must agree."""
        for one in self._of(lambda _: True):
            now = gather(one.session, one.request, self._workspace)
            decision = self.rules.decide(now, one.session.key)
            if decision.do == self.rules.decide(one.facts, one.session.key).do:
                self._settled_by_rule(one, decision)

    def _of(self, wanted: Callable[[Open], bool]) -> list[Open]:
        return [one for one in self._open.values() if wanted(one)]

    def _settle(
        self,
        one: Open,
        outcome: Outcome,
        option: PermissionOption | None,
        by: By,
        reason: str,
    ) -> None:
        if self._open.pop(one.permission_id, None) is None:
            return
        self._record(one, outcome, option, by, reason)
        if outcome in {"selected", "cancelled"}:
            one.answer(None if option is None else option.option_id)
        if one.withdraw is not None:
            one.withdraw()
        if one.prompt is not None:
            self._prompts.withdraw(one.prompt)

    def _record(
        self, one: Open, outcome: Outcome, option: PermissionOption | None, by: By, reason: str
    ) -> None:
        settled: PermissionSettledParams = {
            "permissionId": one.permission_id,
            "sessionId": one.session.key,
            "agent": one.session.agent,
            "title": ask.title_of(one.session, one.request),
            "toolCallId": ask.subject_of(one.request)["toolCallId"],
            "outcome": outcome,
            "optionId": None if option is None else option.option_id,
            "by": by,
            "reason": reason,
        }
        self._audit.settled(self._clock(), settled, None if option is None else option.kind)
        if by != "user":
            self._editor.log(Level.INFO, f"Permission: {settled['title']}: {reason}.")
        if "permission" in self._editor.abilities.rich:
            self._editor.notify(PERMISSION_SETTLED, settled)

    def _audit_rule(self, added: Remembered, session: Session | None) -> None:
        agent = "" if session is None else session.agent
        self._audit.rule(self._clock(), added, agent, "remembered")
        self._editor.log(Level.INFO, f"Permission: remembered rule {added.number} was added.")
