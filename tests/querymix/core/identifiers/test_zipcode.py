"""ZIP codes are found beside a city, a state or a word. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("springfield il 62704 weather", "weather"),
    ("zip code 62704", "zip code"),
    ("62704-1234", ""),
    ("62704 springfield", ""),
    ("springfield%20il%2062704", ""),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "zip" in kinds


STAYS = """
texas 20000; 10000 maniacs; penal code 11350 texas; executive order 13526 texas
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
