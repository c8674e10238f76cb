"""Algorithm 1 where the place of a word in the query decides whether it is a unit."""

from querymix.core.grammar import tag_log_odds
from querymix.core.identifiers import Detector
from querymix.core.knowledge import CATEGORIES, NOUN, STOP, Term
from querymix.core.paper import PaperClassifier, units
from querymix.core.records import UNCLASSIFIED

from tests.known import Known

HOME, REFERENCE, RECREATION = (CATEGORIES.index(name) for name in ("Home", "Reference", "Recreation"))


def known() -> Known:
    return Known(
        {
            "to": Term(STOP | tag_log_odds(-15, -6, 0), 9_000),
            "the": Term(STOP | tag_log_odds(-15, 6, 0), 9_000),
            "cook": Term(NOUN | tag_log_odds(-1, 0, 0), 10, HOME, span=2),
            "cook islands": Term(NOUN, 5, RECREATION),
            "dictionary": Term(NOUN | tag_log_odds(8, 0, 0), 500, REFERENCE),
        }
    )


def decided(text: str) -> tuple[int, str]:
    topic = PaperClassifier(known(), Detector(known()))(text)
    return topic.category, topic.unit


def test_a_word_is_a_unit_only_where_it_stands_as_a_noun() -> None:
    assert [unit.name for unit in units(["the", "cook", "dictionary"], known())] == ["cook", "dictionary"]
    assert [unit.name for unit in units(["to", "cook", "dictionary"], known())] == ["dictionary"]
    assert decided("the cook dictionary") == (HOME, "cook")
    assert decided("to cook dictionary") == (REFERENCE, "dictionary")


def test_a_longer_unit_is_one_wherever_it_stands() -> None:
    assert decided("to cook islands dictionary") == (RECREATION, "cook islands")


def test_what_may_be_a_noun_decides_where_nothing_else_has_a_category() -> None:
    assert decided("cook") == (HOME, "cook")
    assert decided("to cook zyzzx") == (HOME, "cook")
    assert decided("to the zyzzx") == (UNCLASSIFIED, "")
