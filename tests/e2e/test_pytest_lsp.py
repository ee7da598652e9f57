"""The mainstream with pytest-lsp's client, that shares nothing with the harness beside it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

from tests.e2e.demo_agent import demo_agents, is_solved, sample_project
from tests.environment import clean_environment

pytestmark = pytest.mark.e2e

CLIENTS = ["neovim@v0.11.0", "emacs@v29.1", "visual_studio_code@v1.65.2"]


def answer_as_a_user(client: LanguageClient) -> None:
    """Allow everything, and let the client do what its editor does without a word."""

    @client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)  # type: ignore[untyped-decorator]
    def ask(params: types.ShowMessageRequestParams) -> types.MessageActionItem:
        return next(action for action in params.actions or [] if action.title == "Allow")

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
    def register(_params: types.RegistrationParams) -> None:
        return

    @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)  # type: ignore[untyped-decorator]
    def refresh(_params: None) -> None:
        return


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return sample_project(tmp_path / "tally")


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    params=CLIENTS,
    config=ClientServerConfig(
        server_command=[sys.executable, "-m", "acp_sidecar"], server_env=clean_environment()
    ),
)
async def client(
    request: pytest.FixtureRequest, lsp_client: LanguageClient, sample: Path
) -> AsyncIterator[None]:
    """An initialized client with the capabilities of a real editor."""
    folder = types.WorkspaceFolder(uri=sample.as_uri(), name="tally")
    params = types.InitializeParams(
        capabilities=pytest_lsp.client_capabilities(request.param),
        workspace_folders=[folder],
        initialization_options={"agents": demo_agents(), "permissions": {"inert": 0}},
    )
    answer_as_a_user(lsp_client)
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


async def command(client: LanguageClient, name: str, argument: Any = None) -> Any:
    params = types.ExecuteCommandParams(command=name, arguments=[argument or {}])
    return await client.workspace_execute_command_async(params)


async def idle(client: LanguageClient, about: Any) -> Any:
    """The state when the turn of a session has ended."""
    while True:
        state = await command(client, "acp.state", about)
        if not state["sessions"][0]["busy"]:
            return state
        await asyncio.sleep(0.05)


async def test_a_tour(client: LanguageClient, sample: Path) -> None:
    about = await command(client, "acp.prompt", {"text": "/tour"})
    state = await idle(client, about)
    assert state["sessions"][0]["stopReason"] == "end_turn"
    assert is_solved(sample)
    assert [entry["by"] for entry in state["audit"]] == ["user"] * len(state["audit"])
    assert len(state["audit"]) > 3
    assert client.capabilities
    window = client.capabilities.window
    can_show = window is not None and window.show_document is not None
    assert bool(client.shown_documents) == can_show
    assert client.messages == []
