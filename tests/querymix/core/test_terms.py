"""The classifier by term weights, on a small base and on the one that comes with the package."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.identifiers import Detector
from querymix.core.knowledge import CATEGORIES, COMMON, LONGEST_UNIT, NOUN, STOP, Knowledge, Term
from querymix.core.packed_weights import FIELDS, LARGEST, MAX_ADDED, OFFSET, pack
from querymix.core.records import UNCLASSIFIED, Query
from querymix.core.terms import MAX_WORDS, NO_BIAS, TermsClassifier
from querymix.core.unknown import Reduce
from querymix.knowledge.bundle import DEFAULT, Bundle

from tests.known import Known, linked, term

ARTS, GAMES, REGIONAL, SCIENCE, SPORTS = map(CATEGORIES.index, ("Arts", "Games", "Regional", "Science", "Sports"))


class Noting(Known):
    """A knowledge base that notes what it is asked for."""

    def __init__(self, terms: dict[str, Term]) -> None:
        super().__init__(linked(terms))
        self.asked: list[str] = []

    def __getitem__(self, term: str) -> Term:
        self.asked.append(term)
        return super().__getitem__(term)


def weights(**by_name: int) -> tuple[int, ...]:
    return tuple(by_name.get(name, 0) for name in CATEGORIES)


def known() -> Noting:
    return Noting(
        {
            "arctic": term(weights=weights(Regional=30, Science=25)),
            "monkeys": term(weights=weights(Science=40, Arts=5)),
            "arctic monkeys": term(weights=weights(Arts=120, Science=-30)),
            "soccer": term("Sports/Soccer", weights(Sports=100)),
            "the": term(weights=weights(Arts=3), tags=STOP),
            "players": Term(NOUN),
            "of": Term(STOP),
            "example.com": term("Arts/Music"),
            "socer": Term(recommendation="soccer"),
            "arcticmonkeys": Term(recommendation="arctic monkeys"),
            "bear": term(weights=weights(Science=40), tags=COMMON),
            "game": term("Games", weights(Games=90), tags=COMMON),
            "the qwrtzpl players": term(weights=weights(Games=50)),
        }
    )


def made(base: Knowledge, confidence: float = 0.0, bias: int | None = None) -> TermsClassifier:
    reduce = Reduce(base, lambda _: [("arctic", 10**9), ("monkeys", 10**9), ("soccer", 10**9)])
    return TermsClassifier(base, Detector(base), reduce, NO_BIAS if bias is None else bias, confidence)


def test_the_main_unit_is_the_longest_one_with_a_positive_weight_for_the_winner() -> None:
    base = Noting(
        {
            "soccer": term(weights=weights(Sports=100)),
            "european soccer": term(weights=weights(Sports=10)),
            "soccer moms": term(weights=weights(Sports=-10, Society=10)),
        }
    )
    judge = made(base)
    assert judge("cheap european soccer players").unit == "european soccer"
    assert judge("cheap soccer moms").unit == "soccer"


def test_all_terms_weigh_in_and_longer_ones_can_turn_them() -> None:
    judge = made(known())
    assert judge("arctic").category == REGIONAL
    assert judge("monkeys arctic").category == SCIENCE
    topic = judge("arctic monkeys")
    assert (topic.category, topic.unit) == (ARTS, "arctic monkeys")


def test_the_host_that_was_clicked_is_one_more_term_and_no_part_of_what_is_released() -> None:
    judge = made(known())
    assert judge("players").category == UNCLASSIFIED
    for url in ("http://www.example.com", "http://shop.example.com/cart", "example.com"):
        topic = judge("players", url)
        assert (topic.category, topic.path, topic.text) == (ARTS, "Arts/Music", "players")
    assert judge("players").category == UNCLASSIFIED, "an answer with a click is not remembered for the text alone"
    assert judge("players", "http://www.unknown.example").category == UNCLASSIFIED
    assert judge("monkeys", "http://www.example.com").category == ARTS
    assert judge("monkeys").category == SCIENCE


def test_each_query_has_the_topic_that_it_has_alone_with_its_click_or_without() -> None:
    urls = (None, "", "http://www.example.com", "http://www.unknown.example")
    asked = [Query("ann", text, "", 0.0, 1, url) for text in ("players", "monkeys", "soccer") for url in urls]
    judge = made(known())
    for _ in range(2):
        assert judge.each(asked) == [made(known())(query.text, query.url) for query in asked]


def test_a_text_that_begins_like_a_host_has_an_answer_of_its_own() -> None:
    clicked, alone = Query("ann", "players", "", 0.0, 1, "example.com"), Query("ann", "example.com\tplayers", "", 0.0)
    for asked in ([clicked, alone], [alone, clicked]):
        judge = made(known())
        assert [judge(query.text, query.url).text for query in asked] == [query.text for query in asked]
        assert [topic.text for topic in made(known()).each(asked)] == [query.text for query in asked]


@pytest.mark.parametrize("text", ["", "  ", "-", "\u200b"])
def test_a_click_gives_an_empty_query_no_category(text: str) -> None:
    topic = made(known())(text, "http://www.example.com/")
    assert (topic.category, topic.text, topic.removed) == (UNCLASSIFIED, "", ())


def test_a_click_says_nothing_where_the_base_has_no_hosts() -> None:
    base = known()
    judge = TermsClassifier(base, Detector(base), Reduce(base, lambda _: []), reads_hosts=False)
    query = Query("ann", "players", "", 0.0, 1, "http://www.example.com")
    assert judge(query.text, query.url).category == UNCLASSIFIED
    assert [topic.category for topic in judge.each([query])] == [UNCLASSIFIED]


def test_a_query_of_nothing_but_identifiers_stays_suppressed_whatever_was_clicked() -> None:
    topic = made(known())("555-867-5309", "http://www.example.com")
    assert topic.suppressed


def test_the_path_is_that_of_the_largest_weight_of_the_winning_category() -> None:
    topic = made(known())("the soccer")
    assert (topic.category, topic.path, topic.unit) == (SPORTS, "Sports/Soccer", "soccer")
    assert made(known())("arctic").path == "Regional"


def test_a_place_is_where_its_whole_name_is_and_not_where_a_word_of_it_is() -> None:
    base = Noting(
        {
            "san": term("Regional/Africa/Mali", weights(Regional=100)),
            "diego": term("Regional/Asia/Nowhere", weights(Regional=20)),
            "san diego": term("Regional/North_America/United_States/California", weights(Regional=-20)),
            "county": term("Regional", weights(Regional=90)),
            "soccer": term("Sports/Soccer", weights(Sports=10)),
            "san soccer": term("Sports", weights(Sports=90)),
        }
    )
    judge = made(base)
    for text in ("san diego", "san diego county", "county of san diego"):
        assert judge(text).path == "Regional/North_America/United_States/California"
    assert judge("san").path == judge("san francisco").path == "Regional/Africa/Mali"
    assert judge("san soccer soccer soccer").path == "Sports"


def test_a_stop_word_is_the_unit_only_where_nothing_else_is() -> None:
    assert made(known())("the").unit == "the"
    assert made(known())("the arctic monkeys").unit == "arctic monkeys"


def test_words_without_weights_alone_are_unclassified() -> None:
    for text in ("players", "qwrtzpl", "?!"):
        topic = made(known())(text)
        assert topic == (UNCLASSIFIED, "", "", text, (), ())


@pytest.mark.parametrize("text", ["socer", "arcticmonkeys", "soccer's", "arctic-monkeys", "soccermonkeys", "soccr"])
def test_an_unknown_word_is_reduced_to_known_ones_and_leaves_as_it_came(text: str) -> None:
    topic = made(known())(text)
    assert topic.category != UNCLASSIFIED
    assert topic.text == text


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("Fu\u00dfball WM", "fu\u00dfball wm"),
        ("wm 2026 im FUSSBALL", "fussball"),
        ("c\u2019est l\u2019assurance auto", "assurance auto"),
        ("l'\u00e9quipe", "\u00e9quipe"),
        ("auto d'occasion", "occasion"),
        ("fussballweltmeisterschaft", "fussballweltmeisterschaft"),
        ("Fu\u00dfball-Weltmeisterschaft", "weltmeisterschaft"),
    ],
)
def test_words_of_other_languages_are_known_with_accents_or_without_elided_and_put_together(
    text: str, unit: str
) -> None:
    base = Noting(
        {
            "fussball": term(weights=weights(Sports=50), tags=COMMON),
            "fussball wm": term(weights=weights(Sports=60)),
            "weltmeisterschaft": term(weights=weights(Sports=90), tags=COMMON),
            "assurance": term(weights=weights(Business=80)),
            "assurance auto": term(weights=weights(Business=20)),
            "occasion": term(weights=weights(Shopping=80)),
            "equipe": term(weights=weights(Sports=80)),
        }
    )
    found = made(base)(text)
    assert (found.unit, found.text) == (unit, text)


def test_what_nothing_reduces_is_guessed_and_leaves_as_it_came() -> None:
    base = known()
    table = bytes([OFFSET + (50 if place == ARTS else 0) for place in range(FIELDS)]) * 64
    judge = TermsClassifier(base, Detector(base), Reduce(base, lambda _: []), pieces=table)
    expected = {"qwrtzpl": ARTS, "beargame": GAMES, "qwrtzpl soccer": SPORTS, "players soccer": SPORTS}
    for text, category in expected.items():
        assert (judge(text).category, judge(text).text) == (category, text)
    assert judge("beargame").unit == "beargame"
    assert judge("the qwrtzpl players").category == GAMES, "a longer term says what its word is worth"
    assert judge("soccer qwrtzpl monkeys").path == "Sports/Soccer"
    for text, category in (("players", ARTS), ("of players", ARTS), ("of", UNCLASSIFIED)):
        assert judge(text).category == category, "a known word that was taught nothing is guessed where no other tells"


@pytest.mark.parametrize(
    ("host", "category"),
    [
        ("www.example.com", ARTS),
        ("shop.example.com", ARTS),
        ("http://shop.example.com/basket?id=7", ARTS),
        ("soccer.com", SPORTS),
        ("www.soccer-players.net", SPORTS),
        ("www.qwrtzpl.com", UNCLASSIFIED),
    ],
)
def test_a_host_is_known_by_itself_its_parent_or_its_labels(host: str, category: int) -> None:
    assert made(known())(host).category == category


def test_below_the_confidence_asked_for_a_query_is_unclassified() -> None:
    assert made(known(), 0.3)("soccer").category == SPORTS
    assert made(known(), 0.3)("monkeys arctic").category == UNCLASSIFIED
    assert made(known(), 1.0)("soccer").category == UNCLASSIFIED


def test_the_bias_decides_where_the_terms_hardly_do() -> None:
    bias = pack([20 if place == ARTS else 0 for place in range(len(CATEGORIES))])
    assert made(known())("arctic").category == REGIONAL
    assert made(known(), bias=bias)("arctic").category == REGIONAL
    assert made(known(), bias=pack([50 if place == ARTS else 0 for place in range(16)]))("arctic").category == ARTS
    assert made(known(), bias=bias)("players").category == UNCLASSIFIED


def test_a_longer_term_is_looked_up_only_where_one_may_begin() -> None:
    base = known()
    made(base)("soccer monkeys arctic players")
    assert not [term for term in base.asked if " " in term]


def test_a_longer_term_is_found_though_its_last_word_is_nothing_alone() -> None:
    base = Noting({"digital camera": term("Shopping")})
    assert made(base)("digital camera").unit == "digital camera"


def test_the_longest_query_of_the_largest_weights_overflows_no_field() -> None:
    assert MAX_WORDS * LONGEST_UNIT - 6 + 1 <= MAX_ADDED
    word = "w"
    largest = tuple(LARGEST if place == ARTS else -LARGEST for place in range(len(CATEGORIES)))
    base = Noting({" ".join([word] * size): term(weights=largest) for size in range(1, LONGEST_UNIT + 1)})
    bias = pack(largest)
    assert made(base, bias=bias)(" ".join([word] * 3 * MAX_WORDS)).category == ARTS


@settings(deadline=None)
@given(st.text(max_size=80))
def test_any_text_has_an_answer_whose_parts_fit(text: str) -> None:
    topic = made(known())(text)
    if topic.category == UNCLASSIFIED:
        assert (topic.path, topic.unit) == ("", "")
    else:
        assert topic.path.partition("/")[0] == CATEGORIES[topic.category]
        assert topic.unit


def test_no_repr_shows_a_query() -> None:
    judge = made(known())
    assert "soccer" not in repr(judge("soccer")) + repr(judge)


@pytest.fixture(scope="module")
def default() -> Bundle:
    return Bundle()


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("arctic monkeys", "Arts"),
        ("european soccer barcelona players", "Sports"),
        ("homedepot", "Home"),
        ("diabetes symptoms", "Health"),
        ("used cars", "Recreation"),
        ("python programming tutorial", "Computers"),
    ],
)
def test_the_default_bundle_knows(default: Bundle, text: str, category: str) -> None:
    judge = TermsClassifier(default, Detector(default), Reduce(default, default.counts), default.bias)
    assert CATEGORIES[judge(text).category] == category


def test_the_default_bundle_is_small() -> None:
    assert DEFAULT.stat().st_size <= 40 * 2**20
