"""Typing errors, one edit at one place of a text: for the wrong spellings of sources and of studies."""


def left_out(text: str, at: int) -> str:
    """Return `text` without its letter at place `at`."""
    return text[:at] + text[at + 1 :]


def doubled(text: str, at: int) -> str:
    """Return `text` with its letter at place `at` twice."""
    return text[:at] + text[at] + text[at:]


def swapped(text: str, at: int) -> str:
    """Return `text` with its letters at `at` and behind it swapped."""
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
