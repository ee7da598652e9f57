"""The review of everything that the agents change: the door of this room.

Takes what happens (tool calls, documents, files, time) and the user's choices; asks the editor for
edits; answers with views. Time is a parameter, in seconds of any steady clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from acp_sidecar.changes.edits import TextEdit
from acp_sidecar.changes.hunks import Side
from acp_sidecar.config import ReviewSettings
from acp_sidecar.errors import EditorError
from acp_sidecar.features.ports import Editor, Json, Level, Span, Workspace, WorkspaceChange
from acp_sidecar.features.review import aftermath, choices, lenses, notes, views
from acp_sidecar.features.review.applying import Applier, Job
from acp_sidecar.features.review.build import diffs_of, rebuild, same
from acp_sidecar.features.review.edit import Failure, Plan, Target, plan
from acp_sidecar.features.review.items import Choice, ReviewFile, ReviewSet
from acp_sidecar.features.review.lenses import Lens
from acp_sidecar.features.review.push import Pusher
from acp_sidecar.features.review.selection import Chosen, Selection, select
from acp_sidecar.features.review.tracking import places_in, refresh, remember_edits
from acp_sidecar.session.reducer import Effect
from acp_sidecar.session.state import Session, ToolCall

Reply = Callable[[Json], None]

_WATCHED: Final = frozenset({"content", "status", "locations", "title"})
MAX_SETS: Final = 1_000
"""Sets that are kept; the oldest that are over go first."""


class PermissionPort(Protocol):
    """What the review needs from the permission feature, which chooses the option."""

    def open_for(self, session_key: str, tool_call_id: str) -> str | None:
        """The id of the open permission of a tool call."""
        ...

    def settle(self, permission_id: str, allow: bool) -> None:
        """Answer it."""
        ...


@dataclass(frozen=True, slots=True)
class Preview:
    """What a selection would do: `direction` is "forward" to the new side, or "back"."""

    change_set: str | None
    direction: str
    change: WorkspaceChange
    failed: list[Json]


class Review:
    """All change sets of all sessions."""

    def __init__(
        self,
        settings: ReviewSettings,
        editor: Editor,
        workspace: Workspace,
        permissions: PermissionPort,
        *,
        home: str = "",
    ) -> None:
        self._settings = settings
        self._editor = editor
        self._workspace = workspace
        self._permissions = permissions
        self._home = home
        self._sets: dict[str, ReviewSet] = {}
        self._waiting: dict[str, aftermath.Waiting] = {}
        self._journal = choices.Journal()
        self._applier = Applier(editor, workspace, self._shows)
        self._push = Pusher(editor, self._is_pending)

    def configure(self, settings: ReviewSettings) -> None:
        """New settings hold from the next choice on."""
        self._settings = settings

    # --- what happens -----------------------------------------------------------------------------

    def tool_call_changed(
        self, now: float, session: Session, call: ToolCall, effect: Effect
    ) -> None:
        """A tool call was created or patched, or something was appended to its content."""
        if effect.fields and not effect.created and not effect.fields & _WATCHED:
            return
        key = f"{session.key}/{call.tool_call_id}"
        review = self._sets.get(key)
        diffs = diffs_of(call.content)
        if review is None and not diffs:
            return
        if review is None:
            review = self._new_set(key, session, call)
        finished = call.finished or call.replayed
        over = finished and not review.finished
        review.finished, review.title = finished, call.title or ""
        if not same(diffs, review.diffs) and (diffs or not review.touched()):
            rebuild(review, diffs, self._workspace, self._home, self._prefer(review))
        if not review.files and not review.problems:
            self._drop([review])
            return
        if over or "status" in effect.fields:
            self._refresh(review)
        self._changed(now, review)

    def _new_set(self, key: str, session: Session, call: ToolCall) -> ReviewSet:
        review = ReviewSet(key, session.key, call.tool_call_id, session.cwd)
        review.finished = call.finished or call.replayed
        self._sets[key] = review
        if len(self._sets) > MAX_SETS:
            oldest = next((each for each in self._sets.values() if each.finished), None)
            if oldest is not None:
                self._drop([oldest])
        return review

    def document_opened(self, now: float, path: str) -> None:
        """`didOpen`: from now on the buffer is the file."""
        self._path_changed(now, path, None)

    def document_changed(self, now: float, path: str, edits: Sequence[TextEdit]) -> None:
        """`didChange`; each edit is of the text that the one before it left."""
        self._path_changed(now, path, edits)

    def document_closed(self, now: float, path: str) -> None:
        """`didClose`: from now on the disk is the file."""
        self._path_changed(now, path, None)

    def file_changed(self, now: float, path: str) -> None:
        """A file was saved, or a watcher saw it change."""
        self._path_changed(now, path, None)

    def _path_changed(self, now: float, path: str, edits: Sequence[TextEdit] | None) -> None:
        real = self._workspace.resolve(path)
        for review, _, file in self._files_at(real):
            if edits is None:
                file.pending = None
            else:
                remember_edits(file, edits)
            self._push.touch(now, review.id)
        self._applier.check(now)
        self._step(now)

    def permission_changed(
        self, now: float, session_key: str, tool_call_id: str, allowed: bool | None = None
    ) -> None:
        """A permission was opened, or answered: `allowed`, or not (also: cancelled)."""
        review = self._sets.get(f"{session_key}/{tool_call_id}")
        if review is None:
            return
        if allowed is not None:
            review.allowed = allowed
        self._answer(review)
        self._changed(now, review)

    def turn_ended(self, now: float, session: Session) -> None:
        """Calls that the agent never closed will not be written any more."""
        for review in self._sets.values():
            if review.session_key == session.key and not review.finished:
                review.finished = True
                self._changed(now, review)

    def session_closed(self, session: Session) -> None:
        """Forget everything of a session."""
        gone = [each for each in self._sets.values() if each.session_key == session.key]
        self._drop(gone)

    def deadline(self) -> float | None:
        """When `tick` wants to be called next."""
        times = [waiting.poll for waiting in self._waiting.values()]
        times += [at for at in (self._applier.deadline(), self._push.deadline()) if at is not None]
        return min(times, default=None)

    def tick(self, now: float) -> None:
        """Time has passed."""
        self._applier.check(now)
        self._step(now)
        if self._push.is_due(now):
            self._refresh_all(self._push.touched())
            self._push.send(now, self._sets)

    # --- what the user wants ----------------------------------------------------------------------

    def preview(self, selection: Selection) -> Preview:
        """The edit that a selection stands for, without making it.

        Raises:
            EditorError: There is no such set, file or hunk.
        """
        chosen = self._chosen(selection)
        forward = any(self._is_proposed(each) for each in chosen)
        side = Side.NEW if forward else Side.OLD
        made = [Target(c.review, c.index, c.file, side, c.hunks, c.whole) for c in chosen]
        planned = self._plan(made if forward else made[::-1], "Preview of the agent's changes")
        failed = [_failed(each) for each in planned.failed]
        direction = "forward" if forward else "back"
        return Preview(selection.change_set, direction, planned.change, failed)

    def choose(self, now: float, verb: str, selection: Selection, reply: Reply) -> None:
        """Accept or reject; answers when the text shows it.

        Raises:
            EditorError: There is no such set, file or hunk, or no such verb.
        """
        if verb not in ("accept", "reject"):
            raise EditorError(f"There is no choice {verb}.")
        chosen = self._chosen(selection)
        choice = Choice.ACCEPTED if verb == "accept" else Choice.REJECTED
        entry = choices.record(chosen, choice)
        self._journal.add(entry)
        made = choices.targets(chosen, choice)
        self._await_writes(now, chosen)
        for review in _sets_of(chosen):
            self._answer(review)
            self._changed(now, review)
        label = "Keep the agent's changes" if verb == "accept" else "Undo the agent's changes"
        self._edit(now, made, label, _Outcome(self, entry, reply))

    def undo(self, now: float, reply: Reply) -> None:
        """Take the last choice back, and what an edit of ours did for it.

        Raises:
            EditorError: There is nothing to take back.
        """
        entry = self._journal.pop()
        if entry is None or not entry.records:
            raise EditorError("There is no choice to take back.")
        choices.revert(entry)
        for review in {id(each.review): each.review for each in entry.records}.values():
            self._refresh(review)
            self._changed(now, review)
        made = choices.undo_targets(entry)
        self._edit(now, made, "Take the last choice back", _Outcome(self, entry, reply, undo=True))

    def notes_for_prompt(self, session: Session) -> str | None:
        """What the agent is to know of the user's choices; `None` if nothing. Consumed."""
        mine = [each for each in self._sets.values() if each.session_key == session.key]
        return notes.note(mine, tell_undone=self._settings.tell_agent)

    # --- what is shown ----------------------------------------------------------------------------

    def view(self, session_key: str | None = None) -> list[Json]:
        """All change sets, as `changeSets` of `acp.state` (`messages.SetView`)."""
        wanted = [each for each in self._sets.values() if session_key in (None, each.session_key)]
        words = "review" in self._editor.abilities.rich
        self._refresh_all(each.id for each in wanted)
        return [
            views.set_view(each, pending=self._is_pending(each), words=words) for each in wanted
        ]

    def texts(self, change_set: str, file: int | str) -> tuple[str, str]:
        """The text of a file before and after a change set.

        Raises:
            EditorError: There is no such set or file.
        """
        chosen = self._chosen(_One(change_set, file))
        return views.both_texts(chosen[0].file)

    def preview_text(self, change_set: str) -> str:
        """A change set as a unified diff.

        Raises:
            EditorError: There is no such set.
        """
        self._chosen(_One(change_set, None))
        return views.preview_text(self._sets[change_set])

    def set_of(self, session_key: str, tool_call_id: str) -> str | None:
        """The id of the change set of a tool call, if it has one."""
        key = f"{session_key}/{tool_call_id}"
        return key if key in self._sets else None

    def lenses(self, path: str) -> list[Lens]:
        """Code lenses of a document."""
        return lenses.lenses(self._fresh_files_at(path))

    def actions(self, path: str, span: Span) -> list[Lens]:
        """Code actions for a range of a document."""
        return lenses.actions(self._fresh_files_at(path), span)

    # --- keeping fresh ----------------------------------------------------------------------------

    def _prefer(self, review: ReviewSet) -> Side | None:
        """Which side to believe where the text allows both."""
        if review.finished or review.allowed:
            return Side.NEW if review.finished else None
        return Side.OLD if self._is_pending(review) else None

    def _refresh(self, review: ReviewSet) -> None:
        prefer = self._prefer(review)
        for file in review.files:
            refresh(file, self._workspace, prefer)

    def _refresh_all(self, ids: Iterable[str]) -> None:
        for key in ids:
            if key in self._sets:
                self._refresh(self._sets[key])

    def _files_at(self, real: str) -> list[tuple[ReviewSet, int, ReviewFile]]:
        return [
            (review, index, file)
            for review in self._sets.values()
            for index, file in enumerate(review.files)
            if real in (file.path, file.old_path)
        ]

    def _fresh_files_at(self, path: str) -> list[tuple[ReviewSet, int, ReviewFile]]:
        found = self._files_at(self._workspace.resolve(path))
        for review, _, file in found:
            refresh(file, self._workspace, self._prefer(review))
        return found

    def _changed(self, now: float, review: ReviewSet) -> None:
        self._push.touch(now, review.id)
        if self._push.is_due(now):
            self._refresh_all(self._push.touched())
            self._push.send(now, self._sets)
        self._step(now)

    def _drop(self, gone: Sequence[ReviewSet]) -> None:
        for review in gone:
            self._sets.pop(review.id, None)
            self._waiting.pop(review.id, None)
            self._push.gone(review.id)
        self._journal.forget(gone)

    def _is_pending(self, review: ReviewSet) -> bool:
        return self._permission(review) is not None

    def _permission(self, review: ReviewSet) -> str | None:
        if review.tool_call_id is None:
            return None
        return self._permissions.open_for(review.session_key, review.tool_call_id)

    # --- choosing ---------------------------------------------------------------------------------

    def _chosen(self, selection: Selection) -> list[Chosen]:
        chosen = select(self._sets, selection, self._workspace.resolve)
        for review in _sets_of(chosen):
            self._refresh(review)
        # A refresh may have settled a file: select again, by what there is now.
        return select(self._sets, selection, self._workspace.resolve)

    def _is_proposed(self, chosen: Chosen) -> bool:
        file = chosen.file
        if chosen.hunks:
            return any(file.side_of(at) is Side.OLD for at in chosen.hunks)
        return file.state() == "proposed"

    def _answer(self, review: ReviewSet) -> None:
        """Answer the open permission if everything in the set is decided."""
        permission = self._permission(review)
        if permission is None or not choices.decided(review):
            return
        refused = choices.refused(review)
        count = sum(len(file.items) for file in review.files)
        allow = not refused or (len(refused) < count and self._settings.partial == "undo")
        review.allowed = allow
        review.tell_all = not allow and len(refused) < count
        self._permissions.settle(permission, allow)

    def _await_writes(self, now: float, chosen: Sequence[Chosen]) -> None:
        for review in _sets_of(chosen):
            if review.agent_will_write and choices.refused(review):
                self._waiting.setdefault(review.id, aftermath.Waiting(review, now))
            else:
                self._waiting.pop(review.id, None)

    def _step(self, now: float) -> None:
        """Undo what was refused before the write, as far as the write is seen."""
        if not self._waiting or not self._applier.idle:
            return
        for key, waiting in list(self._waiting.items()):
            self._refresh(waiting.review)
            due = aftermath.due(now, waiting, self._workspace)
            if due.over:
                del self._waiting[key]
            if due.targets:
                self._edit(now, due.targets, "Undo what you refused", _Aftermath(self, key))

    # --- editing ----------------------------------------------------------------------------------

    def _plan(self, targets: Sequence[Target], label: str) -> Plan:
        return plan(targets, self._workspace, self._editor.abilities, self._known_text, label)

    def _known_text(self, review: ReviewSet, file: ReviewFile) -> str | None:
        return file.removed_text

    def _edit(
        self, now: float, targets: Sequence[Target], label: str, done: _Outcome | _Aftermath
    ) -> None:
        def prepare() -> Plan:
            for review in {id(each.review): each.review for each in targets}.values():
                self._refresh(review)
            planned = self._plan(targets, label)
            for target, _ in planned.moved:
                if planned.expected.get(target.file.path, "") is None:
                    target.file.removed_text = target.file.text
            return planned

        def settled(at: float, planned: Plan, reason: str) -> None:
            done.settled(at, planned, self._result(at, planned, reason))

        self._applier.add(now, Job(prepare, settled))

    def _result(self, now: float, planned: Plan, reason: str) -> list[Failure]:
        """What an edit has not done, by the text; marks what it has."""
        failed = list(planned.failed)
        for target, hunk in planned.moved:
            item = target.file.whole if hunk is None else target.file.hunks[hunk]
            if reason and not self._is_at(target, hunk):
                failed.append(Failure(target.review.id, target.index, hunk, reason))
            else:
                item.ours = target.side
            self._push.touch(now, target.review.id)
        return failed

    def _shows(self, planned: Plan) -> bool:
        """Whether the text has every hunk of a plan at its side, whatever else it has."""
        return all(self._is_at(target, hunk) for target, hunk in planned.moved)

    def _is_at(self, target: Target, hunk: int | None) -> bool:
        file = target.file
        refresh(file, self._workspace, target.side)
        if hunk is None or not file.change.hunks:
            return file.state() == ("applied" if target.side is Side.NEW else "proposed")
        if file.text is None:
            return file.side_of(hunk) is target.side
        places, _ = places_in(file, file.text)
        return places[hunk].side is target.side and places[hunk].anchor is not None

    def _settled(self, now: float, ids: Iterable[str]) -> None:
        for key in ids:
            if key in self._sets:
                self._changed(now, self._sets[key])

    def _undone(self, now: float, key: str, failed: Sequence[Failure]) -> None:
        if failed:
            count = len(failed)
            text = f"{count} of the changes that you refused could not be undone: "
            self._editor.message(Level.WARNING, text + failed[0].reason)
        self._settled(now, [key])


