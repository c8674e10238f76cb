"""Unknown words weigh what their parts or pieces say; known ones stay as they are."""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.guesses import LONGEST, SHORTEST_PART, Guesses
from querymix.core.knowledge import CATEGORIES, COMMON, FAMOUS, STOP, UNKNOWN, Term
from querymix.core.packed_weights import FIELDS, OFFSET, pack, unpack
from querymix.core.word_pieces import UNKNOWN_ROW, buckets

from tests.known import Known, linked, term

HOME, BUSINESS, SPORTS = (CATEGORIES.index(name) for name in ("Home", "Business", "Sports"))
SIZE: Final = 4096


def weights(**by_name: int) -> tuple[int, ...]:
    return tuple(by_name.get(name, 0) for name in CATEGORIES)


def table(**by_word: tuple[int, ...]) -> bytes:
    """Return a table whose known rows are those of the words' pieces."""
    rows = [UNKNOWN_ROW] * SIZE
    for word, row in by_word.items():
        for bucket in buckets(word, SIZE):
            rows[bucket] = bytes(weight + OFFSET for weight in row)
    return b"".join(rows)


def known() -> Known:
    return Known(
        linked(
            {
                "versicherung": term("Business/Insurance", weights(Business=60), tags=COMMON),
                "vergleich": term("Shopping", weights(Shopping=30, Business=6), tags=COMMON),
                "kinder": term(weights=weights(Home=30), tags=COMMON),
                "kind": term(weights=weights(Society=90), tags=COMMON),
                "fahrrad": term("Sports/Cycling", weights(Sports=90), tags=COMMON),
                "fiets": term(weights=weights(Sports=60), tags=COMMON),
                "verzekering": term(weights=weights(Business=120, Arts=-120), tags=COMMON),
                "kranken": term(weights=weights(Health=60), tags=COMMON),
                "worter": term(weights=weights(Reference=60), tags=COMMON),
                "buch": term(weights=weights(Arts=30), tags=COMMON),
                "rad": term(weights=weights(Sports=90), tags=COMMON),
                "tail": term(weights=weights(Home=30), tags=COMMON),
                "haus": Term(COMMON),
                "the": Term(STOP),
                "cher": term(weights=weights(Arts=90), tags=FAMOUS),
            }
        )
    )


def guesses(pieces: bytes = b"") -> Guesses:
    return Guesses(known(), pieces)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("kinderfahrrad", weights(Home=20, Sports=120)),
        ("versicherungsvergleich", weights(Business=48, Shopping=40)),
        ("fietsverzekering", weights(Sports=40, Business=127, Arts=-127)),
        ("krankenversicherungsvergleich", weights(Health=27, Business=61, Shopping=40)),
        ("w\u00f6rterbuch", weights(Reference=40, Arts=40)),
    ],
)
def test_a_compound_weighs_what_its_parts_do_and_its_head_more(word: str, expected: tuple[int, ...]) -> None:
    assert unpack(guesses()[word].weights) == list(expected)


def test_a_compound_is_of_its_heads_category() -> None:
    found = guesses()["kinderfahrrad"]
    assert (found.category, found.path) == (SPORTS, "Sports/Cycling")
    assert (found.bit, found.first_bits) == (UNKNOWN.bit, UNKNOWN.first_bits), "it may stand in a longer term as before"


@pytest.mark.parametrize(
    "word",
    [
        "kinderrad",
        "hausfahrrad",
        "xyzfahrrad",
        "fahrradxyz",
        "kinderxfahrrad",
        "kinder2fahrrad",
        "fahrrad" * 8,
        "rad",
        "kindercher",
        "worterbuchversicherungsvergleich",
    ],
)
def test_a_word_is_no_compound_unless_both_parts_are_known_long_and_no_names(word: str) -> None:
    base = known()
    assert guesses()[word] == base[word]


def test_a_word_of_no_known_parts_weighs_what_its_pieces_do() -> None:
    found = guesses(table(gardenzilla=weights(Home=50)))
    assert unpack(found["gardenzilla"].weights) == list(weights(Home=50))
    assert unpack(found["gardenzill\u00e1"].weights) == list(weights(Home=50))
    assert found["gardenzilla"].path == ""
    assert unpack(found["gardenz"].weights)[HOME] == 50, "the pieces at its end are not known"
    assert found["qqq"] == UNKNOWN


def test_a_compound_goes_before_pieces() -> None:
    found = guesses(table(kinderfahrrad=weights(Business=50)))
    assert unpack(found["kinderfahrrad"].weights)[BUSINESS] == 0


@pytest.mark.parametrize(
    "word",
    [
        "the",
        "kinder",
        "2112",
        "0815-4711",
        "\uff12",
        "\u043c\u043e\u0441\u043a\u0432\u0430",
        "\u6771\u4eac",
        "",
        "x" * (LONGEST + 1),
    ],
)
def test_taught_and_function_words_numbers_words_of_other_letters_and_long_ones_are_not_guessed(word: str) -> None:
    full = bytes([OFFSET + 50] * FIELDS * SIZE)
    assert guesses(full)[word] == known()[word]


def test_what_is_handed_in_guesses_and_leaves_the_rest() -> None:
    answers: dict[str, tuple[bytes, int | None]] = {
        "kinderfahrrad": (bytes([OFFSET + 1] * FIELDS), 6),
        "gardenzilla": (bytes([OFFSET + 2] * FIELDS), None),
        "qqq": (b"", None),
    }
    made = Guesses(known(), b"", answers.get)
    compound = made["kinderfahrrad"]
    assert (compound.path, compound.category) == ("Sports/Cycling", SPORTS)
    assert compound.weights == pack([1] * FIELDS)
    assert made["gardenzilla"] == UNKNOWN._replace(weights=pack([2] * FIELDS))
    assert made["g\u00e1rdenzilla"] == made["gardenzilla"]
    assert made["qqq"] == UNKNOWN
    assert unpack(made["fietsverzekering"].weights) == list(weights(Sports=40, Business=127, Arts=-127))


@given(st.lists(st.sampled_from(["fahr", "rad", "kind", "er", "s", "tail", "x", "1"]), max_size=20).map("".join))
def test_any_word_has_an_answer_at_a_bounded_price(word: str) -> None:
    class Counting(Known):
        asked = 0

        def __getitem__(self, term: str) -> Term:
            self.asked += 1
            return self.get(term, UNKNOWN)

    base = Counting(known())
    Guesses(base, b"")[word]
    assert base.asked <= (LONGEST - 2 * SHORTEST_PART) ** 2
