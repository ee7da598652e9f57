"""Raw bytes reach a client in order and whole, or it learns what is gone."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_sidecar.features.messages import TERMINAL
from acp_sidecar.features.ports import Abilities
from acp_sidecar.features.terminal import MOST_BYTES, Terminals, rest, snapshot, text
from acp_sidecar.session.reducer import apply
from acp_sidecar.session.terminals import (
    TerminalCapabilities,
    TerminalExitStatus,
    TerminalOutput,
    TerminalOutputChunk,
    TerminalSize,
    TerminalUpdate,
)
from acp_sidecar.session.tool_calls import CancelCapability
from acp_sidecar.session.updates import Update
from tests.features.rich_editor import RecordingEditor, TerminalModel, applied, new_session


def chunk(data: bytes) -> TerminalOutputChunk:
    return TerminalOutputChunk(terminal_id="t", data=data)


def test_the_first_bytes_come_at_once_and_the_next_by_frames() -> None:
    editor, session = RecordingEditor(), new_session()
    terminals = Terminals(editor)
    for now, data in ((0.0, b"a"), (0.001, b"b"), (0.002, b"c"), (0.016, b"d")):
        for update, effect in applied(session, chunk(data)):
            terminals.changed(now, session, update, effect)
        terminals.tick(now)
    assert [base64.b64decode(each["data"]) for each in editor.of(TERMINAL)] == [b"a", b"bcd"]
    assert [each["offset"] for each in editor.of(TERMINAL)] == [0, 1]
    assert terminals.deadline() is None


def test_a_clock_alone_brings_the_rest() -> None:
    editor, session = RecordingEditor(), new_session()
    terminals = Terminals(editor)
    for data in (b"a", b"b"):
        for update, effect in applied(session, chunk(data)):
            terminals.changed(0.0, session, update, effect)
        terminals.tick(0.0)
    deadline = terminals.deadline()
    assert deadline is not None
    terminals.tick(deadline)
    assert base64.b64decode(editor.of(TERMINAL)[-1]["data"]) == b"b"


def test_what_is_known_of_a_terminal_comes_with_it_and_changes_alone() -> None:
    editor, session = RecordingEditor(), new_session()
    terminals = Terminals(editor)
    first = TerminalUpdate(
        terminal_id="t",
        command="make",
        cwd="/project",
        size=TerminalSize(cols=80, rows=24),
        capabilities=TerminalCapabilities(cancel=CancelCapability()),
    )
    ended = TerminalUpdate(terminal_id="t", exit_status=TerminalExitStatus(exit_code=3))
    for now, update in enumerate((first, ended)):
        for each, effect in applied(session, update):
            terminals.changed(now, session, each, effect)
        terminals.tick(now)
    assert editor.of(TERMINAL) == [
        {
            "sessionId": "s",
            "terminalId": "t",
            "reset": True,
            "offset": 0,
            "data": "",
            "next": 0,
            "command": "make",
            "cwd": "/project",
            "size": {"cols": 80, "rows": 24},
            "exitStatus": None,
            "cancellable": True,
        },
        {"sessionId": "s", "terminalId": "t", "exitStatus": {"exitCode": 3, "signal": None}},
    ]


def test_plain_clients_are_told_nothing() -> None:
    editor, session = RecordingEditor(abilities=Abilities()), new_session()
    terminals = Terminals(editor)
    for update, effect in applied(session, chunk(b"x")):
        terminals.changed(0.0, session, update, effect)
    assert terminals.deadline() is None
    terminals.tick(1.0)
    assert editor.notified == []


def test_much_output_comes_in_pieces() -> None:
    editor, session = RecordingEditor(), new_session(4 * MOST_BYTES)
    terminals, model = Terminals(editor), TerminalModel()
    data = bytes(range(256)) * (MOST_BYTES // 100)
    for update, effect in applied(session, chunk(data)):
        terminals.changed(0.0, session, update, effect)
    while (deadline := terminals.deadline()) is not None:
        terminals.tick(deadline)
    for params in editor.of(TERMINAL):
        model.take(params)
    assert len(editor.of(TERMINAL)) > 1
    assert model.data == data


def test_a_late_client_asks_for_the_rest() -> None:
    session = new_session(1024)
    apply(session, chunk(b"x" * 3000))
    terminal = session.terminals["t"]
    params = snapshot(session, terminal, 100)
    assert params["skipped"] == params["offset"] - 100 > 0
    assert base64.b64decode(params["data"]) == b"x" * (3000 - params["offset"])
    assert params["exitStatus"] is None
    assert not rest(session, terminal, 3000)["data"]
    beyond = rest(session, terminal, 5000)
    assert beyond["reset"]
    assert beyond["next"] == 3000


def test_the_rest_can_be_read_piece_by_piece() -> None:
    session, model = new_session(), TerminalModel()
    data = bytes(range(256)) * 10
    apply(session, chunk(data))
    more = True
    while more:
        params = rest(session, session.terminals["t"], model.offset, 1000)
        model.take(params)
        more = params["more"]
    assert model.data == data


def test_text_is_plain_and_says_what_is_gone() -> None:
    session = new_session(1024)
    apply(session, chunk(b"\x1b]52;c;aGk=\x07" + b"a\x1b[1mb\x1b[0m\n" * 300 + "\u202e".encode()))
    shown = text(session.terminals["t"])
    assert shown.startswith("… the first ")
    assert "ab\nab\n" in shown
    assert shown.endswith("⟨U+202E⟩")
    assert "\x1b" not in shown


UPDATES = st.lists(
    st.one_of(
        st.binary(max_size=700).map(chunk),
        st.binary(max_size=2500).map(
            lambda data: TerminalUpdate(terminal_id="t", output=TerminalOutput(data=data))
        ),
        st.just(TerminalUpdate(terminal_id="t", output=None)),
        st.just(TerminalUpdate(terminal_id="t", command="make")),
    ),
    max_size=25,
)


@settings(max_examples=200, deadline=None)
@given(UPDATES, st.lists(st.floats(0, 0.03), min_size=25, max_size=25), st.booleans())
def test_the_client_ends_with_what_is_kept(
    updates: list[Update], gaps: list[float], small: bool
) -> None:
    editor, session = RecordingEditor(), new_session(1024 if small else 1024 * 1024)
    terminals, model = Terminals(editor), TerminalModel()
    now = 0.0
    for update, gap in zip(updates, gaps, strict=False):
        now += gap
        for each, effect in applied(session, update):
            terminals.changed(now, session, each, effect)
        terminals.tick(now)
    while (deadline := terminals.deadline()) is not None:
        terminals.tick(deadline)
    for params in editor.of(TERMINAL):
        model.take(params)
    if updates:
        output = session.terminals["t"].output
        assert model.offset == output.offset
        assert model.data.endswith(output.kept()[-len(model.data) :] if model.data else b"")
        assert len(model.data) + model.skipped == output.offset


@pytest.mark.parametrize("offset", [-1, 0, 3, 99])
def test_any_offset_is_answered(offset: int) -> None:
    session = new_session()
    apply(session, chunk(b"abc"))
    assert rest(session, session.terminals["t"], offset)["next"] == 3
