"""Tables that stand as data files beside the code: a row a line, fields parted by tabs; "#" begins a comment."""

from pathlib import Path

_FOLDER = Path(__file__).parent / "data"


def rows(name: str) -> list[list[str]]:
    """Return the rows of the table called `name`."""
    lines = (_FOLDER / name).read_text("utf-8").split("\n")
    return [line.split("\t") for line in lines if line and line[0] != "#"]


def word_lists(name: str) -> dict[str, frozenset[str]]:
    """Return the table called `name` as sets of words by the list's name; a list may have several rows."""
    found: dict[str, frozenset[str]] = {}
    for key, words in rows(name):
        found[key] = found.get(key, frozenset()) | frozenset(words.split())
    return found


def word_file(name: str) -> frozenset[str]:
    """Return the words of the file called `name`, one a line."""
    return frozenset((_FOLDER / name).read_text("utf-8").split("\n"))
