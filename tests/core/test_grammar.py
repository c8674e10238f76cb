"""Which words are nouns or adjectives, by their own leaning and by what their neighbours say of them."""

from itertools import product

import pytest

from service.core.grammar import AFTER, BEFORE, OWN, by_tags, content, leaning
from service.core.knowledge import ADJECTIVE, COMMON, FLAGS, NOUN, STOP, UNKNOWN, Term

PLAIN, VERB = Term(leaning(3, 0, 0)), Term(leaning(-3, 0, 0))


def test_alone_a_word_is_what_it_leans_to() -> None:
    assert content([PLAIN]) == [True]
    assert content([VERB]) == [False]


def test_a_word_that_leans_to_neither_side_is_content() -> None:
    assert content([Term(leaning(0, 0, 0) | STOP)]) == [True]


def test_the_word_before_decides_with_it() -> None:
    to, the = Term(leaning(-15, -4, 0)), Term(leaning(-15, 4, 0))
    assert content([to, PLAIN, PLAIN]) == [False, False, True]
    assert content([the, VERB, VERB]) == [False, True, False]


def test_the_word_after_decides_with_it() -> None:
    of, me = Term(leaning(-15, 0, 3)), Term(leaning(-15, 0, -3))
    assert content([VERB, VERB, of]) == [False, True, False]
    assert content([PLAIN, Term(leaning(2, 0, 0)), me]) == [True, False, False]


def test_both_neighbours_add_up() -> None:
    before, after = Term(leaning(-15, 2, 0)), Term(leaning(-15, 0, 1))
    assert content([before, VERB])[1] is False
    assert content([VERB, after])[0] is False
    assert content([before, VERB, after])[1] is True


def test_a_word_without_leanings_goes_by_its_tags_and_says_nothing_of_its_neighbours() -> None:
    against = Term(leaning(-15, -6, -3))
    terms = [against, Term(NOUN), Term(ADJECTIVE | STOP), Term(STOP | COMMON), Term(COMMON), UNKNOWN, against]
    assert content(terms)[1:-1] == [True, True, False, True, True]
    assert [by_tags(term) for term in terms[1:-1]] == [True, True, False, True, True]
    assert content([UNKNOWN, VERB, UNKNOWN, PLAIN, UNKNOWN]) == [True, False, True, True, True]


def test_leanings_do_not_touch_the_flags() -> None:
    for numbers in product(OWN, BEFORE, AFTER):
        bits = leaning(*numbers)
        assert not bits & FLAGS
        assert 0 < bits < 1 << 24


@pytest.mark.parametrize("own", OWN)
def test_every_number_counts_as_it_was_given(own: int) -> None:
    for said in BEFORE:
        assert content([Term(leaning(0, said, 0)), Term(leaning(own, 0, 0))])[1] is (own + said >= 0)
    for said in AFTER:
        assert content([Term(leaning(own, 0, 0)), Term(leaning(0, 0, said))])[0] is (own + said >= 0)


@pytest.mark.parametrize("numbers", [(16, 0, 0), (-16, 0, 0), (0, 10, 0), (0, -7, 0), (0, 0, 5), (0, 0, -4)])
def test_a_number_out_of_range_is_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="out of range"):
        leaning(*numbers)


def test_nothing_has_no_content() -> None:
    assert content([]) == []
