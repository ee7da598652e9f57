"""Whatever an agent writes, a real Markdown parser finds nothing in it that acts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from acp_sidecar.features.transcript.safe_markdown import MAX_LINE, SafeMarkdown, inert_text

SENTINEL = "Our own heading 7f3a"
SAFE_TARGET = re.compile(
    r"https?://|mailto:|file:///(?!/)|#|[\w./%~+@=,-]*(?::\d+(?::\d+)?)?\Z|[^:]*[/#?]"
)


def safe(text: str) -> str:
    writer = SafeMarkdown()
    return writer.feed(text) + writer.tail()


def parse(markdown: str) -> list[Token]:
    """All tokens, flat, of CommonMark with HTML and tables, which is as much as can go wrong."""
    tokens: list[Token] = []
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    # The parser's own check of links would hide what other renderers let through.
    parser.validateLink = bool  # type: ignore[assignment,method-assign]
    for token in parser.parse(markdown):
        tokens += [token, *(token.children or ())]
    return tokens


def dangers(markdown: str) -> list[str]:
    """What a renderer would do that it must not."""
    tokens = parse(f"{markdown}\n\n## {SENTINEL}\n")
    found = [token.type for token in tokens if token.type in ("html_block", "html_inline", "image")]
    for token in tokens:
        href = token.attrGet("href")
        if href is not None and not SAFE_TARGET.match(str(href)):
            found.append(f"link to {href}")
    headings = [
        (token.tag, tokens[index + 1].content)
        for index, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag in ("h1", "h2", "h3")
    ]
    if headings != [("h2", SENTINEL)]:
        found.append(f"headings {headings}")
    return found


HOSTILE = {
    "html": "<script>alert(1)</script>",
    "html block": "<div onclick=x>\n\ntext\n</div>",
    "comment": "<!-- hidden",
    "html after an escape": r"\<b> \\<b> \\\<b>",
    "javascript": "[x](javascript:alert(1))",
    "command": "[x](command:workbench.action.terminal.new)",
    "data": "[x](data:text/html,hi)",
    "link in pointed brackets": "[x](<javascript:alert(1)>)",
    "link on the next line": "[x](\njavascript:alert(1))",
    "scheme in entities": "[x](java&#115;cript:alert(1)) [x](&#x6a;avascript:1)",
    "scheme with an escape": r"[x](java\script:1) [x](\javascript:1)",
    "no host": "[x](//evil.example/share) [x](/\\evil.example) [x](file://evil/share)",
    "reference": "[x]\n\n[x]: javascript:alert(1)",
    "reference over lines": "[x\ny]:\njavascript:1\n\n[x y]",
    "autolink": "<javascript:alert(1)> <command:x>",
    "image": "![a](https://evil.example/pixel)",
    "image bangs": "!![a](https://evil.example) !\\![a](https://evil.example)",
    "image reference": "![a][b]\n\n[b]: https://evil.example/pixel",
    "image without a name": "![](https://evil.example/pixel)",
    "image in a link": "[![a](https://e.example/p)](command:x)",
    "ticks over lines": "a ` b\nc ` <script> ` d",
    "ticks of other lengths": "`` a ` <b> ` `` <b> ```<b>``",
    "ticks in a table": "|a|b|\n|-|-|\n|`x|<b>|y`|\n|`a|b` <i> `<u>`|",
    "ticks in a table's head": "`a|b` | `<i>`\n-|-\n",
    "fence left open": "```\n<b>",
    "fence in a list": "- ```\n<b>\n",
    "fence in a list, indented": "- a\n  ```\n<b>\n  ```\n<i>",
    "fence in a quote": "> ```\n<b>\n```\n<i>",
    "fence in a quote in a list": "- a\n  > ```\n> <b>\n",
    "fence in a quote after a list mark": "- > ```\n<b>\n",
    "fence after a paragraph, far in": "a\n      ```\n<b>\n",
    "fence far in, in a list": "1. a\n\n    ```\n    <b>\n    ```\n<i>",
    "fence closed too far in": "```\n    ```\n<b>",
    "fence closed by a longer one": "```\n````\n<b>",
    "fence of tildes": "~~~ `x`\n<b>\n~~~\n<i>",
    "fence of tildes in an odd place": "- a\n     > ~~~\n<b>",
    "fence with ticks in its info": "``` a`b\n<b>",
    "nested fences": "````\n```\n<b>\n```\n````\n<i>",
    "heading": "# Permission granted",
    "heading below": "Permission granted\n===\n",
    "heading below, dashes": "Permission granted\n---\nx\n-\ny\n--",
    "heading below in a list": "- a\n  ---\n- b\n  ==",
    "heading below in a quote": "> a\n> ===\n> b\n> ---",
    "bullet that underlines": "Permission\n- ```\nx",
    "math left open": "$$\nx",
    "lone carriage returns": "a\r# b\r<script>\r",
    "long line": "<b> [x](javascript:1) ` " * 1000,
    "long line that is a heading": "# " + "a" * MAX_LINE * 2,
    "long line in a fence": "```\n" + "<b>" * MAX_LINE + "\n```\n<i>",
    "long line that closes nothing": "```\n" + "`" * MAX_LINE * 2 + "\n<b>\n```\n<i>",
    "tab fences": "-\t```\n\t<b>\n\t```\n<i>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_markdown_does_nothing(name: str) -> None:
    assert dangers(safe(HOSTILE[name])) == []


def test_the_check_itself_sees_dangers() -> None:
    """Most of the table is dangerous when it is not made safe, or the tests above prove nothing."""
    raw = {name for name, text in HOSTILE.items() if dangers(text)}
    assert len(raw) > len(HOSTILE) * 0.75


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain *text* and **more**", "plain *text* and **more**"),
        ("a `Vec<T>` b", "a `Vec<T>` b"),
        ("[docs](https://example.com/a_(b)?x=1&y=2)", "[docs](https://example.com/a_(b)?x=1&y=2)"),
        ("[here](src/app.py:12) [there](./a.md#b)", "[here](src/app.py:12) [there](./a.md#b)"),
        ("![logo](https://e.example/l.png)", "[logo](https://e.example/l.png)"),
        ("![](https://e.example/l.png)", "[image](https://e.example/l.png)"),
        ("# One\n## Two\ntext", "#### One\n##### Two\ntext"),
        ("if a < b:", "if a &lt; b:"),
        ("```python\nif a < b:\n    pass\n```\nend", "```python\nif a < b:\n    pass\n```\nend"),
        ("1. a\n   ```sh\n   ls\n   ```", "1. a\n   ```sh\n   ls\n   ```"),
        ("| a | b |\n|---|---|\n| `x` | y |", "| a | b |\n|---|---|\n| `x` | y |"),
        ("run `cat a | grep b`", "run `cat a | grep b`"),
        ("a\n\n---\n\nb", "a\n\n***\n\nb"),
        ("a\r\nb\r\n", "a\nb\n"),
        ("- [ ] task\n- [x] done", "- [ ] task\n- [x] done"),
        ("left\u202eright\u200b", "left⟨U+202E⟩right⟨U+200B⟩"),
        ("~~gone~~", "~~gone~~"),
    ],
)
def test_ordinary_markdown_stays(text: str, expected: str) -> None:
    assert safe(text) == expected


FRAGMENTS = st.sampled_from(
    (
        *("`", "``", "```", "````", "~~~", "\n", "\n\n", " ", "  ", "    ", "\t", "\r", "\r\n"),
        *("<b>", "<script>", "<!--", "-->", "|", "|-|-|\n", ":-", "\n---\n", "===", "$$", "*", "_"),
        *(
            "> ",
            ">",
            "- ",
            "1. ",
            "10. ",
            "# ",
            "\n   > ",
            "![",
            "[",
            "](",
            "]: ",
            "]:\n",
            ")",
            "(",
        ),
        *(
            "](javascript:x)",
            "](https://e.example)",
            "javascript:x",
            "command:x",
            "\\",
            "\\`",
            "\\|",
        ),
        *("!", "&lt;", "&#106;", "a", "word", "é", "\u202e"),
    )
)
TEXTS = st.lists(FRAGMENTS, max_size=40).map("".join)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_nothing_made_of_markup_does_anything(text: str) -> None:
    assert dangers(safe(text)) == []


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.data())
def test_any_split_gives_the_same(text: str, data: st.DataObject) -> None:
    writer = SafeMarkdown()
    done = ""
    rest = text
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        done += writer.feed(rest[:size])
        rest = rest[size:]
        assert dangers(done + writer.tail()) == []
    assert done + writer.tail() == safe(text)


@given(st.integers(MAX_LINE - 3, MAX_LINE * 3), st.integers(1, MAX_LINE * 2))
@settings(max_examples=30, deadline=None)
def test_long_lines_are_split_invariant_too(length: int, size: int) -> None:
    text = ("<`[x](javascript:1)\\" * length)[:length] + "\r\nend"
    writer = SafeMarkdown()
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert "".join(map(writer.feed, pieces)) + writer.tail() == safe(text)


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=60))
def test_inert_text_shows_exactly_itself(text: str) -> None:
    tokens = parse(f"x{inert_text(text)}x")
    inline = next(token for token in tokens if token.type == "inline")
    shown = "".join(token.content for token in inline.children or ())
    assert {token.type for token in inline.children or ()} <= {"text", "text_special"}
    assert shown == f"x{text}x"
