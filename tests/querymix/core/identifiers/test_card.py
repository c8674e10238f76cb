"""Cards are found by prefix and checksum, other groups of four to their last group. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("4111 1111 1111 1111 stolen", "stolen"),
    ("371449635398431", ""),
    ("4111-1111-1111-1111", ""),
    ("4111.1111.1111.1111", ""),
    ("4111 - 1111 - 1111 - 1111", ""),
    ("4111 1111 1111 1111 12/26 123", ""),
    ("card:4111111111111111", "card:"),
    ("3714 496353 98431", ""),
    ("\uff14111111111111111", ""),
    ("4111\xa01111\xa01111\xa01111", ""),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "card" in kinds


@pytest.mark.parametrize("text", ["imei 356938035643809", "356938035643809", "490154203237518", "ean 4086679366414"])
def test_a_telephones_or_an_articles_number_is_no_card(text: str) -> None:
    assert "card" not in kept(text)[1]


def test_thirteen_digits_beside_a_word_are_a_card_although_they_may_be_an_articles() -> None:
    assert kept("4086679366414")[1] == []
    assert kept("visa 4086679366414")[1] == ["card"]


STAYS = """
2001 2002 2003 2004; 9780306406157; 5000000000000000 grains
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
