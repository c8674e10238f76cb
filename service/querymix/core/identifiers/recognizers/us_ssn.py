"""Social security numbers of the USA, and taxpayer numbers (ITIN) of the same form: "219-09-9999".

Rules:
- 3-2-4 digits with the same mark twice are enough; nine bare digits need a word such as "ssn" (else they are a `code`).
- Area 000 and 666, group 00 and serial 0000 are never given out.

Source: SSA (areas 001-665 and 667-899, group 01-99, serial 0001-9999); IRS (ITIN: areas 900-999).
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.numbers import of_a_thing
from querymix.core.identifiers.recognizers.base import BEGIN, END, MARKS, NO_AMOUNT, Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

BEFORE: Final = rf"(?:{BEGIN}{NO_AMOUNT}|(?<=\bssn)|(?<=\bss))"
BEFORE_GROUPS: Final = rf"(?<![0-9])(?<![0-9][{MARKS}]){NO_AMOUNT}"
"""Groups stand right behind a word too: "ssn219-09-9999"."""
SSN: Final = expression(
    BEFORE_GROUPS + r"(?!000|666)\d{3}( ?[-. /|:;,~*=+\\] ?|[.-]{2})(?!00)\d{2}\1(?!0000)\d{4}" + END
)
BARE_NINE: Final = expression(BEFORE + r"(?!000|666)\d{3}(?!00)\d{2}(?!0000)\d{4}" + END)
SSN_WORDS: Final = word_set("ssn ss social socials itin ssns")
PART_WORDS: Final = word_set("part parts pn p/n sku nsn catalog")
RUN_OF_NINE: Final = expression(r"[0-9]{9}")


def find(query: QueryText, finds: Findings) -> None:
    """Add SSNs."""
    if RUN_OF_NINE.search(query.spaced) is None:
        for match in SSN.finditer(query.spaced):
            listed = "," in match[0] and match[0].endswith("00")  # "120,50,2000"
            if not listed and not of_a_thing(query.spaced, *match.span()) and not query.says(PART_WORDS):
                finds.append(Identifier("us_ssn", *match.span()))
    elif query.says(SSN_WORDS) or "ssn" in query.spaced:
        finds.extend(Identifier("us_ssn", *match.span()) for match in BARE_NINE.finditer(query.spaced))


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=9)
