"""Everything that the server can do is within a Neovim user's reach."""

from __future__ import annotations

import re

from acp_sidecar.lsp.command_table import COMMANDS
from tests.editors.neovim.test_house import OWN

# What is not called, and how a user gets the same.
ELSEWHERE = {
    "acp.permission.answer": "the answer to the request `acp/permission`",
    "acp.permission.addRule": "an answer with something to remember, or the settings",
    "acp.elicitation.answer": "the answer to the request `acp/elicitation`",
    "acp.review.preview": "proposals are drawn in the buffer; `:Acp review diff` compares texts",
    "acp.terminal.screen": "terminal buffers of Neovim show the bytes themselves",
}


def called() -> set[str]:
    """Names of commands that are written out in the plugin."""
    text = "\n".join(path.read_text("utf-8") for path in OWN)
    return set(re.findall(r'"(acp\.[A-Za-z.]+)"', text))


def test_each_command_is_called_or_has_a_reason() -> None:
    known = {command.name for command in COMMANDS}
    assert called() <= known
    assert called() | set(ELSEWHERE) == known
    assert not called() & set(ELSEWHERE)
