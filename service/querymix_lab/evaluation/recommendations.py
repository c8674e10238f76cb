"""How many made-up misspellings of known units are put right, and how many right but rare words are spoiled.

Rules:
- Units are the base's own: frequent words of at least `SHORTEST` letters, and frequent pairs. Typing errors are made
  inside a word: "one edit", "two edits"; "pair" is one in a pair of words ("new yrok"), "segmentation" a pair without
  its space ("britneyspears"). An error that makes another known word is drawn again.
- Right means: exactly the unit. Anything else is left as it is, or wrong.
- Rare words are those of the dictionary and of the census's surnames that are not among the web's frequent words; one
  that changes is spoiled.

Source: Pàmies-Estrems et al. 2016, section 3.3.1.
"""

import random
import string
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from querymix.core.knowledge import UNKNOWN, Knowledge
from querymix.core.text import words
from querymix.core.unknown import Reduce
from querymix.knowledge.bundle import Bundle

from querymix_lab.knowledge.edits import doubled, left_out, swapped
from querymix_lab.knowledge.sources import people, spelling, web
from querymix_lab.knowledge.sources.files import package_file
from querymix_lab.shares import Part

SHORTEST: Final = 6
FREQUENT: Final = 1_000_000
"""References of a unit's words at the least."""
KINDS: Final = ("one edit", "two edits", "pair", "segmentation")
_TRIES: Final = 50

Correct = Callable[[str], str]
"""From a query to the query with its wrong spellings replaced."""


class Made(NamedTuple):
    """A misspelling and the unit that was meant."""

    kind: str
    wrong: str
    right: str


class Outcome(NamedTuple):
    """How many misspellings of one kind were put right, and how many made something else."""

    right: Part
    wrong: Part


def by_recommendation(knowledge: Knowledge) -> Correct:
    """Return the paper's way: the base's recommendation for a word, where it has one."""
    return lambda text: " ".join(knowledge[word].recommendation or word for word in words(text))


def by_reduction(knowledge: Knowledge, reduce: Reduce) -> Correct:
    """Return the way of the classifier `terms`: words that the base does not know are reduced to known ones."""

    def correct(text: str) -> str:
        out: list[str] = []
        for word in words(text):
            term = knowledge[word]
            out += (word,) if term.tags or term.weights else reduce(word)
        return " ".join(out)

    return correct


def edited(word: str, draw: random.Random) -> str:
    """Return `word` with one typing error inside; its first letter stays."""
    at = draw.randrange(1, len(word))
    match draw.choice(("left out", "doubled", "put in", "changed", "swapped")):
        case "left out":
            return left_out(word, at)
        case "doubled":
            return doubled(word, at)
        case "put in":
            return word[:at] + draw.choice(string.ascii_lowercase) + word[at:]
        case "changed":
            return word[:at] + draw.choice(string.ascii_lowercase) + word[at + 1 :]
        case _:
            return swapped(word, min(at, len(word) - 2))


def misspelled(knowledge: Knowledge, terms: Iterable[str], count: int, seed: int) -> list[Made]:
    """Return `count` misspellings of each kind, made of the units among `terms` (in a fixed order)."""
    draw = random.Random(seed)
    single: list[str] = []
    pairs: list[str] = []
    for term in terms:
        parts = term.split(" ")
        if not all(part.isascii() and part.isalpha() and _frequent(knowledge, part) for part in parts):
            continue
        if len(parts) == 1 and len(term) >= SHORTEST:
            single.append(term)
        elif len(parts) == 2 and max(map(len, parts)) >= SHORTEST - 2 and knowledge[term].references:
            pairs.append(term)
    made = []
    for kind in KINDS:
        for _ in range(count):
            one = _one(kind, draw.choice(pairs if kind in ("pair", "segmentation") else single), knowledge, draw)
            if one:
                made.append(one)
    return made


def _frequent(knowledge: Knowledge, word: str) -> bool:
    term = knowledge[word]
    return term.references >= FREQUENT and not term.recommendation and bool(term.tags)


def _one(kind: str, right: str, knowledge: Knowledge, draw: random.Random) -> Made | None:
    if kind == "segmentation":
        wrong = right.replace(" ", "")
        return None if knowledge[wrong].tags else Made(kind, wrong, right)
    for _ in range(_TRIES):
        parts = right.split(" ")
        at = max(range(len(parts)), key=lambda place: len(parts[place]))
        word = edited(parts[at], draw)
        if kind == "two edits":
            word = edited(word, draw)
        if word != parts[at] and not _is_word(knowledge, word):
            parts[at] = word
            return Made(kind, " ".join(parts), right)
    return None


def _is_word(knowledge: Knowledge, word: str) -> bool:
    term = knowledge[word]
    return term is not UNKNOWN and not term.recommendation


def measure(correct: Correct, made: Iterable[Made]) -> dict[str, Outcome]:
    """Return what becomes of the misspellings, by kind."""
    total, right, wrong = Counter[str](), Counter[str](), Counter[str]()
    for one in made:
        answer = correct(one.wrong)
        total[one.kind] += 1
        right[one.kind] += answer == one.right
        wrong[one.kind] += answer not in (one.right, one.wrong)
    return {kind: Outcome(Part(right[kind], total[kind]), Part(wrong[kind], total[kind])) for kind in KINDS}


def spoiled(correct: Correct, rare: Sequence[str]) -> Part:
    """Return how many of some right but rare words are changed."""
    return Part(sum(correct(word) != word for word in rare), len(rare))


def rare_words(frequent: Iterable[str], dictionary: Iterable[str], surnames: Iterable[str]) -> dict[str, list[str]]:
    """Return the words of a dictionary, and the surnames, that are not among the `frequent`."""
    known = frozenset(frequent)

    def rare(words: Iterable[str]) -> list[str]:
        return sorted({word for word in words if word.isascii() and word.isalpha() and len(word) > 3} - known)

    return {"dictionary": rare(dictionary), "surnames": rare(surnames)}


def figures(bundle: Bundle, count: int, seed: int) -> dict[str, dict[str, dict[str, float]]]:
    """Return for both ways to correct how many of `count` misspellings of each kind, and rare words, fare how.

    Raises SourceError where a package with words is missing.
    """
    made = misspelled(bundle, sorted(name for name, _ in bundle.terms()), count, seed)
    frequent = list(web.unigrams(package_file("wordsegment", "unigrams.txt")))[:100_000]
    dictionary = spelling.dictionary(package_file("symspellpy", "frequency_dictionary_en_82_765.txt"))
    rare = rare_words(frequent, dictionary, people.census(package_file("names", "dist.all.last")))
    draw = random.Random(seed)
    drawn = {f"rare, {name}": draw.sample(some, min(count, len(some))) for name, some in rare.items()}
    ways = {
        "recommendations": by_recommendation(bundle),
        "reduction": by_reduction(bundle, Reduce(bundle, bundle.counts)),
    }
    return {
        name: {
            kind: {"of": right.whole, "right": round(right.share, 4), "wrong": round(wrong.share, 4)}
            for kind, (right, wrong) in measure(correct, made).items()
        }
        | {kind: {"of": len(some), "changed": round(spoiled(correct, some).share, 4)} for kind, some in drawn.items()}
        for name, correct in ways.items()
    }
