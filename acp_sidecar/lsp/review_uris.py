"""Addresses of virtual documents: a file before or after a change set.

`acp-review:/before/home/me/greet.py?changeSet=...&file=0`: the path is there so that editors find a
name and a language; what it stands for is in the query.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qs, quote, urlencode, urlsplit

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
    """The address of a document; `path` is that of its file, for editors to show."""
    shown = quote("/" + path.replace("\\", "/").lstrip("/"))
    query = urlencode({"changeSet": document.change_set, "file": document.file}, quote_via=quote)
    return f"{REVIEW_SCHEME}:/{document.which}{shown}?{query}"


def review_document(uri: str) -> ReviewDocument:
    """The document that an address stands for.

    Raises:
        EditorError: It is not an address of ours.
    """
    parts = urlsplit(uri)
    query = parse_qs(parts.query)
    which = parts.path.split("/")[1:2]
    change_set, file = query.get("changeSet", [""])[0], query.get("file", [""])[0]
    is_ours = parts.scheme == REVIEW_SCHEME and change_set and file.isascii() and file.isdigit()
    if is_ours and which == ["before"]:
        return ReviewDocument("before", change_set, int(file))
    if is_ours and which == ["after"]:
        return ReviewDocument("after", change_set, int(file))
    raise EditorError("This is not the address of a document under review.")
