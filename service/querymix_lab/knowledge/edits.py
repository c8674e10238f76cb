"""Typing errors, one edit at one place of a text: for the wrong spellings of sources and of studies."""

from collections.abc import Iterable


def left_out(text: str, at: int) -> str:
    """Return `text` without its letter at place `at`."""
    return text[:at] + text[at + 1 :]


def doubled(text: str, at: int) -> str:
    """Return `text` with its letter at place `at` twice."""
    return text[:at] + text[at] + text[at:]


def swapped(text: str, at: int) -> str:
    """Return `text` with its letters at `at` and behind it swapped."""
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


class OneEdit:
    """Finds words that may be one edit apart: two such share what is left of them with at most one letter out."""

    def __init__(self, words: Iterable[str]) -> None:
        self._having: dict[str, list[str]] = {}
        for word in words:
            for short in _shortened(word):
                self._having.setdefault(short, []).append(word)

    def near(self, word: str) -> set[str]:
        """Return the words that may be one edit away from `word`, and itself where it is one of them."""
        return {other for short in _shortened(word) for other in self._having.get(short, ())}


def _shortened(word: str) -> set[str]:
    return {word, *(left_out(word, at) for at in range(len(word)))}
