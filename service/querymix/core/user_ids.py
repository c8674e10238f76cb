"""User ids in one normal form, so that one person's spellings are one user and do not hide among each other.

>>> normal_user(" 1007\u200b"), normal_user("Jose\u0301") == "Jos\u00e9", normal_user("Ann Lee")
('1007', True, 'Ann Lee')

Rules:
- White space at the ends goes, and so do characters that take no room, wherever they stand: zero-width spaces and
  joiners, marks of direction, soft hyphens, variation selectors, controls. What is left is in Unicode's form NFC.
- Case, spaces inside and letters that look alike stay: they may tell two people apart. So do bytes that are not UTF-8.
- The normal form is the user from there on: it is pooled, hashed, profiled and released.

Sources: Unicode UAX #15 (NFC), UAX #44 (Default_Ignorable_Code_Point).
"""

import unicodedata
from typing import Final

from querymix.core.expressions import expression

_NO_ROOM: Final = expression(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def shown(text: str) -> str:
    """Return what shows of a text: without characters that take no room, and white space at its ends."""
    return _NO_ROOM.sub("", text).strip()


def normal_user(user: str) -> str:
    """Return the normal form of a user id, empty where nothing of it shows.

    Its time grows with the square of the length where marks are piled up (NFC puts them in order): bound that before.
    """
    if user.isascii() and user.isprintable() and " " not in user:
        return user
    return unicodedata.normalize("NFC", _NO_ROOM.sub("", user)).strip()


def normal_users(users: list[str]) -> list[str]:
    """Return the normal form of each; one look at all of them is enough where they are plain."""
    together = "".join(users)
    if together.isascii() and together.isprintable() and " " not in together:
        return users
    return list(map(normal_user, users))
