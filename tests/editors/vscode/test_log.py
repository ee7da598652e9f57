"""What the extension and the protocol log, where a user looks for it: VS Code's Output panel."""

from __future__ import annotations

from tests.editors.vscode.conftest import server_settings
from tests.editors.vscode.install import COMPILER
from tests.editors.vscode.status_bar import wait_status
from tests.editors.vscode.workbench import Workbench
from tests.environment import program


def output(vscode: Workbench) -> str:
    """What the Output panel has on screen."""
    lines = vscode.page.locator(".part.panel .view-lines .view-line").all_inner_texts()
    return "\n".join(line.replace("\xa0", " ") for line in lines)


def test_the_log_and_the_trace_are_shown_in_the_output_panel(vscode: Workbench) -> None:
    for tool in COMPILER:
        program(tool, "the part of VS Code that writes logs is compiled")
    wait_status(vscode, "Following")
    vscode.command("ACP: Show Log")
    path = server_settings()["acpSidecar.server.path"]
    started = f"starting {path} (setting acpSidecar.server.path)"
    vscode.wait(lambda: started in output(vscode), "how the server was started")
    vscode.command("ACP: Show Trace")
    vscode.toast("once the log level of").wait_for()
    vscode.command("Developer: Set Log Level...")
    vscode.quick_pick("ACP Sidecar Trace")
    vscode.quick_pick("Trace")
    vscode.prompt("/plan")
    told = "Received notification 'acp/session'"
    vscode.wait(lambda: told in output(vscode), "what the server tells")
