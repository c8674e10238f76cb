"""Further languages: what the bundle knows of their words and names, beside the weights that were learned.

Rules:
- English comes first: a term that the English sources tag is given no tag here, one that they give a category no other.
- A term has its folded form (querymix.core.text); words that were typed with accents are folded when they are read.
  Known as it is written is only a function word whose folded form is an English word ("für"), and a word whose folded
  form is an English function word ("thé").
- Names of places, countries and languages: the tags of the English name, and its place or category; what other
  languages have a name for is not what bears the English one in the USA, unless that is a state. They have the
  references of the web's rarest word, which is too few to make them parts or corrections of unknown words.
- A function word is STOP. Of all others the `KNOWN` most frequent are COMMON, so that none is taken for a misspelling
  of English. The `FREQUENT` most frequent are NOUN too, by which they are no part of a name, unless somebody bears them
  as one. A word that is one of the web's `TAUGHT` most frequent has no need of it: the English weights know it.
- A German or Dutch word of at least `COMPOUND` letters and below `FREQUENT` that two known words make is not known by
  itself: its parts are read (querymix.core.unknown).
- "ä", "ö" and "ü" are also written "ae", "oe" and "ue": that is a wrong spelling of the folded form.
- A smaller city of a country that speaks one of the languages is known too, unless it is called like a frequent word.

Sources: see NOTICE.md; what is compiled before a build: querymix_lab.knowledge.train.languages.
"""

import lzma
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from querymix.core.errors import ConfigError
from querymix.core.knowledge import CITY, COMMON, NOUN, PLACE, STATE, STOP
from querymix.core.text import folded

from querymix_lab.knowledge.facts import CategoryFact, Fact, RecommendationFact, ReferenceFact, TagFact
from querymix_lab.knowledge.sources.files import LISTS, SourceError, rows
from querymix_lab.knowledge.sources.place_paths import FIRST
from querymix_lab.knowledge.sources.places import City, city_facts
from querymix_lab.knowledge.sources.words import plain_list, written

LANGUAGES: Final = {
    "de": "German", "es": "Spanish", "fr": "French", "it": "Italian", "nl": "Dutch", "pt": "Portuguese",
}  # fmt: skip
ENGLISH: Final = "en"
FOLDER: Final = LISTS / "languages"
DATA: Final = Path(__file__).parents[1] / "data"
NAMES: Final = "names.tsv"
_TABLES: Final = (NAMES, "places.tsv")
NO_NAME: Final = "-"
_USA: Final = f"{FIRST}/North_America/United_States"
_TONGUES: Final = "Science/Social_Sciences/Linguistics"
_COUNTRIES: Final = {
    "de": "DE AT CH LI LU",
    "es": "ES AR BO CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV UY VE",
    "fr": "FR BE CH LU MC GP MQ RE GF",
    "it": "IT CH SM",
    "nl": "NL BE SR",
    "pt": "PT BR AO MZ CV",
}
"""Where each language is spoken."""
TAUGHT: Final = 90_000
KNOWN: Final = 30_000
FREQUENT: Final = 10_000
COMPOUND: Final = 12
_COMPOUNDS: Final = {"de": ("", "s", "es", "n", "en", "er", "e"), "nl": ("", "s", "en", "e")}
"""What stands between the parts of a compound, by language."""
_SHORTEST_PART: Final = 4
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
WEIGHT: Final = 20.0


class English(NamedTuple):
    """What the English sources say."""

    tags: Mapping[str, int]
    counts: Mapping[str, Mapping[str, float]]
    """Of each term: how much speaks for each category path."""
    borne: Collection[str]
    """Every name that somebody bears, rare ones too."""
    web: Collection[str]
    """The most frequent words of the web: `TAUGHT` of them."""
    cities: Mapping[str, City]
    """The largest city abroad of each name."""
    rarest: int
    """References of the web's rarest word: those of a name that the web's words lack."""

    def has(self, term: str) -> bool:
        """Return whether they tag a term or give it a category."""
        return term in self.tags or term in self.counts


def chosen(text: str | None = None) -> tuple[str, ...]:
    """Return the codes of the languages that `text` names, parted by commas, in a fixed order; all without `text`.

    English is always in, so that "en" and "" name no further one. Raises ConfigError where one is unknown.
    """
    if text is None:
        return tuple(LANGUAGES)
    codes = {code.strip().lower() for code in text.split(",")} - {"", ENGLISH}
    for code in sorted(codes - LANGUAGES.keys()):
        known = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        raise ConfigError(f"--languages: {code!r} is no language that querymix knows; write some of: {known}")
    return tuple(code for code in LANGUAGES if code in codes)


