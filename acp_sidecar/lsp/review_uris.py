"""Addresses of virtual documents: a file before or after a change set.

`acp-review:/before/c2V0/0/home/me/greet.py`: the side, the change set's id, the file's index, and
the file's path, which is there only for editors to find a name and a language. Editors normalize
addresses, each in its own way; the id is base64 so that nothing in it means anything to them.
"""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from acp_sidecar.errors import EditorError
from acp_sidecar.lsp.names import REVIEW_SCHEME

Which = Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class ReviewDocument:
    """One side of a file (an index) of a change set."""

    which: Which
    change_set: str
    file: int


def review_uri(document: ReviewDocument, path: str) -> str:
    """The address of a document; `path` is that of its file."""
    encoded = urlsafe_b64encode(document.change_set.encode("utf-8", "surrogatepass"))
    shown = quote(path.replace("\\", "/").lstrip("/"), errors="replace")
    change_set = encoded.decode("ascii").rstrip("=")
    return f"{REVIEW_SCHEME}:/{document.which}/{change_set}/{document.file}/{shown}"


def review_document(uri: str) -> ReviewDocument:
    """The document that an address stands for.

    Raises:
        EditorError: It is not an address of ours.
    """
    scheme, _, rest = uri.partition(":")
    parts = rest.lstrip("/").split("/", 3)
    if scheme == REVIEW_SCHEME and len(parts) == 4:
        which, encoded, file, _ = parts
        change_set = _decoded(encoded)
        if change_set and file.isascii() and file.isdigit() and len(file) < 10:
            if which == "before":
                return ReviewDocument("before", change_set, int(file))
            if which == "after":
                return ReviewDocument("after", change_set, int(file))
    raise EditorError("This is not the address of a document under review.")


def _decoded(encoded: str) -> str:
    """An id; empty if it is none."""
    try:
        return urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode(
            "utf-8", "surrogatepass"
        )
    except (binascii.Error, ValueError):
        return ""
