"""The default sources: their rules on made-up files, and the worked examples on the installed packages."""

from pathlib import Path

import pytest
from querymix.core.grammar import tag_log_odds
from querymix.core.knowledge import (
    CATEGORIES,
    CITY,
    COMMON,
    FAMOUS,
    FIRST_NAME,
    NOUN,
    PLACE,
    STATE,
    STOP,
    SURNAME,
)
from querymix_lab.knowledge.facts import CategoryFact, Fact, RecommendationFact, ReferenceFact, TagFact
from querymix_lab.knowledge.sources import people, spelling
from querymix_lab.knowledge.sources.default import Inputs, _composed, _Known, default_facts
from querymix_lab.knowledge.sources.files import LISTS, SourceError
from querymix_lab.knowledge.sources.places import folded, place_facts
from querymix_lab.knowledge.sources.senses import Categories, sense_facts
from querymix_lab.knowledge.sources.wordnet import WordNet, plural
from querymix_lab.knowledge.sources.words import own_lists, plain_list, topics, word_facts

from tests.querymix_lab.knowledge import made


def tags_of(facts: list[Fact], term: str) -> int:
    """Return the tags of a term, or-ed."""
    tags = 0
    for fact in facts:
        if isinstance(fact, TagFact) and fact.term == term:
            tags |= fact.tags
    return tags


def categories_of(facts: list[Fact], term: str) -> dict[str, float]:
    """Return the weights of a term's first levels."""
    sums: dict[str, float] = {}
    for fact in facts:
        if isinstance(fact, CategoryFact) and fact.term == term:
            first = fact.path.partition("/")[0]
            sums[first] = sums.get(first, 0.0) + fact.weight
    return sums


def strongest(facts: list[Fact], term: str) -> str:
    """Return the first level with the highest weight."""
    sums = categories_of(facts, term)
    return max(sums, key=sums.__getitem__)


def test_the_same_inputs_give_the_same_facts_in_the_same_order(tmp_path: Path) -> None:
    """A bundle is built again byte for byte."""
    found = made.inputs(tmp_path)
    assert list(default_facts(found)) == list(default_facts(found))


def test_every_source_says_its_part(tmp_path: Path) -> None:
    """One small file each, one fact each."""
    facts = list(default_facts(made.inputs(tmp_path)))
    assert ReferenceFact("racket", 2_000_000) in facts
    assert RecommendationFact("rakcet", "racket") in facts
    assert RecommendationFact("tennisracket", "tennis racket") in facts
    assert categories_of(facts, "tennis racket") == {"Sports": 20.0}
    assert categories_of(facts, "rackets") == categories_of(facts, "racket") == {"Sports": 10.0}
    assert categories_of(facts, "geese") == {"Home": 5.0}
    assert categories_of(facts, "st racket") == {"Regional": categories_of(facts, "saint racket")["Regional"]}
    assert tags_of(facts, "saint racket") & CITY
    assert tags_of(facts, "in") == STOP | STATE
    assert not categories_of(facts, "in")
    assert tags_of(facts, "ada") == FIRST_NAME
    assert tags_of(facts, "example") == FIRST_NAME | SURNAME
    assert tags_of(facts, "rare") == SURNAME  # few bear it, but the web has no such word
    assert tags_of(facts, "ada example") & FAMOUS
    assert tags_of(facts, "the made ups") == NOUN | FAMOUS
    assert tags_of(facts, "racket") == NOUN | COMMON
    assert tags_of(facts, "the") == STOP | tag_log_odds(-9, 4, 0)
    assert not tags_of(facts, "zyzzx")


def test_a_pair_of_known_words_has_the_categories_of_both(tmp_path: Path) -> None:
    """Making one unit of two words must lose nothing; a pair with a function word is no unit."""
    facts = list(default_facts(made.inputs(tmp_path)))
    assert categories_of(facts, "sport racket") == {"Sports": 20.0}
    assert ReferenceFact("sport racket", 150_000) in facts
    assert not categories_of(facts, "the racket")


@pytest.mark.parametrize(
    ("words", "path"),
    [
        (("indiana", "racket"), "Regional/North_America/United_States/Indiana"),
        (("indiana", "ohio"), "Regional/North_America/United_States"),
        (("ohio", "abroad"), "Regional"),
        (("san", "jose"), "Regional"),
        (("cold", "turkey"), "Regional"),
        (("american", "racket"), "Regional/North_America/United_States"),
    ],
)
def test_no_place_comes_from_the_sum_of_a_pairs_words(words: tuple[str, str], path: str) -> None:
    """Only a state's, a country's or a people's name is kept, and of two what they have in common."""
    states = "Regional/North_America/United_States"
    known = _Known()
    given: list[Fact] = [
        CategoryFact("indiana", f"{states}/Indiana", 20.0), TagFact("indiana", STATE | NOUN),
        CategoryFact("ohio", f"{states}/Ohio", 20.0), TagFact("ohio", STATE | NOUN),
        CategoryFact("abroad", "Regional/Asia/Abroad", 20.0), TagFact("abroad", PLACE | NOUN),
        CategoryFact("san", "Regional/Africa/Mali", 9.0), TagFact("san", CITY | NOUN),
        CategoryFact("turkey", "Regional/Asia/Turkey", 9.0), TagFact("turkey", PLACE | COMMON | NOUN),
        CategoryFact("american", states, 20.0), TagFact("jose", FIRST_NAME), TagFact("cold", COMMON),
        CategoryFact("racket", "Regional", 1.0), TagFact("racket", NOUN | COMMON),
    ]  # fmt: skip
    list(known.note(iter(given)))
    paths = [fact.path for fact in _composed([words], known) if isinstance(fact, CategoryFact)]
    assert set(paths) == {path}


