"""Compiles the lists of further languages: the words that are known, and the names of countries and languages.

Rules:
- The folder holds the unpacked wheels of pyspellchecker 0.7.2 as `old`, spacy-lookups-data 1.0.5 as `lookups` and
  Babel 2.19.0 as `babel`, and as `full` the files `scripts/data/*_full.json.gz` of GitHub's barrust/pyspellchecker
  (commit 3fac476): counts in OpenSubtitles. The dictionaries of later versions of that package were cleaned with
  Debian's word lists, which are under the GPL.
- A word is of letters alone, two at least. Words are in the order of their frequency, the `MOST` most frequent ones.
- French, Italian, Dutch and Portuguese: `full`. German, whose nouns `full` takes for names: the words of spaCy's text.
  Spanish: `old`, without what that text has in lower case in less than `LOWER` of all uses, which are names.
- A name whose English one has more than `LONGEST_UNIT` words or a bracket, and one that is as in English, is left out.
- The same packages give the same lists: docs/knowledge-bundle.md has the command.
"""

import gzip
import importlib
import lzma
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import orjson
from querymix.core.knowledge import LONGEST_UNIT

from querymix_lab.knowledge.sources.languages import FOLDER, LANGUAGES, NAMES, NO_NAME, words_file

MOST: Final = 45_000
LOWER: Final = 0.1
_NO_COUNTRY: Final = frozenset({"001", "EU", "EZ", "GE", "QO", "UN", "XA", "XB", "ZZ"})
"""What is no country or continent; and Georgia, which is a state of the USA in English."""
_APOSTROPHE: Final = "\u2019"
_HEAD: Final = """\
# Names of countries, continents and languages: in English, then in the languages of the columns; - is as in English.
# From Babel 2.19.0 (Unicode CLDR). Compiled by `python -m querymix_lab.knowledge.train.languages`; see there.
"""


def by_text(shares: Mapping[str, float], lower: float = 0.0) -> dict[str, float]:
    """Return the share of each word that stands in lower case in at least `lower` of all uses.

    `shares` gives the logarithm of each spelling's share of the text.
    """
    every, small = Counter[str](), Counter[str]()
    for word, share in shares.items():
        every[word.lower()] += math.exp(share)  # type: ignore[assignment] # a counter of shares
        if word.islower():
            small[word] += math.exp(share)  # type: ignore[assignment]
    return {word: share for word, share in every.items() if small[word] >= lower * share}


def ranked(counts: Mapping[str, float]) -> list[str]:
    """Return the `MOST` most frequent words that are made of letters alone, the most frequent first."""
    words = (word for word in counts if word.isalpha() and len(word) > 1)
    return sorted(words, key=lambda word: (-counts[word], word))[:MOST]


def names_table(tables: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield the lines of the table of names; `tables` gives each language's names, and English ones, by a code."""
    yield "\t".join(("english", *LANGUAGES))
    for code, english in tables["en"].items():
        row = [_name(tables[language].get(code, ""), english) for language in LANGUAGES]
        if _name(english, "") != NO_NAME and set(row) != {NO_NAME}:
            yield "\t".join((_name(english, ""), *row))


def _name(name: str, english: str) -> str:
    plain = name.lower().replace(_APOSTROPHE, "'")
    fits = len(plain.replace("-", " ").split()) <= LONGEST_UNIT and not set("(),.&") & set(plain)
    return plain if plain and fits and plain != english.lower().replace(_APOSTROPHE, "'") else NO_NAME


def _words(folder: Path) -> dict[str, list[str]]:
    def shares(language: str) -> dict[str, Any]:
        return _json(folder / "lookups" / "spacy_lookups_data" / "data" / f"{language}_lexeme_prob.json.gz")

    spanish = _json(folder / "old" / "spellchecker" / "resources" / "es.json.gz")
    in_lower = by_text(shares("es"), LOWER)
    counts = {language: _json(folder / "full" / f"{language}_full.json.gz") for language in ("fr", "it", "nl", "pt")}
    counts |= {"de": by_text(shares("de")), "es": {word: spanish[word] for word in spanish if word in in_lower}}
    return {language: ranked(counts[language]) for language in LANGUAGES}


def _tables(folder: Path) -> dict[str, dict[str, str]]:
    sys.path.insert(0, str(folder / "babel"))
    locale = importlib.import_module("babel").Locale
    tables = {}
    for language in ("en", *LANGUAGES):
        one = locale(language)
        countries = {code: str(name) for code, name in one.territories.items() if code not in _NO_COUNTRY}
        tongues = {f"language {code}": str(name) for code, name in one.languages.items() if len(code) == 2}
        tables[language] = dict(sorted(countries.items())) | dict(sorted(tongues.items()))
    return tables


def _json(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = orjson.loads(gzip.decompress(path.read_bytes()))
    return loaded


if __name__ == "__main__":
    wheels = Path(sys.argv[1])
    for name, words in _words(wheels).items():
        content = "\n".join([*words, ""]).encode()
        words_file(name).write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    (FOLDER / NAMES).write_text(_HEAD + "\n".join([*names_table(_tables(wheels)), ""]), "utf-8")
