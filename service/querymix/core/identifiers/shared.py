"""Codes that everyone shares: publications, genes, patents by their form, products by the words beside them.

Example: "10.1038/s41586-020-2649-2", "chr7:140453136", "stm32f407vgt6 pinout", "1718064000 to date".

Rules:
- What has a register's own form is masked before numbers are looked for (`masked_forms`).
- A mix of letters and digits beside a maker or a word that is asked about products is a product's number
  (`of_a_product`), unless a word beside it says that it is somebody's, or it is long or hexadecimal, as keys are.
  Digits alone are not: in doubt they go. But eleven, of no telephone number, are one beside the few makers that number
  their parts so.
- Ten digits that begin with 1, and those in smaller units, are a moment beside a word of dates (`a_moment`).

Sources: DOI handbook, HGVS nomenclature, Ensembl and RefSeq stable ids, WIPO ST.3 and ST.16 (patents), POSIX (epoch).
"""

from itertools import pairwise
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.spans import MASK
from querymix.core.identifiers.tables import word_lists

_WORDS: Final = word_lists("products.tsv")
MOMENT_WORDS: Final = _WORDS["moment"]
EXAMPLE_WORDS: Final = _WORDS["example"]
_PRODUCT_WORDS: Final = frozenset(word.replace(".", " ") for word in _WORDS["maker"] | _WORDS["asked"])
_ELEVEN_WORDS: Final = _WORDS["eleven"]
_PRIVATE_WORDS: Final = _WORDS["private"]
BESIDE: Final = 48
"""Characters on each side of a code in which a word stands beside it."""
LONGEST: Final = 24
"""Letters and digits of a product's number."""

_FORM: Final = expression(
    r"(?<![a-z0-9.])(?:10\.\d{4,9}/[^\s\"<>]{1,120}"  # DOI
    r"|(?:chr ?(?:\d{1,2}|[xym])|(?:n[cgmp][_ ]|nr_)\d{6,9}(?:\.\d{1,2})?) ?: ?(?:[cgmnpr]\.)?[\d,]{4,12}"  # genomes
    r"(?: ?(?:-|\.\.|_) ?[\d,]{4,12})?(?:[acgt]{1,9}>[acgt]{1,9})?"
    r"|n[cgmp][_ ]\d{6,9}(?:\.\d{1,2})?|nr[_ ](?:0\d{5,8}|\d{6,9}\.\d{1,2})"  # RefSeq; "nr" is also German for number
    r"|ens[a-z]{0,6}[gtpe]\d{11}(?:\.\d{1,3})?"  # Ensembl
    r"|[a-z]{1,2}\d{5,6}\.\d{1,2}(?![\d.])|loc\d{6,9}|pmc\d{6,8}"  # GenBank, NCBI genes, PubMed Central
    r"|(?:stm(?:32|8)|esp(?:32|8266)|at(?:mega|tiny)\d|msp430|nrf5[1-4]\d|sn74[a-z]{2}|xc7[askz]\d)"  # chips
    r"(?:(?!\d{5}|\d-\d)[a-z0-9-]){1,30}"
    r"|6[a-z]{2}\d{4}-\d[a-z]{2}\d\d-\d[a-z]{2}\d"  # Siemens
    r"|(?:us|ep|wo|jp|cn|kr)\d{7,12}[abcuy]\d?"  # patents
    r")(?![a-z0-9])"
)
_HEXADECIMAL: Final = expression(r"[0-9a-f-]{16,}")
_NO_ELEVEN: Final = expression(r"(?!\d{11}(?!\d)).*|1[2-9]\d\d[2-9].*|1[3-9]\d[2-9].*")
"""Not eleven figures, or a telephone number of North America or China."""
_WORD: Final = expression(r"[^\s,;:=!?\"()\[\]{}<>|]+")
_MOMENT: Final = expression(r"1\d{9}(?:\d{3}){0,3}")


def masked_forms(text: str) -> str:
    """Return lower-case text with a mark for each character of a register's code."""
    return _FORM.sub(lambda match: MASK * len(match[0]), text)


def of_a_product(text: str, start: int, end: int) -> bool:
    """Return whether the code at `text[start:end]` is a product's, by its form and the words beside it."""
    code = text[start:end].replace("-", "")
    if len(code) > LONGEST or (_HEXADECIMAL if not code.isdigit() else _NO_ELEVEN).fullmatch(code):
        return False
    makers = _ELEVEN_WORDS if code.isdigit() else _PRODUCT_WORDS
    before = _WORD.findall(text, max(0, start - BESIDE), start)
    after = _WORD.findall(text, end, end + BESIDE)
    words = {*before, *after, *map(" ".join, pairwise(before)), *map(" ".join, pairwise(after))}
    return _PRIVATE_WORDS.isdisjoint(words) and not makers.isdisjoint(words)


def a_moment(digits: str) -> bool:
    """Return whether digits are seconds since 1970, or thousandths, millionths or billionths of them, from 2001 on."""
    return _MOMENT.fullmatch(digits) is not None
