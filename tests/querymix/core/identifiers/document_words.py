"""Writes the words that name a document (`documented`), after a list that they are made from has changed.

python -m tests.querymix.core.identifiers.document_words
"""

from pathlib import Path
from typing import Final

from querymix.core.identifiers import tables
from querymix.core.identifiers.recognizers.document import document_words

FILE: Final = Path(tables.__file__).parent / "data" / "documents.txt"


def text() -> str:
    """Return what the file has to be."""
    return "\n".join(sorted(document_words()))


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
