"""A word beside a code tells what it is; the code goes whole. All data is made up."""

import pytest
from querymix.core.identifiers.recognizers.context import LISTS, NUMBER
from querymix.core.identifiers.spellings import spellings
from querymix.core.identifiers.tables import rows

from tests.querymix.core.identifiers import document_words
from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("mrn: 00482913", "mrn:"),
    ("medical record number 8841-2291", "medical record number"),
    ("medicare number 1EG4 TE5 MK73", "medicare number"),
    ("my account number is 44112233", "my account number is"),
    ("drivers license d1234567", "drivers license"),
    ("passport ab 1234567", "passport"),
    ("passport number C 0123 4567", "passport number"),
    ("serial number c02x91kqjg5h", "serial number"),
    ("imei 35 209900 176148 1", "imei"),
    ("order number 10925331", "order number"),
    ("case no 04-12345", "case no"),
    ("az: 3 C 123/19", "az:"),
    ("amtsgericht aktenzeichen 101 Js 4567/21", "amtsgericht aktenzeichen"),
    ("passeport perdu hier 12AB34567", "passeport perdu hier"),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert kinds


STAYS = """
medical license requirements; serial port 2005; account manager 2006; executive order no. 10925; executive order
13526; court order 12345; home loan 250000; savings account 100000; policy 2003; group of 20; sort order 10203;
insurance 2006 honda; az 1 bvr 123/19; boarding pass 2024; passport ds-82 form; pass 70-640 exam;
 bank 24 hours; member 2004
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])


def test_a_compound_is_typed_as_its_word_and_its_ending_are() -> None:
    words = [
        word.rstrip("?!#") for kind, listed in rows("contexts.tsv") if kind not in LISTS for word in listed.split(",")
    ]
    stems = [word.removesuffix("-") for word in words if word.endswith("-")]
    assert len(stems) > 100
    assert [
        stem + ending
        for stem in stems
        for ending in NUMBER
        if spellings(stem + ending) != {spelling + ending for spelling in spellings(stem)}
    ] == []


def test_the_file_of_words_that_name_a_document_is_what_their_lists_make() -> None:
    made = document_words.text()
    assert made == document_words.FILE.read_text("utf-8"), document_words.__doc__
