"""Facts add up to the same terms whoever yields them; ties, paths, spans and spellings follow the rules."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from querymix.core.knowledge import ADJECTIVE, CATEGORIES, CITY, FAMOUS, LONGEST_UNIT, NOUN, Term, prefilter_bit
from querymix.core.packed_weights import CATEGORY_ONLY, LARGEST, unpack
from querymix.knowledge.bundle import Bundle
from querymix.knowledge.writing import bundle_bytes, write
from querymix_lab.knowledge.compiling import compile_facts
from querymix_lab.knowledge.facts import (
    CategoryFact,
    Fact,
    RecommendationFact,
    ReferenceFact,
    TagFact,
    WeightsFact,
)

from tests.known import linked, term

PLACE = {name: place for place, name in enumerate(CATEGORIES)}


def compiled(*facts: Fact) -> dict[str, Term]:
    """Compile facts into terms by name."""
    return dict(compile_facts(facts))


def with_bits(known: dict[str, Term]) -> dict[str, Term]:
    """Give every single word its prefilter bit."""
    return {name: one._replace(bit=0 if " " in name else prefilter_bit(name)) for name, one in known.items()}


def noun(*terms: str) -> list[Fact]:
    """Return facts that make each term a noun."""
    return [TagFact(name, NOUN) for name in terms]


words = st.sampled_from(["a", "b", "cc", "caf\u00e9"])
terms = st.one_of(
    st.lists(words, min_size=1, max_size=LONGEST_UNIT + 1).map(" ".join),
    st.sampled_from(["", " ", "a ", " a", "a  b", "A", "x" * 254, "x" * 255, "\u00e9" * 200]),
)
paths = st.sampled_from(["Arts", "Arts/Music", "Arts/Film", "Sports", "Sports/Soccer", "World/Deutsch", "", "arts"])
facts = st.one_of(
    st.builds(CategoryFact, terms, paths, st.integers(1, 5).map(float)),
    st.builds(CategoryFact, terms, paths, st.integers(1, 5).map(float), own=st.just(False)),
    st.builds(WeightsFact, terms, st.lists(st.integers(-99, 99), min_size=16, max_size=16).map(tuple)),
    st.builds(ReferenceFact, terms, st.integers(0, 2**60)),
    st.builds(RecommendationFact, terms, terms),
    st.builds(TagFact, terms, st.integers(1, 4095)),
)


@pytest.mark.parametrize(
    ("seen", "category", "path"),
    [
        ([("Sports/Soccer", 1)], "Sports", "Sports/Soccer"),
        ([("Sports/Soccer", 2), ("Arts/Music", 3)], "Arts", "Arts/Music"),
        ([("Sports/Soccer", 2), ("Sports/Golf", 2), ("Arts/Music", 3)], "Sports", "Sports/Golf"),
        ([("Sports/Soccer", 1), ("Sports/Golf", 2), ("Arts/Music", 3)], "Arts", "Arts/Music"),
        ([("Sports/Golf", 1), ("Sports/Soccer", 1), ("Sports/Golf", 0.5)], "Sports", "Sports/Golf"),
        ([("Sports", 2), ("Sports/Soccer", 1)], "Sports", "Sports"),
        ([("Society", 2), ("Shopping", 2), ("Sports", 2)], "Shopping", "Shopping"),
        ([("Sports/A/B", 1), ("Sports/A", 1)], "Sports", "Sports/A"),
        ([("World/Deutsch", 9), ("Sports", 1)], "Sports", "Sports"),
        ([("sports", 9), ("", 9), ("Arts", 1)], "Arts", "Arts"),
    ],
)
def test_the_strongest_first_level_wins_and_the_strongest_path_in_it(
    seen: list[tuple[str, float]], category: str, path: str
) -> None:
    for order in (seen, seen[::-1]):
        term = compiled(*(CategoryFact("term", name, weight) for name, weight in order))["term"]
        assert (term.category, term.path) == (PLACE[category], path)


def test_sightings_of_hosts_and_of_terms_add_up() -> None:
    term = compiled(
        CategoryFact("example.com", "Arts", 2),
        CategoryFact("example.com", "Sports", 1.5),
        CategoryFact("example.com", "Sports", 1),
    )["example.com"]
    assert term.category == PLACE["Sports"]


def test_a_term_under_no_known_category_is_left_out() -> None:
    assert compiled(CategoryFact("term", "World/Deutsch", 9)) == {}


def test_references_are_the_largest_that_any_source_gives() -> None:
    term = compiled(*noun("goal"), ReferenceFact("goal", 7), ReferenceFact("goal", 504), ReferenceFact("goal", 56))[
        "goal"
    ]
    assert term.references == 504


def test_references_alone_make_no_term() -> None:
    assert compiled(ReferenceFact("goal", 504)) == {}


def test_tags_are_ored() -> None:
    term = compiled(TagFact("rose", NOUN), TagFact("rose", ADJECTIVE), TagFact("rose", CITY | FAMOUS))["rose"]
    assert term.tags == NOUN | ADJECTIVE | CITY | FAMOUS


def test_a_wrong_spelling_gets_the_right_one() -> None:
    found = compiled(RecommendationFact("socer", "soccer"), *noun("soccer"))
    assert found == with_bits({"soccer": Term(NOUN), "socer": Term(recommendation="soccer")})


def test_of_several_right_spellings_the_first_stands() -> None:
    found = compiled(
        RecommendationFact("socer", "soccer"), RecommendationFact("socer", "sober"), *noun("soccer", "sober")
    )
    assert found["socer"].recommendation == "soccer"


@pytest.mark.parametrize("right", ["unheard", "one two three four five", "Soccer", "x" * 300])
def test_a_recommendation_of_what_the_bundle_does_not_hold_is_left_out(right: str) -> None:
    tagged = noun(right) if right != "unheard" else []
    assert compiled(RecommendationFact("socer", right), *tagged) == {}


def test_a_known_term_is_no_wrong_spelling() -> None:
    found = compiled(RecommendationFact("sober", "soccer"), *noun("soccer", "sober"))
    assert found["sober"].recommendation == ""


def test_a_recommendation_leads_to_no_other_one() -> None:
    found = compiled(RecommendationFact("a", "b"), RecommendationFact("b", "c"), *noun("c"))
    assert found == with_bits({"b": Term(recommendation="c"), "c": Term(NOUN)})


@pytest.mark.parametrize(
    ("names", "spans"),
    [
        (["soccer"], {"soccer": 1}),
        (["european soccer"], {"european": 2, "european soccer": 1}),
        (["new york", "new york city", "new"], {"new": 3, "new york": 1, "new york city": 1}),
        (["a b c d", "a b"], {"a": 4, "a b": 1, "a b c d": 1}),
        (["a b c d e"], {}),
    ],
)
def test_a_first_word_knows_the_longest_unit_that_begins_with_it(names: list[str], spans: dict[str, int]) -> None:
    assert {name: term.span for name, term in compiled(*noun(*names)).items()} == spans


def test_a_first_word_that_is_known_for_nothing_else_is_an_empty_term() -> None:
    assert compiled(*noun("european soccer"))["european"] == Term(span=2, bit=prefilter_bit("european"))


def test_a_wrong_spelling_of_two_words_counts_for_the_span() -> None:
    found = compiled(RecommendationFact("european socer", "soccer"), *noun("soccer"))
    assert found["european"].span == 2


@pytest.mark.parametrize("term", ["", " ", "a ", " a", "a  b", "Soccer", "x" * 255, "\u00e9" * 128])
def test_a_term_that_breaks_the_form_is_left_out(term: str) -> None:
    assert compiled(*noun(term), CategoryFact(term, "Arts", 1)) == {}


@settings(deadline=None)
@given(st.lists(facts, max_size=20))
def test_the_same_facts_give_the_same_terms_in_alphabetical_order(given_facts: list[Fact]) -> None:
    found = list(compile_facts(given_facts))
    names = [name for name, _ in found]
    assert found == list(compile_facts(iter(list(given_facts))))
    assert names == sorted(set(names))


@settings(deadline=None)
@given(st.lists(facts.filter(lambda fact: not isinstance(fact, RecommendationFact)), max_size=20), st.data())
def test_facts_add_up_in_any_order(given_facts: list[Fact], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(given_facts))
    assert list(compile_facts(given_facts)) == list(compile_facts(shuffled))


@settings(deadline=None)
@given(st.lists(facts, max_size=20))
@example([RecommendationFact("a", "x" * 300), TagFact("x" * 300, 1)])
@example([CategoryFact("a", "Arts", 1), ReferenceFact("a", 2**60)])
def test_whatever_is_compiled_can_be_packed_and_every_term_changes_an_answer(given_facts: list[Fact]) -> None:
    found = compiled(*given_facts)
    bundle_bytes(found.items(), [])
    for name, one in found.items():
        assert one.category >= 0 or one.tags or one.weights or one.recommendation or one.span > 1
        assert (one.category >= 0) == bool(one.path)
        assert not one.path or one.path.partition("/")[0] == CATEGORIES[one.category]
        assert 1 <= len(name.split(" ")) <= LONGEST_UNIT
        if one.recommendation:
            right = found[one.recommendation]
            assert not right.recommendation
            assert right.tags or right.category >= 0 or right.weights
        if one.span > 1:
            longest = [other for other in found if other.startswith(f"{name} ")]
            assert one.span == max(len(other.split(" ")) for other in longest)


def test_what_is_compiled_answers_from_a_bundle(tmp_path: Path) -> None:
    given_facts: Iterable[Fact] = [
        CategoryFact("european soccer", "Sports/Soccer", 3),
        ReferenceFact("european soccer", 56_500_000),
        RecommendationFact("socer", "soccer"),
        *noun("soccer"),
    ]
    write(tmp_path / "a.bundle", bundle_bytes(compile_facts(given_facts), []))
    bundle = Bundle(tmp_path / "a.bundle")
    assert bundle["european"].span == 2
    assert bundle["european soccer"] == Term(
        0, 56_500_000, PLACE["Sports"], "Sports/Soccer", CATEGORY_ONLY[PLACE["Sports"]]
    )
    assert bundle["european"].later_bits == prefilter_bit("soccer") == bundle["soccer"].bit
    assert bundle[bundle["socer"].recommendation].tags == NOUN
    bundle.close()


def one(place: int, weight: int) -> tuple[int, ...]:
    """Return weights that are 0 but for one."""
    return tuple(weight if at == place else 0 for at in range(len(CATEGORIES)))


def test_learned_weights_add_up_and_stays_in_range() -> None:
    found = compiled(WeightsFact("soccer", one(15, 100)), WeightsFact("soccer", one(15, 100)))
    assert unpack(found["soccer"].weights) == list(one(15, LARGEST))
    found = compiled(WeightsFact("soccer", one(15, 60)), WeightsFact("soccer", one(15, -60)))
    assert found == {}, "a term that says nothing and is nothing else does not enter"


def test_a_term_that_no_model_knows_speaks_for_its_category() -> None:
    own = CategoryFact("soccer", "Sports", 1), CategoryFact("example.com", "Arts", 1)
    found = compiled(*own, CategoryFact("a b", "Arts", 1, own=False))
    assert found["soccer"].weights == CATEGORY_ONLY[PLACE["Sports"]]
    assert found["example.com"].weights == CATEGORY_ONLY[PLACE["Arts"]]
    assert found["a b"].weights == 0
    assert found["a b"].category == PLACE["Arts"]


def test_what_a_model_learned_stands_above_the_category() -> None:
    found = compiled(CategoryFact("soccer", "Sports", 1), WeightsFact("soccer", (0,) * 16))
    assert found["soccer"].weights == 0
    assert found["soccer"].category == PLACE["Sports"]


def test_a_first_word_knows_the_later_words_of_its_terms_with_weights() -> None:
    found = compiled(WeightsFact("new york city", one(11, 9)), *noun("new deal"))
    assert found["new"].later_bits == prefilter_bit("york") | prefilter_bit("city")


def test_a_later_word_knows_the_first_words_of_its_terms_with_weights() -> None:
    found = compiled(WeightsFact("new york city", one(11, 9)), WeightsFact("salt lake city", one(11, 9)), *noun("city"))
    assert found["city"].first_bits == prefilter_bit("new") | prefilter_bit("salt")
    assert found["new"].first_bits == 0


def test_the_tests_of_the_product_link_terms_as_the_compiler_does() -> None:
    found = compiled(
        WeightsFact("new york city", one(11, 9)), WeightsFact("salt lake city", one(11, 9)), *noun("city"),
        *noun("new deal"), CategoryFact("lake", "Sports/Sailing", 1), RecommendationFact("citty", "city"),
    )  # fmt: skip
    terms = {
        "new york city": term(weights=one(11, 9)),
        "salt lake city": term(weights=one(11, 9)),
        "city": Term(NOUN),
        "new deal": Term(NOUN),
        "lake": term("Sports/Sailing"),
        "citty": Term(recommendation="city"),
    }
    assert list(linked(terms).items()) == list(found.items())
