"""Settings: one frozen tree, its documentation, and reading it from whatever an editor sends.

Comes from `initializationOptions` and from the `acp` section of `workspace/configuration`. A bad
setting never stops the server: it keeps its default and becomes a problem that is shown.
"""

from __future__ import annotations

from acp_sidecar.config.base import Settings
from acp_sidecar.config.loading import load
from acp_sidecar.config.permissions import (
    TOOL_KINDS,
    PermissionRule,
    PermissionSettings,
    RuleMatch,
    command_words,
)
from acp_sidecar.config.settings import (
    DEMO_AGENT,
    AgentSettings,
    ClientSettings,
    Config,
    EditorToolsSettings,
    FollowSettings,
    ReviewSettings,
    SessionSettings,
    TerminalSettings,
    TimeoutSettings,
)

__all__ = [
    "DEMO_AGENT",
    "TOOL_KINDS",
    "AgentSettings",
    "ClientSettings",
    "Config",
    "EditorToolsSettings",
    "FollowSettings",
    "PermissionRule",
    "PermissionSettings",
    "ReviewSettings",
    "RuleMatch",
    "SessionSettings",
    "Settings",
    "TerminalSettings",
    "TimeoutSettings",
    "command_words",
    "load",
]
