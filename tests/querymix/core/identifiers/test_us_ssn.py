"""Social security numbers are found with separators, or beside a word. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("ssn 219-09-9999", "ssn"),
    ("219 09 9999", ""),
    ("219.09.9999", ""),
    ("social security number 219099999", "social security number"),
    ("ssn219-09-9999", ""),
    ("ssn:219-09-9999", "ssn:"),
    ("ssn 219\u221209\u22129999", "ssn"),
    ("219 - 09 - 9999", ""),
    ("ssn219099999", ""),
    ("\u0662\u0661\u0669-\u0660\u0669-\u0669\u0669\u0669\u0669", ""),
    ("219-09\u200b-9999", ""),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "us_ssn" in kinds


STAYS = """
part number 219-09-9999;  2004-05-1999 x; 7732-18-5; 10-10-2000
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
