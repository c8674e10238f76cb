"""The first look never says that a text is harmless in which the detector finds something."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.identifiers import Detector, suspicious
from querymix.core.identifiers.detector import COUPLED, CUES
from querymix.core.identifiers.recognizers.document import documented
from querymix.core.identifiers.recognizers.seed_phrase import PLACES
from querymix.core.text import words
from querymix.knowledge.bundle import Bundle

from tests.querymix.core.identifiers.kit import base

PIECES = st.sampled_from(
    [*sorted(CUES), "jennifer", "brown", "94", "101", "4411", "7", "abc", "123", "march", "year", "old", "main", "is",
     "number", "my", "gmail", "com", "x", "hunter2", "1e4", "plate's", "o'brien", "?", ",", '"a"', "!"]
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(PIECES, max_size=6).map(" ".join))
def test_what_is_not_suspicious_holds_nothing(text: str) -> None:
    terms = base()
    found = words(text)
    tags = 0
    for word in found:
        tags |= terms[word].tags
    if not suspicious(text, found, tags):
        assert Detector(terms).find(text) == []


HOSTS = st.sampled_from(
    ["www", "com", "net", "blogspot", "jodoe", "dr", "j", "r", "jennifer", "brown", "zyzzxman", "gmail", "at", "dot"]
)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.tuples(HOSTS, st.sampled_from(" .,!?")), max_size=6).map(lambda parts: "".join(map("".join, parts))))
def test_what_is_not_suspicious_holds_nothing_beside_dots(text: str) -> None:
    terms = base()
    found = words(text)
    tags = 0
    for word in found:
        tags |= terms[word].tags
    if not suspicious(text, found, tags):
        assert Detector(terms).find(text) == []


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(sorted(PLACES)), min_size=11, max_size=13).map(" ".join))
def test_what_is_not_suspicious_holds_no_seed_phrase(text: str) -> None:
    found = Detector(base(), ["secret"]).find(text)
    assert not found or suspicious(text, words(text), 0)


def test_words_for_documents_that_no_look_is_worth_have_no_short_number_that_tells_anything() -> None:
    find = Detector(Bundle()).find
    others = [(f"nummer {word} 1234", word) for word in sorted(documented() - CUES)]
    harmless = [text for text, word in others if not suspicious(text, ["nummer", word, "1234"], 0)]
    assert len(harmless) > 30_000
    assert [text for text in harmless if find(text)] == []


def test_two_surnames_are_looked_at_beside_every_word_of_the_knowledge_that_makes_them_a_couple() -> None:
    assert base().words("name-weddings") == COUPLED
    assert suspicious("martinez kowalczyk wedding", ["martinez", "kowalczyk", "wedding"], 0)


@pytest.mark.parametrize(
    "text",
    [
        "world cup 2006",
        "what's new?",
        "windows 7",
        "cheap hotels, paris",
        "channel 4 news",
        "www.example.com",
        "example.org recipes",
        "www. example .com",
    ],
)
def test_words_usual_hosts_and_a_short_number_are_not_looked_at(text: str) -> None:
    assert not suspicious(text, words(text), 0)


def test_a_name_as_one_word_is_looked_at_by_its_capitals() -> None:
    assert suspicious("JenniferMartinez", ["jennifermartinez"], 0)
    assert not suspicious("Myspace", ["myspace"], 0)
