"""Checks of numbers that several recognizers share.

Source: ISO/IEC 7812 (Luhn), ISO 2108 (ISBN), GS1 General Specifications (UPC, EAN).
"""

import re
from typing import Final

from service.core.identifiers.spans import word_set

YEARS: Final = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)(?:\D|$)")
NO_CODE: Final = word_set(
    "isbn issn upc ean asin sku part parts model toner ink cartridge battery driver drivers laptop item error "
    "firmware patent resistor transistor datasheet sequence pi digits million billion trillion divided times plus "
    "factorial rs232 nsn lyrics barcode adapter charger hex gtin doi arxiv pmid oclc lccn cas bug kb unix epoch "
    "timestamp rfc btu bill statute lotto lottery powerball megamillions keno sudoku"
)
"""Words beside which a code is a product's, a document's, an error's or arithmetic."""


def luhn(digits: str) -> bool:
    """Return whether a string of ASCII digits passes the Luhn check."""
    total = sum(map(int, digits[-1::-2]))
    return not (total + sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])) % 10


def gs1(digits: str) -> bool:
    """Return whether the last of the digits is the check digit of a UPC, EAN or GTIN."""
    weighted = sum(int(digit) * (3, 1)[place % 2] for place, digit in enumerate(digits[-2::-1]))
    return (weighted + int(digits[-1])) % 10 == 0


def product_code(digits: str) -> bool:
    """Return whether the digits are an ISBN, or a UPC or EAN that passes its check: a product, not a person.

    An EAN counts only under a prefix of books, periodicals or the countries whose goods are most sold where the log
    comes from: one number in ten passes the check.
    """
    if len(digits) == 10 and digits[0] in "01":
        return sum(int(digit) * weight for digit, weight in zip(digits, range(10, 0, -1), strict=True)) % 11 == 0
    if len(digits) == 12 and digits[0] == "0":
        return gs1(digits)
    return len(digits) == 13 and digits.startswith(("977", "978", "979", "00")) and gs1(digits)


def only_digits(text: str) -> str:
    """Return the ASCII digits of `text`."""
    return "".join(char for char in text if "0" <= char <= "9")


def plain_number(digits: str) -> bool:
    """Return whether the digits are a round amount or a run on the keyboard, not a code."""
    return (
        digits.endswith("000000")
        or len(set(digits)) == 1
        or digits in "01234567890123456789"
        or digits in "98765432109876543210"
    )
