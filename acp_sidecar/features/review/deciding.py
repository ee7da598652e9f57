"""What follows from a choice: an answer to the agent's question, an edit of ours, or waiting.

The one place that decides who writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from acp_sidecar.config import ReviewSettings
from acp_sidecar.errors import EditorError
from acp_sidecar.features.ports import Editor, Json, Level, Workspace
from acp_sidecar.features.review import aftermath, choices
from acp_sidecar.features.review.edit import Failure, Made
from acp_sidecar.features.review.editing import Done, Editing
from acp_sidecar.features.review.items import Choice, ReviewSet
from acp_sidecar.features.review.selection import Chosen
from acp_sidecar.features.review.shelf import PermissionPort, Shelf

Reply = Callable[[Json], None]


class Deciding:
    """Carries choices out. `changed(now, ids)` is told which sets look different for it."""

    def __init__(
        self,
        *,
        settings: ReviewSettings,
        editor: Editor,
        workspace: Workspace,
        permissions: PermissionPort,
        shelf: Shelf,
        editing: Editing,
        changed: Callable[[float, Iterable[str]], None],
    ) -> None:
        self.settings = settings
        self._editor = editor
        self._workspace = workspace
        self._permissions = permissions
        self._shelf = shelf
        self._editing = editing
        self._changed = changed
        self._journal = choices.Journal()
        self._waiting: dict[str, aftermath.Waiting] = {}

    def choose(self, now: float, choice: Choice, chosen: Sequence[Chosen], reply: Reply) -> None:
        """Carry out a choice; `reply` comes when it is known what became of it."""
        entry = choices.record(chosen, choice)
        self._journal.add(entry)
        agents = {each.id for each in sets_of(chosen) if each.agent_will_write}
        for review in sets_of(chosen):
            self._await_write(now, review)
            self.answer(review)
        keeps = choice is Choice.ACCEPTED
        label = "Keep the agent's changes" if keeps else "Undo the agent's changes"
        self._editing.make(
            now,
            lambda: choices.targets(chosen, choice, agents),
            label,
            self._outcome(entry, reply, undo=False),
        )

    def undo(self, now: float, reply: Reply) -> None:
        """Take the last choice back, and what an edit of ours did for it.

        Raises:
            EditorError: There is nothing to take back.
        """
        entry = self._journal.pop()
        if entry is None:
            raise EditorError("There is no choice to take back.")
        choices.revert(entry)
        for review in {id(each.review): each.review for each in entry.records}.values():
            self._await_write(now, review)
        self._editing.make(
            now,
            lambda: choices.undo_targets(entry),
            "Take the last choice back",
            self._outcome(entry, reply, undo=True),
            made=lambda: entry.made,
        )

    def answer(self, review: ReviewSet) -> None:
        """Answer the open permission of a set if everything in it is decided."""
        permission = self._shelf.permission(review)
        if permission is None or not choices.decided(review):
            return
        refused = choices.refused(review)
        count = sum(len(file.items) for file in review.files)
        allow = not refused or (len(refused) < count and self.settings.partial == "undo")
        review.allowed = allow
        review.tell_all = not allow and len(refused) < count
        self._permissions.settle(permission, allow)

    def step(self, now: float) -> None:
        """Undo what was refused before the write, as far as the write is seen."""
        for key, waiting in list(self._waiting.items()):
            if not self._editing.applier.idle:
                return
            self._shelf.refresh(waiting.review)
            due = aftermath.due(now, waiting, self._workspace)
            if due.over:
                del self._waiting[key]
            if due.lost:
                text = f"{due.lost} of the changes that you refused are not to be found in the text"
                self._editor.message(Level.WARNING, f"{text}; they are not undone.")
            if due.targets:
                label = "Undo what you refused"
                self._editing.make(now, partial(list, due.targets), label, self._undone(key))

    def deadline(self) -> float | None:
        return min((waiting.poll for waiting in self._waiting.values()), default=None)

    def forget(self, gone: Sequence[ReviewSet]) -> None:
        for review in gone:
            self._waiting.pop(review.id, None)
        self._journal.forget(gone)

    def _await_write(self, now: float, review: ReviewSet) -> None:
        if not choices.refused(review):
            self._waiting.pop(review.id, None)
        elif review.agent_will_write and review.id not in self._waiting:
            self._waiting[review.id] = aftermath.Waiting(review, now, now)

    def _outcome(self, entry: choices.Entry, reply: Reply, *, undo: bool) -> Done:
        """The end of one choice: marks that did not come true go, and the answer comes."""

        def done(now: float, made: list[Made], failed: list[Failure]) -> None:
            entry.made = made
            bad = {(each.change_set, each.file, each.hunk) for each in failed}
            changed = 0
            for each in entry.records:
                if (each.review.id, each.index, each.hunk) in bad:
                    each.item.choice = each.after if undo else each.before
                elif each.counts:
                    changed += 1
            self._changed(now, {each.review.id for each in entry.records})
            reply({"changed": changed, "failed": [failure_view(each) for each in failed]})

        return done

    def _undone(self, key: str) -> Done:
        def done(now: float, _made: list[Made], failed: list[Failure]) -> None:
            if failed:
                text = f"{len(failed)} of the changes that you refused could not be undone"
                self._editor.message(Level.WARNING, f"{text}: {failed[0].reason}")
            self._changed(now, [key])

        return done


def sets_of(chosen: Iterable[Chosen]) -> list[ReviewSet]:
    """The sets of what was chosen, each once."""
    return list({each.review.id: each.review for each in chosen}.values())


def failure_view(failure: Failure) -> Json:
    """A failure as JSON."""
    return {
        "changeSet": failure.change_set,
        "file": failure.file,
        "hunk": failure.hunk,
        "reason": failure.reason,
    }
