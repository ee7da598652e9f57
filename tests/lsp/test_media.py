"""Images and sounds of a prompt: what they are is checked, and agents that take none get none."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.errors import EditorError, NotSupported
from acp_sidecar.features.accepted import Accepted
from acp_sidecar.features.media import Media, media_block
from acp_sidecar.lsp import media
from acp_sidecar.lsp.arguments import MediaItem
from acp_sidecar.lsp.media import MOST_BYTES, media_in, read_media, size_of

Json = Any
DATA = base64.b64encode(b"not really a picture").decode()


def item(**members: Json) -> MediaItem:
    return MediaItem.model_validate(members)


def test_a_file_is_read_and_its_name_tells_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a picture.png"
    path.write_bytes(b"not really a picture")
    uri = path.as_uri()
    read = read_media(item(type="image", uri=uri))
    assert read == Media("image", "image/png", DATA, uri)
    block = media_block(read, Accepted(image=True))
    assert block == {"type": "image", "mimeType": "image/png", "data": DATA, "uri": uri}


def test_what_the_editor_has_is_taken_as_it_is() -> None:
    read = read_media(item(type="audio", data=DATA, mimeType="audio/wav"))
    block = media_block(read, Accepted(audio=True))
    assert block == {"type": "audio", "mimeType": "audio/wav", "data": DATA}


def test_an_agent_that_takes_none_is_sent_none() -> None:
    image, sound = Media("image", "image/png", DATA), Media("audio", "audio/wav", DATA)
    for taken in (Accepted(), Accepted(embedded=True, audio=True)):
        with pytest.raises(NotSupported, match="takes no images"):
            media_block(image, taken)
    with pytest.raises(NotSupported, match="takes no sounds"):
        media_block(sound, Accepted(image=True))


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"type": "image"}, "neither"),
        ({"type": "image", "uri": "https://example.org/a.png"}, "neither"),
        ({"type": "image", "data": "%%%", "mimeType": "image/png"}, "base64"),
        ({"type": "image", "data": "", "mimeType": "image/png"}, "empty"),
        ({"type": "image", "data": DATA}, "mimeType"),
        ({"type": "image", "data": DATA, "mimeType": "text/html"}, "no image"),
        ({"type": "audio", "data": DATA, "mimeType": "image/png"}, "no audio"),
    ],
)
def test_what_is_none_is_refused_with_a_reason(members: Json, told: str) -> None:
    with pytest.raises(EditorError) as refused:
        read_media(item(**members))
    assert told in str(refused.value)


def test_files_that_cannot_be_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty.png").touch()
    (tmp_path / "large.png").write_bytes(b"x" * 11)
    (tmp_path / "folder.png").mkdir()
    monkeypatch.setattr(media, "MOST_BYTES", 10)
    for name, told in {
        "empty.png": "empty",
        "large.png": "10 are the most",
        "folder.png": "no file",
        "gone.png": "cannot be read",
    }.items():
        with pytest.raises(EditorError, match=told):
            read_media(item(type="image", uri=(tmp_path / name).as_uri()))


ALL = Accepted(image=True, audio=True)
PNG = b"\x89PNG\r\n\x1a\n\0\0"


@pytest.mark.parametrize(
    ("start", "kind", "mime_type"),
    [
        (PNG, "image", "image/png"),
        (b"\xff\xd8\xff\xe0\0", "image", "image/jpeg"),
        (b"GIF89a\1\0", "image", "image/gif"),
        (b"RIFF\n\0\0\0WEBPVP8 ", "image", "image/webp"),
        (b"RIFF\n\0\0\0WAVEfmt ", "audio", "audio/wav"),
        (b"ID3\4\0\0", "audio", "audio/mpeg"),
        (b"\xff\xfb\x90\0", "audio", "audio/mpeg"),
        (b"OggS\0", "audio", "audio/ogg"),
        (b"fLaC\0", "audio", "audio/flac"),
    ],
)
def test_the_first_bytes_tell_what_a_file_is(
    tmp_path: Path, start: bytes, kind: str, mime_type: str
) -> None:
    path = tmp_path / "named.png"
    path.write_bytes(start)
    found = media_in(str(path), ALL, MOST_BYTES)
    assert found is not None
    assert (found.kind, found.mime_type, found.uri) == (kind, mime_type, path.as_uri())
    assert base64.b64decode(found.data) == start
    assert media_in(str(path), Accepted(embedded=True), MOST_BYTES) is None
    if kind == "image":
        assert read_media(item(type="image", uri=path.as_uri())).mime_type == mime_type


def test_only_what_can_be_sent_is_more_than_a_link(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    for content in (b"", b"BM a bitmap", b"RIFF\n\0\0\0AVI ", b"\x89PN"):
        path.write_bytes(content)
        assert media_in(str(path), ALL, MOST_BYTES) is None
    path.write_bytes(PNG)
    found = media_in(str(path), ALL, len(PNG))
    assert found is not None
    assert size_of(found) == len(PNG)
    assert media_in(str(path), ALL, len(PNG) - 1) is None
    assert media_in(str(path), ALL, 0) is None
    assert media_in(str(tmp_path), ALL, MOST_BYTES) is None
    assert media_in(str(tmp_path / "gone.png"), ALL, MOST_BYTES) is None
    assert media_in("\0", ALL, MOST_BYTES) is None
    if hasattr(os, "mkfifo"):  # Windows has none
        os.mkfifo(tmp_path / "pipe.png")
        assert media_in(str(tmp_path / "pipe.png"), ALL, MOST_BYTES) is None
