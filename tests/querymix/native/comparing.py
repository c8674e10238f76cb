"""Holds the native path and plain Python against each other, over texts of all kinds.

    python -m tests.querymix.native.comparing COUNT [LOG ...]

compares over COUNT made-up texts and over the second column of each log, and prints counts alone.
"""

import gzip
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import pytest
from querymix.core.classify import CachingClassifier
from querymix.core.identifiers import Detector
from querymix.core.identifiers.gate import CUES
from querymix.core.identifiers.recognizers.seed_phrase import PLACES
from querymix.core.identifiers.recognizers.street.ended import BEFORE_NUMBERS, ENDINGS
from querymix.core.records import Classification
from querymix.core.terms import TermsClassifier
from querymix.core.text import words
from querymix.core.unknown import Reduce
from querymix.knowledge.bundle import Bundle
from querymix.knowledge.engine import make_engine
from querymix.native_path import SWITCH

from tests.optional import in_ci

T = TypeVar("T")
MARKS: Final = "'\"`.,;:!?()[]{}<>|*+=~^_-/\\&%$#@"
SPACES: Final = (" ", " ", " ", "  ", "\t", "\n", "\x0b", "\x1c", "\x1f", "\x00", "\x07", "\x7f", " - ", ", ", ". ")
HOSTS: Final = (
    "www.example.com", "example.org", "WWW.Example.Net", "www.", "www..a", "www.-a", "mail.example.co.uk", "a.b.gov",
    "http://example.com/a?b=c", "https://u:p@shop.example.com:80/x", "ftp:/x", "abc://", "x:/y", "..com",
    "wwwexample.com",
    "example.com.", ".com", "www.com", "example.edu'", "mary.smith@example.com",
)  # fmt: skip
SEEDS: Final = sorted(PLACES)
HIDDEN: Final = (
    "jennifermartinez", "JenniferMartinez", "genovevakowalczyk's", "jennifer's", "kowalczyk jennifer's", "o'brien",
    "d'instagram", "dell'password", "jennifer''brown", "xwww.jennifer", "www.www.mary", "www.mary's", "mary'.com",
    "who is", "where does", "phone number", "j r", "1099 ez", "1099  ez", "0999 ez", "jo AND jo", "thi", "attorney's",
)  # fmt: skip
"""What may be a name, or a part of one, that shows by no tag."""
LISTED: Final = sorted(CUES) + sorted(BEFORE_NUMBERS) + [f"linden{ending}" for ending in ENDINGS]
UNUSUAL: Final = (
    "é",
    "ü",
    "\u200b",
    "\u2019",
    "\u017f",
    "\u212a",
    "\u0130",
    "\udc80",
    "ß",
    "\x80",
    "\xa0",
    "中",
    "\U0001f600",
)


def native_engine(bundle: Bundle, confidence: float = 0.0) -> Any:
    """Return an engine over a bundle, or skip the tests where the module is not built."""
    import_module("querymix.native")  # where it is not built, tests.optional skips the test with its reason
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(SWITCH, raising=False)
        return make_engine(bundle, confidence)


def plain_classifier(bundle: Bundle, confidence: float = 0.0, *, reads_hosts: bool = True) -> TermsClassifier:
    """Return the classifier in plain Python."""
    return TermsClassifier(
        bundle,
        Detector(bundle),
        Reduce(bundle, bundle.counts),
        bundle.bias,
        confidence,
        reads_hosts=reads_hosts,
        pieces=bundle.piece_weights,
    )


def any_seed() -> int:
    """Return a seed that is another one each time, but in CI: a change must not fail to land by what it did not do."""
    return 7 if in_ci() else random.SystemRandom().randrange(1 << 32)


class Compared(NamedTuple):
    """Counts of texts."""

    texts: int
    mine: int
    """Answered by the native path."""
    doubted: int
    """Those of them that the detector has to look at."""
    wrong: int
    """Those of them whose answer is not Python's."""


