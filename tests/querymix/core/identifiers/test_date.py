"""Dates are found beside a word of a life, or a name. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("born 3/4/1961", "born"),
    ("dob march 4 1961", "dob"),
    ("date of birth 1961-03-04", "date of birth"),
    ("married 4 march 1961", "married"),
    ("dob:03/04/1961", "dob:"),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "date" in kinds


STAYS = """
born in 1961; famous born march 4; earthquake 3/4/1961; bill passed march 14 2002; law passed june 1 2001; march 17
2006; 9/11
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
