"""Pieces that messages of both versions are made of, each with everything it can have."""

from __future__ import annotations

from typing import Any

Json = Any

META = {"example.com/trace": "abc"}
ANNOTATIONS = {
    "audience": ["user", "assistant"],
    "lastModified": "2026-01-02T03:04:05Z",
    "priority": 0.5,
    "_meta": META,
}

TEXT = {"type": "text", "text": "Hello, wörld\u2028\U0001f600", "annotations": ANNOTATIONS}
IMAGE = {"type": "image", "data": "iVBORw0=", "mimeType": "image/png", "uri": "file:///a.png"}
AUDIO = {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav", "_meta": META}
LINK = {
    "type": "resource_link",
    "name": "a.py",
    "uri": "file:///project/a.py",
    "title": "The file",
    "description": "Python",
    "mimeType": "text/x-python",
    "size": 1234,
}
TEXT_RESOURCE = {
    "type": "resource",
    "resource": {"uri": "file:///project/a.py", "text": "x = 1\n", "mimeType": "text/x-python"},
}
BLOB_RESOURCE = {"type": "resource", "resource": {"uri": "file:///a.bin", "blob": "AAEC"}}
BLOCKS: list[Json] = [TEXT, IMAGE, AUDIO, LINK, TEXT_RESOURCE, BLOB_RESOURCE]

LOCATIONS = [
    {"path": "/project/a.py", "line": 7, "_meta": META},
    {"path": "/project", "line": None},
]

KINDS = ("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode")
OPTIONS = [
    {"optionId": "1", "name": "Yes", "kind": "allow_once", "_meta": META},
    {"optionId": "2", "name": "Always", "kind": "allow_always"},
    {"optionId": "3", "name": "No", "kind": "reject_once"},
    {"optionId": "4", "name": "Never", "kind": "reject_always"},
]

FIELDS = {
    "name": {
        "type": "string",
        "title": "Name",
        "description": "Yours",
        "minLength": 1,
        "maxLength": 9,
        "pattern": "^[a-z]+$",
        "format": "email",
        "default": "me",
    },
    "site": {"type": "string", "format": "uri"},
    "day": {"type": "string", "format": "date"},
    "when": {"type": "string", "format": "date-time"},
    "size": {"type": "string", "enum": ["s", "m"]},
    "color": {"type": "string", "oneOf": [{"const": "r", "title": "Red", "description": "Warm"}]},
    "share": {"type": "number", "minimum": 0.5, "maximum": 1.5, "default": 1.0},
    "count": {"type": "integer", "minimum": 1, "maximum": 3, "default": 2},
    "sure": {"type": "boolean", "default": True},
    "tags": {
        "type": "array",
        "minItems": 1,
        "maxItems": 2,
        "items": {"type": "string", "enum": ["x", "y"]},
        "default": ["x"],
    },
    "more": {"type": "array", "items": {"anyOf": [{"const": "z", "title": "Zed"}]}},
}
FORM = {
    "type": "object",
    "title": "Who",
    "description": "Tell me",
    "properties": FIELDS,
    "required": ["name"],
    "_meta": META,
}
