"""UTF-8 that was read as Latin-1 or cp1252 before it came here: "mÃ¼ller" for "müller", "dâ€™angelo".

Rules:
- Only pairs and triples that no text has otherwise are taken for it, so that "«CAFÉ»" and "irmã…" stay.
- What was put in small letters afterwards is known where a mark follows the letter: "mã¼ller".
"""

import re
from typing import Final

from querymix.core.expressions import expression

_HIGH: Final = bytes(range(0x80, 0xA0)).decode("cp1252", "ignore") + "\x80-\x9f"
MISREAD: Final = expression(
    f"\xc2[{_HIGH}\xa0-\xbf]|[\xc3-\xc5\xcc\xd0\xd1][{_HIGH}\xa1-\xbf]"
    f"|[\xe2\xe3][\xa1-\xba\xbc-\xbf]"
    f"|\xe2[\x80-\x84\u20ac\u201a\u0192\u201e][{_HIGH}\xa0-\xbf]|\xef\xbb\xbf"
    f"|\xf0[\x9f\u0178][{_HIGH}\xa0-\xbf]{{2}}"
)
_SMALL: Final = 0x20
"""What small letters come behind capitals in Latin-1."""


def meant(match: re.Match[str]) -> list[str]:
    """Return the one character that a match of `MISREAD` stands for."""
    content = b"".join(char.encode("latin-1" if char < "\u0100" else "cp1252") for char in match[0])
    if len(content) == 2 and content[0] >= 0xE0:
        content = bytes((content[0] - _SMALL, content[1]))
    return [content.decode("utf-8")]
