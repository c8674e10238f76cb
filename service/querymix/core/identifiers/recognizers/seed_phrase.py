"""Seed phrases: the words that are the key of a crypto-currency wallet.

Rules:
- Twelve, fifteen, eighteen, 21 or 24 words of the English list of BIP 39 in a row, whose last bits are the checksum of
  the others. One text of twelve such words in sixteen passes by chance, and few texts are nothing but such words.
- Beside a word such as "seed phrase" or "wallet" ten of the list are enough, with a wrong one here and there: what has
  a typing error, or lacks a word, is as good as the key.
- Numbers and marks between the words ("1. force 2. wear") do not count.

Source: BIP 39 (list and checksum).
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tables import rows
from querymix.core.identifiers.tokens import QueryText

PLACES: Final = {word: place for place, (word,) in enumerate(rows("bip39.txt"))}
"""Each word's place in the list, its eleven bits."""
SIZES: Final = (24, 21, 18, 15, 12)
FEWEST: Final = 12
SAID: Final = 10
"""Words of the list that are enough beside a word of `WORDS`."""
WORD: Final = expression(r"[^\W\d_]+")
WORDS: Final = word_set(
    "seed phrase mnemonic recovery wallet metamask ledger trezor bip39 bip-39 phantom exodus electrum backup "
    "passphrase bitcoin btc ethereum eth crypto trustwallet coinbase"
)


def checks(words: list[str]) -> bool:
    """Return whether words of the list end in the checksum of the bits before it; 33 bits in three words."""
    bits = 0
    for word in words:
        bits = bits << 11 | PLACES[word]
    size = len(words) // 3
    entropy = (bits >> size).to_bytes(size * 4, "big")
    return sha256(entropy).digest()[0] >> (8 - size) == bits & ((1 << size) - 1)


def possible(words: Sequence[str]) -> bool:
    """Return whether a text of these words, `FEWEST` or more, can hold a seed phrase."""
    return len([word for word in words if word in PLACES]) >= SAID


def find(query: QueryText, finds: Findings) -> None:
    """Add seed phrases."""
    words = WORD.findall(query.text)
    if len(words) < FEWEST:
        return
    listed = [word in PLACES for word in words]
    if listed.count(True) < SAID:
        return
    places = [match.span() for match in WORD.finditer(query.text)]
    for first, last in _spans(words, listed, said=len(query.vocabulary & WORDS) > 0):
        finds.append(Identifier("secret", places[first][0], places[last - 1][1]))


def _spans(words: list[str], listed: list[bool], *, said: bool) -> Iterator[tuple[int, int]]:
    """Yield the first word of each seed phrase, and the one after its last."""
    at = 0
    for inside, run in groupby(listed):
        begin, at = at, at + len(list(run))
        place = begin
        while inside and at - place >= FEWEST:
            yield from (
                (place, place + size) for size in SIZES if size <= at - place and checks(words[place : place + size])
            )
            place += 1
    if said:
        yield from _said(words, listed)


def _said(words: list[str], listed: list[bool]) -> Iterator[tuple[int, int]]:
    """Yield runs of words of the list with no two others side by side, `SAID` of the list in them."""
    begin = end = count = 0
    for place, inside in enumerate([*listed, False, False]):
        if inside and words[place] not in WORDS:
            begin = begin if count else place
            end, count = place + 1, count + 1
        elif count and (place > end or place >= len(words)):
            if count >= SAID:
                yield begin, end
            count = 0


RECOGNIZER: Final = Recognizer(find, long=True, plain=True)
