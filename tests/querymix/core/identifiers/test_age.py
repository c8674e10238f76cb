"""Ages over 89 are found where they are a person's. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("94 year old man", "man"),
    ("aged 101", "aged"),
    ("she is 97 and sick", "she is and sick"),
    ("94yo", ""),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "age" in kinds


STAYS = """
100 year old house; 99 bottles; turn 90 degrees; age 50 benefits
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
