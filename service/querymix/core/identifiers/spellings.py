"""How a word of another language is typed, as it is seen (seen.py): lists hold each word once, with its accents.

>>> sorted(spellings("Führerschein")), sorted(spellings("carte d'identité"))
(['fuehrerschein', 'fuhrerschein'], ["carte d'identite"])
>>> {"fuhrerschien", "fuhreschein", "fuhrarschein"} <= mistyped({"fuhrerschein"})
True
"""

import re
from collections.abc import Iterable
from typing import Final

from querymix.core.identifiers.seen import see
from querymix.core.identifiers.tables import word_lists

UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
ACCENTS: Final = str.maketrans("áàâãäåçéèêëíìîïñóòôõöúùûü", "aaaaaaceeeeiiiinooooouuuu", "") | {ord("ß"): "ss"}
"""Letters of the lists, as they are seen."""
PLAIN: Final = re.compile(r"(?: ?[a-z'.-])*+")
"""What is seen as it is typed."""
SHORTEST: Final = 7
"""Letters of a word that is known when it is mistyped, too."""
TYPED_FOR: Final = {letter: alike.replace(letter, "") for alike in ("aeiou", "csz") for letter in alike}
"""Letters that are typed for each other: for each the others."""
OWN_WORDS: Final = word_lists("mistyped.tsv")["own"]


def spellings(text: str) -> frozenset[str]:
    """Return `text` in lower case without accents, and with two letters for an umlaut."""
    low = text.lower()
    return frozenset({_seen(low)} if low.isascii() else {_seen(low), _seen(low.translate(UMLAUTS))})


def _seen(low: str) -> str:
    """Return small letters as `see` does, at a twentieth of its cost where they are usual: lists hold thousands."""
    typed = low if low.isascii() else low.translate(ACCENTS)
    return typed if PLAIN.fullmatch(typed) else see(low).text


def spelled(texts: str) -> frozenset[str]:
    """Return the spellings of the words of `texts`, parted by spaces."""
    words = texts.lower().split()
    usual = [word for word in words if word.isascii() and word.isalpha()]
    return frozenset(usual).union(*[spellings(word) for word in set(words).difference(usual)])


def spelled_lists(name: str) -> dict[str, frozenset[str]]:
    """Return the table called `name` as `tables.word_lists` does, each word in all of its spellings."""
    return {key: spelled(" ".join(words)) for key, words in word_lists(name).items()}


def mistyped(words: Iterable[str]) -> frozenset[str]:
    """Return spelled words, and of the long ones also what they are with one slip inside, unless that is a word too.

    A slip is a letter left out, two letters in turn, or a letter for one that sounds alike.
    """
    known = frozenset(words)
    slips: set[str] = set()
    for word in known:
        if len(word) >= SHORTEST and word.isalpha():
            slips.update(_slips(word))
    return known | (slips - OWN_WORDS)


def _slips(word: str) -> list[str]:
    slips: list[str] = []
    for at in range(1, len(word) - 1):
        before, letter, after = word[:at], word[at], word[at + 1 :]
        slips.append(before + after)
        if len(after) > 1:
            slips.append(before + after[0] + letter + after[1:])
        if others := TYPED_FOR.get(letter):
            slips += [before + other + after for other in others]
    return slips