def test_every_term_with_a_category_has_references(tmp_path: Path) -> None:
    """The classifier ranks units by references: an unknown number would win over every known one."""
    facts = list(default_facts(made.inputs(tmp_path)))
    counted = {fact.term for fact in facts if isinstance(fact, ReferenceFact) and fact.references > 0}
    assert {fact.term for fact in facts if isinstance(fact, CategoryFact)} <= counted


def test_an_anchor_that_wordnet_lacks_is_told(tmp_path: Path) -> None:
    """A typing error in the table does not pass in silence."""
    lists = made.lists_folder(tmp_path / "lists")
    (lists / "wordnet-anchors.tsv").write_text("person#1\tSociety\nsprot#1\tSports\n")
    with pytest.raises(SourceError, match=r"wordnet-anchors\.tsv:2: "):
        Categories(WordNet(made.wordnet_folder(tmp_path / "wordnet")), lists)


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("racket", "rackets"), ("dish", "dishes"), ("city", "cities"), ("toy", "toys"), ("bus stop", "bus stops")],
)
def test_a_noun_has_its_regular_plural(noun: str, expected: str) -> None:
    """Irregular ones come from WordNet's list."""
    assert plural(noun) == expected


@pytest.mark.parametrize("word", ["restuarant", "resturant", "resttaurant", "restauront", "restaurabt"])
def test_a_likely_slip_is_told(word: str) -> None:
    """Swapped, dropped, doubled letters, vowel for vowel, any letter of a long word."""
    assert spelling.is_likely_edit(word, "restaurant")


@pytest.mark.parametrize("word", ["bestaurant", "restaurants", "restauran", "restaurant"])
def test_another_first_or_last_letter_is_no_slip(word: str) -> None:
    """These are other words more often than edits."""
    assert not spelling.is_likely_edit(word, "restaurant")


def test_a_made_slip_that_two_words_share_is_left_out() -> None:
    """It is not known which of them was meant."""
    counts = {"abcdef": 9, "abcdxef": 8}
    made = {fact.term for fact in spelling.made(counts, counts.keys())}
    assert "abcddef" in made
    assert "abcdef" not in made
    assert not made & counts.keys()


def test_a_pair_is_famous_where_the_web_holds_it_far_more_than_the_census_predicts() -> None:
    """Names that are ordinary words are left out of the rule."""
    first, last = {"ada": 1.0, "bea": 1.0, "rich": 1.0}, {"example": 1.0, "sample": 1.0, "day": 1.0}
    pairs = {("ada", "example"): 100, ("ada", "sample"): 100, ("bea", "sample"): 100, ("bea", "example"): 900}
    facts = list(people.famous_facts(first, last, pairs | {("rich", "day"): 9000}, {"rich", "day"}))
    assert facts == [TagFact("bea example", FAMOUS), CategoryFact("bea example", "Arts/People", 3.0)]


def test_place_names_are_folded() -> None:
    """Searchers write no accents."""
    assert folded("Saint-Étienne d'Exemple") == "saint etienne dexemple"


def test_the_own_lists_name_only_known_categories() -> None:
    """A typing error in a path would lose its terms."""
    for path in own_lists():
        for category, term in topics(path):
            assert category.partition("/")[0] in CATEGORIES, (path.name, category)
            assert term == term.lower(), (path.name, term)
    assert {"the", "www", "how"} <= set(plain_list(LISTS / "stop.txt"))


def test_a_list_with_an_unknown_category_is_told(tmp_path: Path) -> None:
    """Neither the bundle nor the student can do anything with it."""
    path = tmp_path / "topics-a.tsv"
    path.write_text("Arts/Music\tballet\nMusic/Arts\ttap dance\n")
    with pytest.raises(SourceError, match=r"topics-a\.tsv:2: an unknown category; known: Adult, Arts"):
        list(topics(path))


def test_every_first_level_has_a_list_of_its_own() -> None:
    """Coverage is no accident of the sources."""
    found = {category.partition("/")[0] for path in LISTS.glob("topics-*.tsv") for category, _ in topics(path)}
    assert found == set(CATEGORIES)


def test_the_worked_example_is_known(inputs: Inputs) -> None:
    """The worked example of Pàmies-Estrems et al. 2016: "european soccer", "barcelona", "players"."""
    facts: list[Fact] = list(word_facts())
    wordnet = WordNet(inputs.wordnet)
    facts.extend(sense_facts(wordnet, Categories(wordnet), {"barcelona", "player", "players", "racket", "rackets"}))
    facts.extend(place_facts((), (), inputs.places))
    assert strongest(facts, "european soccer") == "Sports"
    assert strongest(facts, "barcelona") == "Regional"
    assert strongest(facts, "players") == "Sports"
    assert tags_of(facts, "rackets") & (NOUN | COMMON) == NOUN | COMMON
    assert tags_of(facts, "barcelona") & CITY
