"""What is verified about an operation that needs permission: its paths, command, and kinds.

Rules are decided on these facts and prompts show them, because titles are only what the agent says.
Whatever cannot be verified is kept as such; it can be asked about and denied, never allowed by it.
"""

from __future__ import annotations

import ntpath
import posixpath
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from acp_sidecar.changes.from_diff import change_set
from acp_sidecar.features.permission.command_facts import CommandFact, command_of_call, one_command
from acp_sidecar.features.permission.globs import is_absolute, is_inside, is_windows
from acp_sidecar.features.places import unquoted
from acp_sidecar.features.ports import Workspace
from acp_sidecar.session.permissions import (
    CommandSubject,
    PermissionRequest,
    ServedCall,
    ToolCallSubject,
)
from acp_sidecar.session.state import Session, ToolCall
from acp_sidecar.session.tool_calls import Diff, ToolCallUpdate

MOST_PATHS: Final = 2000
"""Paths looked at; of an operation that names more, not everything is verified."""

_DEEPEST: Final = 6
_PATH_KEYS: Final = (
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "dir",
    "directory",
    "uri",
    "folder",
)
_KIND_OF_OPERATION: Final = {
    "add": "edit",
    "modify": "edit",
    "copy": "edit",
    "delete": "delete",
    "move": "move",
}


@dataclass(frozen=True, slots=True)
class PathFact:
    """A path that the operation touches.

    Attributes:
        path: As the agent wrote it.
        real: Absolute, symlinks followed; `None` if that cannot be told.
        inside: `real` is in a folder of the workspace.
        operation: add, delete, modify, move or copy for a file of a diff; else empty.
        end: "from" or "to" for the two paths of a move or a copy; else empty.
    """

    path: str
    real: str | None
    inside: bool
    operation: str = ""
    end: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """All that a rule may look at.

    Attributes:
        subject: "tool_call" or "command"; `None` if the agent named none, or one unknown to us.
        kinds: What the call is by its own word and by what it carries. A command is "execute" and
            a diff is "edit", "delete" or "move", whatever the agent calls them.
        complete: At least one path is named, and every one is verified.
        roots: Real paths of the workspace's folders; the session's own where there are none.
        cwd: The session's working directory, as a real path.
    """

    agent: str
    subject: str | None
    kinds: frozenset[str]
    paths: tuple[PathFact, ...] = ()
    complete: bool = False
    command: CommandFact | None = None
    has_diff: bool = False
    roots: tuple[str, ...] = ()
    cwd: str = ""

    @property
    def outside(self) -> bool:
        """Something verified lies outside the workspace."""
        paths = any(fact.real is not None and not fact.inside for fact in self.paths)
        return paths or (self.command is not None and self.command.cwd_outside)


def gather(session: Session, request: PermissionRequest, workspace: Workspace) -> Facts:
    """Verify what a request is about. Never raises, whatever the agent sent."""
    places = _Places(session, workspace)
    match request.subject:
        case ToolCallSubject(tool_call=patch):
            return _of_call(session, tool_call_of(session, patch), places)
        case CommandSubject() as subject:
            command = one_command(
                [subject.command], subject.cwd, places.locate(subject.cwd), places.roots
            )
            kinds = frozenset({"execute"})
            return places.facts("command", kinds, (), command=command)
        case _:
            return places.facts(None, frozenset(), ())


def tool_call_of(session: Session, patch: ToolCallUpdate) -> ToolCall:
    """The call as it stands in the session, else as the request's own patch tells it."""
    known = session.tool_calls.get(patch.tool_call_id)
    if known is not None and not isinstance(patch, ServedCall):
        return known
    return ToolCall(
        patch.tool_call_id,
        name=patch.name,
        title=patch.title,
        kind=patch.kind or "other",
        content=list(patch.content or ()),
        locations=list(patch.locations or ()),
        raw_input=patch.raw_input,
    )


