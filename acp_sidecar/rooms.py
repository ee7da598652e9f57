"""The features of one sidecar, and who hears of what. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from acp_sidecar.asking import Asking, allowed, tool_call_of
from acp_sidecar.config import Config
from acp_sidecar.features.elicitation import Elicitations
from acp_sidecar.features.follow import Follow, Mode
from acp_sidecar.features.follow_messages import UserActivity
from acp_sidecar.features.permission import Permissions, PromptQueue
from acp_sidecar.features.permission.access import Access
from acp_sidecar.features.ports import Editor, Workspace
from acp_sidecar.features.progress import Progress
from acp_sidecar.features.review.review import Review
from acp_sidecar.features.sanitize import visible_line
from acp_sidecar.features.sessions import SessionStatus
from acp_sidecar.features.terminal import Terminals
from acp_sidecar.features.transcript.deltas import Transcripts
from acp_sidecar.host.ports import Question
from acp_sidecar.lsp.documents import DocumentEdit
from acp_sidecar.session.permissions import ElicitationRequest, PermissionRequest
from acp_sidecar.session.reducer import Effect
from acp_sidecar.session.state import Session
from acp_sidecar.session.store import SessionStore
from acp_sidecar.session.updates import Update

Json = Any


class Rooms:
    """All features. Every method is one thing that has happened."""

    def __init__(
        self,
        config: Config,
        editor: Editor,
        workspace: Workspace,
        store: SessionStore,
        *,
        clock: Callable[[], float],
        preview: Callable[[str], None],
    ) -> None:
        """Make them; `preview` shows the change set with this id, `clock` counts seconds."""
        home = str(Path.home())
        prompts = PromptQueue(editor, clock, config.permissions.inert)
        self._store = store
        self._clock = clock
        self._editor = editor
        self._preview = preview
        asked = config.permissions
        show = self._preview_permission
        self.permissions = Permissions(
            asked, editor, workspace, clock=clock, prompts=prompts, preview=show
        )
        self.elicitations = Elicitations(editor, clock=clock, prompts=prompts)
        self.access = Access(self.permissions.rules, workspace)
        self._asking = Asking(
            self.permissions,
            self.elicitations,
            asked=self.access.asked,
            settled=self._permission_settled,
        )
        self.consent = self._asking.consent
        self.follow = Follow(config.follow, editor, workspace, home=home)
        self.review = Review(config.review, editor, workspace, self._asking, home=home)
        self.transcripts = Transcripts(editor)
        self.terminals = Terminals(editor)
        self.progress = Progress(editor)
        self.status = SessionStatus(editor)
        self._framed = (self.transcripts, self.terminals, self.progress, self.status)
        self._hearing = self._who_hears()

    def _who_hears(self) -> tuple[Transcripts | Terminals | Progress | SessionStatus, ...]:
        """The features that have something to push of every update, in this editor."""
        abilities = self._editor.abilities
        wanted = {
            self.transcripts: "transcript" in abilities.rich,
            self.terminals: "terminal" in abilities.rich,
            self.progress: abilities.work_done_progress,
            self.status: "session" in abilities.rich,
        }
        return tuple(feature for feature in self._framed if wanted[feature])

    def configure(self, config: Config) -> None:
        """The settings have changed."""
        self.follow.configure(config.follow)
        self.permissions.configure(config.permissions)
        self.review.configure(config.review)

    # --- agents and sessions ----------------------------------------------------------------------

    def agent_gone(self, now: float, agent: str) -> None:
        """The agent's process has ended."""
        self._asking.agent_gone(agent)
        self.follow.agent_gone(now, agent)

    def session_opened(self, now: float, session: Session) -> None:
        """A session was opened or resumed."""
        self.transcripts.opened(now, session)
        self.status.touched(now, session)

    def session_closed(self, now: float, session: Session) -> None:
        """A session is being closed: nothing of it waits any more."""
        self.permissions.session_closed(session)
        self.elicitations.cancel_session(session)
        self.follow.session_closed(now, session)
        self.status.touched(now, session)

    def session_removed(self, session: Session) -> None:
        """A session was deleted: forget it."""
        self.review.session_closed(session)
        self.transcripts.forget(session)
        self.terminals.forget(session)
        self.status.forget(session)

    def updated(self, now: float, session: Session, update: Update, effect: Effect) -> None:
        """An update was applied. Hot: everything here returns at once if it is not concerned."""
        if effect.kind == "tool_call":
            call = session.tool_calls[effect.id]
            self.follow.tool_call_changed(now, session, call, effect)
            self.review.tool_call_changed(now, session, call, effect)
        elif effect.kind == "state" and self.transcripts not in self._hearing:
            self.transcripts.changed(now, session, update, effect)  # ends of turns are kept
        for feature in self._hearing:
            feature.changed(now, session, update, effect)

    def queue_changed(self, now: float, session: Session) -> None:
        """Prompts were queued, taken out, held or released."""
        self.status.touched(now, session)

    def turn_started(self, now: float, session: Session) -> None:
        """A prompt is on its way."""
        self.follow.prompt_sent(now, session)
        self.progress.prompt_sent(now, session)
        self.status.touched(now, session)

    def turn_ended(self, now: float, session: Session, *, told: bool) -> None:
        """A turn is over; `told` if an update of the agent said so."""
        self.access.turn_ended(session)
        self.permissions.cancel_session(session)
        self.elicitations.cancel_session(session)
        self.follow.turn_ended(now, session)
        self.review.turn_ended(now, session)
        self.progress.turn_ended(now, session)
        if not told:
            self.transcripts.stopped(now, session)
        self.status.touched(now, session)

    def cancelled(self, now: float, session: Session) -> None:
        """The user cancels the turn: what it asks is cancelled before the agent is told."""
        self.permissions.cancel_session(session)
        self.elicitations.cancel_session(session)
        self.follow.turn_ended(now, session)
        self.progress.cancelled(now, session)
        self.status.touched(now, session)

    # --- questions --------------------------------------------------------------------------------

    def permission_requested(
        self, now: float, session: Session, request: PermissionRequest, question: Question
    ) -> None:
        """An agent asks permission."""
        self._asking.permission(session, request, question)
        tool_call_id = tool_call_of(request)
        if tool_call_id is not None and self._asking.open_for(session.key, tool_call_id):
            self.review.permission_changed(now, session.key, tool_call_id)

    def _permission_settled(
        self, session: Session, request: PermissionRequest, option_id: str | None
    ) -> None:
        now = self._clock()
        tool_call_id = tool_call_of(request)
        if tool_call_id is not None:
            yes = allowed(request, option_id)
            self.review.permission_changed(now, session.key, tool_call_id, yes)
        names = {option.option_id: option.name for option in request.options}
        chosen = names.get(option_id or "", "cancelled")
        text = visible_line(f"{request.title}: {chosen}")
        self.transcripts.note(now, session, "permission", text)

    def _preview_permission(self, permission_id: str) -> None:
        change = self._asking.change_of(permission_id)
        change_set = self.review.set_of(*change) if change else None
        if change_set is not None:
            self._preview(change_set)

    def elicitation_requested(
        self, agent: str, request: ElicitationRequest, question: Question
    ) -> None:
        """An agent wants to know something."""
        self._asking.elicitation(agent, self._store, request, question)

    def elicitation_completed(self, agent: str, elicitation_id: str) -> None:
        """What was asked on a page has been done there."""
        self.elicitations.completed(agent, elicitation_id)

    def question_withdrawn(self, key: tuple[str, int | str]) -> None:
        """The agent took a question back."""
        self._asking.withdrawn(key)

    # --- documents, files, the user ---------------------------------------------------------------

    def document_opened(self, now: float, path: str) -> None:
        """A document was opened."""
        self.review.document_opened(now, path)

    def document_changed(
        self, now: float, path: str, edits: Sequence[DocumentEdit], *, by_us: bool
    ) -> None:
        """A document was edited; `by_us` if it is our own edit or a reload, not the user's."""
        self.follow.document_changed(now, path, [edit.span for edit in edits], by_us)
        self.review.document_changed(now, path, [edit.text for edit in edits])

    def document_closed(self, now: float, path: str) -> None:
        """A document was closed; plain clients tell no other way that the user left it."""
        if not self._follow_is_rich():
            self.follow.user_activity(now, UserActivity("closed", path))
        self.review.document_closed(now, path)

    def _follow_is_rich(self) -> bool:
        return "follow" in self._editor.abilities.rich

    def file_changed(self, now: float, path: str) -> None:
        """A file was saved or changed on disk."""
        self.review.file_changed(now, path)

    def user_activity(self, now: float, activity: UserActivity) -> None:
        """The user did something in a view; told by rich clients."""
        self.follow.user_activity(now, activity)

    def set_follow(self, now: float, mode: Mode, session: str | None) -> Json:
        """The command `acp.follow`."""
        self.follow.set_mode(now, mode, session)
        return self.follow.view()

    # --- time and views ---------------------------------------------------------------------------

    def deadline(self) -> float | None:
        """When `tick` is wanted, or None."""
        earliest = None
        for feature in (self.follow, self.review, self.permissions, *self._framed):
            deadline = feature.deadline()
            if deadline is not None and (earliest is None or deadline < earliest):
                earliest = deadline
        return earliest

    def tick(self, now: float) -> None:
        """Time has passed."""
        self.follow.tick(now)
        self.review.tick(now)
        self.permissions.tick()
        self.frames(now)

    def frames(self, now: float) -> None:
        """Push what has changed, as often as each feature's frame allows."""
        for feature in self._framed:
            feature.tick(now)

    def shutdown(self) -> None:
        """The editor is gone: answer what is open."""
        self.permissions.shutdown()
        self.elicitations.shutdown()

    def view(self) -> Json:
        """The features' part of `acp.state`."""
        now = self._clock()
        return {
            "permissions": self.permissions.view(),
            "elicitations": self.elicitations.view(),
            "rules": self.permissions.rules_view(),
            "audit": self.permissions.audit_view(),
            "changeSets": self.review.view(),
            "follow": self.follow.view(),
            "trail": self.follow.trail_view(now),
            "presence": self.follow.presence_view(now),
        }
