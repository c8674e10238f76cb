"""A number goes beside the word for it, whatever stands around the two and in whatever order.

The table (languages/wordings.txt) holds words, frames and forms by language and kind; the queries are made by combining
them. It is a test, and measures nothing. All data is made up.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.querymix.core.identifiers.test_languages import left_over, typed

TABLE: Final = Path(__file__).parent / "languages" / "wordings.txt"


def combined() -> Iterator[tuple[str, str, str, str]]:
    """Yield a language, a kind, a number and a query with it: each word and each form in each frame."""
    for block in TABLE.read_text("utf-8").partition("\n= ")[2].split("\n= "):
        head, *rows = block.strip().split("\n")
        language, kind = head.split()
        words, frames, forms = (row.partition(": ")[2].split(" | ") for row in rows)
        for place, frame in enumerate(frames):
            for turn in range(max(len(words), len(forms))):
                form = forms[(turn + place) % len(forms)]
                yield language, kind, form, frame.format(w=words[turn % len(words)], x=form)


CASES: Final = list(combined())


@pytest.mark.parametrize("block", list(dict.fromkeys(f"{language} {kind}" for language, kind, _, _ in CASES)))
def test_a_number_goes_beside_each_word_for_it_in_each_order(block: str) -> None:
    cases = [(kind, form, query) for language, kind, form, query in CASES if f"{language} {kind}" == block]
    assert [text for kind, form, query in cases for text in typed(query) if left_over(kind, form, text)] == []
