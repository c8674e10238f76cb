"""Plates are found beside the word. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("license plate 7abc123", "license plate"),
    ("plate abc 1234 owner", "plate owner"),
    ("ka53me3456 fine", "fine"),
    ("od02ba2341 owner details", "owner details"),
    ("hh-kl 4711", ""),
    ("ab-123-cd accident", "accident"),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "plate" in kinds


STAYS = """
license plate holder; plate 2006; name tag 2004; a-ha 25; j-lo 2024; e-nv 200; e-nv200; t-mobile 5g;
auto 1500 rpm; auto bmw 2024; mw-ab 1999; accident sr 520 wa; moto 1290 sdr;
auto fr 25000 euro; dominio web 2024; xx-ab 1234; zx-ab 123; vw t5 2.5 tdi; bmw r1200 gs; porsche 911 targa 4s;
targa florio 1970; ford f-150 2020; auto ab 18; plaque psoriasis 2; matricula 2024; b-52 bomber; tn 1234; up 2009
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
