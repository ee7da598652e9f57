"""Tests of the VS Code extension in a real VS Code: code-server, in a Chromium without a window.

`python3 scripts/dev.py vscode` installs what they need and runs them. `install` gets the programs,
`package` the extension, `server` runs VS Code, `workbench` is what a user sees of it.
"""