class _Outcome:
    """The end of one choice: its reply, and choices that did not come true taken back."""

    def __init__(
        self, review: Review, entry: choices.Entry, reply: Reply, *, undo: bool = False
    ) -> None:
        self._review = review
        self._entry = entry
        self._reply = reply
        self._undo = undo

    def settled(self, now: float, planned: Plan, failed: list[Failure]) -> None:
        bad = {(each.change_set, each.file, each.hunk) for each in failed}
        for each in self._entry.records:
            if (each.review.id, each.index, each.hunk) in bad:
                each.item.choice = each.after if self._undo else each.before
        changed = sum(
            (each.review.id, each.index, each.hunk) not in bad
            and (each.hunk is not None or not each.file.hunks)
            for each in self._entry.records
        )
        self._review._settled(now, {each.review.id for each in self._entry.records})
        self._reply({"changed": changed, "failed": [_failed(each) for each in failed]})


class _Aftermath:
    """The end of an edit that undid what was refused before the write."""

    def __init__(self, review: Review, key: str) -> None:
        self._review = review
        self._key = key

    def settled(self, now: float, planned: Plan, failed: list[Failure]) -> None:
        self._review._undone(now, self._key, failed)


@dataclass(frozen=True, slots=True)
class _One:
    """The selection of one file of a set."""

    change_set: str | None
    file: int | str | None
    session_id: str | None = None
    hunk: int | None = None


def _sets_of(chosen: Iterable[Chosen]) -> list[ReviewSet]:
    return list({each.review.id: each.review for each in chosen}.values())


def _failed(failure: Failure) -> Json:
    return {
        "changeSet": failure.change_set,
        "file": failure.file,
        "hunk": failure.hunk,
        "reason": failure.reason,
    }
