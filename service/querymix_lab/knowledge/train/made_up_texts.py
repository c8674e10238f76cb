"""Made-up texts for the student, in which terms stand beside others. No real query has a part in them.

Rules:
- `FREE` of them are texts in query style about frequent words (query_texts.py).
- The others are example queries with a modifier ("cheap", "in texas") or a frequent word before or behind them, so that
  the student learns what these words say beside a topic: mostly nothing.
- The same packages, lists and examples give the same texts, each once, in a fixed order.
"""

import random
from collections.abc import Sequence
from typing import Final

from querymix_lab.knowledge.sources.default import Inputs
from querymix_lab.knowledge.sources.files import LISTS, rows
from querymix_lab.knowledge.train.query_texts import LONGEST, Texts

COUNT: Final = 380_000
FREE: Final = 0.6
MODIFIED: Final = 0.25
SEED: Final = 3
MODIFIERS: Final = tuple(text for _, (text,) in rows(LISTS / "modifiers.txt", "modifier"))


def made_up_texts(inputs: Inputs, examples: Sequence[str], count: int = COUNT) -> list[str]:
    """Return `count` texts; `examples` are example queries in English."""
    texts = Texts(inputs, SEED)
    draw = random.Random(SEED)
    found: dict[str, None] = {}
    while len(found) < count:
        kind = draw.random()
        word = texts.frequent_word()
        if kind < FREE:
            text = " ".join(texts.about(word))
        else:
            beside = draw.choice(MODIFIERS) if kind < FREE + MODIFIED else word
            parts = [draw.choice(examples), beside]
            draw.shuffle(parts)
            text = " ".join(parts)
        if text and text.count(" ") < LONGEST:
            found[text] = None
    return list(found)
