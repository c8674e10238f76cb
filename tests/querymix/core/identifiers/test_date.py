"""Dates are found beside a word of a life, or a name. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("born 3/4/1961", "born"),
    ("dob march 4 1961", "dob"),
    ("date of birth 1961-03-04", "date of birth"),
    ("married 4 march 1961", "married"),
    ("dob:03/04/1961", "dob:"),
    ("m\u00fcller *12.03.1975", "m\u00fcller *"),
    ("n\u00e9(e) le 12 mars 1975 \u00e0 lyon", "n\u00e9(e) le \u00e0 lyon"),
    ("mein vater geburtstag 12. m\u00e4rz", "mein vater geburtstag"),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "date" in kinds


STAYS = """
born in 1961; famous born march 4; earthquake 3/4/1961; bill passed march 14 2002; law passed june 1 2001; march 17
2006; 9/11; wer hat am 12. märz geburtstag; qui est né le 4 mars; nato 1949; jahrgang 1975; 5*12.50 rechnen
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
