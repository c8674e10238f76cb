"""Unknown words become known ones, known ones stay, and the work is bounded."""

from itertools import islice, product
from string import ascii_lowercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.core import unknown
from service.core.knowledge import NOUN, UNKNOWN, Term
from service.core.unknown import LONGEST, Reduce


class Known(dict[str, Term]):
    """A knowledge base in a dict."""

    def __missing__(self, term: str) -> Term:
        return UNKNOWN


COUNTS = {"home": 10**9, "depot": 10**8, "the": 2 * 10**10, "a": 10**10, "kitchen": 10**8, "st": 10**8}


def reduce() -> Reduce:
    known = {word: Term(NOUN) for word in (*COUNTS, "example.com", "homely")}
    known["kitchn"] = Term(recommendation="kitchen")
    known["homeandkitchen"] = Term(recommendation="home kitchen")
    return Reduce(Known(known), COUNTS.items())


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("home", ("home",)),
        ("homely", ("homely",)),
        ("kitchn", ("kitchen",)),
        ("homeandkitchen", ("home", "kitchen")),
        ("homedepot", ("home", "depot")),
        ("wwwhomedepot", ("home", "depot")),
        ("kitchen's", ("kitchen",)),
        ("home-kitchn", ("home", "kitchen")),
        ("www.homedepot.com", ("home", "depot")),
        ("shop.example.com", ("example.com",)),
        ("kitchan", ("kitchen",)),
        ("kithcen", ("kitchen",)),
        ("kitcheen", ("kitchen",)),
        ("xitchen", ("xitchen",)),
        ("kitchxyz", ("kitchxyz",)),
        ("hme", ("hme",)),
        ("com", ()),
    ],
)
def test_a_word_is_reduced(word: str, pieces: tuple[str, ...]) -> None:
    assert reduce()(word) == pieces


def test_a_word_that_is_too_long_is_nothing() -> None:
    assert reduce()("homedepot" * LONGEST) == ()


@settings(deadline=None)
@given(st.text(alphabet="homedeptkicn'-. \u00e9", max_size=LONGEST + 2))
def test_pieces_are_never_empty_and_the_same_each_time(word: str) -> None:
    made = reduce()
    assert all(made(word))
    assert made(word) == made(word)


def test_answers_are_remembered_but_only_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unknown, "MOST_REMEMBERED", 10)
    made = reduce()
    for letters in islice(product(ascii_lowercase, repeat=3), 100):
        made("".join(letters))
    assert len(made._remembered) <= 10
