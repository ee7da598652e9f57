"""The review of everything that the agents change: the door of this room.

Takes what happens (tool calls, documents, files, time) and the user's choices; asks the editor for
edits; answers with views. Time is a parameter, in seconds of any steady clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from acp_sidecar.changes.edits import TextEdit
from acp_sidecar.changes.hunks import SetState, Side
from acp_sidecar.config import ReviewSettings
from acp_sidecar.errors import EditorError
from acp_sidecar.features.ports import Editor, Json, Span, Workspace, WorkspaceChange
from acp_sidecar.features.review import lenses, notes, views
from acp_sidecar.features.review.applying import Job
from acp_sidecar.features.review.build import diffs_of, read_hunks, rebuild, same
from acp_sidecar.features.review.deciding import Deciding, Reply, failure_view, sets_of
from acp_sidecar.features.review.edit import Target
from acp_sidecar.features.review.editing import Editing
from acp_sidecar.features.review.items import Choice, ReviewFile, ReviewSet
from acp_sidecar.features.review.lenses import Lens
from acp_sidecar.features.review.net import NetReview
from acp_sidecar.features.review.push import Pusher
from acp_sidecar.features.review.reading import Reading
from acp_sidecar.features.review.selection import Chosen, Selection, select, undecided
from acp_sidecar.features.review.shelf import FileAt, PermissionPort, Shelf
from acp_sidecar.features.review.tracking import remember_edits
from acp_sidecar.session.reducer import Effect
from acp_sidecar.session.state import Session, ToolCall
from acp_sidecar.session.tool_calls import Diff

_WATCHED: Final = frozenset({"content", "status", "locations", "title"})
TYPED: Final = 100
"""Characters of an edit that may be typing; more is pasted, or written by somebody else."""

_CHOICES: Final = {"accept": Choice.ACCEPTED, "reject": Choice.REJECTED}


@dataclass(frozen=True, slots=True)
class Preview:
    """What a selection would do: `direction` is "forward" to the new side, or "back"."""

    change_set: str | None
    direction: str
    change: WorkspaceChange
    failed: list[Json]


class Review:
    """All change sets of all sessions. `home` is what `~` stands for in an agent's paths."""

    def __init__(
        self,
        settings: ReviewSettings,
        editor: Editor,
        workspace: Workspace,
        permissions: PermissionPort,
        *,
        home: str = "",
    ) -> None:
        self._editor = editor
        self._workspace = workspace
        self._reading = Reading(workspace, home)
        self._shelf = Shelf(self._reading, permissions)
        self._net = NetReview(self._reading, self._shelf)
        self._proposals = 0
        self._push = Pusher(editor, self._shelf.is_pending)
        self._editing = Editing(editor, self._reading, self._shelf, self._net.text_before)
        self._deciding = Deciding(
            settings=settings,
            editor=editor,
            workspace=workspace,
            permissions=permissions,
            shelf=self._shelf,
            editing=self._editing,
            changed=self._touched,
        )

    def configure(self, settings: ReviewSettings) -> None:
        """New settings hold from the next choice on."""
        self._deciding.settings = settings

    # --- what happens -----------------------------------------------------------------------------

    def tool_call_changed(
        self, now: float, session: Session, call: ToolCall, effect: Effect
    ) -> None:
        """A tool call was created or patched, or something was appended to its content."""
        if not _concerns(call, effect):
            return
        diffs = diffs_of(call.content)
        self._net.call_changed(session, call, effect)
        key = f"{session.key}/{call.tool_call_id}"
        review = self._shelf.sets.get(key)
        if review is None and diffs:
            review = ReviewSet(key, session.key, call.tool_call_id, session.cwd)
            self._drop(self._shelf.add(review))
        if review is not None:
            self._update(review, call, effect)
        if review is not None or call.finished:
            self._touched(now, [key, self._net.id_of(session.key)])

    def _update(self, review: ReviewSet, call: ToolCall, effect: Effect) -> None:
        """Bring a set up to what its call says now."""
        diffs = diffs_of(call.content)
        look = "status" in effect.fields
        review.finished = call.finished or call.replayed
        review.completed = call.status == "completed"
        review.replayed = call.replayed
        review.title = call.title or ""
        if not same(diffs, review.diffs) and (diffs or not review.touched()):
            prefer = self._shelf.prefer(review)
            rebuild(review, diffs, self._reading, prefer)
            self._shelf.reordered()
            look = True
        if not review.files and not review.problems:
            self._drop([review])
        elif look:
            self._shelf.refresh(review)
            self._net.learn(review)
            if review.finished:
                for file in review.files:
                    read_hunks(file, self._reading)

    def propose(self, now: float, session: Session, title: str, diff: Diff) -> str:
        """A change that nobody but us will write, if the user accepts it; returns its set's id."""
        self._proposals += 1
        call_id = f"proposal-{self._proposals}"
        review = ReviewSet(f"{session.key}/{call_id}", session.key, call_id, session.cwd, title)
        review.finished, review.allowed = True, False
        self._drop(self._shelf.add(review))
        rebuild(review, (diff,), self._reading, self._shelf.prefer(review))
        self._touched(now, [review.id])
        return review.id

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
        """A file was saved, or a watcher saw it change: not its buffer, if it is open."""
        is_open = self._workspace.document(path) is not None
        self._path_changed(now, path, () if is_open else None)

    def _path_changed(self, now: float, path: str, edits: Sequence[TextEdit] | None) -> None:
        real = self._workspace.resolve(path)
        ids = set(self._net.path_changed(real))
        for review, _, file in self._shelf.files_at(real):
            ids.add(review.id)
            if edits is None:
                file.pending = None
            else:
                remember_edits(file, edits)
        self._editing.applier.check(now)
        for key in ids:
            if _is_typing(edits):
                self._push.drift(now, key)
            else:
                self._push.touch(key)
        if ids:
            self._touched(now, ())

    def permission_changed(
        self, now: float, session_key: str, tool_call_id: str, allowed: bool | None = None
    ) -> None:
        """A permission was opened, or answered: `allowed`, or not (also: cancelled)."""
        review = self._shelf.sets.get(f"{session_key}/{tool_call_id}")
        if review is None:
            return
        review.allowed = allowed
        self._deciding.answer(review)
        self._touched(now, [review.id])

    def about_to_write(self, session: Session, path: str) -> None:
        """We are going to write a file for an agent (`fs/write_text_file`)."""
        self._net.touch(session, [path])

    def about_to_edit(self, session: Session, path: str, text: str) -> None:
        """We are going to edit a buffer for an agent, so that it has this text."""
        self._net.edits(session, path, text)

    def wrote(self, now: float, session: Session, path: str) -> None:
        """We have written a file for an agent."""
        self._net.wrote(session, [path])
        self.file_changed(now, path)

    def carry_out(self, now: float, job: Job) -> None:
        """Carry out an edit of ours that is no choice of the user's, in order with those."""
        self._editing.applier.add(now, job)

    def turn_ended(self, now: float, session: Session) -> None:
        """Calls that the agent never closed will not be written any more."""
        self._net.turn_ended(session.key)
        open_sets = [each for each in self._shelf.of_session(session.key) if not each.finished]
        for review in open_sets:
            review.finished = True
        if open_sets:
            self._touched(now, [each.id for each in open_sets])

    def session_closed(self, session: Session) -> None:
        """Forget everything of a session."""
        self._drop(self._shelf.of_session(session.key))
        self._net.forget(session.key)

    def deadline(self) -> float | None:
        """When `tick` wants to be called next."""
        times = (
            self._editing.applier.deadline(),
            self._deciding.deadline(),
            self._push.deadline(),
        )
        return min((at for at in times if at is not None), default=None)

    def tick(self, now: float) -> None:
        """Time has passed."""
        self._editing.applier.check(now)
        self._touched(now, ())

    # --- what the user wants ----------------------------------------------------------------------

    def preview(self, selection: Selection) -> Preview:
        """The edit that a selection stands for, without making it.

        Raises:
            EditorError: There is no such set, file or hunk.
        """
        chosen = self._chosen(selection)
        forward = any(_is_proposed(each) for each in chosen)
        side = Side.NEW if forward else Side.OLD
        made = [Target(c.review, c.index, c.file, side, c.hunks, c.whole) for c in chosen]
        label = "Preview of the agent's changes"
        planned = self._editing.plan(made if forward else made[::-1], label)
        failed = [failure_view(each) for each in planned.failed]
        direction = "forward" if forward else "back"
        return Preview(selection.change_set, direction, planned.change, failed)

    def choose(self, now: float, verb: str, selection: Selection, reply: Reply) -> None:
        """Accept or reject; answers when the text shows it.

        Raises:
            EditorError: There is no such set, file or hunk, or no such verb.
        """
        if verb not in _CHOICES:
            raise EditorError(f"There is no choice {verb}.")
        chosen = self._chosen(selection)
        self._deciding.choose(now, _CHOICES[verb], chosen, reply)
        self._touched(now, [each.id for each in sets_of(chosen)])

    def undo(self, now: float, reply: Reply) -> None:
        """Take the last choice back, and what an edit of ours did for it.

        Raises:
            EditorError: There is nothing to take back.
        """
        self._deciding.undo(now, reply)

    def notes_for_prompt(self, session: Session) -> str | None:
        """What the agent is to know of the user's choices; `None` if nothing. Consumed."""
        mine = self._shelf.of_session(session.key)
        return notes.note(mine, tell_undone=self._deciding.settings.tell_agent)

    # --- what is shown ----------------------------------------------------------------------------

    def view(self, session_key: str | None = None) -> list[Json]:
        """All change sets, as `changeSets` of `acp.state` (`messages.SetView`)."""
        self._net.look_again(session_key)
        words = "review" in self._editor.abilities.rich
        shown = [
            each
            for each in self._shelf.sets.values()
            if session_key in (None, each.session_key) and (each.files or not each.net)
        ]
        self._shelf.refresh_all(each.id for each in shown)
        return [
            views.set_view(each, pending=self._shelf.is_pending(each), words=words)
            for each in shown
        ]

    def texts(self, change_set: str, file: int | str) -> tuple[str, str]:
        """The text of a file before and after a change set.

        Raises:
            EditorError: There is no such set or file.
        """
        chosen = self._chosen(_Whole(change_set, file))
        return views.both_texts(chosen[0].file)

    def file_of(self, change_set: str, file: int | str) -> tuple[int, str]:
        """The index and the path of a file of a change set.

        Raises:
            EditorError: There is no such set or file.
        """
        chosen = self._chosen(_Whole(change_set, file))[0]
        return chosen.index, chosen.file.path

    def preview_text(self, change_set: str) -> str:
        """A change set as a unified diff.

        Raises:
            EditorError: There is no such set.
        """
        self._chosen(_Whole(change_set, None))
        return views.preview_text(self._shelf.sets[change_set])

    def set_of(self, session_key: str, tool_call_id: str) -> str | None:
        """The id of the change set of a tool call, if it has one."""
        key = f"{session_key}/{tool_call_id}"
        return key if key in self._shelf.sets else None

    def lenses(self, path: str) -> list[Lens]:
        """Code lenses of a document."""
        return lenses.lenses(self._shown_at(path))

    def actions(self, path: str, span: Span) -> list[Lens]:
        """Code actions for a range of a document."""
        return lenses.actions(self._shown_at(path), span)

    def _shown_at(self, path: str) -> list[FileAt]:
        """The files at a path; the net change only where no tool call has told of one."""
        self._net.refresh()
        found = self._shelf.fresh_files_at(self._workspace.resolve(path))
        told = [each for each in found if not each[0].net]
        return told or found

    # --- keeping fresh ----------------------------------------------------------------------------

    def _chosen(self, selection: Selection) -> list[Chosen]:
        self._net.look_again(selection.session_id)
        chosen = select(self._shelf.sets, selection, self._workspace.resolve)
        for review in sets_of(chosen):
            self._shelf.refresh(review)
        # A refresh may have settled a file: select again, by what there is now.
        chosen = select(self._shelf.sets, selection, self._workspace.resolve)
        return chosen if selection.change_set is not None else undecided(chosen)

    def _touched(self, now: float, ids: Iterable[str]) -> None:
        """Sets may look different: do what is due for them, and tell the editor."""
        for key in ids:
            self._push.touch(key)
        self._deciding.step(now)
        if self._push.is_due(now):
            touched = self._push.touched()
            self._net.refresh()
            self._shelf.refresh_all(touched)
            self._push.send(now, self._shelf.sets)

    def _drop(self, gone: Sequence[ReviewSet]) -> None:
        for review in gone:
            self._shelf.remove(review)
            self._push.gone(review.id)
        self._deciding.forget(gone)


def _concerns(call: ToolCall, effect: Effect) -> bool:
    """Whether an update may have changed a diff, a path or whether the call is over. Hot."""
    if effect.created or effect.fields & _WATCHED:
        return True
    # Nothing replaced: something was appended, or only `_meta` has changed.
    return not effect.fields and bool(call.content) and type(call.content[-1]) is Diff


def _is_typing(edits: Sequence[TextEdit] | None) -> bool:
    """Whether edits look like typing: small, so that there will be more of them."""
    return bool(edits) and all(
        len(edit.new_text) <= TYPED and edit.end - edit.start <= TYPED for edit in edits or ()
    )


def _is_proposed(chosen: Chosen) -> bool:
    file: ReviewFile = chosen.file
    if chosen.hunks:
        return any(file.side_of(at) is Side.OLD for at in chosen.hunks)
    return file.state() is SetState.PROPOSED


@dataclass(frozen=True, slots=True)
class _Whole:
    """The selection of a set, or of one file of it."""

    change_set: str | None
    file: int | str | None
    session_id: str | None = None
    hunk: int | None = None
