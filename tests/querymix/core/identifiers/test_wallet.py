"""Wallets are found by checksum where it is there. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("0xde0b295669a9fd93d5f28d9ec85e40f4cb697bae", ""),
    ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", ""),
    ("1a1zp1ep5qgefi2dmptftl5slmv7divfna", ""),
    ("send to bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "send to"),
    ("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", ""),
    ("3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", ""),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert kinds


STAYS = """
error 0x80070002; 0xdeadbeef; 3 doors down; bitcoin price; 0x1f600
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
