"""What serving files needs from the world besides the editor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from acp_sidecar.features.review.applying import Job
from acp_sidecar.session.state import Session


class Loaded(Protocol):
    """The bytes of a file; `data` is `None` for `reason`, a clause such as "is a directory".

    `missing` tells that there is nothing at that path.
    """

    @property
    def data(self) -> bytes | None: ...
    @property
    def reason(self) -> str: ...
    @property
    def missing(self) -> bool: ...


class Disk(Protocol):
    """Files as bytes, for paths whose links have been followed. Never raises."""

    def load(self, path: str) -> Loaded:
        """The bytes of a file."""
        ...

    def replace(self, path: str, data: bytes, expected: bytes | None) -> str | None:
        """Put `data` in the place of a file that still holds `expected` (`None`: is missing).

        All or nothing; the mode stays, and folders are made. Returns why nothing was done, as a
        clause, empty if it was done; `None` if the file holds something else by now.
        """
        ...


class Reviewed(Protocol):
    """The part of the review that hears of writes, and carries out edits in order."""

    def about_to_write(self, session: Session, path: str) -> None: ...
    def about_to_edit(self, session: Session, path: str, text: str) -> None: ...
    def wrote(self, now: float, session: Session, path: str) -> None: ...
    def carry_out(self, now: float, job: Job) -> None: ...


Accessed = Callable[[Session, str, int | None, int | None, str], None]
"""`(session, path, line, limit, kind)`: an agent reads or edits a file, for follow."""
