r"""Whole files as agents are given them and send them back: what they do not say is kept.

Agents get characters and send characters. The byte order mark, the encoding and the line endings
of a file are not theirs to lose, and what the user has typed meanwhile is not theirs to overwrite.
"""

from __future__ import annotations

import re
from typing import Final

from acp_sidecar.changes.merge import merge
from acp_sidecar.changes.texts import BOM, FileText, natural_break, split_lines

_ESCAPED: Final = re.compile("[\udc80-\udcff]")
_ENDING: Final = re.compile(r"\r\n|\n|\r")


def excerpt(text: str, line: int | None, limit: int | None) -> str:
    """`limit` lines from `line` on, with their endings; empty behind the end.

    Args:
        text: The whole text.
        line: Counts from 1; `None` and 0 are the beginning.
        limit: How many lines; `None` is all that follow.
    """
    if (line or 0) <= 1 and limit is None:
        return text
    lines = split_lines(text, natural_break(text))
    start = max((line or 1) - 1, 0)
    return "".join(lines[start:] if limit is None else lines[start : start + limit])


def speakable(text: str) -> str:
    """A text that any JSON can carry: in a file that is not UTF-8, each byte is one character.

    Undecodable bytes are escaped by `texts.decode`, and many agents cannot read that. As latin-1
    the text can be sent back unchanged, and is the same file again (see `encoded`).
    """
    if _ESCAPED.search(text) is None:
        return text
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def encoded(content: str, existing: FileText | None) -> bytes:
    """The bytes of a file that is to hold `content`, in the encoding of what is there.

    Raises:
        UnicodeEncodeError: The file's encoding has not all of the characters.
    """
    if existing is None:
        return content.encode("utf-8")
    if existing.errors != "strict":
        return content.encode("latin-1")
    if existing.bom:
        content = content.removeprefix(BOM)
    return existing.encode(content)


def rewritten(base: str | None, now: str, content: str) -> str | None:
    """What a file is to be after an agent has sent `content` for it; `None` if that conflicts.

    Args:
        base: What the agent knew when it wrote; `None` if it knew what is there now.
        now: What is there now. What makes it differ from `base` is somebody else's, and is kept.
        content: The whole text that the agent wants, in whatever line endings.
    """
    content = with_endings_of(content, now)
    if base is None or base == now:
        return content
    sides = (base, now, content)
    merged = merge(*(split_lines(each) for each in sides))
    return None if merged is None else "".join(merged)


def with_endings_of(content: str, existing: str) -> str:
    r"""`content` in the line endings of `existing`, where both know only one kind.

    Agents write `\n` into files that have `\r\n`. A text that mixes them knows what it wants.
    """
    wanted = set(_ENDING.findall(existing))
    given = set(_ENDING.findall(content))
    if len(wanted) != 1 or len(given) != 1 or wanted == given:
        return content
    return _ENDING.sub(wanted.pop(), content)
