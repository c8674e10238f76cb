"""The first look never says that a text is harmless in which the detector finds something."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.identifiers import Detector
from querymix.core.identifiers.gate import COUPLED, CUES
from querymix.core.identifiers.names.shapes import SHAPES, Shape
from querymix.core.identifiers.recognizers import ALL
from querymix.core.identifiers.recognizers.document import documented
from querymix.core.identifiers.recognizers.seed_phrase import PLACES
from querymix.core.knowledge import COMMON, FAMOUS, FIRST_NAME, SURNAME, Term
from querymix.knowledge.bundle import Bundle

from tests.known import Known
from tests.querymix.core.identifiers.kit import base, passes, suspicious

BUNDLE = Bundle()
DETECTOR = Detector(BUNDLE)

PIECES = st.sampled_from(
    [*sorted(CUES), "jennifer", "brown", "94", "101", "4411", "7", "abc", "123", "march", "year", "old", "main", "is",
     "number", "my", "gmail", "com", "x", "hunter2", "1e4", "plate's", "o'brien", "?", ",", '"a"', "!"]
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(PIECES, max_size=6).map(" ".join))
def test_what_is_not_suspicious_holds_nothing(text: str) -> None:
    assert suspicious(text) or Detector(base()).find(text) == []


HOSTS = st.sampled_from(
    ["www", "com", "net", "blogspot", "jodoe", "dr", "j", "r", "jennifer", "brown", "zyzzxman", "gmail", "at", "dot"]
)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.tuples(HOSTS, st.sampled_from(" .,!?")), max_size=6).map(lambda parts: "".join(map("".join, parts))))
def test_what_is_not_suspicious_holds_nothing_beside_dots(text: str) -> None:
    assert suspicious(text) or Detector(base()).find(text) == []


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(sorted(PLACES)), min_size=11, max_size=13).map(" ".join))
def test_what_is_not_suspicious_holds_no_seed_phrase(text: str) -> None:
    found = Detector(base(), ["secret"]).find(text)
    assert not found or suspicious(text)


def test_words_for_documents_that_no_look_is_worth_have_no_short_number_that_tells_anything() -> None:
    others = [f"nummer {word} 1234" for word in sorted(documented() - CUES)]
    harmless = [text for text in others if not passes(text, DETECTOR, BUNDLE)]
    assert len(harmless) > 30_000
    assert [text for text in harmless if DETECTOR.find(text)] == []


def test_two_surnames_are_looked_at_beside_every_word_of_the_knowledge_that_makes_them_a_couple() -> None:
    assert base().words("name-weddings") == COUPLED
    assert suspicious("martinez kowalczyk wedding")


@pytest.mark.parametrize(
    "text",
    [
        "world cup 2006",
        "what's new?",
        "windows 7",
        "cheap hotels, the best",
        "channel 4 news",
        "www.example.com",
        "example.org recipes",
        "www. example .com",
    ],
)
def test_words_usual_hosts_and_a_short_number_are_not_looked_at(text: str) -> None:
    assert not passes(text, DETECTOR, BUNDLE)


HIDDEN = {
    "JenniferMartinez": "name",
    "house of GenovevaKowalczyk": "name",
    "GenovevaKowalczyk, house?": "name",
    "jennifermartinez": "name",
    "jennifermartinez topless video": "name",
    "what jennifermartinez's": "name",
    "channel jennifermartinez 24": "name",
    "the kowalczyk jennifer's house": "name",
    "THE KOWALCZYK JENNIFER'S HOUSE": "name",
    "genoveva kowalczyk's house": "name",
    "genoveva kowalczyk\u2019s house": "name",
    "the kowalczyk jennifer\u2019s house": "name",
    "jennifer''kowalczyk": "name",
    "jennifer''s kowalczyk": "name",
    "kowalczyk jennifer'.com": "name",
    "www.www.jennifer kowalczyk": "name",
    "xwww.jennifer kowalczyk": "name",
    "j r martinez phone number": "name",
    "kowalczyk j r living": "name",
    "who is zyzzxman kowalczyk": "name",
    "address for zyzzx zyzzxman": "name",
    "who AND is zyzzx zyzzxman": "name",
    "1099 ez": "zip",
    "1099  ez": "zip",
}
"""Texts without a word that has a tag of a name or can make an identifier, and what they hold all the same."""


@pytest.mark.parametrize("text", HIDDEN)
def test_a_name_that_hides_from_the_tags_is_looked_at(text: str) -> None:
    assert passes(text, DETECTOR, BUNDLE)
    assert [one.kind for one in DETECTOR.find(text)] == [HIDDEN[text]]


@pytest.mark.parametrize(
    "text",
    [
        "Myspace",
        "iPod and iTunes",
        "don't stop",
        "mother's day",
        "o'neill surf",
        "what's new on www.example.com",
        "how to cook a steak",
        "where to go",
        "house number",
        "a house for sale",
        "windows 2000 professional",
        "encyclopedias",
        "environmental engineering",
    ],
)
def test_most_capitals_possessives_letters_questions_and_long_words_are_not_looked_at(text: str) -> None:
    assert not passes(text, DETECTOR, BUNDLE)


LISTS = BUNDLE.word_lists
OF_NAMES = st.sampled_from(
    [*sorted(LISTS["given-sure"])[::40], *sorted(LISTS["family-sure"])[::60], *sorted(LISTS["family-possible"])[::60],
     *sorted(LISTS["name-private"]), *sorted(LISTS["name-asking"]), *sorted(LISTS["name-cues"]), "jennifer",
     "kowalczyk", "zyzzx", "zyzzxman", "thi", "van", "de", "and", "j", "r", "a", "s"]
)  # fmt: skip
OF_OTHERS = st.sampled_from(
    [*sorted(set().union(*(one.words for one in ALL if not one.digits))), "recipes", "cheap", "the", "is", "my",
     "encyclopedia", "television", "x", "dot", "com", "AND", "OR", "NEAR", "1099", "ez", "7", "94", "2006", "12345"]
)  # fmt: skip
IN_SCRIPTS = st.sampled_from(["мария", "\u738b", "josé", "jose\u0301", "\uff2a", "\u0131", "\u212a", "\u200d", "٣"])
WORD = st.one_of(OF_NAMES, OF_NAMES, st.tuples(OF_NAMES, OF_NAMES).map("".join), OF_OTHERS, OF_OTHERS, IN_SCRIPTS)
CAMELS = st.tuples(OF_NAMES.map(str.title), OF_NAMES.map(str.title)).map("".join)
DRESSED = st.one_of(
    WORD,
    WORD,
    WORD,
    CAMELS,
    WORD.map(str.title),
    WORD.map(str.upper),
    st.tuples(WORD, st.sampled_from(["'s", "'S", "\u2019s", "'", "''s", "'.com", ".com", ".org", "s'"])).map("".join),
    st.tuples(st.sampled_from(["'", "o'", "d'", "dell'", "www.", "xwww.", "www.www.", "''"]), WORD).map("".join),
)
MARKS = st.sampled_from([" "] * 8 + ["  ", ", ", "? ", "! ", ' "', '" ', "'", "''", "-", "\t"])


@settings(max_examples=1500, deadline=None)
@given(st.lists(st.tuples(DRESSED, MARKS), min_size=1, max_size=6).map(lambda parts: "".join(map("".join, parts))))
def test_the_first_look_says_no_to_no_text_in_which_the_search_finds_anything(text: str) -> None:
    for written in (text, text.strip()):
        assert passes(written, DETECTOR, BUNDLE) or DETECTOR.find(written) == []


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.roles} ({shape.counts})")
def test_the_example_of_each_shape_of_names_is_looked_at(shape: Shape) -> None:
    assert suspicious(shape.example) or Detector(base()).find(shape.example) == []


def test_a_word_is_a_whole_name_only_where_it_is_rare_and_no_other_word() -> None:
    known = {"jennifer": Term(FIRST_NAME), "martinez": Term(SURNAME)}
    text = "house jennifermartinez"
    for term, seen in [
        (Term(), True),
        (Term(COMMON), False),
        (Term(FIRST_NAME), True),
        (Term(0, 99_999), True),
        (Term(0, 100_000), False),
        (Term(FAMOUS), False),
        (Term(category=1), False),
        (Term(recommendation="jennifer martinez"), False),
    ]:
        knowledge = Known(known | {"jennifermartinez": term})
        detector = Detector(knowledge)
        assert passes(text, detector, knowledge) == seen
        assert bool(detector.find(text)) == seen
