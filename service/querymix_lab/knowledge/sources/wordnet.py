"""Read the WordNet 3.0 database files (`index.*`, `data.*`, `*.exc`, `cntlist.rev`).

Rules:
- A sense is written "lemma#n": the n-th most frequent sense of a noun, as `index.noun` orders them.
- Underscores become spaces; a lemma with any character but a-z, 0-9, space, hyphen, dot and apostrophe is left out.
- A sense's share of its lemma is (tag count + 1 / rank) over the sum of these, so that untagged lemmas have shares too.

Source: man 5 wndb, man 5 cntlist; Princeton WordNet 3.0, Debian package wordnet-base.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

DEFAULT_FOLDER: Final = Path("/usr/share/wordnet")
_KINDS: Final = {"noun": ("n",), "adj": ("a", "s")}
_SS_TYPES: Final = {"noun": ("1",), "adj": ("3", "5")}


class Synset(NamedTuple):
    """One set of synonyms."""

    file: int
    """Number of the lexicographer file, 13 for noun.food."""
    words: tuple[str, ...]
    """As WordNet writes them: names begin with a capital."""
    pointers: tuple[tuple[str, str], ...]
    """(symbol, target) of the pointers of the set or of one of its words; a target is a key such as "n02084071"."""
    parents: tuple[str, ...]
    """What the set is a kind or an instance of."""


class Sense(NamedTuple):
    """One meaning of a lemma."""

    key: str
    """The synset's key, such as "n02084071"."""
    share: float
    """Between 0 and 1; the shares of a lemma's senses sum to 1."""


class WordNet:
    """The nouns and adjectives of WordNet, in memory."""

    def __init__(self, folder: Path = DEFAULT_FOLDER) -> None:
        """Read the database under `folder`; raises FileNotFoundError where it is not there."""
        self.synsets: dict[str, Synset] = {}
        self.senses: dict[str, dict[str, tuple[Sense, ...]]] = {}
        self.plurals: dict[str, list[str]] = {}
        counts = _tag_counts(folder / "cntlist.rev")
        for kind in _KINDS:
            self.synsets.update(_synsets(folder / f"data.{kind}", kind[0]))
            self.senses[kind] = dict(_senses(folder / f"index.{kind}", kind, counts))
        self.with_kinds = frozenset(parent for synset in self.synsets.values() for parent in synset.parents)
        """The keys of the synsets that others are a kind or an instance of."""
        self.other_words = frozenset(_other_words(folder))
        """Verbs with their inflected forms, and adverbs."""
        for line in _lines(folder / "noun.exc"):
            plural, *lemmas = line.split()
            for lemma in lemmas:
                self.plurals.setdefault(lemma.replace("_", " "), []).append(plural.replace("_", " "))

    def sense(self, name: str) -> str:
        """Return the key of the noun sense called "lemma#n"; raises KeyError where there is none."""
        lemma, _, rank = name.partition("#")
        senses = self.senses["noun"].get(lemma, ())
        if not rank.isdigit() or not 1 <= int(rank) <= len(senses):
            raise KeyError(name)
        return senses[int(rank) - 1].key

    def wholes(self, lemma: str) -> frozenset[str]:
        """Return the names, in lower case, of all that a noun is a part of in one of its senses."""
        found: set[str] = set()
        waiting = [sense.key for sense in self.senses["noun"].get(lemma, ())]
        while waiting:
            for symbol, target in self.synsets[waiting.pop()].pointers:
                if symbol == "#p" and target not in found:
                    found.add(target)
                    waiting.append(target)
        return frozenset(word.lower() for key in found for word in self.synsets[key].words)


def plural(noun: str) -> str:
    """Return the regular plural of a noun (of its last word)."""
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and len(noun) > 1 and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def _other_words(folder: Path) -> Iterator[str]:
    for line in _lines(folder / "verb.exc"):
        yield line.split()[0]
    for line in _lines(folder / "index.adv"):
        yield line.split()[0]
    for line in _lines(folder / "index.verb"):
        verb = line.split()[0]
        stem = verb.removesuffix("e")
        past = verb[:-1] + "ied" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else stem + "ed"
        yield from (verb, plural(verb), past, stem + "ing")


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a database file less the licence, whose lines begin with a space."""
    with path.open(encoding="ascii", errors="replace") as file:
        for line in file:
            if not line.startswith(" "):
                yield line


def _tag_counts(path: Path) -> dict[tuple[str, str, int], int]:
    counts: dict[tuple[str, str, int], int] = {}
    for line in _lines(path):
        key, rank, count = line.split()
        lemma, _, rest = key.partition("%")
        counts[lemma, rest[0], int(rank)] = int(count)
    return counts


def _synsets(path: Path, letter: str) -> Iterator[tuple[str, Synset]]:
    for line in _lines(path):
        fields = line.partition(" | ")[0].split()
        words = int(fields[3], 16)
        names = tuple(fields[4 + 2 * at].partition("(")[0].replace("_", " ") for at in range(words))
        first = 5 + 2 * words
        pointers = tuple(
            (fields[at], ("a" if fields[at + 2] == "s" else fields[at + 2]) + fields[at + 1])
            for at in range(first, first + 4 * int(fields[first - 1]), 4)
        )
        yield (
            letter + fields[0],
            Synset(
                int(fields[1]), names, pointers, tuple(target for symbol, target in pointers if symbol in ("@", "@i"))
            ),
        )


def _senses(path: Path, kind: str, counts: dict[tuple[str, str, int], int]) -> Iterator[tuple[str, tuple[Sense, ...]]]:
    for line in _lines(path):
        fields = line.split()
        keys = [kind[0] + offset for offset in fields[-int(fields[2]) :]]
        tagged = [
            sum(counts.get((fields[0], ss_type, rank), 0) for ss_type in _SS_TYPES[kind])
            for rank in range(1, len(keys) + 1)
        ]
        weights = [count + 1 / rank for rank, count in enumerate(tagged, start=1)]
        total = sum(weights)
        lemma = fields[0].replace("_", " ")
        if all(letter.isalnum() or letter in " -.'" for letter in lemma):
            yield lemma, tuple(Sense(key, weight / total) for key, weight in zip(keys, weights, strict=True))
