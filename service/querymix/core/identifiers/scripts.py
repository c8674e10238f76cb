"""Which script a letter is of."""

import unicodedata
from functools import lru_cache


@lru_cache(maxsize=8192)
def is_latin(char: str) -> bool:
    """Return whether a character is a Latin letter."""
    return unicodedata.name(char, "").startswith(("LATIN", "MODIFIER LETTER"))


def spaceless(char: str) -> bool:
    """Return whether a letter is of a script that puts no spaces between words, or glues endings to foreign ones."""
    return (
        "\u0e00" <= char <= "\u0eff"  # Thai, Lao
        or "\u1000" <= char <= "\u109f"  # Myanmar
        or "\u1100" <= char <= "\u11ff"  # Hangul, decomposed
        or "\u1780" <= char <= "\u17ff"  # Khmer
        or "\u2e80" <= char <= "\ua4cf"  # Han, kana, bopomofo, Yi
        or "\uac00" <= char <= "\ud7ff"  # Hangul
        or "\uf900" <= char <= "\ufaff"  # Han, compatibility
        or char >= "\U00020000"
    )
