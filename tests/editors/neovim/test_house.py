"""The plugin's own house rules: generated help is current, Lua is sound, pure code is pure."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.editors.neovim.editor import PLUGIN, Neovim, nvim_program
from tests.environment import program
from tests.peers.npm import install

LUA = sorted(PLUGIN.rglob("*.lua"))
NAME_OF = "function(command) return command.name end"
PATH_OF = "function(setting) return setting.path end"
OWN = [path for path in LUA if path.name != "contract.lua"]


def test_help_and_readme_are_as_generated(tmp_path: Path) -> None:
    copy = tmp_path / "neovim"
    shutil.copytree(PLUGIN, copy)
    script = str(copy / "scripts" / "help.lua")
    subprocess.run([nvim_program(), "--clean", "--headless", "-l", script, str(copy)], check=True)
    for name in ("doc/acp_sidecar.txt", "README.md"):
        assert (copy / name).read_text("utf-8") == (PLUGIN / name).read_text("utf-8")


def test_help_leads_to_each_command_and_setting(nvim: Neovim, tmp_path: Path) -> None:
    """`:helptags` fails on tags that are not unique; `:help` opens the very line of a tag."""
    doc = tmp_path / "plugin" / "doc"
    shutil.copytree(PLUGIN / "doc", doc)
    commands = nvim.lua(f"return vim.tbl_map({NAME_OF}, require('acp_sidecar.commands').list)")
    settings = nvim.lua(f"return vim.tbl_map({PATH_OF}, require('acp_sidecar.config').schema)")
    tags = [f":Acp-{name}" for name in commands] + [f"acp-sidecar-{path}" for path in settings]
    nvim.command(f"set runtimepath^={doc.parent} | set runtimepath-={PLUGIN}")
    nvim.command(f"helptags {doc}")
    assert len(tags) > 30
    for tag in ["acp_sidecar.txt", "acp-sidecar-settings", ":Acp", *tags]:
        nvim.command(f"help {tag}")
        assert f"*{tag}*" in nvim.rpc.current.line
    nvim.command("help acp_sidecar")
    assert nvim.rpc.current.buffer.name == str(doc / "acp_sidecar.txt")


@pytest.mark.parametrize("path", OWN, ids=lambda path: str(path.relative_to(PLUGIN)))
def test_modules_are_small_and_render_is_pure(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.count("\n") <= 400
    if path.parent.name == "render":
        for impure in (
            "vim.api.nvim_",
            "vim.fn",
            "vim.cmd",
            "vim.lsp",
            "vim.uv",
            "vim.bo",
            "vim.wo",
        ):
            assert impure not in text


def test_luacheck_finds_nothing() -> None:
    luacheck = program("luacheck", "the Lua of the plugin is linted by it")
    config = str(PLUGIN / ".luacheckrc")
    command = [luacheck, "-q", str(PLUGIN), "--config", config]
    found = subprocess.run(command, check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout


def test_lua_is_formatted() -> None:
    """Stylua is an npm package here: Node is a prerequisite of the project anyhow."""
    tools = install("stylua", ["@johnnymorganz/stylua-bin@2.5.2"])
    stylua = tools / "node_modules" / ".bin" / "stylua"
    files = [str(path) for path in (PLUGIN / "stylua.toml", *OWN)]
    command = [str(stylua), "--check", "--config-path", *files]
    found = subprocess.run(command, check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


def test_pure_modules_under_nvim_l() -> None:
    script = Path(__file__).parent / "unit" / "render.lua"
    command = [nvim_program(), "--clean", "--headless", "-l", str(script), str(PLUGIN)]
    found = subprocess.run(command, check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
