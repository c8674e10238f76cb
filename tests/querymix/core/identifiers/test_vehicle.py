"""A VIN is found by its check digit, or by the word beside it. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("1m8gdm9axkp042788 recall", "recall"),
    ("1HGCM82633A004352", ""),
    ("11111111111111111", ""),
    ("vin 1hgcm82633a004353", "vin"),
    ("carfax 5yjsa1dn5dfp1447o", "carfax"),
    ("vin# 1HGCM82633A0ABCDE", "vin#"),
    ("check vin:1hgcm82633a004353", "check vin:"),
    ("vin1hgcm82633a004352", ""),
    ("1hgcm8263abcdefgh vin", "vin"),
    ("vin 1HG CM826 33A 004352", "vin"),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "vehicle" in kinds


STAYS = """
vin diesel 2009; aaaaaaaaaaaaaaaaa; internationalizat1; title 18 section 1001 code
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
