"""Addresses that an agent wants opened: whether they may be at all, and what is odd about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

LONGEST: Final = 8192
"""Characters; the whole address must be shown before consent, and more nobody reads."""

_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_FORBIDDEN: Final = re.compile(r"[\s\\\x00-\x20\x7f-\x9f]")
_NUMERIC: Final = re.compile(r"(0x[0-9a-f]*|\d+)\Z")


@dataclass(frozen=True, slots=True)
class Link:
    """An address that may be opened, with consent.

    Attributes:
        url: All of it, exactly as it will be opened.
        host: What it really leads to, as registered (punycode, not as it looks).
        warnings: What a person should know first.
    """

    url: str
    host: str
    warnings: tuple[str, ...]


def read_link(url: str) -> Link | str:
    """The link, or why it is never opened."""
    if len(url) > LONGEST:
        return "its address is too long to be shown"
    if _FORBIDDEN.search(url):
        return "its address contains blanks, control characters or backslashes"
    try:
        parts = urlsplit(url)
        port = parts.port
        host = (parts.hostname or "").rstrip(".")
        ascii_host = _ascii(host)
    except (ValueError, UnicodeError):
        return "its address is malformed"
    if parts.scheme not in {"https", "http"}:
        return "its address is not one of the web"
    if not ascii_host or "%" in host:
        return "its address names no host"
    return Link(url, ascii_host, tuple(_warnings(parts, host, ascii_host, port)))


def _ascii(host: str) -> str:
    if host.isascii():
        return host
    return host.encode("idna").decode("ascii")


def _looks_like(ascii_host: str) -> str:
    """How a punycode host is shown by a browser that trusts it."""
    try:
        return ascii_host.encode("ascii").decode("idna")
    except UnicodeError:
        return ascii_host


def _warnings(parts: SplitResult, host: str, ascii_host: str, port: int | None) -> list[str]:
    found = []
    if any(label.startswith("xn--") for label in ascii_host.split(".")) or not host.isascii():
        looks = _looks_like(ascii_host)
        found.append(
            f"The host has letters beyond ASCII (punycode): {ascii_host} looks like {looks}."
        )
    if "@" in parts.netloc:
        found.append(f"What stands before the @ is not the host: it leads to {ascii_host}.")
    if parts.scheme == "http" and ascii_host not in _LOCAL:
        found.append("The connection is not encrypted.")
    if ascii_host not in _LOCAL and _is_number(ascii_host):
        found.append("The host is a bare number, not a name.")
    if port not in {None, 443, 80} and ascii_host not in _LOCAL:
        found.append(f"It uses the unusual port {port}.")
    return found


def _is_number(host: str) -> bool:
    return ":" in host or _NUMERIC.match(host.rpartition(".")[2]) is not None
