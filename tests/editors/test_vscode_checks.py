"""The VS Code extension's own checks: types, style, and the tests of what needs no VS Code."""

from __future__ import annotations

import pytest

from tests.editors.vscode.package import run_script


@pytest.mark.timeout(900)  # the first one installs the tools
@pytest.mark.parametrize("script", ["check", "lint", "test"])
def test_the_checks_of_the_extension_pass(script: str) -> None:
    run_script(script)
