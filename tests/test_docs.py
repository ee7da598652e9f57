"""What the documents say is so: commands exist and are run, settings are read, links lead on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from acp_sidecar.cli import COMMANDS
from acp_sidecar.config import load

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
RUN_BY_CI = {"demo", "test", "vscode", "peers"}
RUN_BY_HAND = {
    "setup": "the first step of every other job",
    "bench": "measures, so CI's load spoils it",
}

each_document = pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)


def blocks(document: Path, language: str) -> list[str]:
    """Fenced code blocks of a language."""
    text = document.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_ci_runs_the_readmes_commands() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert set(re.findall(r"scripts/dev\.py (\w+)", script)) == RUN_BY_CI
    readme = "\n".join(blocks(ROOT / "README.md", "sh"))
    assert set(re.findall(r"scripts/dev\.py (\w+)", readme)) <= RUN_BY_CI


@each_document
def test_jobs_that_documents_name_are_run(document: Path) -> None:
    named = set(re.findall(r"scripts/dev\.py (\w+)", document.read_text(encoding="utf-8")))
    assert named <= RUN_BY_CI | set(RUN_BY_HAND)


@each_document
def test_commands_that_documents_name_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = set(re.findall(r"`acp-sidecar ([a-z]+)", text))
    named |= set(
        re.findall(r"^acp-sidecar ([a-z]+)", "\n".join(blocks(document, "sh")), re.MULTILINE)
    )
    assert named <= set(COMMANDS)


def test_the_readmes_settings_are_read_without_a_problem() -> None:
    [settings] = blocks(ROOT / "README.md", "json")
    config, problems = load(json.loads(settings))
    assert problems == []
    assert config.default_agent in config.agents


@each_document
def test_links_lead_to_files(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    links = re.findall(
        r"\]\(([^)#\s]+)(?:#[^)]*)?\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    )
    local = [link for link in links if "://" not in link]
    missing = [link for link in local if not (document.parent / link).exists()]
    assert missing == []


@each_document
def test_nothing_of_a_machine_is_written_down(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert not re.search(r"/root/|/work/|/home/(?!(?:user|me)\b)\w", text)
