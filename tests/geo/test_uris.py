import pytest

from citysim.errors import FormatError
from citysim.geo.uris import extension, join


@pytest.mark.parametrize(
    ("base", "reference", "expected"),
    [
        ("tileset.json", "a/b.glb", "a/b.glb"),
        ("a/tileset.json", "../b.glb", "b.glb"),
        ("a/tileset.json", "./Tile_+000_+005.b3dm", "a/Tile_+000_+005.b3dm"),
        ("tileset.json", "Tile%20one.glb?v=2#x", "Tile one.glb"),
        ("tileset.json", "a\\b.glb  \x00", "a/b.glb"),
        ("tileset.json", "data:,x", "data:,x"),
        ("https://h/d/tileset.json", "a.glb", "https://h/d/a.glb"),
        ("https://h/d/tileset.json?key=K", "a.glb", "https://h/d/a.glb?key=K"),
        ("https://h/d/tileset.json?key=K&session=S", "a.glb?session=T", "https://h/d/a.glb?session=T&key=K"),
        ("https://h/d/t.json?key=K", "a.json?session=S?key=J", "https://h/d/a.json?session=S&key=J"),
        ("https://h/d/t.json?key=K", "/v1/a.glb", "https://h/v1/a.glb?key=K"),
        ("https://h/d/e/t.json", "../a.glb", "https://h/d/a.glb"),
        ("tileset.json", "https://h/a.glb", "https://h/a.glb"),
        ("https://h/d/t.json?key=K", "https://elsewhere/a.glb", "https://elsewhere/a.glb"),
    ],
)
def test_references_resolve(base: str, reference: str, expected: str) -> None:
    assert join(base, reference) == expected


@pytest.mark.parametrize(
    "reference",
    ["../x.glb", "a/../../x.glb", "%2e%2e/x.glb", "/etc/passwd", "file:///etc/passwd", "C:/x.glb", "//h/x", ""],
)
def test_references_out_of_the_folder_are_refused(reference: str) -> None:
    with pytest.raises(FormatError, match="below the tileset"):
        join("tileset.json", reference)


def test_web_documents_do_not_reach_files() -> None:
    with pytest.raises(FormatError):
        join("https://h/t.json", "file:///etc/passwd")


def test_extension_ignores_the_query() -> None:
    assert extension("https://h/a.B3DM?x=.json") == "b3dm"
    assert extension("a/b.c/d") == ""
