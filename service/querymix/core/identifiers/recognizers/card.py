"""Numbers of payment cards, and other long numbers in groups of four.

Rules:
- 13 to 19 digits under a card's prefix that pass the Luhn check are a card, bare or in groups. Of fifteen digits only
  American Express has cards (a telephone's IMEI has as many); of thirteen, an article's number is none unless a word
  says that it is a card.
- The date and the code behind a card go along; of cards side by side each is one.
- Groups of four that do not pass are a `code` (a parcel, a gift card, a mistyped card), to their last group.

Source: ISO/IEC 7812 (Luhn, prefixes).
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.numbers import BUYING, NO_CODE, YEARS, article, luhn, only_digits, product_code
from querymix.core.identifiers.recognizers.base import BEGIN, END, NO_AMOUNT, Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

CARD: Final = expression(
    BEGIN + NO_AMOUNT + r"(?:\d{13,19}|\d{4}( ?[ -/] ?)\d{4}\1\d{4}\1\d{1,7}(?:\1\d{1,4}(?![\d/])){0,40}"
    r"|\d{4}( ?[ ./-] ?)\d{6}\2\d{4,5}"
    r"|\d{4} ?- ?\d{4} ?- ?\d{4} ?- ?\d{4})" + END
)
SURE: Final = expression(
    r"(?<![0-9])(?<![0-9][.-])(?:\d{4}(?:\W{1,3}\d{4}){3}|\d{8}[ .-]\d{8}|\d{6}[ .-]\d{10})(?![0-9]|[.-][0-9])"
)
"""Groups parted by any marks, and right behind a word too: they need a right check digit."""
GAP: Final = r"[ ,;:|/-]{0,3}"
MONTH_YEAR: Final = r"(?:(?:0[1-9]|1[0-2]) ?[/ |-]? ?(?:20)?\d\d|20\d\d ?[/ |-]? ?(?:0[1-9]|1[0-2]))"
TAIL: Final = expression(
    rf"{GAP}(?:exp(?:iry|ires|iration)?)?{GAP}{MONTH_YEAR}(?:{GAP}(?:cvv|cvc|cid)?2?{GAP}\d{{3,4}})?(?!\w)"
    rf"|{GAP}(?:cvv2?|cvc2?|cid|security code){GAP}\d{{3,4}}(?!\w)|[ ,;:|/-]{{1,3}}\d{{3,4}}(?!\w)"
)
"""The date and the code that go with a card."""
SIXTEEN: Final = 16
"""Digits of most cards, in four groups."""
LONGEST: Final = 19
CARD_PREFIX: Final = expression(r"3[47]|(?!\d{15}$)(?:4|5[0-9]|2[2-7]|3[0568]|6)")
WORDS: Final = word_set("visa card cards creditcard karte kreditkarte carte bancaire tarjeta carta cartao kaart")


def find(query: QueryText, finds: Findings) -> None:
    """Add cards, and numbers in groups of four."""
    text = query.spaced
    harmless, said, bought = query.says(NO_CODE), query.says(WORDS), query.says(BUYING)
    at = 0
    while match := CARD.search(text, at):
        at = match.end()
        digits = only_digits(match[0])
        if match[1] is not None and len(digits) > SIXTEEN and is_card(digits[:SIXTEEN]):
            digits = digits[:SIXTEEN]  # another one, or what belongs to the card, stands right behind it
            at = match.start() + SIXTEEN + 3 * len(match[1])
        if is_card(digits) and (digits != match[0] or said or not article(digits, bought=bought)):
            after = TAIL.match(text, at)
            finds.append(Identifier("card", match.start(), after.end() if after else at))
        elif not harmless and digits != match[0] and not YEARS.search(match[0]):
            finds.append(Identifier("code", *match.span()))
    finds.extend(Identifier("card", *one.span()) for one in SURE.finditer(text) if is_card(only_digits(one[0])))


def is_card(digits: str) -> bool:
    """Return whether digits are the number of a payment card."""
    return (
        len(digits) <= LONGEST and CARD_PREFIX.match(digits) is not None and luhn(digits) and not product_code(digits)
    )


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=13)
