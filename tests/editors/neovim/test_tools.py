"""What agents' tools ask of Neovim: asked by the server's own requests, answered by the plugin."""

from __future__ import annotations

from typing import Any

import pytest

from tests.editors.neovim.editor import Neovim, wait_equal

Json = Any

LANGUAGE_SERVER = """
local range = function(first, last)
  return { start = { line = first, character = 0 }, ["end"] = { line = last, character = 0 } }
end
_G.seen = {}
local answers = {
  initialize = { capabilities = { documentSymbolProvider = true, referencesProvider = true } },
  ["textDocument/documentSymbol"] = {
    { name = "Job", kind = 5, range = range(0, 9), selectionRange = range(0, 0), children = {
      { name = "run", kind = 6, range = range(2, 4), selectionRange = range(2, 2),
        children = vim.NIL } } } },
  ["textDocument/references"] = { { uri = "file:///elsewhere.py", range = range(7, 7) } },
}
vim.lsp.start({ name = "language", root_dir = vim.fn.getcwd(), cmd = function()
  return {
    request = function(method, params, done)
      _G.seen[method] = params
      vim.schedule(function() done(nil, answers[method]) end)
      return true, 1
    end,
    notify = function() return true end,
    is_closing = function() return false end,
    terminate = function() end,
  }
end })
"""
ASK = """
local tool, params = ...
_G.told = nil
coroutine.wrap(function()
  local handler = require('acp_sidecar.client').get().handlers['acp/' .. tool]
  _G.answer = { handler(nil, params) }
end)()
"""


def asked(nvim: Neovim, tool: str, params: Json) -> Json:
    """What the plugin's handler answers the server."""
    nvim.lua("_G.answer = nil")
    nvim.lua(ASK, tool, params)
    nvim.wait("_G.answer ~= nil")
    return nvim.lua("return _G.answer[1] ~= vim.NIL and _G.answer[1] or nil")


@pytest.fixture
def uri(nvim: Neovim) -> str:
    """The address of the file that is open, with a language server of its own."""
    nvim.edit("tally/words.py")
    nvim.command("Acp agents")  # starts the server, if nothing has
    nvim.lua(LANGUAGE_SERVER)
    for method in ("documentSymbol", "references"):
        nvim.wait(f"#vim.lsp.get_clients({{ bufnr = 0, method = 'textDocument/{method}' }}) == 1")
    return (nvim.project / "tally/words.py").as_uri()


def test_the_cursor_and_what_is_selected(nvim: Neovim, uri: str) -> None:
    nvim.rpc.command("normal! 3G")
    place = {"uri": uri, "startLine": 2, "endLine": 2}
    assert asked(nvim, "selection", {}) == {**place, "text": ""}
    lines = nvim.rpc.current.buffer[2:4]
    nvim.rpc.input("Vj")
    wait_equal(lambda: nvim.lua("return { vim.fn.mode(), vim.fn.line('.') }"), ["V", 4])
    expected = {**place, "endLine": 3, "text": "\n".join(lines)}
    assert asked(nvim, "selection", {}) == expected
    nvim.rpc.input("<Esc>")


def test_the_file_used_last_counts_and_not_our_own_window(nvim: Neovim, uri: str) -> None:
    nvim.run_turn("/plan")
    nvim.rpc.command("normal! 2G")
    nvim.command("Acp transcript")
    nvim.command("wincmd b")
    assert nvim.rpc.current.buffer.name.startswith("acp-transcript:")
    assert asked(nvim, "selection", {}) == {"uri": uri, "startLine": 1, "endLine": 1, "text": ""}


def test_diagnostics_of_all_and_of_one(nvim: Neovim, uri: str) -> None:
    nvim.lua(
        """vim.diagnostic.set(vim.api.nvim_create_namespace("lint"), 0, { {
             lnum = 1, end_lnum = 2, col = 0, message = "bad", source = "lint",
             severity = vim.diagnostic.severity.WARN, code = 7 } })"""
    )
    entry = {"uri": uri, "startLine": 1, "endLine": 2, "severity": "warning"}
    entry |= {"message": "bad", "source": "lint", "code": "7"}
    assert asked(nvim, "diagnostics", {"uri": uri})["diagnostics"] == [entry]
    assert entry in asked(nvim, "diagnostics", {"uri": None})["diagnostics"]
    other = (nvim.project / "tally/report.py").as_uri()
    assert asked(nvim, "diagnostics", {"uri": other})["diagnostics"] == []


def test_symbols_with_what_they_are_in(nvim: Neovim, uri: str) -> None:
    assert asked(nvim, "symbols", {"uri": uri})["symbols"] == [
        {
            "name": name,
            "kind": kind,
            "container": container,
            "uri": uri,
            "startLine": first,
            "endLine": last,
        }
        for name, kind, container, first, last in (
            ("Job", "class", "", 0, 9),
            ("run", "method", "Job", 2, 4),
        )
    ]


def test_references_of_a_name_on_a_line(nvim: Neovim, uri: str) -> None:
    nvim.rpc.current.buffer[0] = "größe = größen + größe"
    params = {"uri": uri, "line": 0, "symbol": "größen"}
    found = [{"uri": "file:///elsewhere.py", "startLine": 7, "endLine": 7}]
    assert asked(nvim, "references", params)["references"] == found
    seen = nvim.lua("return _G.seen['textDocument/references'].position")
    assert seen == {"line": 0, "character": 8}
    assert asked(nvim, "references", {**params, "symbol": "röße"}) is None
    assert asked(nvim, "references", {**params, "line": 99_999}) is None


def test_where_no_language_server_can_tell(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    nvim.command("Acp agents")
    uri = (nvim.project / "tally/words.py").as_uri()
    assert asked(nvim, "symbols", {"uri": uri}) is None
    assert asked(nvim, "references", {"uri": uri, "line": 0, "symbol": "words"}) is None
