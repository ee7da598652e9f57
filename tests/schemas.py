"""The JSON Schemas of ACP, as published in npm @agentclientprotocol/sdk, for tests to judge by."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import jsonschema

from tests.peers import npm

Json = dict[str, Any]

_SDK_PROJECT = Path(__file__).resolve().parent / "peers" / "sdk"
_AGENT, _CLIENT, _EITHER = "agent", "client", "protocol"


@functools.cache
def load_schema(version: int) -> Json:
    """The whole schema of ACP `version` (1 or 2), its types under `$defs`.

    The package is installed into the project's cache on first use, at the locked version.
    """
    directory = npm.clean_install("sdk", _SDK_PROJECT)
    path = directory / "node_modules/@agentclientprotocol/sdk/schema" / f"v{version}/schema.json"
    schema: Json = json.loads(path.read_text(encoding="utf-8"))
    return schema


@functools.cache
def _validator(version: int, definition: str) -> Any:
    schema = load_schema(version)
    assert definition in schema["$defs"], definition
    rooted = {"$ref": f"#/$defs/{definition}", "$defs": schema["$defs"]}
    return jsonschema.Draft202012Validator(rooted)


@functools.cache
def _definitions(version: int) -> dict[tuple[str, str, str], str]:
    """(side that handles it, method, "Request" | "Response" | "Notification") to definition."""
    found = {}
    for name, definition in load_schema(version)["$defs"].items():
        if "x-method" in definition:
            suffix = next(
                end for end in ("Request", "Response", "Notification") if name.endswith(end)
            )
            found[definition["x-side"], definition["x-method"], suffix] = name
    return found


def check(version: int, definition: str, value: Any) -> None:
    """Fail unless the value is one of that definition of the schema."""
    errors = [
        f"{error.json_path}: {error.message[:500]}"
        for error in _validator(version, definition).iter_errors(value)
    ]
    assert not errors, f"not a {definition} of v{version}:\n" + "\n".join(errors[:5])


def check_message(
    version: int, message: Json, *, from_agent: bool, answers: str | None = None
) -> None:
    """Fail unless the message is a well-formed one of ACP.

    Args:
        version: The protocol version of the connection.
        message: The message as parsed.
        from_agent: Whether the agent said it, or the client.
        answers: The method that it answers, if it is an answer.
    """
    assert message.get("jsonrpc") == "2.0", message
    speaker, listener = (_AGENT, _CLIENT) if from_agent else (_CLIENT, _AGENT)
    if "method" not in message:
        assert answers is not None, f"an answer to nothing: {message}"
        _check_answer(version, message, speaker, answers)
        return
    kind = "Request" if "id" in message else "Notification"
    method = message["method"]
    known = _definitions(version)
    definition = known.get((listener, method, kind)) or known.get((_EITHER, method, kind))
    assert definition, f"v{version} has no {kind.lower()} {method} for the {listener}"
    check(version, definition, message.get("params"))


def _check_answer(version: int, message: Json, speaker: str, method: str) -> None:
    assert ("result" in message) != ("error" in message), message
    if "error" in message:
        check(version, "Error", message["error"])
    else:
        # The side of a response is the side that answers it.
        check(version, _definitions(version)[speaker, method, "Response"], message["result"])
