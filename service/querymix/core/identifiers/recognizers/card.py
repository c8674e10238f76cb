"""Numbers of payment cards, and other long numbers in groups of four.

Rules:
- 13 to 19 digits under a card's prefix that pass the Luhn check are a card, bare or in groups.
- Groups of four that do not pass are a `code` (a parcel, a gift card, a mistyped card), to their last group.

Source: ISO/IEC 7812 (Luhn, prefixes).
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import NO_CODE, YEARS, luhn, only_digits, product_code
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tokens import QueryText

CARD: Final = re.compile(
    r"(?<![\w.$-])(?:\d{13,19}|\d{4}( ?[ -/_] ?)\d{4}\1\d{4}\1\d{1,7}(?:\1\d{1,4}(?![\d/])){0,3}"
    r"|\d{4}([ -])\d{6}\2\d{4,5}"
    r"|\d{4} ?- ?\d{4} ?- ?\d{4} ?- ?\d{4})(?!\w|[-.]\d)"
)
TAIL: Final = re.compile(
    r",? ?(?:exp(?:iry|ires|iration)? ?)?\d\d ?/ ?\d{2,4}(?:,? ?(?:cvv|cvc|cid)?2? ?\d{3,4})?(?!\w)"
    r"|,? ?(?:cvv2?|cvc2?|cid|security code):? ?\d{3,4}(?!\w)"
)
"""The date and the code that go with a card."""
CARD_PREFIX: Final = re.compile(r"4|5[0-9]|2[2-7]|3[045678]|6")


def find(query: QueryText, finds: Findings) -> None:
    """Add cards, and numbers in groups of four."""
    harmless = query.says(NO_CODE)
    for match in CARD.finditer(query.text):
        digits = only_digits(match[0])
        if len(digits) <= 19 and CARD_PREFIX.match(digits) and luhn(digits) and not product_code(digits):
            after = TAIL.match(query.text, match.end())
            finds.append(Identifier("card", match.start(), after.end() if after else match.end()))
        elif not harmless and digits != match[0] and not YEARS.search(match[0]):
            finds.append(Identifier("code", *match.span()))


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=13)
