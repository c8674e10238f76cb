"""Draws are uniform to the last bit, and no random word is used twice."""

import os
import struct
from collections import Counter
from collections.abc import Callable
from math import sqrt

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from querymix.core.draw import Draw, seeded_draw, system_draw

WORDS = 1 << 32


def scripted(*words: int) -> Draw:
    """Return a draw whose source gives `words` in this order, then only the largest word."""
    left = list(words)

    def read(size: int) -> bytes:
        block = (left + [WORDS - 1] * (size // 4))[: size // 4]
        del left[: len(block)]
        return struct.pack(f"={len(block)}I", *reversed(block))

    return Draw(read)


def counting(reads: list[int]) -> Callable[[int], bytes]:
    """Return a source of 0, 1, 2, ... that notes the size of each read."""

    def read(size: int) -> bytes:
        begin = sum(reads) // 4
        reads.append(size)
        return struct.pack(f"={size // 4}I", *range(begin, begin + size // 4))

    return read


def test_a_draw_is_the_high_half_of_word_times_n() -> None:
    draw = scripted(0x4000_0000, 0x8000_0001, 0xFFFF_FFFF)
    assert [draw.below(10) for _ in range(3)] == [2, 5, 9]


def test_a_word_that_would_favour_a_value_is_thrown_away() -> None:
    """2**32 % 3 is 1, so of the words that give 0 exactly the word 0 is one too many."""
    assert scripted(0, 0x8000_0000).below(3) == 1
    assert scripted(0, 0, 0, 1).below(3) == 0
    assert scripted(1, 0x8000_0000).below(3) == 0


def test_a_word_near_the_refused_ones_is_kept() -> None:
    """0xAAAAAAAB * 3 has the low half 1: below n, so looked at, but not refused."""
    assert scripted(0xAAAA_AAAB, 0).below(3) == 2


def test_a_power_of_two_refuses_no_word() -> None:
    assert scripted(0, 0xFFFF_FFFF).below(8) == 0
    assert scripted(0xFFFF_FFFF).below(8) == 7


def test_the_largest_n_gives_the_word_itself() -> None:
    assert scripted(0, 123_456, WORDS - 1).below(WORDS) == 0
    assert scripted(123_456).below(WORDS) == 123_456
    assert scripted(WORDS - 1).below(WORDS) == WORDS - 1


def test_below_one_there_is_only_zero() -> None:
    assert scripted(0).below(1) == 0
    assert scripted(WORDS - 1).below(1) == 0


@settings(deadline=None, max_examples=300)
@given(st.one_of(st.integers(1, 300), st.integers(1, WORDS)), st.data())
def test_exactly_as_many_words_give_each_value(n: int, data: st.DataObject) -> None:
    """The words of a value are a run; its ends are where they must be for all runs to be equally long."""
    value = data.draw(st.integers(0, n - 1))
    refuse = WORDS % n
    first_of_all = -(-value * WORDS // n)
    first = -(-(value * WORDS + refuse) // n)
    last = -(-(value + 1) * WORDS // n) - 1
    assume(first <= last)
    assert last - first + 1 == WORDS // n
    assert scripted(first).below(n) == value
    assert scripted(last).below(n) == value
    if first_of_all < first:
        other = data.draw(st.integers(0, n - 1))
        assert scripted(first - 1, -(-(other * WORDS + refuse) // n)).below(n) == other


@pytest.mark.parametrize("n", [2, 3, 7, 20, 1000])
def test_many_draws_are_uniform_by_chi_square(n: int) -> None:
    draw, draws = seeded_draw(20_060_301), 200_000
    counts = Counter(draw.below(n) for _ in range(draws))
    expected = draws / n
    chi_square = sum((counts[value] - expected) ** 2 / expected for value in range(n))
    assert set(counts) == set(range(n))
    assert chi_square < n - 1 + 4 * sqrt(2 * (n - 1))


def test_successive_draws_are_independent_by_chi_square() -> None:
    draw, draws, n = seeded_draw(7), 200_000, 10
    pairs = Counter((draw.below(n), draw.below(n)) for _ in range(draws))
    expected = draws / n**2
    chi_square = sum((pairs[one, two] - expected) ** 2 / expected for one in range(n) for two in range(n))
    assert chi_square < n**2 - 1 + 4 * sqrt(2 * (n**2 - 1))


def test_words_are_read_in_blocks_and_each_is_used_once() -> None:
    reads: list[int] = []
    draw = Draw(counting(reads))
    assert not reads
    drawn = [draw.below(WORDS) for _ in range(4096)]
    assert sorted(drawn) == list(range(4096))
    assert reads == [4 * 4096]
    assert 4096 <= draw.below(WORDS) < 2 * 4096
    assert len(reads) == 2


def test_a_refused_word_at_the_end_of_a_block_is_followed_by_the_next_block() -> None:
    draw = scripted(*[WORDS - 1] * 4095, 0, 0x8000_0000)
    assert [draw.below(3) for _ in range(4095)] == [2] * 4095
    assert draw.below(3) == 1


def test_the_same_seed_gives_the_same_draws_and_another_gives_others() -> None:
    first, again, other = (seeded_draw(seed) for seed in (1, 1, 2))
    drawn = [first.below(1000) for _ in range(100)]
    assert drawn == [again.below(1000) for _ in range(100)]
    assert drawn != [other.below(1000) for _ in range(100)]


def test_the_system_draw_stays_in_range_and_never_repeats_itself() -> None:
    one, two = system_draw(), system_draw()
    drawn = [one.below(1 << 30) for _ in range(100)]
    assert all(0 <= number < 1 << 30 for number in drawn)
    assert drawn != [two.below(1 << 30) for _ in range(100)]


def test_no_word_shows_in_the_repr() -> None:
    draw = scripted(123_456_789)
    draw.below(5)
    assert not any(character in repr(draw).replace("0x", "") for character in "[]")


def test_a_forked_process_draws_other_numbers_than_the_one_that_it_left() -> None:
    draw = system_draw()
    draw.below(2)
    end, begin = os.pipe()
    child = os.fork()
    if not child:
        os.write(begin, str([draw.below(WORDS) for _ in range(4)]).encode())
        os._exit(0)
    os.waitpid(child, 0)
    there = os.read(end, 1000).decode()
    os.close(begin)
    os.close(end)
    assert there.startswith("[")
    assert there != str([draw.below(WORDS) for _ in range(4)])


def test_more_values_than_a_word_has_are_drawn_out_of_two() -> None:
    n = 3 << 32
    assert scripted(7, 0x8000_0000, 1).below(n) == n // 2, "the word 7 alone would reach no more than 2**32 of them"
    assert scripted(7, WORDS - 1, WORDS - 1).below(n) == n - 1
    assert scripted(7, 0, 0, 0x4000_0000, 1).below(n) == n // 4, "0 is one too many, since 2**64 % n is not 0"


@given(st.integers(WORDS + 1, WORDS**2), st.integers(0, 2**32))
def test_however_many_values_there_are_a_draw_is_one_of_them(n: int, seed: int) -> None:
    draw = seeded_draw(seed)
    drawn = [draw.below(n) for _ in range(40)]
    assert all(0 <= value < n for value in drawn)
    assert min(drawn) < n // 2 <= max(drawn)
