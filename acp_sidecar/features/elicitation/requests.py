"""Open elicitations: each is answered exactly once, and what the user typed is kept nowhere.

Law of this file: agents are answered in `_settle` alone. "accept" only ever follows the user's own
choice; a page is opened after that, by the sidecar, once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from acp_sidecar.errors import EditorError
from acp_sidecar.features.elicitation.dialogue import Dialogue, needs_typing
from acp_sidecar.features.elicitation.form import Form, checked, read_form
from acp_sidecar.features.elicitation.link import Link, read_link
from acp_sidecar.features.elicitation.messages import (
    ELICITATION,
    ELICITATION_COMPLETED,
    ELICITATION_SETTLED,
    Action,
    ElicitationCompletedParams,
    ElicitationParams,
    ElicitationQuestion,
    ElicitationSettledParams,
    ElicitationView,
)
from acp_sidecar.features.elicitation.show import form_payload, link_payload, link_text
from acp_sidecar.features.permission.prompts import Clock, Prompt, PromptQueue
from acp_sidecar.features.ports import Editor, Json, Level, Withdraw
from acp_sidecar.features.sanitize import visible_line, visible_text
from acp_sidecar.session.permissions import ElicitationRequest, FormElicitation, UrlElicitation
from acp_sidecar.session.state import Session

Answer = Callable[[Action, Json], None]
"""Answers the agent: the action, and the content of an accepted form."""

MOST_TRIES: Final = 5
"""A form that comes back with mistakes is shown again so many times."""

KEPT_PAGES: Final = 100
MOST_OPEN: Final = 50
OPEN_PAGE: Final = "Open page"
DECLINE: Final = "Decline"


@dataclass(eq=False, slots=True)
class _Open:
    elicitation_id: str
    agent: str
    session: Session | None
    request: FormElicitation | UrlElicitation
    what: Form | Link
    since: float
    answer: Answer
    tries: int = 0
    errors: dict[str, str] = field(default_factory=dict)
    withdraw: Withdraw | None = None
    prompt: Prompt | None = None
    dialogue: Dialogue | None = None


class Elicitations:
    """Asks the user what agents want to know, and answers each request exactly once."""

    def __init__(self, editor: Editor, *, clock: Clock, prompts: PromptQueue) -> None:
        """Create it without any open elicitation; `prompts` is shared with permissions."""
        self._editor = editor
        self._clock = clock
        self._prompts = prompts
        self._open: dict[str, _Open] = {}
        self._pages: dict[tuple[str, str], str] = {}
        self._count = 0

    def requested(
        self, agent: str, session: Session | None, request: ElicitationRequest, answer: Answer
    ) -> str:
        """An agent asks; returns the sidecar's id of it.

        Args:
            agent: Its name.
            session: The session it is about; `None` for one that is about a request of ours.
            request: What it asks.
            answer: Called exactly once, perhaps before this returns, unless the agent withdraws
                the request or is gone.
        """
        self._count += 1
        elicitation_id = f"elicitation-{self._count}"
        what = self._understood(request)
        if isinstance(what, str) or not isinstance(request, FormElicitation | UrlElicitation):
            self._refuse(agent, str(what), answer)
            return elicitation_id
        one = _Open(elicitation_id, agent, session, request, what, self._clock(), answer)
        self._open[elicitation_id] = one
        if session is not None and (session.cancelling or session.closed):
            self._settle(one, "cancel", None, "the turn was being cancelled")
        elif len(self._open) > MOST_OPEN:
            self._settle(one, "cancel", None, "too many elicitations are open")
        else:
            self._ask(one)
        return elicitation_id

    def answer(self, elicitation_id: str, action: str, content: Json = None) -> None:
        """The user answers by command.

        Raises:
            EditorError: It is unknown or settled, the action is unknown, or the form has mistakes.
        """
        one = self._open.get(elicitation_id)
        if one is None:
            raise EditorError("There is no such open elicitation.", advice="See acp.state.")
        match action:
            case "accept" if isinstance(one.what, Form):
                kept, errors = checked(one.what, content)
                if errors:
                    told = "; ".join(f"{name}: {error}" for name, error in errors.items())
                    raise EditorError(f"The form has mistakes. {told}")
                self._settle(one, "accept", kept, "sent by the user")
            case "accept":
                self._consented(one)
            case "decline":
                self._settle(one, "decline", None, "declined by the user")
            case "cancel":
                self._settle(one, "cancel", None, "dismissed by the user")
            case _:
                raise EditorError("The action is accept, decline or cancel.")

    def completed(self, agent: str, agents_id: str) -> None:
        """The agent says that a page has done what it was for (`elicitation/complete`)."""
        elicitation_id = self._pages.pop((agent, agents_id), None)
        if elicitation_id is None:
            return
        if "elicitation" in self._editor.abilities.rich:
            params: ElicitationCompletedParams = {"elicitationId": elicitation_id}
            self._editor.notify(ELICITATION_COMPLETED, params)
        else:
            self._editor.message(Level.INFO, f"{visible_line(agent, 80)}: the page is done.")

    def withdraw(self, elicitation_id: str) -> bool:
        """The agent takes it back; whether it was still open. `answer` is not called."""
        one = self._open.get(elicitation_id)
        if one is not None:
            self._settle(one, None, None, "withdrawn by the agent")
        return one is not None

    def cancel_session(self, session: Session) -> None:
        """The session's turn is cancelled, or the session is closed."""
        for one in self._of(lambda each: each.session is session):
            self._settle(one, "cancel", None, "the turn was cancelled")

    def agent_gone(self, agent: str) -> None:
        """The agent's process is gone: nobody is left to answer."""
        self._pages = {key: value for key, value in self._pages.items() if key[0] != agent}
        for one in self._of(lambda each: each.agent == agent):
            self._settle(one, None, None, "the agent is gone")

    def shutdown(self) -> None:
        """The editor is gone."""
        for one in self._of(lambda _: True):
            self._settle(one, "cancel", None, "the editor is gone")

    def view(self) -> list[ElicitationView]:
        """What is open, for `acp.state`."""
        now = self._clock()
        return [self._view(one, now) for one in self._open.values()]

    # --- understanding ----------------------------------------------------------------------------

    def _understood(self, request: ElicitationRequest) -> Form | Link | str:
        match request:
            case FormElicitation():
                form = read_form(request.requested_schema)
                return form if isinstance(form, str) else self._answerable(form)
            case UrlElicitation():
                return read_link(request.url)
            case _:
                return "it asks in a way that is not known"

    def _answerable(self, form: Form) -> Form | str:
        if any(each.asks_secret for each in form.fields):
            return "its form asks for a password or another secret, which forms must never do"
        if any(each.required and each.type == "unknown" for each in form.fields):
            return "its form requires a field of an unknown type"
        typed = None if self._has_forms() else needs_typing(form)
        if typed is not None:
            return f"this editor cannot ask for text, which it needs for {visible_line(typed)}"
        return form

    def _has_forms(self) -> bool:
        """Rich clients have forms; where there are not even buttons, commands carry any text."""
        abilities = self._editor.abilities
        return "elicitation" in abilities.rich or not abilities.message_actions

    def _refuse(self, agent: str, reason: str, answer: Answer) -> None:
        name = visible_line(agent, 80)
        self._editor.message(Level.WARNING, f"{name} asked for something; declined: {reason}.")
        answer("decline", None)

    # --- asking -----------------------------------------------------------------------------------

    def _ask(self, one: _Open) -> None:
        if "elicitation" in self._editor.abilities.rich:
            self._ask_richly(one)
            return
        name = visible_line(one.agent, 80)
        heading = f"{name} asks: {visible_text(one.request.message)}"
        how = f"Answer {one.elicitation_id} with the command acp.elicitation.answer."
        if isinstance(one.what, Form):
            one.dialogue = Dialogue(
                one.what, heading, self._prompts, lambda *end: self._ended(one, *end), how, {}
            )
            one.dialogue.start()
        else:
            text = f"{heading}\n{name} wants to open a page.\n{link_text(one.what)}"
            actions = [DECLINE, OPEN_PAGE]
            one.prompt = Prompt(
                Level.WARNING, text, actions, lambda index: self._link_answer(one, index), how
            )
            self._prompts.put(one.prompt)

    def _ended(self, one: _Open, action: Action, content: dict[str, Json] | None) -> None:
        self._settle(one, action, content, "answered by the user")

    def _link_answer(self, one: _Open, index: int | None) -> None:
        if index is None:
            self._settle(one, "cancel", None, "dismissed by the user")
        elif index == 0:
            self._settle(one, "decline", None, "declined by the user")
        else:
            self._consented(one)

    def _ask_richly(self, one: _Open) -> None:
        params: ElicitationParams = {**_shared(one), "inert": self._prompts.inert}
        one.tries += 1
        withdraw = self._editor.request(
            ELICITATION,
            params,
            lambda result: self._rich_answer(one, result),
            lambda: self._unable(one),
        )
        if one.elicitation_id in self._open and one.withdraw is None:
            one.withdraw = withdraw

    def _unable(self, one: _Open) -> None:
        """The editor announced forms and does not know the request: ask as one without them."""
        one.withdraw = None
        typed = needs_typing(one.what) if isinstance(one.what, Form) else None
        if typed is None or self._has_forms():
            self._ask(one)
            return
        reason = f"this editor cannot ask for text, which it needs for {visible_line(typed)}"
        self._refuse(one.agent, reason, lambda *_: self._settle(one, "decline", None, reason))

    def _rich_answer(self, one: _Open, result: Json) -> None:
        one.withdraw = None  # it is over on the editor's side
        if one.elicitation_id not in self._open:
            return
        action = result.get("action") if isinstance(result, dict) else None
        if action == "decline":
            self._settle(one, "decline", None, "declined by the user")
        elif action != "accept":
            self._settle(one, "cancel", None, "dismissed by the user")
        elif isinstance(one.what, Form):
            self._form_answer(one, one.what, result.get("content"))
        else:
            self._consented(one)

    def _form_answer(self, one: _Open, form: Form, content: Json) -> None:
        kept, one.errors = checked(form, content)
        if not one.errors:
            self._settle(one, "accept", kept, "sent by the user")
        elif one.tries < MOST_TRIES:
            self._ask_richly(one)
        else:
            self._settle(one, "cancel", None, "the form came back with mistakes too often")

    # --- settling ---------------------------------------------------------------------------------

    def _consented(self, one: _Open) -> None:
        """Accept means that the user agreed to open the page, not that it was of use."""
        self._settle(one, "accept", None, "opened by the user")
        if not isinstance(one.what, Link) or not isinstance(one.request, UrlElicitation):
            return
        self._pages[(one.agent, one.request.elicitation_id)] = one.elicitation_id
        while len(self._pages) > KEPT_PAGES:
            del self._pages[next(iter(self._pages))]
        shown = link_text(one.what)

        def opened(success: bool) -> None:
            if not success:
                text = f"The editor could not open the page. Open it yourself:\n{shown}"
                self._editor.message(Level.WARNING, text)

        self._editor.open_external(one.what.url, opened)

    def _settle(self, one: _Open, action: Action | None, content: Json, reason: str) -> None:
        if self._open.pop(one.elicitation_id, None) is None:
            return
        if action is not None:
            one.answer(action, content)
        if one.withdraw is not None:
            one.withdraw()
        if one.prompt is not None:
            self._prompts.withdraw(one.prompt)
        if one.dialogue is not None:
            one.dialogue.close()
        if "elicitation" in self._editor.abilities.rich:
            params: ElicitationSettledParams = {
                "elicitationId": one.elicitation_id,
                "action": action,
                "reason": reason,
            }
            self._editor.notify(ELICITATION_SETTLED, params)

    def _of(self, wanted: Callable[[_Open], bool]) -> list[_Open]:
        return [one for one in self._open.values() if wanted(one)]

    def _view(self, one: _Open, now: float) -> ElicitationView:
        return {**_shared(one), "age": now - one.since}


def _shared(one: _Open) -> ElicitationQuestion:
    what = one.what
    return {
        "elicitationId": one.elicitation_id,
        "sessionId": None if one.session is None else one.session.key,
        "agent": one.agent,
        "message": visible_text(one.request.message),
        "toolCallId": one.request.tool_call_id,
        "mode": one.request.mode,
        "form": form_payload(what, one.errors) if isinstance(what, Form) else None,
        "link": link_payload(what) if isinstance(what, Link) else None,
    }
