"""Images and sounds of a prompt: what they are is checked, and agents that take none get none."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.errors import EditorError, NotSupported
from acp_sidecar.features.media import Media, media_block
from acp_sidecar.lsp import media
from acp_sidecar.lsp.arguments import MediaItem
from acp_sidecar.lsp.media import read_media
from acp_sidecar.session.handshake import AgentCapabilities
from acp_sidecar.wire.lenient import decode

Json = Any
DATA = base64.b64encode(b"not really a picture").decode()


def able(*kinds: str) -> AgentCapabilities | None:
    prompt: Json = {kind: {} for kind in kinds}
    raw = {"session": {"prompt": prompt}}
    return decode(AgentCapabilities, raw, "capabilities").value


def item(**members: Json) -> MediaItem:
    return MediaItem.model_validate(members)


def test_a_file_is_read_and_its_name_tells_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a picture.png"
    path.write_bytes(b"not really a picture")
    uri = path.as_uri()
    read = read_media(item(type="image", uri=uri))
    assert read == Media("image", "image/png", DATA, uri)
    block = media_block(read, able("image"))
    assert block == {"type": "image", "mimeType": "image/png", "data": DATA, "uri": uri}


def test_what_the_editor_has_is_taken_as_it_is() -> None:
    read = read_media(item(type="audio", data=DATA, mimeType="audio/wav"))
    block = media_block(read, able("audio"))
    assert block == {"type": "audio", "mimeType": "audio/wav", "data": DATA}


def test_an_agent_that_takes_none_is_sent_none() -> None:
    image, sound = Media("image", "image/png", DATA), Media("audio", "audio/wav", DATA)
    for capabilities in (None, AgentCapabilities(), able(), able("audio")):
        with pytest.raises(NotSupported, match="takes no images"):
            media_block(image, capabilities)
    with pytest.raises(NotSupported, match="takes no sounds"):
        media_block(sound, able("image"))


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
