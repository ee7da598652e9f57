"""Following in a real VS Code: the right lines, no focus taken, out of the way of the user."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.editors.vscode.asking import program
from tests.editors.vscode.conftest import PICTURES, Windows, demo_agent, sample_project
from tests.editors.vscode.status_bar import status, wait_status
from tests.editors.vscode.workbench import Workbench

LONG = "long.txt"
OTHER = "other.txt"
SMALL = {"width": 1200, "height": 520}


def project(folder: Path) -> Path:
    """The sample project with two files that no window shows whole."""
    sample_project(folder)
    for name in (LONG, OTHER):
        text = "".join(f"{name} {number}\n" for number in range(1, 301))
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def vscode(windows: Windows, tmp_path: Path) -> Workbench:
    """A small window on that project, in which the server runs."""
    return ready(windows.open(project(tmp_path / "project"), size=SMALL))


@pytest.fixture
def watched(windows: Windows, tmp_path: Path) -> Workbench:
    """The same with an agent that takes its time, so that its caret can be seen."""
    slow = demo_agent("--delay", "1")
    return ready(windows.open(project(tmp_path / "project"), size=SMALL, settings=slow))


def ready(vscode: Workbench) -> Workbench:
    wait_status(vscode, "Following")
    return vscode


def shown(vscode: Workbench, group: int | None = None) -> range:
    """Numbers of the lines on screen in the active group of editors, or that one, from 0."""
    groups = vscode.page.locator(".editor-group-container")
    one = vscode.editor() if group is None else groups.nth(group)
    numbers = [int(text) for text in one.locator(".line-numbers").all_inner_texts() if text.strip()]
    return range(min(numbers), max(numbers) + 1) if numbers else range(0)


def labels(vscode: Workbench, agent: str = "demo") -> list[str]:
    """What stands beside the carets of an agent, in all editors."""
    found: list[str] = vscode.page.evaluate(
        """(agent) => [...document.querySelectorAll('.view-line span')]
        .map((span) => getComputedStyle(span, '::after').content)
        .filter((content) => content && content.includes(`${agent}:`))""",
        agent,
    )
    return found


def read(vscode: Workbench, place: str) -> None:
    """Have the agent read some lines, and wait until they are on screen."""
    vscode.prompt(f"/read {place}")
    name, _, lines = place.partition(":")
    arrived(vscode, name, int(lines.partition("-")[0]))


def arrived(vscode: Workbench, name: str, line: int) -> None:
    vscode.wait(
        lambda: vscode.active_tab() == name and line in shown(vscode), f"{name}:{line} on screen"
    )


def test_it_goes_where_the_agent_reads_and_leaves_the_focus(watched: Workbench) -> None:
    vscode = watched
    vscode.page.locator(".explorer-folders-view .monaco-list-row").first.click()
    focus = vscode.focus()
    vscode.prompt(f"/read {LONG}:120-124")
    vscode.wait(lambda: labels(vscode), "the agent's name beside its caret")
    arrived(vscode, LONG, 120)
    vscode.picture(PICTURES / "follow.png")
    assert {120, 124} <= set(shown(vscode))
    vscode.wait(lambda: vscode.cursor().startswith("Ln 120,"))
    wait_status(vscode, "idle")
    assert vscode.focus() == focus
    assert "is paused" not in status(vscode)
    assert vscode.toasts() == []
    vscode.wait(lambda: not labels(vscode), "no caret once the turn is over")


def test_one_file_after_the_other_uses_one_tab_and_pauses_nothing(vscode: Workbench) -> None:
    for place in (f"{LONG}:50-52", f"{OTHER}:200-201", f"{LONG}:250-252", f"{LONG}:20-21"):
        read(vscode, place)
        assert vscode.tabs() == [place.partition(":")[0]]
        assert "is paused" not in status(vscode)


def test_scrolling_pauses_until_the_next_prompt(vscode: Workbench) -> None:
    read(vscode, f"{LONG}:150-152")
    vscode.editor().hover()
    vscode.page.mouse.wheel(0, 300)
    wait_status(vscode, "you scrolled")
    vscode.picture(PICTURES / "follow-paused.png")
    read(vscode, f"{LONG}:20-22")
    wait_status(vscode, "Following")
    assert "is paused" not in status(vscode)


def test_a_click_pauses_and_the_command_resumes(vscode: Workbench) -> None:
    read(vscode, f"{LONG}:150-152")
    vscode.editor().locator(".view-line").nth(5).click()
    wait_status(vscode, "you moved the cursor")
    vscode.page.keyboard.press("Control+Home")
    vscode.command("ACP: Toggle Following")
    arrived(vscode, LONG, 150)
    assert "is paused" not in status(vscode)


def test_going_to_another_tab_pauses(vscode: Workbench) -> None:
    vscode.open_file(OTHER)
    vscode.page.keyboard.press("Control+k")
    vscode.page.keyboard.press("Enter")  # the tab stays
    read(vscode, f"{LONG}:150-152")
    vscode.page.locator(f".tab[data-resource-name='{OTHER}']").click()
    wait_status(vscode, "you went to another file")
    assert vscode.active_tab() == OTHER


def strengths(vscode: Workbench) -> list[float]:
    """How much of the agent's colour the highlighted lines on screen have, from 0 to 1."""
    found: list[float] = vscode.page.evaluate(
        """() => [...document.querySelectorAll('.view-overlays [class*="ced-"]')]
        .map((line) => /\\/ ([\\d.]+)\\)$/.exec(getComputedStyle(line).backgroundColor))
        .filter((found) => found)
        .map((found) => Number(found[1]))"""
    )
    return found


