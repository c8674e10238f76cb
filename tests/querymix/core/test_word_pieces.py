"""Weights of unknown words by their pieces."""

from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.packed_weights import FIELDS, LARGEST, OFFSET, unpack
from querymix.core.word_pieces import UNKNOWN_ROW, buckets, piece_weights

SIZE = 64
steps = st.integers(-LARGEST, LARGEST)
rows = st.lists(steps, min_size=FIELDS, max_size=FIELDS)
tables = st.lists(st.none() | rows, min_size=SIZE, max_size=SIZE)


def table(wanted: list[list[int] | None]) -> bytes:
    """Return a table with these rows; None is a row that is not known."""
    return b"".join(UNKNOWN_ROW if row is None else bytes(weight + OFFSET for weight in row) for row in wanted)


def test_the_pieces_are_runs_of_three_to_six_characters_between_marks_of_the_ends() -> None:
    pieces = ["<wi", "wii", "ii>", "<wii", "wii>", "<wii>"]
    assert buckets("wii", 1 << 20) == [crc32(piece.encode()) % (1 << 20) for piece in pieces]


def test_an_accent_makes_no_other_pieces() -> None:
    assert buckets("fußballschläger", 999) == buckets("fussballschlager", 999)


@given(st.text(max_size=60), st.integers(1, 1000))
def test_every_word_has_buckets_of_the_table_alone(word: str, size: int) -> None:
    assert all(0 <= bucket < size for bucket in buckets(word, size))


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=50), tables)
def test_a_word_has_the_mean_of_its_known_rows(word: str, wanted: list[list[int] | None]) -> None:
    known = [row for bucket in buckets(word, SIZE) if (row := wanted[bucket]) is not None]
    found = piece_weights(word, table(wanted))
    if not known:
        assert found == 0
    else:
        means = [sum(column) / len(known) for column in zip(*known, strict=True)]
        assert unpack(found) == pytest.approx(means, abs=0.5)


@given(st.text(max_size=2000))
def test_a_word_of_any_length_has_weights_in_bounds(word: str) -> None:
    weights = piece_weights(word, table([[LARGEST] * FIELDS] * SIZE))
    assert not weights or unpack(weights) == [LARGEST] * FIELDS


def test_no_table_knows_no_word() -> None:
    assert piece_weights("zyzzx", b"") == 0
