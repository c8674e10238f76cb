"""Ages over 89 are found where they are a person's. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import goes, kept, lines, released

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


IN_WORDS = """
ninety-six year old man pneumonia => ninety-six
ninety six year old => ninety six
my grandmother is ninety four years old => ninety four
aged ninety two => ninety two
turned ninety seven => ninety seven
turning ninety => ninety
she is ninety nine and sick => ninety nine
i am ninety one => ninety one
one hundred and two year old woman => hundred and two
hundred year old man => hundred
a hundred and four years old => hundred and four
one-hundred-year-old man => hundred
ninety-four-year-old driver => ninety-four
aged one hundred => hundred
he's ninety three => ninety three
ninety-two yo => ninety-two
ninetyfour years old => ninetyfour
who is ninety five years old => ninety five
age: 94 => 94
"""


@pytest.mark.parametrize("line", lines(IN_WORDS))
def test_an_age_in_words_is_found(line: str) -> None:
    text, parts = goes(line)
    left, kinds = released(text)
    assert [part for part in parts if part in left] == []
    assert kinds == ["age"]


NO_AGES = """
ninety nine problems lyrics
i am one hundred percent sure
one hundred years of solitude
hundred years war
i'm gonna be five hundred miles
one hundred year old house
ninety day fiance
turned ninety degrees
ninety-nine restaurant
one hundred thousand dollar bill
my son is four years old
90th birthday ideas
i am a hundred miles away
im ninety percent sure
three hundred years old tree
two hundred year old house
a hundred years ago
one hundred year old tree
five hundred year old book
my 83 year old
i am forty two
four hundred years old
"""


@pytest.mark.parametrize("text", lines(NO_AGES))
def test_a_number_in_words_that_is_no_high_age_stays(text: str) -> None:
    assert released(text) == (text, [])
