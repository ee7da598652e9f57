from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.errors import EditorError
from acp_sidecar.lsp.review_uris import ReviewDocument, review_document, review_uri

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


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
        ("/home/me/a b.py", "/before/home/me/a%20b.py"),
        (r"C:\me\a.py", "/before/C%3A/me/a.py"),
        ("/home/me/what?#.py", "/before/home/me/what%3F%23.py"),
    ],
)
def test_editors_find_the_name_in_it(path: str, shown: str) -> None:
    assert urlsplit(review_uri(ReviewDocument("before", "s/c", 0), path)).path == shown


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "file:///home/me/a.py",
        "acp-review:",
        "acp-review:/before/a.py",
        "acp-review:/during/a.py?changeSet=s&file=0",
        "acp-review:/before/a.py?changeSet=&file=0",
        "acp-review:/before/a.py?changeSet=s&file=-1",
        "acp-review:/before/a.py?changeSet=s&file=\u0663",
        "other:/before/a.py?changeSet=s&file=0",
    ],
)
def test_other_addresses_are_refused(uri: str) -> None:
    with pytest.raises(EditorError):
        review_document(uri)
