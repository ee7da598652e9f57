"""All that the contract offers is used by the VS Code extension, or there is a reason not to."""

from __future__ import annotations

from collections.abc import Iterable

from acp_sidecar.lsp.command_table import COMMANDS
from acp_sidecar.lsp.extensions import MESSAGES
from tests.editors.vscode.package import EXTENSION

NOT_CALLED = {
    "acp.permission.answer": "the request acp/permission is answered by its result",
    "acp.elicitation.answer": "the request acp/elicitation is answered by its result",
    "acp.review.preview": "VS Code's own diff editors show what an acceptance would do",
    "acp.terminal.screen": "VS Code's terminal is the emulator that this command is instead of",
}


def named() -> str:
    """The extension's source, without the generated list of all names."""
    files = sorted((EXTENSION / "src").rglob("*.ts"))
    return "".join(each.read_text("utf-8") for each in files if each.name != "contract.ts")


def unnamed(wanted: Iterable[str]) -> set[str]:
    text = named()
    return {each for each in wanted if f'"{each}"' not in text}


def test_every_command_can_be_reached() -> None:
    assert unnamed(each.name for each in COMMANDS) == NOT_CALLED.keys()


def test_every_message_is_taken_or_sent() -> None:
    assert unnamed(each.method for each in MESSAGES) == set()
