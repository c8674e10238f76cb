"""Each cheap look that spares a search says no only where the search finds nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.identifiers.detector import MAX_DIGITS, WORDS, candidates
from querymix.core.identifiers.names import Names, shapes
from querymix.core.identifiers.names.roles import CORE, ORDINARY, Vocabulary
from querymix.core.identifiers.names.shapes import (
    CUED,
    INITIAL,
    JOINED,
    JOINING,
    NONE,
    PRIVATE,
    ROLES,
    SHAPES,
    TRADED,
    UNSPACED,
    WEDDING,
    Shape,
)
from querymix.core.identifiers.recognizers import age, device, email, ip, national, photo, street
from querymix.core.identifiers.recognizers.base import LONG
from querymix.core.identifiers.recognizers.street import begun, ended
from querymix.core.identifiers.recognizers.street.parts import LISTS
from querymix.core.identifiers.seen import see
from querymix.core.identifiers.spans import Findings
from querymix.core.identifiers.tokens import QueryText
from querymix.core.knowledge import FIRST_NAME, SURNAME
from querymix.knowledge.bundle import DEFAULT, Bundle

BUNDLE = Bundle(DEFAULT)
NAMES = Names(BUNDLE)
NAMELESS = frozenset(
    sign for sign, word in shapes.WORDS.items() if word.given == NONE and word.other not in CORE | {UNSPACED}
)
"""The signs of words that are no given name and none of those that stand for one."""
PROVEN = {CUED, WEDDING, JOINED, TRADED}
"""What counts beside certain words, or another name, only."""


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.roles} ({shape.counts})")
def test_a_shape_needs_a_given_name_or_what_stands_for_one_or_certain_words_beside_it(shape: Shape) -> None:
    roles = [part.strip("+?,") for part in shape.roles.split() if not part.endswith("?")]
    no_initial = {one for one in NAMELESS if shapes.WORDS[one].other not in (INITIAL, JOINING)}
    others = no_initial if shape.counts == PRIVATE else NAMELESS
    assert shape.counts in PROVEN or any(not any(ROLES[role](shapes.WORDS[one]) for one in others) for role in roles)


MARKS = [" "] * 8 + [
    "-",
    "_",
    ".",
    ". ",
    ", ",
    "'s ",
    " & ",
    "+",
    "/",
    ": ",
    "=",
    ' "',
    '" ',
    "82 ",
    "82",
    " OR ",
    "(",
    ")",
]
NAMED = st.sampled_from(
    ["jennifer", "mary", "brown", "Brown", "kowalczyk", "martinez", "zyzzxman", "zyzzx", "j", "r", "de", "van",
     "thi", "min", "jun", "dr", "hr", "m", "me", "Jennifer", "ph", "d", "sig", "ra", "notaris", "judge", "and", "jr",
     "obituary", "address", "of", "for", "attorney", "jennifermartinez", "name", "www", "com", "carpet", "2006",
     "windows", "wedding", "firstname", "texas", "hall", "rose", "smiths"]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(NAMED, st.sampled_from(MARKS)), min_size=1, max_size=7))
def test_words_that_speak_of_no_name_hold_none(parts: list[tuple[str, str]]) -> None:
    query = QueryText(see("".join(map("".join, parts))).text, BUNDLE)
    if not NAMES.spoken_of(query):
        finds: Findings = []
        NAMES.search(query, finds)
        assert finds == []


@pytest.mark.parametrize(
    "text", ["m. zyzzxman", "rx330jennifer. brown", "JenniferBrown.", "jennifer-brown", "#jennifermartinez"]
)
def test_a_name_is_spoken_of_however_marks_part_it(text: str) -> None:
    assert NAMES.spoken_of(QueryText(text, BUNDLE))


def test_most_words_with_marks_speak_of_no_name() -> None:
    assert not NAMES.spoken_of(QueryText("what's new on www.example.com, e-mail 2006?", BUNDLE))


def test_a_word_that_is_ordinary_at_once_has_no_role_in_a_name() -> None:
    vocabulary = Vocabulary(BUNDLE)
    at_once = [
        word
        for word, term in BUNDLE.terms()
        if " " not in word and not term.tags & (FIRST_NAME | SURNAME) and vocabulary._is_ordinary(word, term)
    ]
    assert len(at_once) > 10_000
    assert {vocabulary._roles(word, BUNDLE[word]) for word in at_once} == {ORDINARY}


STREETS = st.sampled_from(
    ["12", "n12", "#12", "no", "nr", "nr12", "12a", "s/n", "1020", "rue", "via", "calle", "c/mayor", "hauptstr.12a",
     "lindenweg", "lindenhof", "am", "an", "der", "platz", "paris", "paix", "de", "la", "bis", "carrera", "7", "12-34",
     "#", "postfach", "quadra", "lote", "5", "roma", "ring", "new", "windows", "postbus", "box", "75002", "r."]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(STREETS, min_size=1, max_size=6).map(" ".join))
def test_words_that_begin_or_end_no_street_hold_none(text: str) -> None:
    query = QueryText(text, BUNDLE)
    if not street.possible(query):
        finds: Findings = []
        street.search(query, finds)
        assert finds == []


def test_every_word_that_begins_a_street_or_ends_one_makes_a_street_possible() -> None:
    words = begun.BEGINS | begun.GRID | begun.NUMBER_FIRST | street.CUES
    assert all(street.possible(QueryText(f"{word} 5", BUNDLE)) for word in sorted(words) if word.isalpha())
    assert all(ended.possible([word, "#12"], "#") for word in LISTS["end"] | LISTS["place-noun"])
    assert not street.possible(QueryText("windows 98 drivers", BUNDLE))


AGES = st.sampled_from(
    ["94", "101", "9", "aged", "age:", "turned", "over", "i'm", "she's", "is", "of", "am", "year", "years", "yr", "old",
     "y/o", "yo", "jahre", "alt", "jaar", "oud", "ans", "anni", "mamie", "ar", "gammal", "lat", "ma", "-", "jahrige",
     "femme", "de", "windows", "y.o.", "percent"]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.tuples(AGES, st.sampled_from([" ", " ", "-", ""])), max_size=6).map(
        lambda parts: "".join(map("".join, parts))
    )
)
def test_a_number_that_can_be_no_age_by_what_stands_beside_it_is_none(text: str) -> None:
    possible = any(age.possible(text, *match.span()) for match in age.HIGH_AGE.finditer(text))
    assert possible or age.AGE.search(text) is None


def test_few_numbers_can_be_an_age() -> None:
    assert not age.possible("windows 98 drivers", 8, 10)
    assert age.possible("windows 98 years", 8, 10)


SPELLED = st.sampled_from(
    [
        *sorted(email.AT_WORDS),
        *sorted(email.LETTERS_ONLY),
        "jo",
        "doe",
        "gmail",
        "g",
        "yahoo",
        "example",
        "it",
        "us",
        "home",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(SPELLED, min_size=2, max_size=7).map(" ".join))
def test_letters_without_a_word_for_a_dot_or_an_end_are_no_address(text: str) -> None:
    query = QueryText(text, BUNDLE, plain=True)
    if not query.says(email.LETTERS_ONLY):
        finds: Findings = []
        email.spelled(QueryText(text, BUNDLE), finds)
        assert finds == []


@given(st.from_regex(photo.PHOTO_FILE.pattern, fullmatch=True))
def test_a_name_of_a_picture_is_seen_by_its_end(name: str) -> None:
    assert photo.FILE_END.search(name)


NUMBERS = st.sampled_from(
    ["10.0.0.1", "192.0.2.17", "aabb.ccdd.eeff", "0a1b.2c3d.4e5f", "00:1b:44:11:3a:b7", "aa-bb-cc-dd-ee-ff",
     "fe80::abcd", "2001:db8::1", "203-0-113-5", "203[dot]0[dot]113[dot]5", "jo", "at", "gmail", "[at]", "dot", "com",
     "@", "_at_", "-at-", "nhi", "zzz0016", "4111", "ip", "mac"]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(NUMBERS, st.sampled_from([" ", " ", ".", "-", ""])), min_size=1, max_size=4))
def test_a_search_that_is_not_asked_for_finds_nothing(
    parts: list[tuple[str, str]],
) -> None:
    query = QueryText("".join(map("".join, parts)), BUNDLE)
    _, looks = candidates(min(query.digits, MAX_DIGITS), query.marks, WORDS & query.vocabulary, len(query.text) >= LONG)
    asked = [look for _, look in looks]
    assert len(asked) == len(set(asked))
    for recognizer in (device.DOTTED, ip.FOUR, email.SPELLED_OUT, national.PATIENTS):
        finds: Findings = []
        recognizer.find(query, finds)
        assert recognizer.find in asked or finds == []
