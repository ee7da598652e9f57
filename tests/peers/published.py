"""The published agents that the sidecar is driven with, at pinned versions, as one table.

Each row says what to install, how to start it, and how to tie it to the fake model: which
settings make it use that server, ask before it acts, and contact nothing else. To add an
agent, add a row; `docs/peers.md` says what each column means.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from tests.peers import npm


@dataclass(frozen=True)
class PublishedAgent:
    """One row. In `env` and `files`, `$MODEL` is the model's URL and `$HOME` the agent's home."""

    name: str
    packages: tuple[str, ...]
    binary: str
    protocol: int
    arguments: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    # Config options (or the v1 mode) to set on a new session so that the agent asks first.
    asks_with: Mapping[str, str] = field(default_factory=dict)
    # Whether it asks before a command too; false where it trusts its own sandbox instead.
    asks_before_commands: bool = True
    # Whether it says which lines it reads.
    tells_lines: bool = True
    # Whether it names a session's file by the minute, and begins it anew when it is asked for the
    # session within the minute in which it was opened.
    forgets_within_the_minute: bool = False
    needs: str = ""  # the directory of another row's packages, when two rows share one

    def install(self) -> Path:
        """Install the agent's packages, if they are not there yet; return their directory."""
        return npm.install(self.needs or self.name, self.packages)

    def command(self) -> list[str]:
        """Return the argument list that starts the installed agent."""
        scripts = self.install() / "node_modules" / ".bin"
        suffix = ".cmd" if os.name == "nt" else ""
        return [str(scripts / f"{self.binary}{suffix}"), *self.arguments]

    def prepare(self, home: Path, model_url: str) -> dict[str, str]:
        """Write the agent's settings below `home`; return the environment to start it with."""
        values = {"MODEL": model_url, "HOME": home.as_posix()}
        for name, text in self.files.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(Template(text).substitute(values), encoding="utf-8")
        own = {name: Template(value).substitute(values) for name, value in self.env.items()}
        return {**self._surroundings(home), **own}

    def _surroundings(self, home: Path) -> dict[str, str]:
        """Keep the agent inside `home`, on its own Node if it brings one, and off any proxy."""
        scripts = self.install() / "node_modules" / ".bin"
        return {
            "HOME": str(home),
            "USERPROFILE": str(home),
            "PATH": os.pathsep.join([str(scripts), os.environ.get("PATH", "")]),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "XDG_DATA_HOME": str(home / ".local" / "share"),
            "XDG_STATE_HOME": str(home / ".local" / "state"),
            "XDG_CACHE_HOME": str(home / ".cache"),
            "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1",
        }


_CLAUDE_ENV = {
    "CLAUDE_CONFIG_DIR": "$HOME/.claude",
    "ANTHROPIC_BASE_URL": "$MODEL",
    "ANTHROPIC_API_KEY": "sk-ant-not-a-key",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
}
_CLAUDE_PACKAGES = ("@agentclientprotocol/claude-agent-acp@0.101.0", "node@22.23.3")


def _codex_config(*settings: str) -> str:
    return "\n".join(
        [
            'model = "fake-model"',
            'model_provider = "fake"',
            'sandbox_mode = "danger-full-access"',
            "check_for_update_on_startup = false",
            *settings,
            "[analytics]",
            "enabled = false",
            "[model_providers.fake]",
            'name = "Fake"',
            'base_url = "$MODEL/v1"',
            'wire_api = "responses"',
            'env_key = "FAKE_MODEL_KEY"',
            "request_max_retries = 0",
            "stream_max_retries = 0",
            "",
        ]
    )


_GEMINI_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
}

_OPENCODE_SETTINGS = {
    "autoupdate": False,
    "share": "disabled",
    "model": "fake/fake-model",
    "small_model": "fake/fake-small",
    "permission": {"edit": "ask", "bash": "ask"},
    "provider": {
        "fake": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Fake",
            "options": {"baseURL": "$MODEL/v1", "apiKey": "not-a-key"},
            "models": {
                "fake-model": {"tool_call": True, "limit": {"context": 200000, "output": 8000}},
                "fake-small": {"limit": {"context": 200000, "output": 8000}},
            },
        }
    },
}

AGENTS: Mapping[str, PublishedAgent] = {
    agent.name: agent
    for agent in (
        PublishedAgent(
            name="claude",
            packages=_CLAUDE_PACKAGES,
            binary="claude-agent-acp",
            protocol=2,
            env=_CLAUDE_ENV,
            asks_with={"mode": "default"},
        ),
        PublishedAgent(
            name="claude-v1",
            packages=_CLAUDE_PACKAGES,
            needs="claude",
            binary="claude-agent-acp",
            protocol=1,
            env=_CLAUDE_ENV,
            asks_with={"mode": "default"},
        ),
        PublishedAgent(
            name="claude-zed",
            packages=("@zed-industries/claude-agent-acp@0.23.1",),
            binary="claude-agent-acp",
            protocol=1,
            env=_CLAUDE_ENV,
            asks_with={"mode": "default"},
        ),
        PublishedAgent(
            name="codex",
            packages=("@zed-industries/codex-acp@0.16.0",),
            binary="codex-acp",
            protocol=1,
            env={"CODEX_HOME": "$HOME/.codex", "FAKE_MODEL_KEY": "not-a-key"},
            files={".codex/config.toml": _codex_config('approval_policy = "untrusted"')},
            tells_lines=False,
        ),
        PublishedAgent(
            name="codex2",
            packages=("@agentclientprotocol/codex-acp@2.6.0",),
            binary="codex-acp",
            protocol=2,
            env={
                "CODEX_HOME": "$HOME/.codex",
                "FAKE_MODEL_KEY": "not-a-key",
                "NO_BROWSER": "1",
                "MODEL_PROVIDER": "fake",
            },
            files={".codex/config.toml": _codex_config()},
            asks_with={"mode": "read-only"},
            asks_before_commands=False,
            tells_lines=False,
        ),
        PublishedAgent(
            name="gemini",
            packages=("@google/gemini-cli@0.61.0",),
            binary="gemini",
            arguments=("--acp", "--model", "fake-model"),
            protocol=1,
            env={
                "GEMINI_API_KEY": "not-a-key",
                "GOOGLE_GEMINI_BASE_URL": "$MODEL",
                "GEMINI_TELEMETRY_ENABLED": "false",
            },
            files={".gemini/settings.json": json.dumps(_GEMINI_SETTINGS)},
            forgets_within_the_minute=True,
        ),
        PublishedAgent(
            name="opencode",
            packages=("opencode-ai@1.18.33",),
            binary="opencode",
            arguments=("acp",),
            protocol=1,
            env={
                "OPENCODE_DISABLE_AUTOUPDATE": "1",
                "OPENCODE_DISABLE_MODELS_FETCH": "1",
                "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            },
            files={".config/opencode/opencode.json": json.dumps(_OPENCODE_SETTINGS)},
        ),
    )
}
