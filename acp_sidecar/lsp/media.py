"""Images and sounds of the editor's: from a file or as they are, checked and bounded."""

from __future__ import annotations

import base64
import binascii
import mimetypes
import stat
from pathlib import Path
from typing import Final

from acp_sidecar.errors import EditorError
from acp_sidecar.features.media import Media
from acp_sidecar.lsp.arguments import MediaItem
from acp_sidecar.lsp.documents import path_of

MOST_BYTES: Final = 10_000_000
"""Of one image or sound."""


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
        status = Path(path).stat()
        if not stat.S_ISREG(status.st_mode):
            raise EditorError(f"{path} is no file.")
        _check_size(status.st_size)
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise EditorError(f"{path} cannot be read.") from error
    _check_size(len(data))
    return base64.b64encode(data).decode("ascii"), mimetypes.guess_type(path)[0]


def _check_size(size: int) -> None:
    if size == 0:
        raise EditorError("The image or sound is empty.")
    if size > MOST_BYTES:
        raise EditorError(
            f"The image or sound has {size} bytes; {MOST_BYTES} are the most that is sent.",
            advice="Make it smaller, or name the file in the text.",
        )
