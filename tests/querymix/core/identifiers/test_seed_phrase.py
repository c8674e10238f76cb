"""Seed phrases are found; texts of everyday words stay. All data is made up."""

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.identifiers.recognizers.seed_phrase import PLACES, checks

from tests.querymix.core.identifiers.kit import goes, lines, released

GOES = r"""
force wear buyer detail denial catch lava way fuel beyond excess choice => wear buyer
FORCE WEAR BUYER DETAIL DENIAL CATCH LAVA WAY FUEL BEYOND EXCESS CHOICE => WEAR
force, wear, buyer, detail, denial, catch, lava, way, fuel, beyond, excess, choice => wear | choice
force-wear-buyer-detail-denial-catch-lava-way-fuel-beyond-excess-choice => wear | choice
force_wear_buyer_detail_denial_catch_lava_way_fuel_beyond_excess_choice => wear | choice
force+wear+buyer+detail+denial+catch+lava+way+fuel+beyond+excess+choice => wear | choice
my wallet force wear buyer detail denial catch lava way fuel beyond excess choice help => wear | choice
recovery phrase force wear buyer detail denial catch lava way fuel beyond excess choise => wear | excess
metamask seed force wear buyer detail denial catch lava way fuel beyond excess => wear | excess
is this valid force wear buyer detail denial catch lava way fuel beyond excess choice => wear | choice
abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about => abandon
"""


@pytest.mark.parametrize("line", lines(GOES))
def test_nothing_of_it_is_left(line: str) -> None:
    text, parts = goes(line)
    left, kinds = released(text)
    assert [part for part in parts if part in left] == []
    assert kinds


STAYS = r"""
lyrics about the way we live now and the small choice that you make
how to recover my bitcoin wallet when i have lost the seed phrase and the recovery key
what is a seed phrase and how does it work for a crypto wallet in general
list of words with letters that are able to make people happy in their own small life today
"""


@pytest.mark.parametrize("text", lines(STAYS))
def test_a_look_alike_stays(text: str) -> None:
    assert released(text) == (text, [])


LIST = list(PLACES)


def phrase(entropy: bytes) -> list[str]:
    """Return the words of BIP 39 for 16 to 32 bytes."""
    size = len(entropy) * 8 // 32
    bits = int.from_bytes(entropy) << size | sha256(entropy).digest()[0] >> (8 - size)
    count = size * 3
    return [LIST[bits >> 11 * place & 2047] for place in reversed(range(count))]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([16, 20, 24, 28, 32]).flatmap(lambda size: st.binary(min_size=size, max_size=size)),
    st.sampled_from([" ", ", ", "-", "\n", " 1. "]),
    st.booleans(),
)
def test_every_phrase_with_its_checksum_goes_whole(entropy: bytes, mark: str, caps: bool) -> None:
    words = phrase(entropy)
    text = mark.join(words)
    left, kinds = released(f"zyxq {text.upper() if caps else text} zyxq")
    assert checks(words)
    assert kinds == ["secret"]
    assert set(left.split()) <= {"zyxq"}


def test_words_of_the_list_without_the_checksum_stay() -> None:
    text = "zyxq " + " ".join(["wear", *phrase(bytes(16))[1:]])
    assert released(text) == (text, [])


def test_the_list_is_that_of_bip_39() -> None:
    content = "\n".join([*LIST, ""]).encode()
    assert sha256(content).hexdigest() == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
