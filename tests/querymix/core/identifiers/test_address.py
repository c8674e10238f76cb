"""Addresses are found with unit, city and state. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("1420 maple ave", ""),
    ("123 n main st apt 4 springfield il 62704", ""),
    ("map of 45 e 72nd st", "map of"),
    ("po box 311 springfield il", ""),
    ("1420+maple+ave", ""),
    ("1420 maple ave #4", ""),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "address" in kinds


STAYS = """
2003 cr 250; 2005 route 66; 4 wheel drive; 80 gb hard drive; 2006 supreme court; route 66 road trip; i 95 traffic;
1600 pennsylvania avenue
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