def compare(engine: Any, plain: CachingClassifier, texts: list[str], hosts: list[str] | None = None) -> Compared:
    """Compare an engine's answers with those of a classifier that has none, over the same bundle."""
    answers, places = engine.decide(texts, hosts)
    doubted = set(places)
    wrong = 0
    for place, (text, answer) in enumerate(zip(texts, answers, strict=True)):
        if answer is not None:
            right = plain.decided(text, hosts[place] if hosts else "")
            # What holds an identifier goes the detector's way.
            same = bool(right.removed) or (answer == right and type(answer) is Classification)
            # A text more would be cut where the detector finds what the gate passes over.
            wrong += not same or (place in doubted) != _doubted(plain, text)
    mine = sum(answer is not None for answer in answers)
    return Compared(len(texts), mine, len(doubted), wrong)


def _doubted(plain: CachingClassifier, text: str) -> bool:
    names = words(text)
    return plain._detector.suspicious(text, names, [plain._knowledge[name] for name in names])


class MadeUp:
    """Texts without end, of a bundle's terms and of what is rare in them; one seed makes the same ones."""

    def __init__(self, seed: float, terms: Sequence[str]) -> None:
        self._draw = random.Random(seed)
        self._terms = terms
        kinds: dict[Callable[[], str], int] = {
            self._term: 58,
            lambda: self._term() + self._term(): 6,
            self._misspelled: 6,
            lambda: self._among((str.upper, str.title, "{}'s".format, "{0}X{0}".format))(self._term()): 4,
            lambda: self._among(MARKS) + self._term() + self._among(MARKS): 4,
            lambda: str(self._draw.randrange(10 ** self._draw.randrange(1, 7))): 6,
            lambda: self._among(HOSTS): 4,
            lambda: self._among(LISTED): 4,
            lambda: self._among(SEEDS): 2,
            lambda: self._among(HIDDEN): 4,
            lambda: "".join(self._draw.choices(MARKS + "abcxyz019 AB\t", k=self._draw.randrange(8))): 2,
        }
        self._kinds, self._shares = list(kinds), list(kinds.values())

    def __iter__(self) -> Iterator[str]:
        while True:
            yield self._text()

    def _among(self, things: Sequence[T]) -> T:
        return self._draw.choice(things)

    def _term(self) -> str:
        return self._among(self._terms)

    def _misspelled(self) -> str:
        word = self._term()
        at = self._draw.randrange(len(word) + 1)
        return word[:at] + self._among("abcdefghijklmnopqrstuvwxyz'-.") + word[at + self._draw.randrange(2) :]

    def _text(self) -> str:
        size = self._among((0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 8, 13, 24, self._among((3, 3, 70))))
        words = [kind() for kind in self._draw.choices(self._kinds, self._shares, k=size)]
        if size > 12 and self._among((True, False)):
            words = self._draw.choices(SEEDS, k=size)
        usual = self._draw.random() < 0.8
        text = "".join(word + (" " if usual else self._among(SPACES)) for word in words)
        if usual and self._draw.random() < 0.9:
            text = text.rstrip()
        if self._draw.random() < 0.03:
            at = self._draw.randrange(len(text) + 1)
            text = text[:at] + self._among(UNUSUAL) + text[at:]
        return text


def texts_of(path: Path) -> Iterator[str]:
    """Yield each text of a log's second column once."""
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        rows = (line.rstrip(b"\n").split(b"\t") for line in file)
        yield from {row[1].decode("utf-8", "surrogateescape"): None for row in rows if len(row) > 1}


def batches(texts: Iterable[str], size: int = 1000) -> Iterator[list[str]]:
    """Yield the texts in lists."""
    each = iter(texts)
    while batch := list(islice(each, size)):
        yield batch


def _main(count: int, logs: Sequence[Path]) -> None:
    bundle = Bundle()
    terms = [name for name, _ in bundle.terms()]
    seed = random.SystemRandom().randrange(1 << 32)
    sources: dict[str, Iterable[str]] = {f"made up, seed {seed}": islice(MadeUp(seed, terms), count)}
    sources |= {path.name: texts_of(path) for path in logs}
    engine, plain = native_engine(bundle), plain_classifier(bundle)
    for name, texts in sources.items():
        found = [compare(engine, plain, batch) for batch in batches(texts)]
        sys.stdout.write(f"{name}: {Compared(*map(sum, zip(*found, strict=True)))}\n")


if __name__ == "__main__":
    _main(int(sys.argv[1]), list(map(Path, sys.argv[2:])))
