"""Images and sounds of the editor's: from a file or as they are, checked and bounded.

What a file is, its first bytes tell before its name does: a model's provider refuses a picture that
is not of the type it is said to be, and every later turn of the session with it.
"""

from __future__ import annotations

import base64
import binascii
import mimetypes
import re
import stat
from pathlib import Path
from typing import Final

from acp_sidecar.errors import EditorError
from acp_sidecar.features.accepted import Accepted, MediaKind
from acp_sidecar.features.media import Media
from acp_sidecar.features.places import file_uri
from acp_sidecar.lsp.arguments import MediaItem
from acp_sidecar.lsp.documents import path_of

MOST_BYTES: Final = 10_000_000
"""Of one image or sound, and of all that one prompt mentions."""

_SIGNATURES: Final[tuple[tuple[MediaKind, str, re.Pattern[bytes]], ...]] = (
    ("image", "image/png", re.compile(rb"\x89PNG\r\n\x1a\n")),
    ("image", "image/jpeg", re.compile(rb"\xff\xd8\xff")),
    ("image", "image/gif", re.compile(rb"GIF8[79]a")),
    ("image", "image/webp", re.compile(rb"RIFF.{4}WEBP", re.DOTALL)),
    ("audio", "audio/wav", re.compile(rb"RIFF.{4}WAVE", re.DOTALL)),
    ("audio", "audio/mpeg", re.compile(rb"ID3|\xff[\xf2\xf3\xfa\xfb]")),
    ("audio", "audio/ogg", re.compile(rb"OggS")),
    ("audio", "audio/flac", re.compile(rb"fLaC")),
)
"""Of what models' providers take; pictures of other types would fail the turn."""

_LONGEST_SIGNATURE: Final = 12


def read_media(item: MediaItem) -> Media:
    """What goes with a prompt.

    Raises:
        EditorError: It cannot be read, is too large, or is not what it is said to be.
    """
    if item.data is None:
        data, guessed = _from_file(item)
    else:
        data, guessed = _from_text(item.data), None
    mime_type = item.mime_type or guessed
    if mime_type is None or not mime_type.startswith(f"{item.type}/"):
        told = mime_type or "nobody says what"
        raise EditorError(f"This is no {item.type} ({told}).", advice="Give its `mimeType`.")
    return Media(item.type, mime_type, data, item.uri)


def media_in(path: str, taken: Accepted, most: int) -> Media | None:
    """The image or sound that a file holds.

    Args:
        path: An absolute path.
        taken: Which of them the agent takes.
        most: Bytes that may be sent.

    Returns:
        None for a file that is none, or that cannot be sent: a link has to do.
    """
    try:
        with _regular_file(path).open("rb") as file:
            start = file.read(_LONGEST_SIGNATURE)
            told = _signature(start)
            if told is None or not taken.takes(told[0]):
                return None
            data = start + file.read(most + 1 - len(start))
    except (OSError, ValueError, EditorError):
        return None
    if len(data) > most:
        return None
    kind, mime_type = told
    return Media(kind, mime_type, base64.b64encode(data).decode("ascii"), file_uri(path))


def size_of(media: Media) -> int:
    """How many bytes it has."""
    return len(media.data) * 3 // 4 - media.data.count("=", -2)


def _signature(start: bytes) -> tuple[MediaKind, str] | None:
    for kind, mime_type, pattern in _SIGNATURES:
        if pattern.match(start):
            return kind, mime_type
    return None


def _from_text(data: str) -> str:
    try:
        decoded = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise EditorError("`data` is not base64.") from error
    _check_size(len(decoded))
    return data


def _from_file(item: MediaItem) -> tuple[str, str | None]:
    path = path_of(item.uri) if item.uri else None
    if path is None:
        raise EditorError(f"The {item.type} has neither `data` nor the `uri` of a file.")
    try:
        file_path = _regular_file(path)
        _check_size(file_path.stat().st_size)
        with file_path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise EditorError(f"{path} cannot be read.") from error
    _check_size(len(data))
    told = _signature(data)
    mime_type = mimetypes.guess_type(path)[0] if told is None else told[1]
    return base64.b64encode(data).decode("ascii"), mime_type


def _regular_file(path: str) -> Path:
    """It, if it is one: to open a pipe would block us."""
    if not stat.S_ISREG(Path(path).stat().st_mode):
        raise EditorError(f"{path} is no file.")
    return Path(path)


def _check_size(size: int) -> None:
    if size == 0:
        raise EditorError("The image or sound is empty.")
    if size > MOST_BYTES:
        raise EditorError(
            f"The image or sound has {size} bytes; {MOST_BYTES} are the most that is sent.",
            advice="Make it smaller, or name the file in the text.",
        )