def test_the_highlight_fades_and_stays_faint_while_the_agent_is_there(
    windows: Windows,
) -> None:
    vscode = ready(windows.open(settings={**program("says"), "acpSidecar.editor.fade": 10}))
    vscode.prompt("read 20")  # and stays there
    seen: list[float] = []

    def faint() -> bool:
        seen.extend(strengths(vscode))
        return seen[-1:] == [0.08]

    vscode.wait(faint, "the highlight is faint")
    assert len(set(seen)) > 1
    assert seen == sorted(seen, reverse=True)
    vscode.wait(lambda: labels(vscode, "says") != [], "the caret stays")
    vscode.command("ACP: Cancel Turn")
    vscode.wait(lambda: not strengths(vscode), "no highlight once the turn is over")


def test_typing_pauses_and_stays_where_it_is(vscode: Workbench) -> None:
    read(vscode, f"{LONG}:150-152")
    vscode.page.keyboard.press("Control+1")
    vscode.page.keyboard.type("mine ")
    wait_status(vscode, "Following is paused")
    arrived(vscode, LONG, 150)
    vscode.wait(lambda: any("mine" in line for line in vscode.editor_lines()))


def test_what_the_user_types_in_is_never_taken_away(watched: Workbench) -> None:
    vscode = watched
    vscode.open_file(OTHER)
    vscode.page.keyboard.type("mine ")
    vscode.prompt(f"/read {LONG}:150-152")
    typed = ["mine "]

    def type_on() -> bool:
        typed.append(f"{len(typed)} ")
        vscode.page.keyboard.type(typed[-1])
        return LONG in vscode.tabs()

    vscode.wait(type_on, "the agent's file is shown")
    type_on()
    assert vscode.active_tab() == OTHER
    vscode.wait(lambda: "".join(typed).strip() in vscode.editor_lines()[0], "all that was typed")
    vscode.wait(lambda: 150 in shown(vscode, group=1), "the agent's lines in another group")


