"""Texts and edits of the kinds that break clients."""

from __future__ import annotations

from hypothesis import strategies as st

_ODD = "\ufeff\x0c\x85\u2028\u2029\t e\u0301\U0001f600\udcff\udce4-+@\\ "
_WORDS = ["", "a", "b", "}", "  return x", "-- x", "++ y", "@@ -1 +1 @@", "diff --git a/f b/f"]

endings = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])
contents = st.one_of(st.sampled_from(_WORDS), st.text(_ODD, max_size=5))


@st.composite
def lines(draw: st.DrawFn, max_size: int = 30) -> list[str]:
    """Lines with endings, of which some repeat."""
    body = draw(st.lists(contents, max_size=max_size))
    style = draw(st.sampled_from(["\n", "\r\n", "mixed"]))
    return [line + (draw(endings) if style == "mixed" else style) for line in body]


@st.composite
def edited(draw: st.DrawFn, before: list[str], most: int = 5) -> list[str]:
    """The lines after some changes, deletions, insertions and repetitions."""
    after = list(before)
    for _ in range(draw(st.integers(0, most))):
        low = draw(st.integers(0, len(after)))
        high = draw(st.integers(low, min(len(after), low + 3)))
        after[low:high] = draw(st.one_of(lines(3), st.just(after[low : high + 1] * 2)))
    return after


@st.composite
def text_pairs(draw: st.DrawFn) -> tuple[str, str]:
    """A text and an edited one; each may lack the final newline or be empty."""
    old = draw(lines())
    new = draw(edited(old))
    return _ended(draw, old), _ended(draw, new)


def _ended(draw: st.DrawFn, body: list[str]) -> str:
    text = "".join(body)
    return text.rstrip("\r\n") if draw(st.booleans()) else text
