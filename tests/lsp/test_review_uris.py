from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.errors import EditorError
from acp_sidecar.lsp.review_uris import ReviewDocument, review_document, review_uri

TEXT = st.text(min_size=1)


@given(st.sampled_from(["before", "after"]), TEXT, st.integers(0, 10_000), TEXT)
def test_an_address_stands_for_its_document(
    which: Literal["before", "after"], change_set: str, file: int, path: str
) -> None:
    document = ReviewDocument(which, change_set, file)
    uri = review_uri(document, path)
    assert uri.isascii()
    assert review_document(uri) == document


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/home/me/a b.py", "home/me/a%20b.py"),
        (r"C:\me\a.py", "C%3A/me/a.py"),
        ("/home/me/what?#.py", "home/me/what%3F%23.py"),
    ],
)
def test_editors_find_the_name_in_it(path: str, shown: str) -> None:
    uri = review_uri(ReviewDocument("before", "set", 3), path)
    assert uri == f"acp-review:/before/c2V0/3/{shown}"


@pytest.mark.parametrize(
    "spelling",
    [
        "acp-review:/after/cz9hPSYjJS9j/0/home/me/a%20b.py",
        "acp-review:///after/cz9hPSYjJS9j/0/home/me/a b.py",  # an empty authority, nothing quoted
        "acp-review:/after/cz9hPSYjJS9j/0/c%3a/A%20b.py?version%3D1#here",
    ],
)
def test_editors_may_spell_it_their_own_way(spelling: str) -> None:
    assert review_document(spelling) == ReviewDocument("after", "s?a=&#%/c", 0)


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "file:///home/me/a.py",
        "acp-review:",
        "acp-review:/before/c2V0/0",
        "acp-review:/during/c2V0/0/a.py",
        "acp-review:/before//0/a.py",
        "acp-review:/before/c/0/a.py",
        "acp-review:/before/_w/0/a.py",
        "acp-review:/before/c2V0/-1/a.py",
        "acp-review:/before/c2V0/\u0663/a.py",
        "acp-review:/before/c2V0/99999999999999999999/a.py",
        "acp-review:/before/c2V0\u00e9/0/a.py",
        "other:/before/c2V0/0/a.py",
    ],
)
def test_other_addresses_are_refused(uri: str) -> None:
    with pytest.raises(EditorError):
        review_document(uri)
