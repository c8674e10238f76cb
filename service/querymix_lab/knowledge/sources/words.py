"""The package's own word lists, written for it from general knowledge.

Rules:
- `topics-*.tsv` and `famous*.tsv`: category path, tab, terms parted by commas. Every term of the latter is FAMOUS.
- `stop.txt`, `street.txt`: terms parted by white space.
- A term with a hyphen or an apostrophe is also yielded without it: people write "t-shirts" and "t shirts".
- A term or an entry with marks on its letters is held as queries are seen (querymix.core.identifiers.seen): without
  them, and "ä" also as "ae" (`seen_forms`).
- An underscore in a stop or street term stands for a space.
- `identifiers/NAME.txt` holds the list that a recognizer asks for as NAME (`Knowledge.words`): one entry a line, in
  lower case, its words joined by single spaces, and only once. `identifiers/NAME.LANGUAGE.txt` adds to it. Every bundle
  holds all of these lists.
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from querymix.core.identifiers.seen import fold
from querymix.core.knowledge import CATEGORIES, CATEGORY_NUMBERS, FAMOUS, NOUN, STOP, STREET

from querymix_lab.knowledge.facts import CategoryFact, TagFact
from querymix_lab.knowledge.sources.files import LISTS, SourceError, open_text, rows

WEIGHT: Final = 20.0
"""Count of a term in an own list: twice what all senses of a WordNet noun get together."""
WORD_LISTS: Final = LISTS / "identifiers"
_FAMOUS: Final = "famous"
_SPELLED: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_TAGS: Final = (("stop.txt", STOP), ("street.txt", STREET))


def word_facts(folder: Path = LISTS) -> Iterator[CategoryFact | TagFact]:
    """Yield the facts of all own lists under `folder`."""
    for name, tag in _TAGS:
        for term in plain_list(folder / name):
            yield TagFact(term, tag)
    for path in own_lists(folder):
        tags = NOUN | FAMOUS if path.name.startswith(_FAMOUS) else NOUN
        for category, term in topics(path):
            for form in chain(*map(written, seen_forms(term))):
                yield CategoryFact(form, category, WEIGHT)
                yield TagFact(form, tags)


def own_lists(folder: Path = LISTS) -> list[Path]:
    """Return the own lists of topics under `folder`, in a fixed order."""
    return [*sorted(folder.glob("topics-*.tsv")), *sorted(folder.glob(f"{_FAMOUS}*.tsv"))]


def plain(term: str) -> str:
    """Return a term with spaces for its hyphens and without its dots and apostrophes."""
    return " ".join(term.replace("-", " ").replace("'", "").replace(".", "").split())


def written(term: str) -> tuple[str, ...]:
    """Return the ways in which a term is written in queries: as it is, and plain where that differs."""
    other = plain(term)
    return (term,) if other == term else (term, other)


def seen_forms(term: str) -> tuple[str, ...]:
    """Return a lower-case term without the marks of its letters, and with their spelling in two letters if it differs.

    >>> seen_forms("käthe weiß")
    ('kathe weiss', 'kaethe weiss')
    """
    if term.isascii():
        return (term,)
    return tuple(dict.fromkeys("".join(map(fold, form)) for form in (term, term.translate(_SPELLED))))


def plain_list(path: Path) -> list[str]:
    """Return the terms of a list in which white space parts them."""
    with open_text(path) as file:
        lines = [line for line in file if not line.startswith("#")]
    return [term.replace("_", " ") for term in " ".join(lines).split()]


def topics(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (category path, term) of a list of topics; raises SourceError at an unknown category or an empty term."""
    for number, (category, terms) in rows(path, "path terms"):
        if category.partition("/")[0] not in CATEGORY_NUMBERS:
            raise SourceError(f"{path}:{number}: an unknown category; known: {', '.join(CATEGORIES)}")
        for term in terms.split(","):
            if not term.strip():
                raise SourceError(f"{path}:{number}: an empty term; remove one comma")
            yield category, term.strip()


def word_lists(folder: Path = WORD_LISTS) -> dict[str, frozenset[str]]:
    """Return the entries of each list in `folder`, by the list's name.

    Raises SourceError, with the line, at an entry that breaks the rules and at a list without entries.
    """
    lists: dict[str, frozenset[str]] = {}
    for path in sorted(folder.glob("*.txt")):
        name = path.name.partition(".")[0]
        lists[name] = lists.get(name, frozenset()).union(*map(seen_forms, _entries(path)))
    return lists


def _entries(path: Path) -> set[str]:
    entries: set[str] = set()
    for number, (entry,) in rows(path, "entry"):
        if entry != " ".join(entry.lower().split()):
            raise SourceError(f"{path}:{number}: write the entry in lower case, with single spaces between its words")
        if entry in entries:
            raise SourceError(f"{path}:{number}: the entry stands in the list twice; remove this line")
        entries.add(entry)
    if not entries:
        raise SourceError(f"{path}: no entries; write one a line, or remove the file")
    return entries
