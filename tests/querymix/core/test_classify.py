"""Algorithm 1 on a small knowledge base kept in a dict: units, main unit, category, and what may be released."""

from itertools import islice, product
from string import ascii_lowercase

import pytest
from querymix.core import bounded_cache
from querymix.core.classify import kinds
from querymix.core.identifiers import Detector, Identifier
from querymix.core.knowledge import ADJECTIVE, CATEGORIES, COMMON, FIRST_NAME, NOUN, STOP, UNKNOWN, Term
from querymix.core.packed_weights import CATEGORY_ONLY
from querymix.core.paper import PaperClassifier, units
from querymix.core.records import UNCLASSIFIED
from querymix.core.text import words

from tests.known import Known

SPORTS, REGIONAL, ARTS = (CATEGORIES.index(name) for name in ("Sports", "Regional", "Arts"))


class Counting(Known):
    """A knowledge base that counts how often it is asked."""

    asked = 0

    def __getitem__(self, term: str) -> Term:
        self.asked += 1
        return self.get(term, UNKNOWN)


def known(**more: Term) -> Counting:
    return Counting(
        {
            "european": Term(ADJECTIVE | COMMON, 900_000_000, span=3),
            "european soccer": Term(NOUN, 56_500_000, SPORTS, "Sports/Soccer"),
            "soccer": Term(NOUN | COMMON, 300_000_000, SPORTS, "Sports/Soccer"),
            "barcelona": Term(NOUN, 504_000_000, REGIONAL, "Regional/Europe/Spain"),
            "players": Term(NOUN | COMMON, 544_000_000),
            "the": Term(STOP | COMMON, 9_000_000_000),
            "of": Term(STOP | COMMON, 9_000_000_000),
            "run": Term(COMMON, 700_000_000),
            "will": Term(STOP | NOUN | COMMON, 800_000_000),
            "barcelonna": Term(recommendation="barcelona"),
            "europeansoccer": Term(recommendation="european soccer"),
            "jennifer": Term(FIRST_NAME, 1_000),
            "example.com": Term(0, 5_000, ARTS, "Arts/Music"),
            "paintings": Term(NOUN | COMMON, 700, ARTS),
        }
        | more
    )


def made(knowledge: Counting) -> PaperClassifier:
    return PaperClassifier(knowledge, Detector(knowledge))


def names(text: str) -> list[str]:
    return [unit.name for unit in units(words(text), known())]


def test_the_worked_value_has_three_units_and_the_rarest_decides() -> None:
    assert names("european soccer barcelona players") == ["european soccer", "barcelona", "players"]
    topic = made(known())("european soccer barcelona players")
    assert (topic.category, topic.path, topic.unit) == (SPORTS, "Sports/Soccer", "european soccer")
    assert (topic.text, topic.removed) == ("european soccer barcelona players", ())


def test_where_the_rarest_unit_has_no_category_the_next_by_references_decides() -> None:
    knowledge = known(**{"european soccer": Term(NOUN, 56_500_000)})
    topic = made(knowledge)("european soccer barcelona players")
    assert (topic.category, topic.unit) == (REGIONAL, "barcelona")


def test_the_next_unit_is_the_next_by_references_and_not_the_next_in_the_query() -> None:
    knowledge = known(zither=Term(NOUN, 10))
    assert made(knowledge)("players barcelona soccer zither").unit == "soccer"


def test_a_word_that_the_base_does_not_know_is_a_unit_but_has_no_category() -> None:
    assert names("zyx soccer") == ["zyx", "soccer"]
    assert made(known())("zyx soccer").unit == "soccer"


def test_a_recommendation_replaces_its_unit() -> None:
    topic = made(known())("barcelonna")
    assert (topic.category, topic.unit, topic.text) == (REGIONAL, "barcelona", "barcelonna")
    assert made(known())("europeansoccer barcelonna").unit == "european soccer"


def test_no_category_anywhere_is_unclassified_and_keeps_its_text() -> None:
    topic = made(known())("players zyx")
    assert not topic.suppressed
    assert topic == (UNCLASSIFIED, "", "", "players zyx", (), ())


