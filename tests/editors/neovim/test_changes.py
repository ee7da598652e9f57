"""Review beyond the plain hunk: words, selections, whole files, lists, the editor's own undo."""

from __future__ import annotations

from pathlib import Path

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Neovim, wait_equal, wait_in, wait_until
from tests.editors.neovim.test_asking import odd
from tests.editors.neovim.test_review import HUNKS, MARKS, applied, states


def groups(nvim: Neovim) -> set[str]:
    found: set[str] = set()
    for mark in nvim.lua(f"return {MARKS}"):
        found.add(str(mark[3].get("hl_group")))
        for line in mark[3].get("virt_lines", []):
            for chunk in line:
                found.update(chunk[1] if isinstance(chunk[1], list) else [chunk[1]])
    return found


def test_changed_words_stand_out_on_both_sides(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    nvim.run_turn("/edit")
    nvim.wait(f"vim.iter({HUNKS}):any(function(e) return e.hunk.words and #e.hunk.words > 0 end)")
    for name in ("tally/words.py", "tally/__main__.py"):
        nvim.edit(name)
    nvim.edit("tally/words.py")
    wait_until(lambda: groups(nvim), {"AcpAddWord", "AcpDeleteWord"}.issubset)


def test_a_selection_takes_its_hunks_and_no_other_and_says_what_it_cuts(nvim: Neovim) -> None:
    applied(nvim)
    ranges = wait_until(
        lambda: nvim.lua(f"return vim.tbl_map(function(e) return e.hunk.range end, {HUNKS})"),
        lambda found: len(found) == 2,
    )
    first = ranges[0]
    assert first["endLine"] < ranges[1]["startLine"]
    nvim.command(f"normal {first['startLine']}GV{first['endLine']}G")
    nvim.keys(":Acp reject<CR>")
    wait_equal(lambda: states(nvim), ["undone", "applied"])
    assert nvim.told() == []


def test_a_cut_hunk_is_taken_whole_and_told(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    nvim.run_turn("/edit")
    wide = nvim.wait(
        f"""(function() for _, e in ipairs({HUNKS}) do
              local range = e.hunk.state == 'applied' and e.hunk.range
              if range and range.endLine > range.startLine then
                return {{ e.file.path, range.startLine, range.endLine }} end end end)()"""
    )
    nvim.edit(wide[0])
    nvim.command(f"{wide[1]},{wide[1]}Acp accept")
    told = f"acp-sidecar: lines {wide[1]} to {wide[2]} are one hunk, which is taken as a whole"
    wait_in(told, nvim.told)


def test_undo_takes_back_what_the_agent_wrote_and_it_waits_again(nvim: Neovim) -> None:
    before = applied(nvim)
    nvim.rpc.command("undo")
    wait_equal(nvim.text, before)
    nvim.wait(f"#{MARKS} == 0")
    nvim.rpc.command("redo")
    nvim.wait(f"#{MARKS} > 0")


def test_the_hunks_of_one_file_are_a_location_list(nvim: Neovim) -> None:
    applied(nvim)
    nvim.command("Acp review loclist")
    items = nvim.lua("return vim.fn.getloclist(0)")
    assert len(items) == len(states(nvim))
    nvim.command("lclose")
    nvim.edit("README.md")
    nvim.command("Acp review loclist")
    assert nvim.told() == ["acp-sidecar: nothing to review in this file"]


def test_new_deleted_renamed_and_binary_files_are_shown(start: Start) -> None:
    nvim = start(sidecar=odd())
    nvim.edit("README.md")
    nvim.prompt("files")
    nvim.wait_permission()
    wait_in("proposed: delete", lambda: marks_text(nvim))
    nvim.edit("docs/usage.txt")
    wait_in("move usage.txt → usage.md", lambda: marks_text(nvim))
    nvim.edit("new.py")
    wait_in("one = 1", lambda: marks_text(nvim))
    nvim.command("Acp review")
    listed = {Path(name).name: line for name, line in nvim.lua(
        """return vim.tbl_map(function(i)
             return { vim.api.nvim_buf_get_name(i.bufnr), i.text } end, vim.fn.getqflist())"""
    )}  # fmt: skip
    assert set(listed) == {"new.py", "README.md", "usage.txt", "logo.png"}
    assert "add (binary)" in listed["logo.png"]
    nvim.command("Acp permissions 2")
    nvim.wait_idle()


def marks_text(nvim: Neovim) -> str:
    shown = []
    for mark in nvim.lua(f"return {MARKS}"):
        shown += [chunk[0] for chunk in mark[3].get("virt_text", [])]
        shown += [chunk[0] for line in mark[3].get("virt_lines", []) for chunk in line]
    return "".join(shown)
