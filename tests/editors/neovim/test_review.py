"""Reviewing what the agent proposes and has written."""

from __future__ import annotations

from typing import Any

from tests.editors.neovim.editor import Neovim, wait_equal, wait_for, wait_in

Json = Any

HUNKS = "require('acp_sidecar.review').hunks(function() return true end)"
MARKS = """(function() return vim.api.nvim_buf_get_extmarks(0,
  require('acp_sidecar.review').namespace, 0, -1, {details = true}) end)()"""


def states(nvim: Neovim) -> list[str]:
    found: list[str] = nvim.lua(f"return vim.tbl_map(function(e) return e.hunk.state end, {HUNKS})")
    return found


def signs(nvim: Neovim) -> list[str]:
    return [mark[3].get("sign_text", "").strip() for mark in nvim.lua(f"return {MARKS}")]


def applied(nvim: Neovim) -> str:
    """Have the agent edit words.py; its text before."""
    nvim.edit("tally/words.py")
    before = nvim.text()
    nvim.run_turn("/edit tally/words.py")
    wait_equal(lambda: states(nvim), ["applied", "applied"])
    wait_for(lambda: nvim.text() != before, "the buffer is reloaded")
    return before


def test_a_proposal_is_drawn_while_its_permission_is_open(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    before = nvim.text()
    nvim.prompt("/edit tally/words.py")
    nvim.wait_permission()
    wait_equal(lambda: states(nvim), ["proposed", "proposed"])
    nvim.wait(f"vim.iter({MARKS}):any(function(mark) return mark[4].virt_lines end)")
    assert nvim.text() == before
    nvim.command("Acp permissions 3")
    nvim.wait_idle()
    nvim.wait(f"#{MARKS} == 0")
    assert nvim.text() == before


def test_what_was_written_is_reloaded_drawn_and_rejected(nvim: Neovim) -> None:
    before = applied(nvim)
    wait_in("+", lambda: signs(nvim))
    assert not nvim.rpc.current.buffer.options["modified"]
    nvim.rpc.command("normal gg")
    nvim.rpc.command("normal ]a")
    nvim.command("Acp reject")
    wait_equal(lambda: sorted(states(nvim)), ["applied", "undone"])
    nvim.command("Acp reject file")
    wait_equal(nvim.text, before)
    nvim.wait(f"#{MARKS} == 0")
    path = nvim.project / "tally/words.py"
    wait_equal(lambda: path.read_text("utf-8"), before + "\n")
    nvim.rpc.command("undo")
    assert nvim.text() != before


def test_accepting_leaves_the_text_and_removes_the_marks(nvim: Neovim) -> None:
    before = applied(nvim)
    nvim.command("Acp accept file")
    nvim.wait(f"#{MARKS} == 0")
    assert nvim.text() != before
    assert nvim.lua("return vim.fn.maparg(']a', 'n', false, true).buffer") in {None, 0}


def test_a_choice_is_undone(nvim: Neovim) -> None:
    applied(nvim)
    nvim.command("Acp accept all")
    nvim.wait(f"#{MARKS} == 0")
    nvim.command("Acp undo")
    nvim.wait(f"#{MARKS} > 0")


def test_a_range_chooses_the_hunks_it_touches(nvim: Neovim) -> None:
    before = applied(nvim)
    nvim.command("1,$Acp reject")
    wait_equal(nvim.text, before)


def annotated_edit(nvim: Neovim) -> Json:
    """Have Neovim put an `x` at the top of the file, once the user agrees; gives its answer."""
    return nvim.lua(
        """local uri, version = vim.uri_from_bufnr(0), vim.lsp.util.buf_versions[vim.fn.bufnr()]
           vim.fn.confirm = function() error('asked once more') end
           local answer
           local thread = coroutine.create(function()
             answer = require('acp_sidecar.edits').apply(nil, { label = 'Undo', edit = {
               changeAnnotations = { a = { label = 'hunk', needsConfirmation = true } },
               documentChanges = { { textDocument = { uri = uri, version = version }, edits = {
                 { annotationId = 'a', newText = 'x', range = {
                   start = { line = 0, character = 0 }, ['end'] = { line = 0, character = 0 } },
                 } } } } } }, { client_id = require('acp_sidecar.client').get().id })
           end)
           coroutine.resume(thread)
           vim.wait(30000, function() return answer ~= nil end)
           return answer"""
    )


def test_a_discarded_edit_changes_nothing(nvim: Neovim) -> None:
    applied(nvim)
    after = nvim.text()
    edit = annotated_edit(nvim)
    assert edit == {"applied": False, "failureReason": "the user said no"}
    assert nvim.text() == after


def test_an_edit_that_is_agreed_to_is_asked_and_told_of_once(nvim: Neovim) -> None:
    """Neovim 0.12 does both by itself for what is annotated."""
    applied(nvim)
    after, told = nvim.text(), nvim.told()
    nvim.answer("Apply")
    assert annotated_edit(nvim) == {"applied": True}
    assert nvim.text() == "x" + after
    assert nvim.told() == told


def test_a_stale_edit_is_refused_truthfully(nvim: Neovim) -> None:
    applied(nvim)
    after = nvim.text()
    answer = nvim.lua(
        """return require('acp_sidecar.edits').apply(nil, { edit = { documentChanges = { {
             textDocument = { uri = vim.uri_from_bufnr(0),
             version = vim.lsp.util.buf_versions[vim.api.nvim_get_current_buf()] + 1 }, edits = { {
               newText = 'x', range = {
                 start = { line = 0, character = 0 }, ['end'] = { line = 0, character = 0 } },
             } } } } } }, { client_id = require('acp_sidecar.client').get().id })"""
    )
    assert answer["applied"] is False
    assert "was changed meanwhile" in answer["failureReason"]
    assert nvim.text() == after


def test_unsaved_edits_are_kept_when_the_agent_writes(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    nvim.run_turn("/read tally/words.py")
    nvim.rpc.current.buffer[0] = "# typed by the user"
    nvim.run_turn("/edit tally/words.py")
    wait_in("was changed on disk", lambda: "\n".join(nvim.told()))
    assert nvim.rpc.current.buffer[0] == "# typed by the user"


def test_all_hunks_are_listed(nvim: Neovim) -> None:
    applied(nvim)
    nvim.command("Acp review")
    items = nvim.lua("return vim.fn.getqflist()")
    assert len(items) == len(states(nvim))
    assert items[0]["text"].startswith("[applied] +")


def test_before_and_after_are_compared_side_by_side(nvim: Neovim) -> None:
    before = applied(nvim)
    after = nvim.text()
    nvim.command("Acp review diff")
    nvim.wait("#vim.api.nvim_list_tabpages() == 2 and #vim.api.nvim_tabpage_list_wins(0) == 2")
    windows = nvim.lua("return vim.api.nvim_tabpage_list_wins(0)")
    shown = ["\n".join(nvim.lua(
        "return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(...), 0, -1, false)", w
    )) for w in windows]  # fmt: skip
    assert shown == [before, after]
    assert nvim.lua("return vim.wo.diff")