def test_a_category_without_a_path_is_its_own_path() -> None:
    assert made(known())("paintings").path == "Arts"


def test_stop_words_are_no_units_unless_they_are_nouns_too() -> None:
    assert names("the run of players") == ["run", "players"]
    assert names("will") == ["will"]
    assert made(known())("the of").category == UNCLASSIFIED


def test_a_longer_unit_is_taken_only_where_the_base_knows_it() -> None:
    assert names("european barcelona") == ["european", "barcelona"]
    assert names("soccer european") == ["soccer", "european"]
    assert names("european soccer soccer") == ["european soccer", "soccer"]


def test_the_longest_unit_wins() -> None:
    knowledge = known(**{"european soccer players": Term(NOUN, 10, SPORTS)})
    assert [unit.name for unit in units(words("european soccer players"), knowledge)] == ["european soccer players"]


def test_words_side_by_side_of_which_only_weights_are_known_are_no_unit() -> None:
    knowledge = known(
        **{"soccer players": Term(weights=CATEGORY_ONLY[SPORTS]), "soccer": Term(NOUN, 10, SPORTS, span=2)}
    )
    assert [unit.name for unit in units(words("soccer players"), knowledge)] == ["soccer", "players"]


@pytest.mark.parametrize(
    ("host", "unit"),
    [
        ("www.example.com", "example.com"),
        ("shop.example.com", "example.com"),
        ("http://shop.example.com/basket?id=7", "example.com"),
        ("soccer.com", "soccer"),
        ("www.soccer.net", "soccer"),
    ],
)
def test_a_host_is_known_by_itself_its_parent_or_its_name(host: str, unit: str) -> None:
    assert [found.name for found in units(words(host), known())] == [unit]


def test_an_unknown_host_has_no_category() -> None:
    assert made(known())("www.zyx.com").category == UNCLASSIFIED


def test_identifiers_leave_the_text_and_are_never_a_unit() -> None:
    knowledge = known(**{"joe@example.com": Term(NOUN, 1, ARTS), "jennifer smith": Term(0, 1)})
    topic = made(knowledge)("barcelona soccer joe@example.com")
    assert topic.removed == ("email",)
    assert topic.text == "barcelona soccer"
    assert topic.unit == "soccer"
    topic = made(knowledge)("soccer players jennifer smith")
    assert topic.removed == ("name",)
    assert topic.text == "soccer players"
    assert topic.category == SPORTS


def test_nothing_but_identifiers_is_suppressed() -> None:
    for text in ("joe@example.com", "jennifer smith", "joe@example.com, jennifer smith"):
        topic = made(known())(text)
        assert topic.suppressed
        assert (topic.text, topic.unit, topic.category) == ("", "", UNCLASSIFIED)


@pytest.mark.parametrize(("text", "left"), [("-", ""), ("", ""), ("   ", ""), ("\u200b", ""), ("???", "???")])
def test_of_an_empty_query_nothing_is_left_and_it_is_not_suppressed(text: str, left: str) -> None:
    topic = made(known())(text)
    assert not topic.suppressed
    assert topic == (UNCLASSIFIED, "", "", left, (), ())


def test_kinds_are_told_once_each_in_alphabetical_order() -> None:
    found = [Identifier("phone", 9, 12), Identifier("email", 5, 8), Identifier("phone", 0, 3)]
    assert kinds(found) == ("email", "phone")


def test_answers_are_remembered_but_only_so_many() -> None:
    knowledge = known()
    judge = made(knowledge)
    first = judge("soccer")
    asked = knowledge.asked
    assert judge("soccer") is first
    assert knowledge.asked == asked, "the second answer comes from memory"
    for letters in islice(product(ascii_lowercase, repeat=4), bounded_cache.MAX):
        judge("".join(letters))
    asked = knowledge.asked
    assert judge("soccer") == first
    assert knowledge.asked > asked, "the first answer was forgotten"


def test_no_repr_shows_a_query_or_a_part_of_it() -> None:
    judge = made(known())
    shown = repr(judge("barcelona soccer joe@example.com")) + repr(judge) + repr(units(["barcelona"], known()))
    assert "barcelona" not in shown
    assert "soccer" not in shown
    assert "joe" not in shown
