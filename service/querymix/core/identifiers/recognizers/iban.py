"""International bank account numbers.

Rules:
- A country's two letters, two check digits, and as many further letters and digits as the country's numbers have, in
  any grouping, that pass the checksum (modulo 97).
- After the word "iban" also one that does not pass, or of another length.

Source: ISO 13616 (IBAN), the SWIFT registry of lengths.
"""

import re
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tables import rows
from querymix.core.identifiers.tokens import QueryText

START: Final = expression(r"(?:(?<![a-z0-9])|(?<=iban))[a-z]{2}[ -]?\d\d(?=[ .-]?[a-z0-9])")
LENGTHS: Final = {country: int(length) for length, countries in rows("iban.tsv") for country in countries.split()}
"""Characters of each country's numbers."""
GROUP: Final = expression(r"[a-z0-9]+")


def checks(code: str) -> bool:
    """Return whether a compact lower-case IBAN passes its checksum."""
    return int("".join(str(int(char, 36)) for char in code[4:] + code[:4])) % 97 == 1


def find(query: QueryText, finds: Findings) -> None:
    """Add IBANs."""
    text = query.spaced
    said = "iban" in text
    for match in START.finditer(text):
        length = LENGTHS.get(match[0][:2], 0)
        end = _end(text, match.start(), length) if length else 0
        if end and checks(re.sub("[^a-z0-9]", "", text[match.start() : end])):
            finds.append(Identifier("account", match.start(), end))
        elif said:
            end = end or _groups(text, match.start())
            if end - match.start() >= 10:
                finds.append(Identifier("account", match.start(), end))


def _end(text: str, start: int, length: int) -> int:
    """Return where `length` letters and digits in groups end, 0 where they do not end with a group."""
    count = 0
    for match in GROUP.finditer(text, start, start + 2 * length + 4):
        count += len(match[0])
        if count >= length:
            ended = count == length and (match.end() == len(text) or not text[match.end()].isalnum())
            return match.end() if ended else 0
        if text[match.end() : match.end() + 3].strip(" .-:")[:1].isalnum() is False:
            return 0
    return 0


def _groups(text: str, start: int) -> int:
    """Return where the groups with digits end that follow a number's beginning."""
    end = start
    for match in GROUP.finditer(text, start, start + 50):
        if end > start and not (any(char.isdigit() for char in match[0]) and match.start() - end <= 1):
            break
        end = match.end()
    return end


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=8)
