"""Remembered sessions, and how what two sidecars remember becomes one list. No files here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

Json = Any
Key = tuple[str, str]
"""(agent, its own session id)."""

VERSION: Final = 1
"""Of the schema of the state file."""

MOST_IN_A_WORKSPACE: Final = 100
MOST: Final = 1000
LONGEST: Final = timedelta(days=90)
"""Bounds of what is remembered; what was used last is kept."""

LONGEST_TITLE: Final = 300
LONGEST_ID: Final = 1000
MOST_DIRECTORIES: Final = 100


class Entry(BaseModel):
    """One session that was used.

    Attributes:
        workspace: The real path of the first workspace folder that it was used in.
        agent: Name of the agent in the settings.
        session_id: The agent's own.
        updated_at: ISO 8601, as the agent says.
        last_used: When it was last prompted or resumed.
        resume: Whether the agent tells the past again when it is resumed.
    """

    model_config = ConfigDict(
        frozen=True,
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
    )

    workspace: str
    agent: str
    session_id: Annotated[str, Field(max_length=LONGEST_ID)]
    cwd: str
    additional_directories: Annotated[list[str], Field(max_length=MOST_DIRECTORIES)] = Field(
        default_factory=list
    )
    title: str | None = None
    updated_at: str | None = None
    last_used: AwareDatetime
    resume: Literal["replay", "plain"] = "replay"

    @property
    def key(self) -> Key:
        """What names it."""
        return self.agent, self.session_id


@dataclass(slots=True)
class Changes:
    """What has happened since the file was last written.

    Attributes:
        used: Entries that are new or newer.
        forgotten: Keys that are to go.
    """

    used: dict[Key, Entry] = field(default_factory=dict)
    forgotten: set[Key] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.used or self.forgotten)

    def use(self, entry: Entry) -> None:
        """It was used."""
        self.forgotten.discard(entry.key)
        self.used[entry.key] = entry

    def forget(self, key: Key) -> None:
        """It is to be remembered no more."""
        self.used.pop(key, None)
        self.forgotten.add(key)


def merged(
    stored: Mapping[Key, Entry], changes: Changes, now: datetime | None = None
) -> dict[Key, Entry]:
    """What is stored with what has changed here; of one session the entry used last.

    Args:
        stored: What the file has, which others may have written meanwhile.
        changes: What has happened here.
        now: Bounds are kept if it is given.
    """
    found = {key: entry for key, entry in stored.items() if key not in changes.forgotten}
    for key, entry in changes.used.items():
        known = found.get(key)
        if known is None or known.last_used <= entry.last_used:
            found[key] = entry
    return found if now is None else bounded(found.values(), now)


def bounded(entries: Iterable[Entry], now: datetime) -> dict[Key, Entry]:
    """The entries that are young and few enough, the last used first."""
    kept: dict[Key, Entry] = {}
    of_workspace: dict[str, int] = {}
    for entry in newest_first(entries):
        count = of_workspace.get(entry.workspace, 0)
        if now - entry.last_used > LONGEST or count >= MOST_IN_A_WORKSPACE:
            continue
        if len(kept) >= MOST:
            break
        of_workspace[entry.workspace] = count + 1
        kept[entry.key] = entry
    return kept


def newest_first(entries: Iterable[Entry]) -> list[Entry]:
    """By when they were last used."""
    return sorted(entries, key=lambda entry: entry.last_used, reverse=True)


class Unreadable(ValueError):
    """The state is not what this version or any before it writes."""


class FromTheFuture(ValueError):
    """The state was written by a later version."""


def from_json(value: Json) -> dict[Key, Entry]:
    """The entries of a state file.

    Raises:
        FromTheFuture: A later version wrote it.
        Unreadable: It is something else.
    """
    version = value.get("version") if isinstance(value, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise Unreadable("it has no version")
    if version > VERSION:
        raise FromTheFuture(f"version {version}")
    sessions = value.get("sessions")
    if not isinstance(sessions, list):
        raise Unreadable("it has no list of sessions")
    try:
        entries = [Entry.model_validate(each) for each in sessions]
    except ValidationError as error:
        raise Unreadable("a session in it is not as it should be") from error
    return {entry.key: entry for entry in entries}


def to_json(entries: Iterable[Entry]) -> Json:
    """The state file's content."""
    sessions = [entry.model_dump(mode="json", by_alias=True) for entry in entries]
    return {"version": VERSION, "sessions": sessions}
