"""What a prompt about code carries."""

from __future__ import annotations

import pytest

from acp_sidecar.features.accepted import Accepted, accepted
from acp_sidecar.features.context import (
    MAX_TEXT,
    CodeContext,
    Diagnostic,
    Severity,
    ask_prompt,
    context_uri,
    fix_prompt,
    prompt_blocks,
    selected_text,
)
from acp_sidecar.features.media import Media
from acp_sidecar.features.ports import Span
from acp_sidecar.session.handshake import (
    Ability,
    AgentCapabilities,
    PromptCapabilities,
    SessionCapabilities,
)

TEXT = "one\r\ntwo\nthree\u2028still three\nfour"
WRONG = Diagnostic(Span(1, 4, 1, 9), "undefined name", Severity.ERROR, "pyright", "E1")
TEXTS = Accepted(embedded=True)


def test_embedded_text_is_what_the_user_sees() -> None:
    context = CodeContext("/w/a b.py", TEXT, Span(1, 0, 2, 3), unsaved=True)
    assert prompt_blocks("why?", [context], TEXTS) == [
        {"type": "text", "text": "why?"},
        {
            "type": "resource",
            "resource": {
                "uri": "file:///w/a%20b.py#L2-L3",
                "text": "two\nthree\u2028still three\n",
                "mimeType": "text/plain",
            },
        },
    ]


def test_without_embedding_a_link_and_the_text_quoted() -> None:
    context = CodeContext(
        "/w/a.py", "x = '```'\n", Span(0, 2, 0, 2), unsaved=True, language="python"
    )
    _, link, quoted = prompt_blocks("why?", [context], Accepted())
    assert link == {"type": "resource_link", "name": "a.py, line 1", "uri": "file:///w/a.py#L1"}
    assert quoted["text"] == (
        "a.py, line 1 (not saved yet; this is the text in the editor):\n\n"
        "````python\nx = '```'\n````"
    )


def test_diagnostics_follow_the_code() -> None:
    context = CodeContext("/w/a.py", TEXT, Span(1, 0, 2, 0), [WRONG])
    blocks = prompt_blocks(fix_prompt(context), [context], TEXTS)
    assert blocks[0]["text"] == "Fix this problem in a.py, line 2."
    assert blocks[-1]["text"] == (
        "Problems that the editor shows in a.py, line 2:\n"
        "- line 2, column 5: error: undefined name (pyright E1)"
    )


def test_a_file_that_cannot_be_read_is_a_link() -> None:
    blocks = prompt_blocks("look", [CodeContext("/w/a.bin")], TEXTS)
    assert blocks[1:] == [{"type": "resource_link", "name": "a.bin", "uri": "file:///w/a.bin"}]


@pytest.mark.parametrize(
    ("span", "fragment", "text"),
    [
        (None, "", TEXT),
        (Span(0, 0, 0, 0), "#L1", "one\r\n"),
        (Span(0, 1, 1, 0), "#L1", "one\r\n"),
        (Span(0, 0, 1, 1), "#L1-L2", "one\r\ntwo\n"),
        (Span(3, 0, 3, 4), "#L4", "four"),
        (Span(9, 0, 9, 0), "#L10", ""),
    ],
)
def test_whole_lines_are_taken(span: Span | None, fragment: str, text: str) -> None:
    context = CodeContext("/w/a.py", TEXT, span)
    assert context_uri(context) == f"file:///w/a.py{fragment}"
    assert selected_text(context) == text


def test_very_long_text_is_cut_and_says_so() -> None:
    shown = selected_text(CodeContext("/w/a", "x" * (MAX_TEXT + 5)))
    assert shown is not None
    assert shown.endswith("x\n[5 more characters]")


@pytest.mark.parametrize(
    ("count", "words"), [(0, "this code"), (1, "this problem"), (3, "these 3 problems")]
)
def test_words_of_fix(count: int, words: str) -> None:
    context = CodeContext("/w/a.py", TEXT, None, [WRONG] * count)
    assert fix_prompt(context) == f"Fix {words} in a.py."


def test_words_of_ask() -> None:
    context = CodeContext(r"C:\w\a.py", TEXT, Span(0, 0, 2, 2))
    assert ask_prompt(context, "  ") == "Explain a.py, lines 1-3."
    assert ask_prompt(context, " why? ") == "why?"
    assert context_uri(context).startswith("file:///c%3A/w/a.py#L1-L3")


def test_pictures_stand_where_they_are_named() -> None:
    picture = Media("image", "image/png", "AAAA", "file:///w/a.png")
    taken = Accepted(image=True)
    blocks = prompt_blocks("look", [CodeContext("/w/a"), picture, CodeContext("/w/b")], taken)
    assert [block["type"] for block in blocks] == [
        "text",
        "resource_link",
        "image",
        "resource_link",
    ]


def able(prompt: PromptCapabilities | None) -> AgentCapabilities:
    return AgentCapabilities(session=SessionCapabilities(prompt=prompt))


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [
        (None, Accepted()),
        (AgentCapabilities(), Accepted()),
        (able(None), Accepted()),
        (able(PromptCapabilities()), Accepted()),
        (able(PromptCapabilities(embedded_context=Ability())), Accepted(embedded=True)),
        (able(PromptCapabilities(image=Ability())), Accepted(image=True)),
        (able(PromptCapabilities(audio=Ability())), Accepted(audio=True)),
    ],
)
def test_what_an_agent_takes(capabilities: AgentCapabilities | None, expected: Accepted) -> None:
    assert accepted(capabilities) == expected
