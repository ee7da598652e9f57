"""Names of the editor protocol that must be known before anything heavy is imported."""

from __future__ import annotations

from typing import Final

ACP_VERSION: Final = 1
"""Version of the `acp/*` contract, told in `experimental.acp.version`."""

COMMANDS: Final = (
    "acp.state",
    "acp.prompt",
    "acp.prompt.unqueue",
    "acp.prompt.release",
    "acp.cancel",
    "acp.session.new",
    "acp.session.list",
    "acp.session.resume",
    "acp.session.close",
    "acp.session.delete",
    "acp.session.forget",
    "acp.session.setOption",
    "acp.permission.answer",
    "acp.permission.addRule",
    "acp.permission.forgetRule",
    "acp.elicitation.answer",
    "acp.follow",
    "acp.trail",
    "acp.review.preview",
    "acp.review.accept",
    "acp.review.reject",
    "acp.review.undo",
    "acp.review.texts",
    "acp.terminal.stop",
    "acp.terminal.output",
    "acp.terminal.screen",
    "acp.toolCall.stop",
    "acp.transcript.open",
    "acp.transcript.blocks",
    "acp.agents.list",
    "acp.agent.start",
    "acp.agent.stop",
    "acp.agent.restart",
    "acp.agent.login",
    "acp.agent.logout",
)
"""Everything a user can do, as `workspace/executeCommand` with one object as its only argument."""

REVIEW_SCHEME: Final = "acp-review"
"""Addresses of virtual documents: a file before and after a change set."""

USER_ACTIVITY: Final = "acp/userActivity"
EXECUTE_COMMAND: Final = "workspace/executeCommand"
