"""The door of this room: an agent's read or write, from the request to its answer."""

from __future__ import annotations

import posixpath
from collections import OrderedDict
from typing import Final

from acp_sidecar.changes.whole_file import excerpt, speakable
from acp_sidecar.features.client_files.ports import Accessed, Disk, Reviewed
from acp_sidecar.features.client_files.standing import Standings, State
from acp_sidecar.features.client_files.writing import Write, Writing
from acp_sidecar.features.permission.access import Access
from acp_sidecar.features.permission.globs import is_absolute, is_windows
from acp_sidecar.features.ports import Editor, Workspace
from acp_sidecar.features.served import Caller, Refusal
from acp_sidecar.session.client_requests import ReadTextFile, WriteTextFile
from acp_sidecar.session.state import Session

MOST_KNOWN: Final = 200
"""Texts remembered that agents were given or have sent."""

MOST_CHARACTERS: Final = 32 * 1024 * 1024


class Known:
    """The text of each file that an agent was last given, or has last sent, by session and path.

    What an agent sends was made from this; what is there beyond it is somebody else's.
    """

    def __init__(self) -> None:
        self._texts: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._characters = 0

    def get(self, session: Session, real: str) -> str | None:
        return self._texts.get((session.key, real))

    def put(self, session: Session, real: str, text: str) -> None:
        self.forget(session, real)
        self._texts[session.key, real] = text
        self._characters += len(text)
        while len(self._texts) > MOST_KNOWN or self._characters > MOST_CHARACTERS:
            self._characters -= len(self._texts.popitem(last=False)[1])

    def forget(self, session: Session, real: str) -> None:
        self._characters -= len(self._texts.pop((session.key, real), ""))

    def forget_session(self, session: Session) -> None:
        for key in [key for key in self._texts if key[0] == session.key]:
            self.forget(session, key[1])


class ClientFiles:
    """Serves `fs/read_text_file` and `fs/write_text_file`."""

    def __init__(
        self,
        editor: Editor,
        workspace: Workspace,
        *,
        disk: Disk,
        access: Access,
        review: Reviewed,
        accessed: Accessed,
    ) -> None:
        """Args: `accessed` hears of every read and write of which the path makes sense."""
        self._workspace = workspace
        self._access = access
        self._accessed = accessed
        self._standings = Standings(workspace, disk)
        self._known = Known()
        self._writing = Writing(
            editor, workspace, disk, review, standings=self._standings, known=self._known
        )

    # --- what happens to files --------------------------------------------------------------------

    def synced(self, path: str) -> None:
        """A document was opened or saved, or a file was written by somebody."""
        self._standings.synced(self._workspace.resolve(path))

    def closed(self, path: str) -> None:
        """A document was closed."""
        self._standings.closed(self._workspace.resolve(path))

    def forget(self, session: Session) -> None:
        """A session is over."""
        self._known.forget_session(session)

    # --- what agents ask --------------------------------------------------------------------------

    def read(self, session: Session, request: ReadTextFile, caller: Caller[str]) -> None:
        """Answer with the text of a file as the user sees it, or with a part of it."""
        real = self._real(session, request.path, caller)
        if real is None:
            return
        self._accessed(session, request.path, request.line, request.limit, "read")

        def go() -> None:
            if self._is_still(real, request.path, caller):
                self._read(session, real, request, caller)

        self._access.to_file(session, request.path, "read", caller, go)

    def _read(
        self, session: Session, real: str, request: ReadTextFile, caller: Caller[str]
    ) -> None:
        standing = self._standings.of(real)
        text = standing.text
        if text is not None:
            self._known.put(session, real, text)
            caller.done(excerpt(speakable(text), request.line, request.limit))
        elif standing.loaded.missing and standing.state is State.CLOSED:
            caller.refuse(Refusal.NOT_FOUND, f"Resource not found: {request.path}")
        else:
            reason = standing.reason or standing.loaded.reason
            caller.refuse(Refusal.FAILED, f"{request.path} {reason}")

    def write(
        self, now: float, session: Session, request: WriteTextFile, caller: Caller[None]
    ) -> None:
        """Bring a file to what the agent wants; nothing of the user's is lost by it."""
        real = self._real(session, request.path, caller)
        if real is None:
            return
        self._accessed(session, request.path, None, None, "edit")

        def go() -> None:
            if self._is_still(real, request.path, caller):
                self._writing.start(
                    now, Write(session, real, request.path, request.content, caller)
                )

        self._access.to_file(session, request.path, "edit", caller, go)

    def _real(self, session: Session, path: str, caller: Caller[str] | Caller[None]) -> str | None:
        """The real path of an absolute one; of any other the agent is told what is wrong."""
        cwd = self._workspace.resolve(session.cwd)
        if not is_absolute(path) or is_windows(path) is not is_windows(cwd):
            text = f"The path must be absolute, and of this machine: {path[:500]}"
            caller.refuse(Refusal.INVALID, text)
            return None
        if any(char < " " or char == "\x7f" for char in path):
            caller.refuse(Refusal.INVALID, "The path has control characters in it.")
            return None
        if posixpath.basename(path) in {"", ".", ".."} and not is_windows(path):
            caller.refuse(Refusal.FAILED, f"{path} is a directory")
            return None
        return self._workspace.resolve(path)

    def _is_still(self, real: str, path: str, caller: Caller[str] | Caller[None]) -> bool:
        """What was allowed is what will be done: links may have been changed meanwhile."""
        if self._workspace.resolve(path) == real:
            return True
        caller.refuse(Refusal.FAILED, f"{path} leads to another file than a moment ago")
        return False
