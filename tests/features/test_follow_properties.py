"""Follow under any interleaving of agents, the user and time."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_sidecar.config import FollowSettings
from acp_sidecar.features.ports import Abilities, Edit, Span
from acp_sidecar.session import reducer
from acp_sidecar.session.tool_calls import ToolCallUpdate
from acp_sidecar.wire.v2.adapter import decode_update
from tests.features.follow_world import PLAIN, RICH, World

RATE = 10.0
Step = tuple[Any, ...]
Place = tuple[str, int | None]

CALLS = st.sampled_from(["1", "2", "3", "4"])
PATHS = st.sampled_from(["/w/a.py", "/w/b.py", "/w/c.py", "/w", "/w/none.py", "/etc/x"])
LINES = st.none() | st.integers(0, 120)
STATUSES = st.sampled_from(["pending", "in_progress", "completed", "failed"])
KINDS = st.sampled_from(["read", "edit", "execute", "other"])
SESSIONS = st.sampled_from(["s1", "s2"])

UPDATES = st.tuples(st.just("update"), SESSIONS, CALLS, st.tuples(PATHS, LINES), STATUSES, KINDS)
STATUS_ONLY = st.tuples(st.just("status"), SESSIONS, CALLS, STATUSES)
ACCESSES = st.tuples(st.just("access"), SESSIONS, PATHS, LINES)
WAITS = st.tuples(st.just("wait"), st.floats(0, 0.4))
TURNS = st.tuples(st.sampled_from(["end", "prompt"]), SESSIONS)
AGENT = st.one_of(UPDATES, UPDATES, STATUS_ONLY, ACCESSES, WAITS, WAITS, TURNS)

ACTIVITY = st.tuples(
    st.just("act"),
    st.sampled_from(["typed", "scrolled", "selected", "switched", "closed"]),
    PATHS | st.none(),
    st.none() | st.integers(-1, 5),
)
MODES = st.tuples(
    st.just("mode"), st.sampled_from(["on", "off", "pause", "resume"]), st.none() | SESSIONS
)
WALKS = st.tuples(st.just("walk"), st.sampled_from(["back", "forward"]))
EDITS = st.tuples(st.just("edit"), PATHS, st.integers(0, 50), st.booleans())
USER = st.one_of(ACTIVITY, MODES, WALKS, EDITS)


class Run:
    """Takes steps and writes down each move, when it was made, and by which step."""

    def __init__(self, abilities: Abilities, follow: FollowSettings | None = None) -> None:
        self.world = World(abilities, follow)
        self.world.files.reasons["/w"] = "directory"
        self.sessions = {"s1": self.world.session, "s2": self.world.open("s2", "codex")}
        self.log: list[tuple[float, tuple[str, int], str]] = []
        self.breaks: set[int] = set()

    def take(self, step: Step) -> None:
        before, logged = len(self.world.moves), len(self.log)
        stopped = self.stopped
        name, *rest = step
        getattr(self, f"_{name}")(*rest)
        if name != "wait":
            self.log += [(self.world.now, at, name) for at in self.world.moves[before:]]
        if name in ("mode", "walk") or self.stopped or stopped:
            self.breaks.update(range(logged, len(self.log) + 1))

    @property
    def stopped(self) -> bool:
        view = self.world.follow.view()
        return view["mode"] == "off" or view["paused"] is not None

    def _update(self, session: str, call: str, place: Place, status: str, kind: str) -> None:
        locations = [{"path": place[0], "line": place[1]}]
        update = {"status": status, "kind": kind, "locations": locations}
        self.world.call(call, session=self.sessions[session], **update)

    def _status(self, session: str, call: str, status: str) -> None:
        self.world.call(call, session=self.sessions[session], status=status)

    def _access(self, session: str, path: str, line: int | None) -> None:
        owner = self.sessions[session]
        self.world.follow.file_access(self.world.now, owner, path, line, 3, kind="read")

    def _wait(self, seconds: float) -> None:
        end = self.world.now + seconds
        due = self.world.follow.deadline()
        while due is not None and due <= end:
            before = len(self.world.moves)
            self.world.now = max(self.world.now, due)
            self.world.follow.tick(self.world.now)
            for at in self.world.moves[before:]:
                self.log.append((self.world.now, at, "tick"))
            due = self.world.follow.deadline()
        self.world.now = end

    def _end(self, session: str) -> None:
        self.world.end_turn(self.sessions[session])

    def _prompt(self, session: str) -> None:
        self.world.follow.prompt_sent(self.world.now, self.sessions[session])

    def _act(self, kind: Any, path: str | None, move: int | None) -> None:
        self.world.act(kind, path, move)

    def _mode(self, mode: Any, session: str | None) -> None:
        self.world.follow.set_mode(self.world.now, mode, session)

    def _walk(self, move: Any) -> None:
        self.world.follow.trail_move(self.world.now, move)

    def _edit(self, path: str, line: int, by_us: bool) -> None:
        edits = [Edit(Span(line, 0, line + 1, 0), "x\ny\nz\n")]
        self.world.follow.document_changed(self.world.now, path, edits, by_us)


BOTH = pytest.mark.parametrize("abilities", [RICH, PLAIN], ids=["rich", "plain"])


@BOTH
@settings(max_examples=50)
@given(steps=st.lists(AGENT, max_size=40))
def test_agents_never_move_the_view_faster_than_the_rate(
    abilities: Abilities, steps: list[Step]
) -> None:
    run = Run(abilities, FollowSettings(rate=RATE))
    for step in steps:
        run.take(step)
    times = [time for time, _, _ in run.log]
    for index, start in enumerate(times):
        window = [time for time in times[index:] if time <= start + 1]
        assert len(window) <= RATE + 1


@BOTH
@settings(max_examples=50)
@given(steps=st.lists(AGENT | USER, max_size=40))
def test_while_paused_or_off_only_the_user_moves_the_view(
    abilities: Abilities, steps: list[Step]
) -> None:
    run = Run(abilities)
    for step in steps:
        before, stopped = len(run.world.moves), run.stopped
        run.take(step)
        if stopped and step[0] not in ("mode", "walk", "prompt"):
            assert len(run.world.moves) == before


@BOTH
@settings(max_examples=50)
@given(steps=st.lists(AGENT | USER, max_size=40))
def test_no_place_is_shown_twice_in_a_row(abilities: Abilities, steps: list[Step]) -> None:
    run = Run(abilities)
    for step in steps:
        if step[0] != "edit":  # an edit moves what is remembered, so that equal lines differ
            run.take(step)
    for index, (one, other) in enumerate(pairwise(run.log)):
        assert one[1] != other[1] or index + 1 in run.breaks


@BOTH
@settings(max_examples=50)
@given(
    steps=st.lists(AGENT | USER, max_size=40),
    line=st.integers(1, 100),
    noise=st.lists(UPDATES, max_size=10),
    gap=st.floats(0, 0.3),
)
def test_the_last_place_of_the_newest_call_is_shown_when_time_passes(
    abilities: Abilities, steps: list[Step], line: int, noise: list[Step], gap: float
) -> None:
    run = Run(abilities)
    for step in [*steps, ("mode", "on", None), ("wait", 1.0)]:
        run.take(step)
    run.world.read("newest", "/w/b.py", line)
    for _, session, call, place, status, _ in noise:
        if session == "s1" and call in run.world.session.tool_calls:
            run.take(("update", session, call, place, status, "read"))
            run.take(("wait", gap / 10))
    run.take(("wait", 1.0))
    assert (run.world.target["path"], run.world.target["line"]) == ("/w/b.py", line)


@BOTH
@settings(max_examples=50)
@given(steps=st.lists(AGENT | USER, max_size=30), replay=st.lists(UPDATES, max_size=20))
def test_replay_changes_nothing(
    abilities: Abilities, steps: list[Step], replay: list[Step]
) -> None:
    run = Run(abilities)
    for step in [*steps, ("wait", 1.0)]:
        run.take(step)
    for session in run.sessions.values():
        session.replaying = True
    follow = run.world.follow
    read: list[Callable[[], Any]] = [
        follow.view,
        lambda: follow.trail_view(0.0),
        follow.deadline,
        lambda: list(run.world.moves),
        lambda: [here["path"] for here in run.world.presence if here["toolCallId"] is None],
    ]
    before = [each() for each in read]
    for step in replay:
        run.take(step)
    assert [each() for each in read] == before


@settings(max_examples=50)
@given(steps=st.lists(AGENT | USER, max_size=40), limit=st.integers(0, 5))
def test_the_trail_is_bounded_and_its_live_end_is_never_lost(steps: list[Step], limit: int) -> None:
    run = Run(RICH, FollowSettings(trail=limit))
    for step in steps:
        run.take(step)
        assert len(run.world.follow.trail_view(0.0)) <= limit
    run.take(("mode", "on", None))
    run.take(("wait", 1.0))
    live = run.world.target
    for _ in range(8):
        run.take(("walk", "back"))
    for _ in range(20):
        run.take(("walk", "forward"))
    assert run.world.follow.view()["trail"] is None
    assert run.world.follow.view()["paused"] is None
    if live is not None:
        after = run.world.target
        assert (after["path"], after["line"]) == (live["path"], live["line"])


SLOPPY_TEXT = st.text(st.characters(exclude_categories=()), max_size=12) | st.sampled_from(
    ["/w/a.py", "a.py", "file:///w/a.py#L3", "~/x", "\ud800", "/w/\udcff", "C:\\x", "\0"]
)
SLOPPY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | SLOPPY_TEXT,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["path", "line", "lines", "old_string", "edits", "offset", "limit"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)
SLOPPY_PATCH = st.text(st.sampled_from("@-+ ,1\n/abw\\"), max_size=40).map(
    lambda text: "diff --git /w/a.py /w/a.py\n--- /w/a.py\n+++ /w/a.py\n@@ -1 +1 @@\n" + text
)
SLOPPY_CHANGE = st.fixed_dictionaries(
    {"operation": st.sampled_from(["add", "delete", "modify", "move", "other"])},
    optional={
        "path": SLOPPY_TEXT,
        "oldPath": SLOPPY_TEXT,
        "old_text": SLOPPY_TEXT,
        "new_text": SLOPPY_TEXT,
    },
)
SLOPPY_DIFF = st.builds(
    lambda changes, text: {
        "type": "diff",
        "changes": changes,
        "patch": {"format": "git_patch", "text": text},
    },
    st.lists(SLOPPY_CHANGE, max_size=3),
    SLOPPY_PATCH,
)
SLOPPY_LOCATION = st.builds(
    lambda path, line, meta: {"path": path, "line": line, "_meta": {"endLine": meta}},
    SLOPPY_TEXT,
    st.none() | st.integers(0, 2**70),
    SLOPPY_JSON,
)
SLOPPY_CALL = st.fixed_dictionaries(
    {},
    optional={
        "locations": st.lists(SLOPPY_LOCATION, max_size=3),
        "rawInput": SLOPPY_JSON,
        "content": st.lists(SLOPPY_DIFF, max_size=2),
        "status": STATUSES | SLOPPY_TEXT,
        "kind": KINDS | st.text(max_size=8),
        "title": SLOPPY_TEXT,
    },
)


@BOTH
@settings(max_examples=40)
@given(updates=st.lists(SLOPPY_CALL, max_size=6))
def test_no_agent_can_break_it(abilities: Abilities, updates: list[dict[str, Any]]) -> None:
    world = World(abilities)
    for number, fields in enumerate(updates):
        raw = {"toolCallId": str(number % 2), **fields}
        lenient = decode_update({"sessionUpdate": "tool_call_update", **raw}).value
        if not isinstance(lenient, ToolCallUpdate):
            continue
        effect = reducer.apply(world.session, lenient)
        call = world.session.tool_calls[lenient.tool_call_id]
        world.follow.tool_call_changed(world.now, world.session, call, effect)
        world.wait(0.2)
    views = [world.follow.view(), world.follow.trail_view(0.0), world.editor.notified]
    json.dumps(views, ensure_ascii=False).encode()
