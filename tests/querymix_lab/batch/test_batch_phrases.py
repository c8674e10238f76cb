"""Noun phrases and their categories."""

import pytest
from querymix.core.knowledge import ADJECTIVE, CATEGORY_NUMBERS, NOUN, STOP, UNKNOWN, Term
from querymix.core.unknown import Reduce
from querymix_lab.batch.phrases import Phrases


class Base(dict[str, Term]):
    """A knowledge base of a few terms."""

    def __missing__(self, _: str) -> Term:
        return UNKNOWN

    def words(self, _: str) -> frozenset[str]:
        return frozenset()


def term(path: str, tags: int = NOUN) -> Term:
    return Term(tags, 1_000_000, CATEGORY_NUMBERS[path.split("/", maxsplit=1)[0]] if path else -1, path)


@pytest.fixture
def phrases() -> Phrases:
    base = Base({
        "water sports": term("Sports/Water Sports"),
        "water": term("Science/Environment"),
        "sports": term("Sports"),
        "diving": term("Sports/Water Sports/Swimming and Diving"),
        "mediterranean": term("Regional/Europe/Regions/Mediterranean"),
        "exciting": term("", ADJECTIVE),
        "in": term("", STOP),
        "the": term("", STOP),
    })  # fmt: skip
    return Phrases(base, Reduce(base, lambda _: [("water", 10**9), ("sports", 10**9), ("diving", 10**9)]))


def test_function_words_part_noun_phrases(phrases: Phrases) -> None:
    assert phrases.split("diving in the mediterranean") == [["diving"], ["mediterranean"]]
    assert phrases("diving in the mediterranean") == (
        ("Sports", "Water Sports", "Swimming and Diving"),
        ("Regional", "Europe", "Regions", "Mediterranean"),
    )


def test_a_phrase_that_is_not_known_is_looked_up_without_its_first_words(phrases: Phrases) -> None:
    assert phrases("this exciting water sports") == (("Sports", "Water Sports"),)
    assert phrases("exciting new sports") == (("Sports",),)


def test_words_of_a_phrase_are_not_looked_up_by_themselves(phrases: Phrases) -> None:
    assert phrases("water sports") == (("Sports", "Water Sports"),)


def test_a_wrong_spelling_is_looked_up_by_the_right_one(phrases: Phrases) -> None:
    assert phrases("divving") == (("Sports", "Water Sports", "Swimming and Diving"),)


@pytest.mark.parametrize("text", ["", "-", "the", "nothing known here"])
def test_a_text_without_a_known_phrase_has_no_topic(phrases: Phrases, text: str) -> None:
    assert phrases(text) == ()
