"""Pseudonyms are stable under a key, say nothing without it, and look like AOL ids."""

import hashlib
from base64 import b64encode
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.errors import ConfigError
from querymix.core.pseudonyms import MAX_REMEMBERED, Pseudonyms, key_of

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
@given(ids, st.binary(min_size=1, max_size=64))
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


RANDOM = bytes(range(7, 256, 9)) + b"made up"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "has 0 bytes and needs 32"),
        (RANDOM[:31], "has 31 bytes and needs 32"),
        (b"a short one, of some letters.  \n\n\n\n", "has 29 bytes and needs 32"),
        (bytes(32), "is repetitive"),
        (b"x" * 64, "is repetitive"),
        (b"0123456789abcdef" * 4, "is repetitive"),
        (b"secret words of mine " * 3, "is repetitive"),
        (b"abcdefghijklmnopqrstuvwxyz0123456789", "is repetitive"),
        (bytes(range(0, 256, 3)), "is repetitive"),
        (b"01011100101011010100101110101001010110", "is repetitive"),
        (RANDOM * 200, "more than 4096 bytes"),
    ],
)
def test_a_weak_key_is_refused_without_being_shown_and_with_the_command_that_makes_one(
    content: bytes, why: str
) -> None:
    with pytest.raises(ConfigError, match=why) as caught:
        key_of(content)
    assert not content.strip() or content.strip().decode("latin-1") not in str(caught.value)
    assert "openssl rand -out FILE 32" in str(caught.value) or "name the right one" in why + str(caught.value)


@pytest.mark.parametrize("seed", range(50))
def test_a_random_key_is_taken_in_any_form_and_with_any_line_end(seed: int) -> None:
    """Of 32 random hexadecimal digits one in 30 million is repetitive by chance, and none of these."""
    raw = Random(seed).randbytes(32)
    for key in (raw, raw.hex().encode(), raw.hex()[:32].encode(), b64encode(raw)):
        for end in (b"", b"\n", b"\r\n"):
            assert key_of(key + end) == (key + end).strip()


def test_a_random_key_may_end_with_what_looks_like_white_space() -> None:
    raw = b"\n" + Random(3).randbytes(30) + b" "
    assert len(raw) == 32
    assert key_of(raw) == raw.strip(), "as it was before: pseudonyms stay"


@settings(deadline=None)
@given(ids, st.binary(min_size=16, max_size=31).filter(lambda key: key.strip() == key))
def test_an_older_key_filled_up_with_zeros_gives_the_same_pseudonyms(user: str, key: bytes) -> None:
    assert Pseudonyms(key)[user] == Pseudonyms((key + bytes(32)).strip())[user]


def test_neither_key_nor_users_show_in_the_repr() -> None:
    pseudonyms = Pseudonyms(KEY)
    pseudonyms["somebody"]
    for shown in (repr(pseudonyms), str(pseudonyms), f"{pseudonyms}"):
        assert shown == "Pseudonyms(...)"
