"""The server's life in VS Code: absent, installed, killed, set wrongly, examined, not trusted."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.cache import PROJECT
from tests.editors.vscode.conftest import PICTURES, Windows, demo_agent
from tests.editors.vscode.package import python_extension, vsix
from tests.editors.vscode.server import CodeServer
from tests.editors.vscode.status_bar import status, wait_status
from tests.editors.vscode.test_sessions import started
from tests.editors.vscode.workbench import Workbench

UNTRUSTED = {
    "security.workspace.trust.enabled": True,
    "security.workspace.trust.startupPrompt": "never",
}


def without(program: str) -> str:
    """PATH without the folders that have a program."""
    folders = os.environ["PATH"].split(os.pathsep)
    return os.pathsep.join(each for each in folders if not shutil.which(program, path=each))


def no_server(folders: pytest.TempPathFactory, *, trust: bool = True) -> CodeServer:
    """A VS Code that has no server on its PATH; not started yet."""
    environment = {"PATH": without("acp-sidecar"), "ACP_SIDECAR_DEMO_DELAY": "0.05"}
    server = CodeServer(folders.mktemp("elsewhere"), environment, trust=trust)
    server.install(vsix())
    server.configure({})
    return server


@contextlib.contextmanager
def running(server: CodeServer, browser: Browser, folder: Path) -> Iterator[Windows]:
    """Windows of a VS Code that runs meanwhile."""
    server.start()
    windows = Windows(server, browser, folder)
    yield windows
    windows.close()
    server.stop()


@pytest.fixture
def elsewhere(
    tmp_path_factory: pytest.TempPathFactory, chromium: Browser, tmp_path: Path
) -> Iterator[Windows]:
    """Windows of a VS Code that trusts nothing and has no server on its PATH."""
    server = no_server(tmp_path_factory, trust=False)
    with running(server, chromium, tmp_path) as windows:
        yield windows


def test_nothing_runs_before_the_folder_is_trusted_and_nothing_is_installed_before_it_is_wanted(
    elsewhere: Windows,
) -> None:
    package = {"acpSidecar.server.path": "", "acpSidecar.server.package": str(PROJECT)}
    before = elsewhere.sidecars()
    vscode = elsewhere.open(settings={**UNTRUSTED, **package})
    wait_status(vscode, "once you trust it")
    vscode.command("ACP: Run Doctor")
    vscode.toast("it starts once you trust the folder").wait_for()
    assert elsewhere.sidecars() <= before
    vscode.press_in_toast("it starts once you trust the folder", "Manage Trust")
    vscode.page.get_by_role("button", name="Trust", exact=True).first.click()
    vscode.toast("needs its server, a Python program").wait_for()
    vscode.picture(PICTURES / "install.png")
    assert elsewhere.sidecars() <= before
    vscode.press_in_toast("needs its server, a Python program", "Install")
    for step in ("making an environment", "installing the server"):
        vscode.toast(f"ACP Sidecar: {step}").wait_for()
    # pip downloads what the server needs
    vscode.page.locator(".statusbar-item[aria-label*='Following']").first.wait_for(timeout=300_000)
    vscode.prompt("/read README.md:1-2")
    vscode.wait_tab("README.md")


def test_the_interpreter_that_the_python_extension_has_selected_is_used(
    tmp_path_factory: pytest.TempPathFactory, chromium: Browser, tmp_path: Path
) -> None:
    server = no_server(tmp_path_factory)
    server.install(python_extension(tmp_path, sys.executable))
    with running(server, chromium, tmp_path) as windows:
        vscode = windows.open(settings={"acpSidecar.server.path": ""})
        wait_status(vscode, "Following")
        vscode.command("ACP: Run Doctor")
        vscode.wait_tab("ACP Doctor")
        vscode.wait(lambda: "the selected Python interpreter" in text(vscode), "which server")
        assert sys.executable in text(vscode)


def end(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def test_a_server_that_ends_twice_is_started_when_the_user_says_so(windows: Windows) -> None:
    before = windows.sidecars()
    vscode = windows.open()
    for expected in ("started once again", "not started any more by itself"):
        wait_status(vscode, "Following")
        first = started(windows, vscode, before)
        end(first)
        vscode.toast(expected).wait_for()
        vscode.wait(lambda: first not in windows.sidecars(), "it is gone")  # noqa: B023 - waits here
    wait_status(vscode, "does not run")
    assert windows.sidecars() <= before
    vscode.press_in_toast("not started any more by itself", "Restart")
    wait_status(vscode, "Following")
    vscode.prompt("/read README.md:1-2")
    vscode.wait_tab("README.md")


def test_a_program_that_is_set_and_missing_is_told_and_a_change_is_taken_at_once(
    windows: Windows,
) -> None:
    vscode = windows.open(settings={"acpSidecar.server.path": "/nowhere/acp-sidecar"})
    vscode.toast('"/nowhere/acp-sidecar" (setting acpSidecar.server.path) is no program').wait_for()
    wait_status(vscode, "does not run")
    vscode.command("ACP: Show Menu")
    vscode.wait(lambda: any("Install" in row for row in vscode.quick_rows()), "it can be installed")
    vscode.page.keyboard.press("Escape")
    windows.configure()
    wait_status(vscode, "Following")


def test_settings_are_taken_by_the_server_that_runs(windows: Windows) -> None:
    before = windows.sidecars()
    vscode = windows.open(settings=demo_agent())
    wait_status(vscode, "Following")
    server = started(windows, vscode, before)
    windows.configure(**demo_agent(), **{"acpSidecar.defaultAgent": "other"})
    vscode.toast("other").wait_for()  # there is no such agent, and the server says so
    assert windows.sidecars() - before == {server}


def text(vscode: Workbench) -> str:
    return "\n".join(vscode.editor_lines())


def test_the_doctor_says_what_it_finds(vscode: Workbench) -> None:
    wait_status(vscode, "Following")
    vscode.command("ACP: Run Doctor")
    vscode.wait_tab("ACP Doctor")

    def begun() -> bool:
        vscode.page.keyboard.press("Control+Home")
        return "setting acpSidecar.server.path" in text(vscode)

    vscode.wait(begun, "which server")
    vscode.picture(PICTURES / "doctor.png")

    def over() -> bool:
        vscode.page.keyboard.press("Control+End")
        return "All is well." in text(vscode)

    vscode.wait(over, "the end of the report")
    assert "prompts go to demo" in text(vscode)


def test_stopping_and_restarting(windows: Windows) -> None:
    before = windows.sidecars()
    vscode = windows.open()
    wait_status(vscode, "Following")
    first = started(windows, vscode, before)
    vscode.command("ACP: Restart Server")
    vscode.wait(
        lambda: windows.sidecars() - before and first not in windows.sidecars(), "another server"
    )
    wait_status(vscode, "Following")
    vscode.command("ACP: Stop Server")
    wait_status(vscode, "is stopped")
    vscode.wait(lambda: windows.sidecars() <= before, "no server")
    assert vscode.toasts() == []
    assert "does not run" not in status(vscode)