@dataclass(slots=True)
class _Places:
    """Where a session's paths lead."""

    session: Session
    workspace: Workspace
    cwd: str = field(init=False)
    roots: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.cwd = self.workspace.resolve(self.session.cwd)
        self.roots = tuple(self.workspace.roots()) or (self.cwd,)

    def locate(self, path: str) -> str | None:
        """The real path of what an agent wrote, or `None` where that would be a guess."""
        if path.lower().startswith("file:"):
            path = _path_of_uri(path)
        if any(char < " " or char == "\x7f" for char in path) or not path.strip():
            return None
        windows = is_windows(self.cwd)
        if is_absolute(path):
            # A drive means nothing where paths begin with a slash, nor the other way round.
            return self.workspace.resolve(path) if is_windows(path) is windows else None
        if path.startswith("~") or "://" in path or not is_absolute(self.cwd):
            return None
        join = ntpath.join if windows else posixpath.join
        return self.workspace.resolve(join(self.cwd, path))

    def fact(self, path: str, operation: str = "", end: str = "") -> PathFact:
        real = self.locate(path)
        inside = real is not None and any(is_inside(real, root) for root in self.roots)
        return PathFact(path, real, inside, operation, end)

    def facts(
        self, subject: str | None, kinds: frozenset[str], paths: tuple[PathFact, ...], **more: Any
    ) -> Facts:
        return Facts(
            self.session.agent, subject, kinds, paths, roots=self.roots, cwd=self.cwd, **more
        )


def _of_call(session: Session, call: ToolCall, places: _Places) -> Facts:
    diffs = [item for item in call.content if isinstance(item, Diff)]
    touched, understood = _touched(call, diffs)
    paths = tuple(places.fact(path, *what) for path, what in touched.items())
    verified = all(fact.real is not None for fact in paths)
    command = command_of_call(session, call, places.locate, places.roots)
    return places.facts(
        "tool_call",
        _kinds(call.kind, frozenset(operation for operation, _ in touched.values()), command),
        paths,
        complete=bool(paths) and verified and understood,
        command=command,
        has_diff=bool(diffs),
    )


def _kinds(claimed: str, operations: frozenset[str], command: CommandFact | None) -> frozenset[str]:
    # A change of an unknown operation is a change all the same.
    shown = {_KIND_OF_OPERATION.get(operation, "edit") for operation in operations if operation}
    if command is not None:
        shown.add("execute")
    if claimed == "other" and shown:
        return frozenset(shown)  # "other" says nothing
    return frozenset({claimed, *shown})


def _touched(call: ToolCall, diffs: list[Diff]) -> tuple[dict[str, tuple[str, str]], bool]:
    """Paths with operation and end in a diff, and whether everything could be understood."""
    touched: dict[str, tuple[str, str]] = {}
    understood = True
    changes = change_set(diffs)  # with what only the patch's text touches
    for change in changes.files:
        understood &= change.operation in _KIND_OF_OPERATION
        two = bool(change.path and change.old_path)
        for path, end in ((change.old_path, "from"), (change.path, "to")):
            if path:
                touched[path] = (change.operation, end if two else "")
    understood &= not changes.problems and all(diff.changes for diff in diffs)
    named = [location.path for location in call.locations]
    understood &= _add_named_paths(call.raw_input, named, _DEEPEST)
    for path in named:
        touched.setdefault(path, ("", ""))
    if len(touched) > MOST_PATHS:
        return dict(list(touched.items())[:MOST_PATHS]), False
    return touched, understood


def _add_named_paths(value: Any, named: list[str], depth: int) -> bool:
    """Add the paths in a tool's raw input, found by the names that tools commonly give them.

    Returns whether everything was looked at.
    """
    if not isinstance(value, dict | list):
        return True
    if depth == 0:
        return False
    complete = True
    if isinstance(value, list):
        for item in value:
            complete &= _add_named_paths(item, named, depth - 1)
        return complete
    for key, item in value.items():
        if key == "changes" and isinstance(item, dict):
            named += item
        if key.lower().replace("-", "_").endswith(_PATH_KEYS):
            named += [each for each in _listed(item) if isinstance(each, str) and each]
        complete &= _add_named_paths(item, named, depth - 1)
    return complete


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _path_of_uri(uri: str) -> str:
    """The path of a `file:` URI, or empty for one that is not of this machine."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    if parts.netloc not in {"", "localhost"} or parts.query or parts.fragment:
        return ""
    path = unquoted(parts.path)
    return path[1:] if is_absolute(path[1:]) and path[2:3] == ":" else path
