"""Reading the parameters of requests: a wrong one is an error with its name, never a guess."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from acp_sidecar.demo.agent.events import Json
from acp_sidecar.wire.json_rpc import INVALID_PARAMS

AUTH_REQUIRED = -32000
NOT_FOUND = -32002
UNSUPPORTED_VERSION = -32022
REQUEST_CANCELLED = -32800


class Refusal(Exception):
    """A request is answered with this error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


def invalid(message: str) -> Refusal:
    """The refusal of a parameter."""
    return Refusal(INVALID_PARAMS, message)


def mapping(params: Any) -> Json:
    """The parameters as an object; leaving them out is an empty one."""
    if params is None:
        return {}
    if not isinstance(params, dict):
        raise invalid("params must be an object")
    return params


def text(params: Mapping[str, Any], name: str) -> str:
    """A string."""
    value = params.get(name)
    if not isinstance(value, str):
        raise invalid(f"{name} must be a string")
    return value


def optional_text(params: Mapping[str, Any], name: str) -> str | None:
    """A string; null and absence are None."""
    return None if params.get(name) is None else text(params, name)


def objects(params: Mapping[str, Any], name: str, *, required: bool = False) -> list[Json]:
    """A list of objects; null and, unless required, absence are an empty one."""
    value = params.get(name)
    if value is None and not required:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise invalid(f"{name} must be a list of objects")
    return value


def absolute_path(params: Mapping[str, Any], name: str) -> Path:
    """A path, as the client's system writes absolute ones."""
    path = Path(text(params, name))
    if not path.is_absolute():
        raise invalid(f"{name} must be an absolute path")
    return path


def directory(params: Mapping[str, Any], name: str) -> Path:
    """An absolute path of a directory that exists."""
    path = absolute_path(params, name)
    if not path.is_dir():
        raise invalid(f"{name} must be a directory that exists")
    return path


def prompt(params: Mapping[str, Any]) -> list[Json]:
    """The content blocks of a prompt, each at least with a type and, if text, with text."""
    blocks = objects(params, "prompt", required=True)
    for block in blocks:
        if text(block, "type") == "text":
            text(block, "text")
    return blocks
