"""Which words are nouns or adjectives, by their own tag log-odds and by what their neighbours add."""

from itertools import product

import pytest
from querymix.core.grammar import OWN, TO_NEXT, TO_PREVIOUS, by_tags, content, tag_log_odds
from querymix.core.knowledge import ADJECTIVE, COMMON, FLAGS, NOUN, STOP, UNKNOWN, Term

CONTENT, VERB = Term(tag_log_odds(3, 0, 0)), Term(tag_log_odds(-3, 0, 0))


def test_alone_a_word_is_judged_by_its_own_number() -> None:
    assert content([CONTENT]) == [True]
    assert content([VERB]) == [False]


def test_a_word_with_a_sum_of_zero_is_content() -> None:
    assert content([Term(tag_log_odds(0, 0, 0) | STOP)]) == [True]


def test_the_word_before_decides_with_it() -> None:
    to, the = Term(tag_log_odds(-15, -4, 0)), Term(tag_log_odds(-15, 4, 0))
    assert content([to, CONTENT, CONTENT]) == [False, False, True]
    assert content([the, VERB, VERB]) == [False, True, False]


def test_the_word_after_decides_with_it() -> None:
    of, me = Term(tag_log_odds(-15, 0, 3)), Term(tag_log_odds(-15, 0, -3))
    assert content([VERB, VERB, of]) == [False, True, False]
    assert content([CONTENT, Term(tag_log_odds(2, 0, 0)), me]) == [True, False, False]


def test_both_neighbours_add_up() -> None:
    before, after = Term(tag_log_odds(-15, 2, 0)), Term(tag_log_odds(-15, 0, 1))
    assert content([before, VERB])[1] is False
    assert content([VERB, after])[0] is False
    assert content([before, VERB, after])[1] is True


def test_a_word_without_tag_log_odds_goes_by_its_tags_and_adds_nothing_to_its_neighbours() -> None:
    against = Term(tag_log_odds(-15, -6, -3))
    terms = [against, Term(NOUN), Term(ADJECTIVE | STOP), Term(STOP | COMMON), Term(COMMON), UNKNOWN, against]
    assert content(terms)[1:-1] == [True, True, False, True, True]
    assert [by_tags(term) for term in terms[1:-1]] == [True, True, False, True, True]
    assert content([UNKNOWN, VERB, UNKNOWN, CONTENT, UNKNOWN]) == [True, False, True, True, True]


def test_tag_log_odds_do_not_touch_the_flags() -> None:
    for numbers in product(OWN, TO_NEXT, TO_PREVIOUS):
        bits = tag_log_odds(*numbers)
        assert not bits & FLAGS
        assert 0 < bits < 1 << 24


@pytest.mark.parametrize("own", OWN)
def test_every_number_counts_as_it_was_given(own: int) -> None:
    for added in TO_NEXT:
        assert content([Term(tag_log_odds(0, added, 0)), Term(tag_log_odds(own, 0, 0))])[1] is (own + added >= 0)
    for added in TO_PREVIOUS:
        assert content([Term(tag_log_odds(own, 0, 0)), Term(tag_log_odds(0, 0, added))])[0] is (own + added >= 0)


@pytest.mark.parametrize("numbers", [(16, 0, 0), (-16, 0, 0), (0, 10, 0), (0, -7, 0), (0, 0, 5), (0, 0, -4)])
def test_a_number_out_of_range_is_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="out of range"):
        tag_log_odds(*numbers)


def test_nothing_has_no_content() -> None:
    assert content([]) == []
