"""What real editors announce, as recorded, and what is made of it."""

from __future__ import annotations

from typing import Any

import pytest
import pytest_lsp
from lsprotocol import converters, types

from acp_sidecar.features.ports import Abilities
from acp_sidecar.lsp.abilities import RICH, abilities_of, plain
from tests.harness.capabilities import BARE, PLAIN

ALL_FILES = frozenset({"create", "rename", "delete"})


def structured(capabilities: dict[str, Any]) -> types.ClientCapabilities:
    return converters.get_converter().structure(capabilities, types.ClientCapabilities)


EDITORS = {
    "neovim@0.11.0": Abilities(
        show_document=True,
        message_actions=True,
        apply_edit=True,
        resource_operations=ALL_FILES,
        work_done_progress=True,
        configuration=True,
    ),
    "neovim@0.6.1": Abilities(
        message_actions=True,
        apply_edit=True,
        resource_operations=ALL_FILES,
        work_done_progress=True,
        configuration=True,
    ),
    "visual-studio-code@1.65.2": Abilities(
        show_document=True,
        message_actions=True,
        apply_edit=True,
        document_changes=True,
        change_annotations=True,
        resource_operations=ALL_FILES,
        work_done_progress=True,
        code_lens_refresh=True,
        watched_files=True,
        configuration=True,
    ),
    "emacs@29.1": Abilities(
        message_actions=True,
        apply_edit=True,
        document_changes=True,
        work_done_progress=True,
        watched_files=True,
        configuration=True,
    ),
}


@pytest.mark.parametrize("editor", EDITORS)
def test_recorded_editors(editor: str) -> None:
    assert abilities_of(pytest_lsp.client_capabilities(editor)) == EDITORS[editor]


def test_a_client_that_can_do_nothing() -> None:
    assert abilities_of(structured(BARE)) == Abilities(message_actions=True)


def test_a_client_that_can_do_all_of_plain_lsp() -> None:
    abilities = abilities_of(structured(PLAIN))
    assert abilities.change_annotations
    assert abilities.code_lens_refresh
    assert abilities.rich == frozenset()


@pytest.mark.parametrize(
    ("experimental", "rich"),
    [
        ({"acp": {"follow": True, "review": True}}, {"follow", "review"}),
        ({"acp": {"follow": False, "future": True, "terminal": True}}, {"terminal"}),
        ({"acp": {"follow": "yes", "review": 1, "permission": None}}, set()),
        ({"acp": True}, set()),
        ({"acp": None}, set()),
        ({"other": {}}, set()),
        ({"acp": dict.fromkeys(RICH, True), "_odd": 1}, RICH),
        ([], set()),
        (5, set()),
        (None, set()),
    ],
)
def test_rich_clients_say_what_they_take(experimental: Any, rich: set[str]) -> None:
    assert abilities_of(structured({"experimental": experimental})).rich == rich


def test_what_pygls_makes_of_json_becomes_json_again() -> None:
    made = types.ClientCapabilities(experimental={"acp": {"follow": [1, {"a": None}]}})
    assert plain(made.experimental) == {"acp": {"follow": [1, {"a": None}]}}
