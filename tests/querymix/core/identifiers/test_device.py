"""Addresses of devices are found, those of none stay. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("3c:22:fb:01:9a:7e", ""),
    ("3C-22-FB-01-9A-7E lookup", "lookup"),
    ("3c22.fb01.9a7e", ""),
    ("mac 3c:22:fb:01:9a:7e", "mac"),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "device" in kinds


STAYS = """
ff:ff:ff:ff:ff:ff; 00:00:00:00:00:00; 12:30:45; 1000.2000.3000; 01-02-03
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
