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
OWN = [path for path in LUA if path.name != "contract.lua"]


def test_help_and_readme_are_as_generated(tmp_path: Path) -> None:
    copy = tmp_path / "neovim"
    shutil.copytree(PLUGIN, copy)
    script = str(copy / "scripts" / "help.lua")
    subprocess.run([nvim_program(), "--clean", "--headless", "-l", script, str(copy)], check=True)
    for name in ("doc/acp_sidecar.txt", "README.md"):
        assert (copy / name).read_text("utf-8") == (PLUGIN / name).read_text("utf-8")


def test_help_tags_are_unique(nvim: Neovim, tmp_path: Path) -> None:
    shutil.copytree(PLUGIN / "doc", tmp_path / "doc")
    nvim.command(f"helptags {tmp_path / 'doc'}")
    assert "acp-sidecar-settings" in (tmp_path / "doc" / "tags").read_text("utf-8")


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
