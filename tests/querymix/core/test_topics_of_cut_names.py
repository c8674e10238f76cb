"""A query that names were cut from: what they tell is the category alone, and only where nothing else tells one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.identifiers import Detector, cut
from querymix.core.knowledge import CATEGORIES, CITY, COMMON, FIRST_NAME, NOUN, STOP, SURNAME, Term
from querymix.core.packed_weights import FIELDS, OFFSET
from querymix.core.paper import PaperClassifier
from querymix.core.records import UNCLASSIFIED
from querymix.core.terms import TermsClassifier
from querymix.core.text import words
from querymix.core.unknown import Reduce

from tests.known import Known, linked, term

ARTS, HOME, SPORTS = map(CATEGORIES.index, ("Arts", "Home", "Sports"))
EVERY_PIECE = bytes([OFFSET + (50 if place == HOME else 0) for place in range(FIELDS)]) * 64


def weights(**by_name: int) -> tuple[int, ...]:
    return tuple(by_name.get(name, 0) for name in CATEGORIES)


def base() -> Known:
    known = {
        "jennifer": term("Arts/Celebrities/Jennifer", weights(Arts=40), tags=FIRST_NAME, references=9),
        "martinez": term("Arts/Celebrities/Martinez", weights(Arts=60), tags=SURNAME | NOUN, references=3),
        "jennifer martinez": term("Arts/Celebrities/Jennifer_Martinez", weights(Arts=60), tags=NOUN, references=1),
        "brianna": Term(FIRST_NAME),
        "oldham": Term(SURNAME),
        "springfield": term("Regional/North_America/United_States/Illinois/Springfield", tags=CITY | NOUN),
        "jennifermartinez.com": term("Arts/Celebrities/Jennifer_Martinez"),
        "soccer": term("Sports/Soccer", weights(Sports=100), tags=NOUN | COMMON, references=30),
        "shoes": term("Shopping/Clothing", weights(Shopping=100), tags=NOUN | COMMON, references=30),
        "of": Term(STOP),
        "widget": Term(NOUN | COMMON, 50),
    }
    return Known(linked(known))


def by_terms(pieces: bytes = b"", confidence: float = 0.0) -> TermsClassifier:
    known = base()
    return TermsClassifier(known, Detector(known), Reduce(known, lambda _: []), confidence=confidence, pieces=pieces)


def by_paper() -> PaperClassifier:
    known = base()
    return PaperClassifier(known, Detector(known))


@pytest.mark.parametrize("judge", [by_terms(), by_paper()])
def test_a_name_tells_the_category_where_nothing_else_does_and_no_more(
    judge: TermsClassifier | PaperClassifier,
) -> None:
    found = judge("jennifer martinez widget")
    assert (found.text, found.removed) == ("widget", ("name",))
    assert (found.category, found.path, found.unit) == (ARTS, "Arts", "")


def test_what_is_left_goes_before_the_name() -> None:
    found = by_terms()("jennifer martinez soccer")
    assert (found.category, found.path, found.unit) == (SPORTS, "Sports/Soccer", "soccer")


def test_a_query_of_a_name_alone_is_suppressed_whatever_its_category() -> None:
    for name, category in (("jennifer martinez", ARTS), ("brianna oldham", UNCLASSIFIED)):
        found = by_terms()(name)
        assert found.suppressed
        assert (found.category, found.text, found.unit) == (category, "", "")
        assert found.path == ("" if category == UNCLASSIFIED else CATEGORIES[category])


def test_a_name_is_not_guessed_from_its_letters() -> None:
    judge = by_terms(EVERY_PIECE)
    assert judge("qwrtzpl").category == HOME, "any other word is"
    assert judge("of brianna qwrtzpl").removed == ("name",)
    assert judge("of brianna qwrtzpl").category == UNCLASSIFIED


@pytest.mark.parametrize("cut_off", ["jen@jennifermartinez.com", "212-555-0147", "12 main street springfield"])
def test_all_other_identifiers_tell_nothing(cut_off: str) -> None:
    found = by_terms()(f"widget {cut_off}")
    assert "name" not in found.removed
    assert found.removed
    assert (found.category, found.path, found.unit, found.text) == (UNCLASSIFIED, "", "", "widget")


def test_a_clicked_host_tells_no_more_than_the_category_of_a_query_that_something_was_cut_from() -> None:
    url = "http://www.jennifermartinez.com/"
    assert by_terms()("widget", url).unit == "jennifermartinez.com"
    for name in ("brianna oldham", "jennifer martinez"):
        found = by_terms()(f"{name} widget", url)
        assert (found.category, found.path, found.unit, found.text) == (ARTS, "Arts", "", "widget")


def test_where_the_click_makes_it_doubtful_the_query_keeps_what_it_has_alone() -> None:
    found = by_terms(confidence=0.4)("soccer jen@martinez.com", "http://www.jennifermartinez.com/")
    assert (found.category, found.unit) == (SPORTS, "soccer")
    assert by_terms(confidence=0.4)("soccer", "http://www.jennifermartinez.com/").category == UNCLASSIFIED


parts = st.sampled_from(
    [
        "jennifer martinez", "Jennifer Martinez", "brianna oldham", "mr. oldham", "soccer", "shoes", "widget", "zyzzx",
        "springfield", "12 main street springfield", "212-555-0147", "jen@martinez.com", "for",
    ]
)  # fmt: skip
urls = st.sampled_from([None, "http://www.jennifermartinez.com/"])


@settings(deadline=None, max_examples=300)
@given(st.lists(parts, max_size=5), urls, st.sampled_from([by_terms(), by_terms(EVERY_PIECE), by_paper()]))
def test_unit_and_path_are_those_of_what_is_left_or_tell_the_first_level_alone(
    asked: list[str], url: str | None, judge: TermsClassifier | PaperClassifier
) -> None:
    text = " ".join(asked)
    found = judge(text, url)
    assert found.text == cut(text, found.cuts) or not words(found.text)
    if not found.removed:
        return
    left = set(words(found.text))
    gone = {word for _, start, end in found.cuts for word in words(text[start:end])} - left
    first_level = "" if found.category == UNCLASSIFIED else CATEGORIES[found.category]
    assert gone.isdisjoint(words(found.unit))
    assert gone.isdisjoint(words(found.path.replace("/", " ").replace("_", " ")))
    if (found.path, found.unit) != (first_level, ""):
        names = words(found.text)
        assert (found.category, found.path, found.unit) == judge._decide(names, [base()[name] for name in names])


@settings(deadline=None)
@given(st.lists(parts, min_size=1, max_size=5))
def test_what_is_suppressed_is_what_holds_nothing_but_identifiers(asked: list[str]) -> None:
    found = by_terms()(" ".join(asked))
    assert found.suppressed == (bool(found.cuts) and not words(cut(" ".join(asked), found.cuts)))
