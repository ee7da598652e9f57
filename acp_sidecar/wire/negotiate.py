"""Agree on a protocol version: what we offer, and what the answer means.

We offer 2. An agent that answers 1 gets v1. An agent that answers 2 in v1's words (`agentInfo`,
no `info`) echoes the number without speaking it: it is started again and offered 1. An error in
answer to 2 is retried with 1. The offer carries both versions' fields, so that a v1 agent knows
what we can do without being asked twice.
"""

from __future__ import annotations

from typing import Any, Final

from acp_sidecar.errors import AgentError
from acp_sidecar.session.handshake import InitializeResult
from acp_sidecar.wire.lenient import decode
from acp_sidecar.wire.protocol import Adapter, ClientInfo, ClientOffer, Json, Negotiated
from acp_sidecar.wire.v1.adapter import V1Adapter
from acp_sidecar.wire.v1.upgrade import initialize_result
from acp_sidecar.wire.v2.adapter import V2Adapter, decode_answer, malformed

NEWEST: Final = 2
OLDEST: Final = 1

UNSUPPORTED_VERSION: Final = -32022
"""ACP v2 `ErrorCode`: the agent does not speak the version that was offered."""


def initialize_params(
    version: int, client: ClientInfo, offer: ClientOffer, *, elicitation: bool
) -> Json:
    """Parameters of `initialize` for an offer of `version`.

    Args:
        version: The version.
        client: Who we are.
        offer: What an agent of v1 may have us do.
        elicitation: Whether the editor can show forms and open pages.
    """
    v2_capabilities: dict[str, Json] = {"auth": {"terminal": {}}}
    if elicitation:
        v2_capabilities["elicitation"] = {"form": {}, "url": {}}
    v1_capabilities = {
        "fs": {"readTextFile": offer.read_files, "writeTextFile": offer.write_files},
        "terminal": offer.terminals,
        "session": {"compaction": {}, "configOptions": {"boolean": {}}, "notices": {}},
        **v2_capabilities,
        "auth": {"terminal": True},
        "_meta": {"terminal-auth": True},  # what agents asked for before `auth` was there
    }
    params = {
        "protocolVersion": version,
        "clientInfo": client.json(),
        "clientCapabilities": v1_capabilities,
    }
    if version >= NEWEST:
        params |= {"info": client.json(), "capabilities": v2_capabilities}
    return params


def negotiated(offered: int, result: Json) -> Negotiated:
    """What an answer to `initialize` means."""
    answered = result.get("protocolVersion") if isinstance(result, dict) else None
    if not isinstance(answered, int) or isinstance(answered, bool):
        return Negotiated(None, malformed("initialize", result).problems)
    if answered >= NEWEST:
        return _speaks_v2(offered, result)
    decoded = decode(InitializeResult, initialize_result(result), "initialize")
    return Negotiated(decoded.value, decoded.problems)


def _speaks_v2(offered: int, result: dict[str, Any]) -> Negotiated:
    if "info" not in result and ("agentInfo" in result or "agentCapabilities" in result):
        if offered >= NEWEST:
            return Negotiated(None, [], reconnect=True)
        # Offered 1 and still answers 2 in v1's words: it is v1, whatever the number says.
        result = {**result, "protocolVersion": OLDEST}
        decoded = decode(InitializeResult, initialize_result(result), "initialize")
        return Negotiated(decoded.value, decoded.problems)
    named = {"info": {"name": "", "version": ""}, **result}
    decoded = decode_answer(InitializeResult, "initialize", named)
    return Negotiated(decoded.value, decoded.problems)


def adapter_for(result: InitializeResult) -> Adapter:
    """The adapter for the agreed version.

    Raises:
        AgentError: The agent wants a version that nobody here speaks.
    """
    if result.protocol_version == OLDEST:
        return V1Adapter(result.capabilities)
    if result.protocol_version == NEWEST:
        return V2Adapter(result.capabilities, signs_in=bool(result.auth_methods))
    raise AgentError(
        f"The agent speaks ACP version {result.protocol_version}; this client speaks 1 and 2.",
        advice="Use a release of the agent that speaks one of these.",
    )
