"""What a terminal is shown: never a character that it would obey.

Rules:
- A file's name, a header, a setting or a record may hold escape codes, which move the cursor, change the title or the
  clipboard, and characters that turn the direction of a text. They are shown as escapes such as \\x1b.
- In JSON they are escaped as JSON does it, so that what it holds stays exact.
- Data that goes to a file or a pipe stays as it is.

Source: The Unicode Standard, sections 23.1 (C0 and C1 controls) and 23.2 (bidirectional ordering controls).
"""

import os
import re
from typing import Final

_OBEYED: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""All but the tab and the line end."""


def visible(text: str) -> str:
    """Return a text with what a terminal would obey as escapes."""
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def visible_json(text: bytes) -> bytes:
    """Return JSON in UTF-8 that means the same and holds nothing that a terminal would obey."""
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text.decode("utf-8", "surrogatepass")).encode(
        "utf-8", "surrogatepass"
    )


def for_terminal(fd: int, data: bytes) -> bytes:
    """Return data as it is, or made visible where `fd` is a terminal."""
    return visible(data.decode("utf-8", "replace")).encode() if os.isatty(fd) else data
