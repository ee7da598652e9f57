"""The text of each file as it was when an agent first touched it in a session.

Agents write to disk by themselves, and some send no diff. So before a call is done, the files that
it names are read; what the agent did to them is the difference between then and now. The user's
own edits are no part of that: they are made to the baseline too, wherever they do not meet the
agent's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from acp_sidecar.changes.merge import merge
from acp_sidecar.changes.texts import split_lines
from acp_sidecar.features.ports import FileText, Workspace

MAX_FILES: Final = 5_000
"""Files of one session whose text is kept."""

MAX_CHARACTERS: Final = 64 * 1024 * 1024
"""Characters of text kept for one session; files beyond that have no baseline."""


@dataclass(slots=True)
class Baseline:
    """One file before the agent.

    Attributes:
        text: Its text; `None` if there was none, for `reason`.
        agent_text: What the file was when a call that names it was last over.
        seen: The buffer's text as it was last told.
        before_user: The buffer's text before edits of the user that are not in the baseline yet.
        expected: What the buffer will be when an edit of ours, made for the agent, is done.
    """

    text: str | None
    reason: str = ""
    agent_text: str | None = None
    seen: str | None = None
    before_user: str | None = None
    expected: str | None = None

    @property
    def missing(self) -> bool:
        return self.text is None and self.reason == "missing"


class Baselines:
    """The baselines of one session, by real path."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._files: dict[str, Baseline] = {}
        self._characters = 0

    def __contains__(self, path: object) -> bool:
        return path in self._files

    def get(self, path: str) -> Baseline | None:
        return self._files.get(path)

    def touch(self, path: str) -> None:
        """An agent is about to work on a file: remember what it is now."""
        if path not in self._files:
            self._keep(path, self._workspace.read(path))

    def learn(self, path: str, text: str | None) -> None:
        """A file was changed before anybody could look; a diff has told what it was."""
        if path not in self._files:
            self._keep(path, FileText(path, text, reason="" if text is not None else "missing"))

    def _keep(self, path: str, file: FileText) -> None:
        size = len(file.text or "")
        if file.reason == "directory" or len(self._files) >= MAX_FILES:
            return
        if self._characters + size > MAX_CHARACTERS:
            return
        self._characters += size
        self._files[path] = Baseline(file.text, file.reason, seen=file.text)

    def agent_wrote(self, path: str) -> None:
        """A call that names the file is over."""
        baseline = self._files.get(path)
        if baseline is not None:
            baseline.agent_text = self._workspace.disk(path).text

    def agent_edits(self, path: str, text: str) -> None:
        """We are going to edit a file's buffer for the agent: what it has so far is the user's."""
        baseline = self._files.get(path)
        document = self._workspace.document(path)
        if baseline is not None and document is not None:
            _join(baseline, document.text)
            baseline.seen, baseline.expected = document.text, text

    def changed(self, path: str) -> bool:
        """The file's buffer or the file itself has changed; whether there is a baseline of it."""
        baseline = self._files.get(path)
        if baseline is None:
            return False
        document = self._workspace.document(path)
        if document is None:
            baseline.seen = baseline.before_user = None
            return True
        before, now = baseline.seen, document.text
        baseline.seen = now
        if now == baseline.expected:
            baseline.expected = None
        elif before is not None and (now != before or baseline.before_user is not None):
            self._tell_apart(baseline, before, now, self._workspace.disk(path).text)
        return True

    def _tell_apart(self, baseline: Baseline, before: str, now: str, disk: str | None) -> None:
        """Whose change it was: what the disk has too was saved by the user or written by an agent.

        Without a change of the buffer the user has saved; with one, the editor has reloaded.
        """
        if now == baseline.before_user:
            baseline.before_user = None
        elif now != disk:
            if baseline.before_user is None:
                baseline.before_user = before
        else:
            _join(baseline, before)

    def paths(self) -> list[str]:
        return list(self._files)

    def now(self, path: str) -> tuple[Baseline, FileText]:
        """What a file was, and what it is."""
        baseline = self._files[path]
        file = self._workspace.read(path)
        if baseline.seen is not None and file.version is not None:
            _join(baseline, baseline.seen)
        return baseline, file


def _join(baseline: Baseline, now: str) -> None:
    """Make the user's edits, from `before_user` to `now`, to the baseline too."""
    before, baseline.before_user = baseline.before_user, None
    if before is None or baseline.text is None or before == now:
        return
    base, mine, theirs = (split_lines(text) for text in (before, baseline.text, now))
    merged = merge(base, mine, theirs)
    if merged is not None:
        baseline.text = "".join(merged)