def test_beside_leaves_the_users_own_group_alone(windows: Windows, tmp_path: Path) -> None:
    settings = {"acpSidecar.editor.followColumn": "beside"}
    vscode = ready(windows.open(project(tmp_path / "project"), settings=settings, size=SMALL))
    vscode.open_file(OTHER)
    vscode.prompt(f"/read {LONG}:150-152")
    vscode.wait(lambda: 150 in shown(vscode, group=1), "the lines in the group beside")
    assert vscode.active_tab() == OTHER
    # What the user does in their own group is no reason to stop.
    vscode.editor().locator(".view-line").nth(5).click()
    vscode.open_file("README.md")
    vscode.prompt(f"/read {LONG}:250-252")
    vscode.wait(lambda: 250 in shown(vscode, group=1), "the next lines in the same group")
    assert vscode.active_tab() == "README.md"
    assert vscode.tabs().count(LONG) == 1


def test_the_caret_is_shown_in_every_view_of_the_file_also_while_not_followed(
    watched: Workbench,
) -> None:
    vscode = watched
    vscode.open_file("words.py")
    vscode.page.keyboard.press("Control+\\")
    vscode.wait(lambda: vscode.tabs().count("words.py") == 2)
    vscode.command("ACP: Toggle Following")
    wait_status(vscode, "Not following")
    vscode.prompt("/edit tally/words.py")
    vscode.wait(lambda: len(labels(vscode)) == 2, "a caret in both views")
    vscode.picture(PICTURES / "presence.png")
    assert vscode.tabs() == ["words.py", "words.py"]


def chord(vscode: Workbench, key: str) -> None:
    """Press one of the keys that begin with Control+Alt+A."""
    vscode.page.keyboard.press("Control+Alt+A")
    vscode.page.keyboard.press(key)


def test_the_trail_is_walked_back_and_forward(vscode: Workbench) -> None:
    for place in (f"{LONG}:50-52", f"{OTHER}:200-201", f"{LONG}:250-252"):
        read(vscode, place)
    vscode.command("ACP: Go Back on the Trail")
    arrived(vscode, OTHER, 200)
    wait_status(vscode, "you walk along the trail")
    chord(vscode, "ArrowLeft")
    arrived(vscode, LONG, 50)
    chord(vscode, "ArrowRight")
    arrived(vscode, OTHER, 200)
    vscode.command("ACP: Go Forward on the Trail")
    arrived(vscode, LONG, 250)
    vscode.wait(lambda: "is paused" not in status(vscode), "the walk is over")
    vscode.command("ACP: Show the Trail")
    vscode.wait(lambda: f"{LONG}:250" in vscode.quick_rows()[0], "the newest place comes first")
    vscode.quick_pick(f"{OTHER}:200", typed=OTHER)
    arrived(vscode, OTHER, 200)


def test_what_cannot_be_shown_is_no_reason_to_complain(vscode: Workbench) -> None:
    (vscode.project / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(200))
    vscode.open_file("README.md")
    for name in ("missing.txt", "picture.png", "texts"):
        vscode.prompt(f"/read {name}")
    read(vscode, f"{LONG}:150-152")  # comes after them
    assert vscode.tabs() == ["README.md", LONG]
    assert vscode.toasts() == []


def test_a_linked_folder_is_followed_by_its_own_name(windows: Windows, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(project(tmp_path / "real"), target_is_directory=True)
    vscode = ready(windows.open(link, size=SMALL))
    vscode.open_file(LONG)
    read(vscode, f"{LONG}:150-152")
    assert vscode.tabs() == [LONG]  # it would be two if the real path were another file


def test_both_roots_of_a_workspace_are_followed(windows: Windows, tmp_path: Path) -> None:
    folders = [project(tmp_path / name) for name in ("first", "second")]
    workspace = tmp_path / "both.code-workspace"
    listed = [{"path": str(folder)} for folder in folders]
    workspace.write_text(json.dumps({"folders": listed}), encoding="utf-8")
    vscode = ready(windows.open(workspace, size=SMALL))
    path = vscode.page.locator(".editor-group-container.active .breadcrumbs-control")
    for number, name in enumerate(("first", "second")):
        vscode.command("ACP: New Session")
        vscode.quick_pick("Demo", typed="demo")
        vscode.quick_pick(name)
        wait_status(vscode, "idle")
        read(vscode, f"{LONG}:{100 + number}")
        expect(path.first).to_contain_text(name)
