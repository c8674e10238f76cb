"""Further languages: their words, function words and names are known, and English stays as it is."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner
from querymix.core.errors import ConfigError
from querymix.core.knowledge import CITY, COMMON, FIRST_NAME, NOUN, PLACE, STATE, STOP, SURNAME
from querymix.core.packed_weights import FIELDS
from querymix.core.text import folded
from querymix_lab.commands.knowledge import build
from querymix_lab.knowledge.compiling import compile_facts
from querymix_lab.knowledge.facts import CategoryFact, Fact, RecommendationFact, ReferenceFact, TagFact
from querymix_lab.knowledge.sources.default import default_facts
from querymix_lab.knowledge.sources.files import SourceError
from querymix_lab.knowledge.sources.languages import (
    FOLDER,
    LANGUAGES,
    English,
    chosen,
    is_compound,
    known_words,
    language_facts,
)
from querymix_lab.knowledge.sources.places import City, largest_abroad
from querymix_lab.knowledge.sources.weights import file_bytes, language_weights
from querymix_lab.knowledge.train.languages import by_text, names_table, ranked

from tests.querymix_lab.knowledge import made

GERMANY = "Regional/Europe/Germany"
ENGLISH = English(
    tags={
        "die": STOP, "the": STOP, "war": NOUN | COMMON, "fur": NOUN | COMMON, "hand": NOUN | COMMON,
        "anna": FIRST_NAME, "klein": SURNAME, "polen": SURNAME, "koch": SURNAME | COMMON,
        "munich": CITY | NOUN, "germany": PLACE | NOUN, "california": STATE,
    },
    counts={
        "munich": {"Regional": 30.0, f"{GERMANY}/Munich": 20.0},
        "venice": {"Regional": 20.0},
        "athens": {"Regional/Europe/Greece": 9.0, "Regional/North_America/United_States/Georgia/Athens": 20.0},
        "california": {"Regional/North_America": 9.0, "Regional/North_America/United_States/California": 20.0},
        "germany": {"Regional": 40.0, GERMANY: 20.0},
        "poland": {"Regional/Europe/Poland": 20.0},
        "danish": {"Home/Cooking": 2.0, "Science/Social_Sciences/Linguistics": 5.0},
        "polish": {"Home/Cleaning": 9.0},
        "rom": {"Computers": 1.0},
        "rome": {"Regional/Europe/Italy/Rome": 20.0},
    },
    borne={"schlussel"},
    web={"haus"},
    cities={
        "venice": City("IT", "Regional/Europe/Italy/Venice", 260_000),
        "altenberg": City("DE", f"{GERMANY}/Altenberg", 16_000),
        "haus": City("DE", f"{GERMANY}/Haus", 16_000),
        "springfield": City("AU", "Regional/Oceania/Australia/Springfield", 16_000),
    },
    rarest=12,
)  # fmt: skip


def about(term: str, facts: Iterable[Fact]) -> list[Fact]:
    """Return what is said of a term."""
    return [fact for fact in facts if fact.term == term]


@pytest.fixture(scope="module")
def german() -> list[Fact]:
    return list(language_facts(["de"], ENGLISH))


@pytest.fixture(scope="module")
def every() -> list[Fact]:
    return list(language_facts(tuple(LANGUAGES), ENGLISH))


@pytest.mark.parametrize(
    ("text", "codes"),
    [(None, tuple(LANGUAGES)), ("", ()), ("en", ()), ("fr,de", ("de", "fr")), (" PT , en,pt", ("pt",))],
)
def test_languages_are_chosen_by_their_codes(text: str | None, codes: tuple[str, ...]) -> None:
    assert chosen(text) == codes


def test_an_unknown_language_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(ConfigError, match=r"'xx' is no language .* de \(German\), es \(Spanish\)"):
        chosen("de,xx")
    answer = CliRunner().invoke(build, ["--languages", "german", "-o", "/nowhere/own.bundle"])
    assert answer.exit_code
    assert "'german'" in answer.output
    assert "nl (Dutch)" in answer.output


def test_languages_are_chosen_among_the_default_sources_alone() -> None:
    answer = CliRunner().invoke(build, ["--no-default", "--languages", "de", "-o", "/nowhere/own.bundle"])
    assert answer.exit_code
    assert "--languages chooses among the default sources" in answer.output


def test_a_language_without_weights_is_refused_with_what_to_do(tmp_path: Path) -> None:
    learned = tmp_path / "term-weights.xz"
    with pytest.raises(SourceError, match=r"term-weights-de\.xz: not there.*knowledge teach.*--languages"):
        language_weights("de", learned)
    (tmp_path / "term-weights-de.xz").write_bytes(file_bytes({"haus": (1,) * FIELDS}))
    assert language_weights("de", learned) == tmp_path / "term-weights-de.xz"


def test_a_word_of_a_language_is_no_misspelling(german: list[Fact]) -> None:
    """It is COMMON, as the words of the English dictionary are, so that it is neither corrected nor split."""
    assert about("kuche", german) == [TagFact("kuche", COMMON | NOUN)]
    mistaken: list[Fact] = [TagFact("kitchen", NOUN), RecommendationFact("kuche", "kitchen")]
    terms = dict(compile_facts([*german, *mistaken]))
    assert not terms["kuche"].recommendation
    assert terms["kuche"].references == 0  # so that it is no part and no correction of an English word


def test_a_word_that_somebody_bears_may_stay_a_name(german: list[Fact]) -> None:
    assert about("schlussel", german) == [TagFact("schlussel", COMMON)]


def test_what_english_knows_stays_as_it_is(every: list[Fact]) -> None:
    """An English word, name or function word gets no tag: "die", "war", "klein" are read as without the languages."""
    assert {fact.term for fact in every if isinstance(fact, TagFact)}.isdisjoint(ENGLISH.tags)
    assert {fact.term for fact in every if isinstance(fact, CategoryFact)}.isdisjoint(ENGLISH.counts)
    assert not about("haus", [fact for fact in every if isinstance(fact, TagFact) and fact.tags & COMMON])


def test_function_words_are_stop_words(every: list[Fact]) -> None:
    for word in ("nicht", "aber", "toujours", "siempre", "anche", "voce", "niet", "perche"):
        assert about(word, every)[0] == TagFact(word, STOP)


def test_a_function_word_that_folds_to_an_english_word_is_known_as_it_is_written(german: list[Fact]) -> None:
    assert about("für", german) == [TagFact("für", STOP)]
    assert RecommendationFact("fuer", "für") in german
    assert about("fur", german) == []
    assert about("uber", german) == [TagFact("uber", STOP)]


def test_a_word_that_folds_to_an_english_function_word_is_known_as_it_is_written(every: list[Fact]) -> None:
    assert about("thé", every) == [TagFact("thé", COMMON | NOUN)]
    assert about("the", every) == []


def test_only_such_words_have_accents(every: list[Fact]) -> None:
    assert {fact.term for fact in every if fact.term != folded(fact.term)} == {"für", "thé"}
    assert {fact.replacement for fact in every if isinstance(fact, RecommendationFact)} >= {"munchen", "uber"}


def test_names_of_places_have_the_place_of_the_english_name(german: list[Fact]) -> None:
    assert about("munchen", german) == [
        TagFact("munchen", CITY | NOUN),
        CategoryFact("munchen", f"{GERMANY}/Munich", 20.0),
        ReferenceFact("munchen", 12),
    ]
    assert RecommendationFact("muenchen", "munchen") in german
    assert CategoryFact("deutschland", GERMANY, 20.0) in german
    assert CategoryFact("athen", "Regional/Europe/Greece", 20.0) in german
    assert CategoryFact("kalifornien", "Regional/North_America/United_States/California", 20.0) in german
    assert CategoryFact("venedig", "Regional/Europe/Italy/Venice", 20.0) in german  # and not where all of that name are


def test_a_name_that_english_tags_gets_its_place_alone(german: list[Fact]) -> None:
    """ "polen" is a surname there, which it stays."""
    assert about("polen", german) == [CategoryFact("polen", "Regional/Europe/Poland", 20.0), ReferenceFact("polen", 12)]


def test_a_name_of_something_else_is_no_place(german: list[Fact]) -> None:
    assert about("rom", german) == []
    assert about("polnisch", german) == [TagFact("polnisch", COMMON)]  # a word, but not "cleaning"
    assert CategoryFact("danisch", "Science/Social_Sciences/Linguistics", 20.0) in german


def test_smaller_cities_of_the_countries_are_known(german: list[Fact]) -> None:
    """But one that is called like a frequent word is not, nor one elsewhere."""
    assert about("altenberg", german)[:2] == [
        TagFact("altenberg", CITY | NOUN),
        CategoryFact("altenberg", f"{GERMANY}/Altenberg", 6.02),
    ]
    assert about("haus", german) == about("springfield", german) == []


@pytest.mark.parametrize(
    ("term", "language", "answer"),
    [
        ("handtuchhalter", "de", True),
        ("versicherungskosten", "de", True),
        ("versicherungskosten", "fr", False),
        ("handtuch", "de", False),
        ("kostenlose", "de", False),
        ("verzekeringhand", "nl", True),
        ("unwahrscheinlich", "de", False),
    ],
)
def test_compounds_are_two_known_words_with_a_link(term: str, language: str, *, answer: bool) -> None:
    parts = {"handtuch", "halter", "versicherung", "kosten", "verzekering", "hand", "wahr"}
    assert is_compound(term, parts, language) == answer


def test_a_rare_compound_is_left_to_its_parts(german: list[Fact]) -> None:
    words = list(map(folded, known_words("de")[:30_000]))
    parts, frequent = frozenset(words), frozenset(words[:10_000])
    compounds = {word for word in words if word not in frequent and is_compound(word, parts, "de")}
    assert len(compounds) > 500
    assert compounds.isdisjoint(fact.term for fact in german if fact != TagFact(fact.term, STOP))
    assert about("arbeitsplatz", german) == [TagFact("arbeitsplatz", COMMON | NOUN)]  # which is frequent


def test_the_same_lists_give_the_same_facts(every: list[Fact], tmp_path: Path) -> None:
    assert list(language_facts(tuple(LANGUAGES), ENGLISH)) == every
    inputs = made.inputs(tmp_path)
    facts = list(default_facts(inputs, ["de"]))
    assert facts == list(default_facts(inputs, ["de"]))
    english = list(default_facts(inputs))
    assert facts[: len(english)] == english
    assert TagFact("kuche", COMMON | NOUN) in facts
    assert TagFact("kuche", COMMON | NOUN) not in english


def test_the_largest_city_abroad_bears_its_name(tmp_path: Path) -> None:
    inputs = made.inputs(tmp_path)
    places = inputs.places
    countries = (
        '{"DE": {"name": "Germany", "continentcode": "EU"}, "US": {"name": "United States", "continentcode": "NA"}}'
    )
    (places / "countries.json").write_text(countries)
    cities = ((1, "DE", 20_000), (2, "DE", 90_000), (3, "US", 900_000), (4, "DE", 14_000))
    rows = (f'"{n}": {{"name": "Gießen", "countrycode": "{code}", "population": {size}}}' for n, code, size in cities)
    (places / "cities15000.json").write_text("{" + ", ".join(rows) + "}")
    assert largest_abroad(places) == {"giessen": City("DE", f"{GERMANY}/Giessen", 90_000)}


def test_each_list_has_a_column_or_a_file_a_language() -> None:
    for table in ("names.tsv", "places.tsv"):
        lines = [line.split("\t") for line in (FOLDER / table).read_text("utf-8").splitlines() if line[0] != "#"]
        assert lines[0] == ["english", *LANGUAGES]
        assert {len(line) for line in lines} == {len(LANGUAGES) + 1}
    for language in LANGUAGES:
        words = known_words(language)
        assert len(words) == 45_000
        assert len(set(words)) == len(words)


def test_words_are_ranked_by_how_often_they_are_seen() -> None:
    """What a text has in capitals almost always is left out where that says that it is a name."""
    assert ranked({"selten": 51, "oft": 900, "no.": 950, "1a": 99, "x": 99, "auch": 51}) == ["oft", "auch", "selten"]
    shares = {"casa": -5.0, "Casa": -6.0, "Juan": -4.0, "juan": -9.0, "mesa": -7.0}
    assert ranked(by_text(shares, 0.1)) == ["casa", "mesa"]
    assert ranked(by_text(shares)) == ["juan", "casa", "mesa"]


def test_a_table_of_names_holds_what_differs_from_english() -> None:
    tables = {"en": {"DE": "Germany", "TD": "Chad", "HK": "Hong Kong", "X": "one two three four five"}}
    tables |= {code: {"TD": "Chad", "X": "kurz"} for code in LANGUAGES}
    tables["de"] = {"DE": "Deutschland", "TD": "Tschad", "HK": "Hongkong (China)"}
    header, *rows = names_table(tables)
    assert header.split("\t") == ["english", *LANGUAGES]
    assert [row.split("\t")[:3] for row in rows] == [["germany", "deutschland", "-"], ["chad", "tschad", "-"]]
