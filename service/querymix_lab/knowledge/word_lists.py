"""The word lists that the identifier recognizers ask for by name (`Knowledge.words`).

Rules:
- `lists/identifiers/NAME.txt` holds the list NAME: one entry a line, UTF-8; empty lines and lines that begin with "#"
  are skipped.
- An entry is lower case, its words joined by single spaces, and stands in its list once.
- Every bundle holds all lists, also one that is built without the default sources: a recognizer needs its list.
"""

from pathlib import Path
from typing import Final

from querymix_lab.knowledge.sources.files import LISTS, SourceError, rows

WORD_LISTS: Final = LISTS / "identifiers"


def word_lists(folder: Path = WORD_LISTS) -> dict[str, frozenset[str]]:
    """Return the entries of each list in `folder`, by the list's name.

    Raises SourceError, with the line, at an entry that breaks the rules and at a list without entries.
    """
    return {path.stem: _entries(path) for path in sorted(folder.glob("*.txt"))}


def _entries(path: Path) -> frozenset[str]:
    entries: set[str] = set()
    for number, (entry,) in rows(path, "entry"):
        if entry != " ".join(entry.lower().split()):
            raise SourceError(f"{path}:{number}: write the entry in lower case, with single spaces between its words")
        if entry in entries:
            raise SourceError(f"{path}:{number}: the entry stands in the list twice; remove this line")
        entries.add(entry)
    if not entries:
        raise SourceError(f"{path}: no entries; write one a line, or remove the file")
    return frozenset(entries)
