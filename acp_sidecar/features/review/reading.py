"""Files as the review reads them: through the workspace, each text split and indexed once."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from acp_sidecar.changes.views import TextView
from acp_sidecar.features.places import inside, said_place
from acp_sidecar.features.ports import FileText, Workspace

MAX_VIEWS: Final = 64
"""Texts kept ready for searching; several change sets of one file share one."""


class Reading:
    """Reads files and knows where reviews may go. `home` is what `~` stands for."""

    def __init__(self, workspace: Workspace, home: str = "") -> None:
        self.workspace = workspace
        self._home = home
        self._views: OrderedDict[str, TextView] = OrderedDict()

    def read(self, path: str) -> FileText:
        """The text of a file: the open buffer first, else the disk."""
        return self.workspace.read(path)

    def view(self, path: str, text: str) -> TextView:
        """The text made ready for searching."""
        view = self._views.get(path)
        if view is None or view.text != text:
            view = self._views[path] = TextView(text)
        self._views.move_to_end(path)
        if len(self._views) > MAX_VIEWS:
            self._views.popitem(last=False)
        return view

    def real_path(self, path: str, cwd: str) -> tuple[str, str]:
        """The real path of what an agent names, and why nothing may be done there."""
        said = said_place(path, cwd, self._home)
        if said is None:
            return path, "This is not a path of a file on this machine."
        real = self.workspace.resolve(said.path)
        roots = self.workspace.roots() or (self.workspace.resolve(cwd),)
        if not inside(real, roots):
            return real, "This file is outside of the workspace."
        return real, ""
