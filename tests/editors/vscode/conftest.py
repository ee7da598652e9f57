"""Fixtures: one VS Code server and one browser for each test process, a fresh window for each test.

Pictures of windows in which a test failed go to `.cache/vscode/pictures/failed`, with what the
server and the extension host logged beside them.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.cache import PROJECT
from tests.editors.vscode.install import VSCODE_CACHE, browser
from tests.editors.vscode.package import vsix
from tests.editors.vscode.server import CodeServer
from tests.editors.vscode.workbench import Workbench

HERE = Path(__file__).parent
SAMPLE = PROJECT / "acp_sidecar" / "demo" / "sample"
PICTURES = VSCODE_CACHE / "pictures"
# As root, which containers often are, Chromium has no sandbox; QUIC and GPU only cost time here.
_BROWSER_ARGUMENTS = [
    *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
]
_SIZE = {"width": 1400, "height": 850}

Json = Any
_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(tryfirst=True)  # before markers select
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test in this directory needs VS Code, and has time to start it."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.vscode)
            item.add_marker(pytest.mark.timeout(600))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Remember for the fixtures whether the test has failed."""
    report = yield
    if report.failed:  # type: ignore[attr-defined]
        item.stash[_FAILED] = True
    return report


@pytest.fixture(scope="session")
def code_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeServer]:
    """VS Code with our packaged extension."""
    environment = {"ACP_SIDECAR_DEMO_DELAY": "0.05"}
    server = CodeServer(tmp_path_factory.mktemp("vscode"), environment)
    server.install(vsix())
    server.configure({})
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser without a window."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=browser(), headless=True, args=_BROWSER_ARGUMENTS
        )
        yield started
        started.close()


def server_settings() -> dict[str, Json]:
    """Settings that start this checkout's server."""
    program = "acp-sidecar.exe" if os.name == "nt" else "acp-sidecar"
    return {"acpSidecar.server.path": str(Path(sys.executable).parent / program)}


def demo_agent(*arguments: str, **environment: str) -> dict[str, Json]:
    """Settings that make the demo agent, with these arguments, the only agent."""
    command = [sys.executable, "-m", "acp_sidecar", "agent", *arguments]
    return {"acpSidecar.agents": {"demo": {"command": command, "env": environment}}}


def sample_project(folder: Path) -> Path:
    """A copy of the demo's project."""
    skipped = shutil.ignore_patterns("__pycache__", ".pytest_cache")
    shutil.copytree(SAMPLE, folder, ignore=skipped)
    return folder


class Windows:
    """Opens windows for one test, and keeps pictures of them if it fails."""

    def __init__(self, server: CodeServer, browser: Browser, folder: Path) -> None:
        self._server = server
        self._browser = browser
        self._folder = folder
        self.opened: list[Page] = []
        server.forget_sessions()

    def open(
        self,
        target: Path | None = None,
        *,
        settings: dict[str, Json] | None = None,
        size: dict[str, int] | None = None,
    ) -> Workbench:
        """Open a window, on a fresh copy of the demo's project unless told otherwise.

        Args:
            target: a folder or a `.code-workspace` file.
            settings: the user's settings, beside those that start the server.
            size: of the window, in pixels.
        """
        target = target or sample_project(self._folder / "project")
        self.configure(**(settings or {}))
        context = self._browser.new_context(
            viewport={"width": (size or _SIZE)["width"], "height": (size or _SIZE)["height"]}
        )
        page = context.new_page()
        self.opened.append(page)
        workbench = Workbench(page, target)
        workbench.open(self._server.url(target))
        return workbench

    def configure(self, **settings: Json) -> None:
        """Change the user's settings, beside those that start the server; windows take them."""
        self._server.configure({**server_settings(), **settings})

    def sidecars(self) -> set[int]:
        """Ids of the processes of our server."""
        return self._server.sidecars()

    def keep_evidence(self, name: str) -> None:
        """Keep pictures of all windows, and what VS Code logged."""
        folder = PICTURES / "failed"
        folder.mkdir(parents=True, exist_ok=True)
        for number, page in enumerate(self.opened, 1):
            page.screenshot(path=str(folder / f"{name}-{number}.png"))
        shutil.copy(self._server.log, folder / f"{name}.log")

    def close(self) -> None:
        for page in self.opened:
            page.context.close()


@pytest.fixture
def windows(
    code_server: CodeServer, chromium: Browser, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Windows]:
    """Opens windows on projects."""
    opener = Windows(code_server, chromium, tmp_path)
    yield opener
    if request.node.stash.get(_FAILED, False):
        opener.keep_evidence(request.node.name)
    opener.close()


@pytest.fixture
def vscode(windows: Windows) -> Workbench:
    """A window on a copy of the demo's project, with default settings."""
    return windows.open()


Picture = Callable[[str], Path]


@pytest.fixture
def picture(vscode: Workbench) -> Picture:
    """Keeps a picture of the window under a name, in `.cache/vscode/pictures`."""
    return lambda name: vscode.picture(PICTURES / f"{name}.png")
