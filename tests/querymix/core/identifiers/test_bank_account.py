"""Accounts of Spain, France and the Netherlands are found by their checks. All data is made up."""

import pytest
from querymix.core.identifiers.recognizers.bank_account import ccc, dutch, rib

from tests.querymix.core.identifiers.kit import kept


@pytest.mark.parametrize(
    "text",
    [
        "1234 1234 16 1234567890",
        "1234-1234-16-1234567890",
        "20041 01005 0500013M026 06",
        "20041-01005-0500013m026-06",
        "12.34.56.789",
    ],
)
def test_it_goes_without_a_word_where_its_check_is_right(text: str) -> None:
    assert kept(f"{text} pizza") == ("pizza", ["account"])


@pytest.mark.parametrize("text", ["20041 01005 0500013M026 07", "12.34.56.788", "1234 1234 17 1234567890"])
def test_without_a_right_check_it_is_no_account(text: str) -> None:
    assert "account" not in kept(f"{text} pizza")[1]


def test_the_checks_are_those_of_the_registers() -> None:
    stdnum = pytest.importorskip("stdnum.es.ccc")
    numbers = [f"{number:020}" for number in range(10**18, 10**20, 77_777_777_777_777_777)]
    right = [number for number in numbers if ccc(number)]
    assert right == [number for number in numbers if stdnum.is_valid(number)]
    assert right


def test_few_random_numbers_pass() -> None:
    keys = [key for key in range(97) if rib(f"20041010050500013m026{key:02}")]
    assert keys == [6]
    assert sum(dutch(f"{number:09}") for number in range(100_000, 200_000, 7)) in range(1_100, 1_500)
