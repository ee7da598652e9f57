"""The tests in VS Code need what `python3 scripts/dev.py vscode` installs: only that runs them."""

from __future__ import annotations

import importlib.util

collect_ignore = [] if importlib.util.find_spec("playwright") else ["vscode"]
