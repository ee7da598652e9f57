"""`acp/userActivity` from rich clients: what the user did in an editor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from acp_sidecar.features.follow_messages import ActivityKind, UserActivity
from acp_sidecar.lsp.documents import path_of

Json = Any


def user_activity(params: Json, resolve: Callable[[str], str]) -> UserActivity | None:
    """Read the notification; None for what is not of its form, which changes nothing."""
    if not isinstance(params, dict) or params.get("kind") not in get_args(ActivityKind):
        return None
    uri, move = params.get("uri"), params.get("move")
    path = path_of(uri) if isinstance(uri, str) else None
    is_number = isinstance(move, int) and not isinstance(move, bool)
    return UserActivity(
        params["kind"], None if path is None else resolve(path), move if is_number else None
    )
