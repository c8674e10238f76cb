"""Numbers of documents by their form, anywhere in a query that names a document: "passeport volé 12AB34567".

Rules:
- Long words for documents count with a slip, too ("pasport"): 40,000 words, in a file, read when a query first has such
  a number.
- What has this form holds five digits, or digits between letters, so the first look (gate.py) passes it anyway;
  it knows those words alone that let another recognizer find something shorter.
"""

from functools import cache
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.numbers import only_digits, plain_number
from querymix.core.identifiers.recognizers.base import BEGIN, END, Recognizer
from querymix.core.identifiers.recognizers.context import CONTEXTS, FILLERS, LETTERS, SMALL, SWITCH
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.spellings import mistyped, spelled
from querymix.core.identifiers.tables import word_file
from querymix.core.identifiers.tokens import QueryText

DOCUMENT: Final = expression(
    BEGIN
    + r"(?!(?:19|20)\d{6}(?!\w))(?:[a-z]{1,3} ?\d{6,8}[a-z]{0,2}|[a-z]{2} ?\d{5}[ ]?[a-z]{2}|[a-z]{1,2}-\d{6,7}(?: \d)?"
    r"|\d{2}[a-z]{2}\d{5}|\d{8,12}[a-z]?(?!\w)|(?P<mix>(?:[a-z]{2} )?[a-z\d]{7,12}))" + END
)
READ_AS_NAMES: Final = frozenset({"ducuminto", "pasiportis"})
"""Slips that have the form of a name in one word; a query with one is looked at."""


@cache
def documented() -> frozenset[str]:
    """Return the words beside which the form of a document's number is enough: `document_words`, out of a file."""
    return word_file("documents.txt")


def document_words() -> frozenset[str]:
    """Return the words that name a document, also with a slip: 40,000, which take too long to make at each start."""
    return mistyped(_right_words())


def _right_words() -> frozenset[str]:
    licences = {word for word, told in CONTEXTS.items() if told.document and told.kind == "licence" and " " not in word}
    return spelled(" ".join(SMALL["document"])) | licences


def documents(query: QueryText, finds: Findings) -> None:
    """Add what has the form of a document's number, anywhere in a query that names a document."""
    for match in DOCUMENT.finditer(query.spaced):
        code = match[0]
        mixed = match["mix"] is None or (len(SWITCH.findall(code)) > 1 and len(only_digits(code)) >= LETTERS)
        if not mixed or plain_number(code) or code.endswith("0000") or code.split()[0] in FILLERS:
            continue
        if query.says(documented()):  # asked last: few queries need so many words
            finds.append(Identifier("licence", *match.span()))


SHORT_NUMBERED: Final = READ_AS_NAMES | mistyped(word for word in _right_words() if word.endswith("nummer"))
"""Words of `documented` beside which the first look has to pass a short number: behind "nummer" it is a code."""
RECOGNIZER: Final[Recognizer] = Recognizer(documents, digits=4, stretch=6)