def words_file(language: str) -> Path:
    """Return the file of a language's words."""
    return DATA / f"words-{language}.xz"


def known_words(language: str) -> list[str]:
    """Return the words of a language, the most frequent first; raises SourceError where their file is damaged."""
    path = words_file(language)
    try:
        return lzma.decompress(path.read_bytes()).decode().split()
    except OSError as error:
        raise SourceError(f"{path}: cannot be opened ({error.strerror}); install querymix[lab] again") from error
    except (lzma.LZMAError, ValueError) as error:
        raise SourceError(f"{path}: damaged; install querymix[lab] again") from error


def language_facts(languages: Collection[str], english: English, folder: Path = FOLDER) -> Iterator[Fact]:
    """Yield the facts of some languages; a term's are of one kind: name, else function word, smaller city or word."""
    done: set[str] = set()
    for kind in (_names, _function_words, _towns, _words):
        new: set[str] = set()
        for language in languages:
            for word, term, facts in kind(language, english, folder):
                if term not in done:
                    new.add(term)
                    yield from facts
                    yield from _umlauts(language, word, term, english)
        done |= new


_Known = Iterator[tuple[str, str, list[Fact]]]
"""Words as they are written, the terms that they are known by, and what is said of these."""


def _names(language: str, english: English, folder: Path) -> _Known:
    for table in _TABLES:
        lines = rows(folder / table, "english " + " ".join(LANGUAGES))
        _, header = next(lines)
        column = header.index(language)
        for _, row in lines:
            tags, path = _same(row[0], english)
            for name in row[column].split(",") if path else ():
                for form in written(name.strip()) if name != NO_NAME else ():
                    term = folded(form)
                    if term not in english.counts:
                        tag = () if term in english.tags else (TagFact(term, tags),)
                        category = CategoryFact(term, path, WEIGHT)
                        yield form, term, [*tag, category, ReferenceFact(term, english.rarest)]


def _same(name: str, english: English) -> tuple[int, str]:
    """Return the tags and the path of a place or language by its English name, an empty path where it is none."""
    name = folded(name)
    tags, counts = english.tags.get(name, 0) & (CITY | STATE | PLACE), english.counts.get(name, {})
    places = [path for path in counts if path.startswith(FIRST)]
    strongest = max(counts, key=lambda path: (counts[path], path), default="")
    if not places or not (tags or strongest in places):
        return NOUN, strongest if strongest.startswith(_TONGUES) else ""
    abroad = [path for path in places if path != FIRST and not path.startswith(_USA)] if not tags & STATE else []
    path = max(abroad or places, key=lambda path: (len(path), path))
    return tags | NOUN, english.cities[name].path if path == FIRST and name in english.cities else path


def _function_words(language: str, english: English, folder: Path) -> _Known:
    for word in plain_list(folder / f"{language}-stop.txt"):
        term = word if english.has(folded(word)) else folded(word)
        if not english.has(term):
            yield word, term, [TagFact(term, STOP)]


def _towns(language: str, english: English, _: Path) -> _Known:
    frequent = frozenset(map(folded, known_words(language)[:FREQUENT]))
    for name, (country, path, people) in english.cities.items():
        if country in _COUNTRIES[language].split() and name not in frequent and not english.has(name):
            yield name, name, [*city_facts(name, path, people), ReferenceFact(name, english.rarest)]


def _words(language: str, english: English, _: Path) -> _Known:
    ranked = dict.fromkeys(map(folded, words := known_words(language)[:KNOWN]))
    parts = frozenset(ranked)
    for rank, word in enumerate(words):
        term = word if english.tags.get(folded(word), 0) & STOP else folded(word)
        rare = rank >= FREQUENT
        if not (english.has(term) or term in english.web or (rare and is_compound(term, parts, language))):
            yield word, term, [TagFact(term, COMMON if rare or term in english.borne else COMMON | NOUN)]


def is_compound(term: str, parts: Collection[str], language: str) -> bool:
    """Return whether a long word is two of the `parts` written as one, in a language that does so."""
    links = _COMPOUNDS.get(language)
    if not links or len(term) < COMPOUND:
        return False
    return any(
        term[at:] in parts and any(term[:at].endswith(link) and term[: at - len(link)] in parts for link in links)
        for at in range(_SHORTEST_PART, len(term) - _SHORTEST_PART + 1)
    )


def _umlauts(language: str, word: str, term: str, english: English) -> Iterator[RecommendationFact]:
    other = word.translate(_UMLAUTS)
    if language == "de" and other.isascii() and other != term and not english.has(other):
        yield RecommendationFact(other, term)
