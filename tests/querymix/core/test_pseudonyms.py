"""Pseudonyms are stable under a key, say nothing without it, and look like AOL ids."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.errors import ConfigError
from querymix.core.pseudonyms import MAX_REMEMBERED, SHORTEST_KEY, Pseudonyms

KEY = b"0123456789abcdef"

ids = st.one_of(st.text(), st.binary().map(lambda raw: raw.decode("utf-8", "surrogateescape"))).filter(
    lambda user: all(not 0xD800 <= ord(letter) < 0xDC80 and not 0xDD00 <= ord(letter) < 0xE000 for letter in user)
)


def by_rfc_2104(key: bytes, message: bytes) -> int:
    """Return the first 63 bits of HMAC-SHA256, as the RFC writes it, for keys of at most a block."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    digest = hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()
    return int.from_bytes(digest, "big") >> (256 - 63)


@settings(deadline=None)
@given(ids, st.binary(min_size=SHORTEST_KEY, max_size=64))
def test_a_pseudonym_is_the_cut_hmac_of_the_users_bytes(user: str, key: bytes) -> None:
    assert Pseudonyms(key)[user] == str(by_rfc_2104(key, user.encode("utf-8", "surrogateescape")))


@settings(deadline=None)
@given(ids)
def test_a_pseudonym_has_the_form_of_an_aol_id(user: str) -> None:
    pseudonym = Pseudonyms(KEY)[user]
    assert pseudonym.isascii()
    assert pseudonym.isdecimal()
    assert 0 <= int(pseudonym) < 2**63


@settings(deadline=None)
@given(st.sets(ids, max_size=20))
def test_different_users_have_different_pseudonyms_and_the_same_one_always_the_same(users: set[str]) -> None:
    pseudonyms = Pseudonyms(KEY)
    found = {user: pseudonyms[user] for user in users}
    assert len(set(found.values())) == len(users)
    assert found == {user: pseudonyms[user] for user in users} == {user: Pseudonyms(KEY)[user] for user in users}


def test_another_key_gives_another_pseudonym() -> None:
    assert Pseudonyms(KEY)["142"] != Pseudonyms(KEY[::-1])["142"]


def test_a_user_whose_pseudonym_was_forgotten_gets_the_same_again() -> None:
    pseudonyms = Pseudonyms(KEY)
    first = pseudonyms["142"]
    for number in range(MAX_REMEMBERED):
        pseudonyms[f"u{number}"]
    assert "142" not in pseudonyms
    assert len(pseudonyms) <= MAX_REMEMBERED
    assert pseudonyms["142"] == first


def test_a_short_key_is_refused_without_being_shown() -> None:
    with pytest.raises(ConfigError, match=f"15 bytes and needs {SHORTEST_KEY}") as caught:
        Pseudonyms(KEY[:-1])
    assert KEY[:-1].decode() not in str(caught.value)


def test_neither_key_nor_users_show_in_the_repr() -> None:
    pseudonyms = Pseudonyms(KEY)
    pseudonyms["somebody"]
    for shown in (repr(pseudonyms), str(pseudonyms), f"{pseudonyms}"):
        assert shown == "Pseudonyms(...)"
