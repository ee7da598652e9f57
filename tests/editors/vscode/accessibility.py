"""How a window is for those who see little or nothing: themes, and what axe finds in a view."""

from __future__ import annotations

import re
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Frame

from tests.editors.vscode.conftest import Windows
from tests.editors.vscode.view_desk import AgentView

Json = Any
Colour = tuple[float, float, float, float]

THEMES = (
    "Default Dark Modern",
    "Default Light Modern",
    "Default High Contrast",
    "Default High Contrast Light",
)
"""VS Code's own themes."""

# A page within a page: VS Code's window has the landmarks, the headings and the ways past them.
_NOT_FOR_VIEWS = ("region", "page-has-heading-one", "bypass", "landmark-one-main")
_OPTIONS = {
    "resultTypes": ["violations"],
    "rules": {rule: {"enabled": False} for rule in _NOT_FOR_VIEWS},
}
# A view is transparent: what is behind it is in the window around it.
_BEHIND = """(iframe) => {
  const { x, y, width, height } = iframe.getBoundingClientRect();
  for (const behind of document.elementsFromPoint(x + width / 2, y + height / 2)) {
    const { backgroundColor } = getComputedStyle(behind);
    if (!/^rgba\\(.*, 0\\)$/.test(backgroundColor)) return backgroundColor;
  }
  throw new Error("the view stands before nothing");
}"""
_PUT_BEHIND = "(colour) => { document.documentElement.style.backgroundColor = colour }"
_COLOUR = """(name) => {
  const probe = document.createElement("i");
  probe.style.color = `var(--vscode-${name.replaceAll(".", "-")}, transparent)`;
  document.querySelector(".monaco-workbench").append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}"""
# The element with the focus, what is told of it, and how its outline differs from what it lies on.
_FOCUSED = """() => {
  const at = document.activeElement;
  const drawn = at.id === "prompt" ? document.getElementById("box") : at;
  const style = getComputedStyle(drawn);
  const [colour, width, kind] = drawn === at
    ? [style.outlineColor, style.outlineWidth, style.outlineStyle]
    : [style.borderTopColor, style.borderTopWidth, style.borderTopStyle];
  let behind = drawn.parentElement;
  const clear = (each) => /^rgba\\(/.test(getComputedStyle(each).backgroundColor);
  while (behind.parentElement && clear(behind)) behind = behind.parentElement;
  return {
    html: at.outerHTML.slice(0, 120),
    drawn: kind !== "none" && parseFloat(width) >= 1,
    colour,
    behind: getComputedStyle(behind).backgroundColor,
  };
}"""


def set_theme(windows: Windows, view: AgentView, theme: str, settings: Json) -> None:
    """Change the theme of an open window, and wait until the window and its view have it.

    Args:
        windows: whose settings are changed.
        view: the view to wait for.
        theme: one of `THEMES`.
        settings: the user's other settings.
    """
    windows.configure(**settings, **{"workbench.colorTheme": theme})
    # High contrast themes are called by their settings, the others without "Default".
    names = {theme, theme.removeprefix("Default ")}
    body = view.frame.locator("body")
    view.vscode.wait(
        lambda: body.get_attribute("data-vscode-theme-id") in names, f"the view is {theme}"
    )
    # The view is told once the window has it.
    frame_of(view).evaluate(_PUT_BEHIND, behind(view))


def behind(view: AgentView) -> str:
    """The colour of the window behind a view."""
    return view.page.locator("iframe.webview.ready").evaluate(_BEHIND)


def frame_of(view: AgentView) -> Frame:
    """The frame of a view; what is evaluated in it runs whatever its policy is."""
    frame = view.frame.locator("body").element_handle().owner_frame()
    assert frame
    return frame


def violations(view: AgentView) -> list[str]:
    """What axe finds wrong in a view as it is now: rule, element, and what to do."""
    results = Axe().run(frame_of(view), options=_OPTIONS).response
    return [_told(rule, node) for rule in results["violations"] for node in rule["nodes"]]


def _told(rule: Json, node: Json) -> str:
    return f"{rule['id']}: {node['html'][:200]}\n    {node['failureSummary']}"


def unseen_focus(view: AgentView) -> str:
    """What is wrong with the mark around what has the focus in a view; nothing if it is seen."""
    found = frame_of(view).evaluate(_FOCUSED)
    if not found["drawn"]:
        return f"no outline: {found['html']}"
    ratio = contrast(parsed(found["colour"]), parsed(found["behind"]))
    return "" if ratio >= 3 else f"an outline of {ratio:.1f}:1: {found}"


def colour(view: AgentView, name: str) -> Colour:
    """A colour of the window's theme, by its id."""
    return parsed(view.page.evaluate(_COLOUR, name))


def parsed(css: str) -> Colour:
    """A colour as browsers compute it, each part from 0 to 1."""
    parts = [float(each) for each in re.findall(r"[\d.]+", css)]
    red, green, blue = (each / 255 for each in parts[:3])
    return red, green, blue, parts[3] if len(parts) > 3 else 1.0


def over(front: Colour, back: Colour) -> Colour:
    """What is seen of a colour before another, which hides what is behind it."""
    alpha = front[3]
    red, green, blue = (alpha * a + (1 - alpha) * b for a, b in zip(front[:3], back, strict=False))
    return red, green, blue, 1.0


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours, from 1 to 21, as WCAG defines it."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
