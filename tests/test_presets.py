"""The presets are data that holds together, and agents are found as they say."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib import resources

import pytest
from pydantic import ValidationError

from acp_sidecar.agents import KnownAgent, Source, default_agent, known_agents, usable
from acp_sidecar.config import Config, load
from acp_sidecar.configuration import Configuration
from acp_sidecar.presets import Package, Preset, presets

BY_NAME = {preset.name: preset for preset in presets()}
BUILT_IN: list[tuple[Source, Preset]] = [("preset", preset) for preset in presets()]


def known(
    settings: object = None,
    *,
    on_path: Iterable[str] = (),
    consented: Iterable[str] = (),
    described: list[tuple[Source, Preset]] = BUILT_IN,
) -> dict[str, KnownAgent]:
    config, problems = load(settings)
    assert problems == []
    programs = set(on_path)
    return known_agents(
        config, described, set(consented), lambda name: name if name in programs else None
    )


# --- the data -------------------------------------------------------------------------------------


def test_every_file_is_a_preset_of_its_own_name() -> None:
    files = list(resources.files("acp_sidecar.presets").iterdir())
    texts = {each.name: each.read_text("utf-8") for each in files if each.name.endswith(".toml")}
    named = {name: Preset.model_validate(tomllib.loads(text)) for name, text in texts.items()}
    assert {f"{preset.name}.toml" for preset in named.values()} == named.keys()
    assert {preset.name for preset in named.values()} == BY_NAME.keys()


def test_the_well_known_agents_are_there() -> None:
    wanted = (
        "claude codex gemini opencode goose qwen kimi vibe openhands pi copilot cursor cline "
        "auggie junie kiro"
    )
    assert set(wanted.split()) <= BY_NAME.keys()


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.name)
def test_a_preset_says_how_to_come_by_the_agent(preset: Preset) -> None:
    assert preset.commands or preset.packages
    assert preset.sign_in.endswith(".")
    assert not preset.install.endswith(".")
    for package in preset.packages:
        assert re.fullmatch(r"(@[\w.-]+/)?[\w.-]+([@=].+)?", package.package)
        assert package.package.split("@latest")[0] in " ".join(package.command())


def test_names_and_registry_ids_are_given_once() -> None:
    ids = [preset.registry for preset in presets() if preset.registry]
    assert len(set(ids)) == len(ids)
    assert len({preset.title for preset in presets()}) == len(presets())


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "Upper"},
        {"docs": "http://example.org"},
        {"sources": []},
        {"commands": [[]]},
        {"packages": [{"runner": "curl", "package": "x"}]},
        {"protocol": 3},
        {"instal": "a misspelt member"},
    ],
)
def test_what_is_no_preset_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Preset.model_validate({**BY_NAME["claude"].model_dump(), **wrong})


@pytest.mark.parametrize(
    ("runner", "package", "key"),
    [
        ("npx", "@scope/name@1.2.3", "npx @scope/name"),
        ("npx", "name@latest", "npx name"),
        ("npx", "@scope/name", "npx @scope/name"),
        ("uvx", "name==1.0", "uvx name"),
        ("uvx", "name>=1,<2", "uvx name"),
    ],
)
def test_consent_is_to_a_package_whatever_its_version(runner: str, package: str, key: str) -> None:
    assert Package.model_validate({"runner": runner, "package": package}).key == key


def test_a_package_is_run_by_its_own_program() -> None:
    vibe = BY_NAME["vibe"].packages[0]
    assert vibe.command() == ["uvx", "--from", "mistral-vibe", "vibe-acp"]
    npm = Package(runner="npx", package="@a/b@1", binary="c", args=["--acp"])
    assert npm.command() == ["npx", "-y", "--package=@a/b@1", "c", "--acp"]


# --- finding agents -------------------------------------------------------------------------------


def test_with_nothing_installed_only_the_demo_can_be_used() -> None:
    agents = known()
    assert list(usable(agents)) == ["demo"]
    assert next(iter(agents)) == "demo"
    claude = agents["claude"]
    assert (claude.available, claude.run, claude.settings.command) == (False, None, None)
    assert claude.install_hint == "npm install -g @agentclientprotocol/claude-agent-acp"


def test_an_installed_program_is_used_at_once() -> None:
    agents = known(on_path=["gemini", "npx"])
    gemini = agents["gemini"]
    assert gemini.settings.command == ["gemini", "--acp"]
    assert (gemini.run, gemini.available, gemini.needs_consent) == ("path", True, False)
    assert list(agents)[:2] == ["gemini", "demo"]  # what is there comes before what is not


def test_a_package_needs_consent_and_then_no_more() -> None:
    auggie = known(on_path=["npx"])["auggie"]
    assert (auggie.run, auggie.available, auggie.needs_consent) == ("npx", True, True)
    assert auggie.settings.env == {"AUGMENT_DISABLE_AUTO_UPDATE": "1"}
    agreed = known(on_path=["npx"], consented=["npx @augmentcode/auggie"])["auggie"]
    assert not agreed.needs_consent
    assert agreed.settings.command == ["npx", "-y", "@augmentcode/auggie", "--acp"]


@pytest.mark.parametrize(
    ("run", "expected"),
    [("path", ("path", "gemini")), ("npx", ("npx", "npx")), ("uvx", (None, None))],
)
def test_the_settings_say_how_it_is_run(run: str, expected: tuple[str, str]) -> None:
    settings = {"agents": {"gemini": {"run": run}}}
    gemini = known(settings, on_path=["gemini", "npx", "uvx"])["gemini"]
    command = gemini.settings.command
    assert (gemini.run, command and command[0]) == expected
    assert not gemini.needs_consent
    assert gemini.source == "settings"


def test_only_installed_means_that_nothing_is_fetched() -> None:
    gemini = known({"agents": {"gemini": {"run": "path"}}}, on_path=["npx"])["gemini"]
    assert (gemini.available, gemini.settings.command) == (False, None)


def test_settings_of_a_name_go_on_top_of_its_preset() -> None:
    mine = {"env": {"KEY": "v"}, "options": {"mode": "plan"}, "protocol": 1}
    droid = known({"agents": {"droid": mine}}, on_path=["droid"])["droid"]
    assert droid.settings.env == {**BY_NAME["droid"].env, "KEY": "v"}
    assert droid.settings.options == {"mode": "plan"}
    assert droid.settings.protocol == 1
    assert droid.title == "Factory Droid"


def test_a_command_of_the_settings_wins_over_everything() -> None:
    settings = {"agents": {"claude": {"command": ["/opt/mine", "x"]}}}
    claude = known(settings, on_path=["claude-agent-acp", "npx"])["claude"]
    assert (claude.run, claude.settings.command) == ("command", ["/opt/mine", "x"])
    assert (claude.available, claude.source) == (False, "settings")
    assert claude.docs == BY_NAME["claude"].docs
    assert "claude" in usable({"claude": claude})  # starting it says what is wrong with it


def test_an_agent_of_the_users_own_needs_no_preset() -> None:
    settings = {"agents": {"mine": {"command": ["bin/mine"]}, "nothing": {}}}
    agents = known(settings)
    assert agents["mine"].available  # relative: whether it is there shows when it is started
    assert (agents["mine"].title, agents["mine"].install_hint) == ("mine", None)
    assert not agents["nothing"].available


def test_the_demo_can_be_configured_without_its_command() -> None:
    demo = known({"agents": {"demo": {"options": {"mode": "auto"}}}})["demo"]
    assert demo.settings.command is not None
    assert demo.settings.options == {"mode": "auto"}
    assert list(demo.settings.command[1:]) == ["-m", "acp_sidecar", "agent", "--keep-sessions"]
    assert demo.available


def test_the_demo_keeps_sessions_where_sessions_are_remembered() -> None:
    configured = {"sessions": {"remember": False}, "agents": {"demo": {}}}
    for settings in (configured, {"sessions": {"remember": False}}):
        command = known(settings)["demo"].settings.command
        assert command is not None
        assert command[1:] == ["-m", "acp_sidecar", "agent"]


def test_prompts_go_to_the_first_configured_unless_said_otherwise() -> None:
    agents = known()
    assert default_agent(Config(), agents) == "demo"
    configured, _ = load({"agents": {"goose": {}, "claude": {}}})
    assert default_agent(configured, agents) == "goose"
    chosen, _ = load({"agents": {"goose": {}}, "defaultAgent": "claude"})
    assert default_agent(chosen, agents) == "claude"
    unknown, _ = load({"defaultAgent": "nobody"})
    assert default_agent(unknown, agents) == "demo"


def test_a_default_agent_that_nobody_knows_is_told() -> None:
    [problem] = Configuration({"defaultAgent": "nobody"}).problems
    assert (problem.where, problem.code) == ("defaultAgent", "bad-setting")
    assert problem.message == "'nobody' is no agent; prompts go to demo."
    assert Configuration({"defaultAgent": "demo"}).problems == []
