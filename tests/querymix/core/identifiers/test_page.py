"""Pages of persons are found, a site's own pages stay. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("myspace.com/maple_jo pictures", "pictures"),
    ("http://cs.example.edu/~jdoe", ""),
    ("jodoe.blogspot.com", ""),
    ("facebook.com%2Fjo.doe99", ""),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "url" in kinds


STAYS = """
cnn.com/weather; myspace.com; myspace.com/music; google.com/maps; www.xanga.com; www.tripod.com crazy
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
