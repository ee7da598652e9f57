"""Frames: what comes slowly goes at once, what comes fast goes together."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from acp_sidecar.features.frames import CALM, FRAME, Frames

STEP = 0.001


def pushes(marks: list[float], end: float) -> list[float]:
    """When a caller that looks every millisecond pushes, if changes come at `marks`."""
    frames = Frames()
    waiting = list(marks)
    pushed = []
    for tick in range(int(end / STEP) + 1):
        now = tick * STEP
        while waiting and waiting[0] <= now:
            frames.mark(waiting.pop(0))
        if frames.due(now):
            pushed.append(now)
    return pushed


def test_a_hundred_changes_a_second_are_each_pushed_at_once() -> None:
    marks = [index * 10 * STEP for index in range(50)]
    assert pushes(marks, 1.0) == marks


def test_a_flood_is_pushed_once_a_frame() -> None:
    marks = [index * STEP for index in range(1000)]
    pushed = pushes(marks, 1.0)
    assert len(pushed) <= 1.0 / FRAME + 2
    assert pushed[0] == 0.0


def test_an_urgent_change_does_not_wait_for_its_frame() -> None:
    frames = Frames()
    frames.mark(0.0)
    assert frames.due(0.0)
    frames.mark(STEP)
    assert not frames.due(STEP)
    frames.mark(STEP, urgent=True)
    assert frames.due(STEP)


@settings(max_examples=60)
@given(st.lists(st.integers(0, 300), max_size=60))
def test_nothing_waits_longer_than_a_frame_and_pushes_are_never_denser_than_calms(
    milliseconds: list[int],
) -> None:
    marks = sorted(each * STEP for each in milliseconds)
    pushed = pushes(marks, 0.5)
    for mark in marks:
        assert any(mark <= at <= mark + FRAME + STEP for at in pushed)
    # A push without calm before it waits for its frame, so two of three are a frame apart.
    for first, third in zip(pushed, pushed[2:], strict=False):
        assert third - first >= CALM - STEP
