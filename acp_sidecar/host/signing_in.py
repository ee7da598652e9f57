"""A request that the agent refuses for want of a sign-in is tried once more after it."""

from __future__ import annotations

from collections.abc import Callable

from acp_sidecar.errors import AuthRequired, SidecarError
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.host.ports import Listener

Failed = Callable[[SidecarError], None]


def with_sign_in(
    listener: Listener, host: AgentHost, attempt: Callable[[Failed], None], failed: Failed
) -> None:
    """Attempt something; if the agent wants a sign-in, have one made and attempt it again.

    Args:
        attempt: Asks the agent; told whom to call with what prevented it. The agent may have been
            started anew between the two attempts.
        failed: What prevented it in the end.
    """

    def refused(error: SidecarError) -> None:
        if isinstance(error, AuthRequired):
            listener.sign_in_wanted(host, error, signed_in)
        else:
            failed(error)

    def signed_in(gave_up: SidecarError | None) -> None:
        if gave_up is None:
            attempt(failed)
        else:
            failed(gave_up)

    attempt(refused)
