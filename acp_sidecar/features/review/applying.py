"""Edits of ours, one after the other; each is believed only when the text shows it.

`workspace/applyEdit` answers what the editor claims. The document's own change may come before the
answer or a little after it, and some editors claim what they did not do. So after each event and
each tick the text is looked at, until it shows the edit or time is up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from acp_sidecar.features.places import with_line_feeds
from acp_sidecar.features.ports import Editor, Workspace
from acp_sidecar.features.review.edit import Plan

PATIENCE: Final = 1.0
"""Seconds after the editor's answer in which the text must show the edit."""

REFUSAL_PATIENCE: Final = 0.3
"""Seconds for which a refusal may be due to changes that have not been told to us yet."""

UNANSWERED: Final = 60.0
"""Seconds after which an edit that the editor never answered is given up."""

POLL: Final = 0.1
ATTEMPTS: Final = 3
"""How often an edit is made anew because the text had moved on under it."""


@dataclass(slots=True)
class Job:
    """An edit to make: `prepare` plans it on the texts of that moment.

    `settled(now, plan, reason)` comes once; `reason` is empty if the text shows the edit.
    """

    prepare: Callable[[], Plan]
    settled: Callable[[float, Plan, str], None]
    attempts: int = 0


@dataclass(slots=True)
class _Running:
    job: Job
    plan: Plan
    unanswered: float
    deadline: float | None = None
    answered: bool = False
    claim: bool = False
    reason: str = ""


class Applier:
    """Carries out edits one at a time, so that none is planned on a text that another changes."""

    def __init__(self, editor: Editor, workspace: Workspace, shows: Callable[[Plan], bool]) -> None:
        self._editor = editor
        self._workspace = workspace
        self._shows = shows
        self._queue: deque[Job] = deque()
        self._running: _Running | None = None
        self._now = 0.0
        self._poll = 0.0

    @property
    def idle(self) -> bool:
        return self._running is None and not self._queue

    def add(self, now: float, job: Job) -> None:
        """Carry out an edit when all before it are settled."""
        self._now = max(self._now, now)
        self._queue.append(job)
        self._next()

    def check(self, now: float) -> None:
        """Something happened, or time passed: look whether the text shows the edit."""
        self._now = max(self._now, now)
        running = self._running
        if running is None:
            return
        self._poll = self._now + POLL
        if self._is_as_planned(running.plan):
            self._finish("")
        elif running.answered:
            self._check_answered(running)
        elif self._now >= running.unanswered:
            self._finish("The editor did not answer.")

    def _check_answered(self, running: _Running) -> None:
        if running.deadline is None:
            # Measured from here: the answer itself comes without a time.
            patience = PATIENCE if running.claim else REFUSAL_PATIENCE
            running.deadline = self._now + patience
        if not running.claim and self._moved_on(running):
            self._retry(running)
        elif running.claim and self._shows(running.plan):
            self._finish("")
        elif self._now >= running.deadline:
            self._give_up(running)

    def deadline(self) -> float | None:
        return None if self._running is None else self._poll

    def _next(self) -> None:
        while self._running is None and self._queue:
            job = self._queue.popleft()
            plan = job.prepare()
            if not plan.change.steps:
                job.settled(self._now, plan, "")
                continue
            self._start(job, plan)

    def _start(self, job: Job, plan: Plan) -> None:
        running = _Running(job, plan, self._now + UNANSWERED)
        self._running = running
        job.attempts += 1

        def answered(claim: bool, reason: str) -> None:
            if self._running is running and not running.answered:
                running.answered, running.claim, running.reason = True, claim, reason
                if self._is_as_planned(plan):
                    self._finish("")

        self._poll = self._now + POLL
        self._editor.apply(plan.change, answered)

    def _is_as_planned(self, plan: Plan) -> bool:
        return all(self._is(path, text) for path, text in plan.expected.items())

    def _is(self, path: str, wanted: str | None) -> bool:
        if wanted is None:
            # A buffer may outlive its file by minutes.
            return self._workspace.disk(path).reason == "missing"
        file = self._workspace.read(path)
        if file.text is None:
            return False
        return file.text == wanted or with_line_feeds(file.text) == with_line_feeds(wanted)

    def _moved_on(self, running: _Running) -> bool:
        return any(
            self._workspace.read(path).text != text for path, text in running.plan.before.items()
        )

    def _retry(self, running: _Running) -> None:
        if running.job.attempts >= ATTEMPTS:
            self._finish(running.reason or "The text changed while it was being edited.")
            return
        self._running = None
        self._queue.appendleft(running.job)
        self._next()

    def _give_up(self, running: _Running) -> None:
        reason = running.reason or "The editor did not apply the edit."
        if running.claim:
            reason = "The editor said that it applied the edit, but the text does not show it."
        self._finish(reason)

    def _finish(self, reason: str) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.job.settled(self._now, running.plan, reason)
        self._next()
