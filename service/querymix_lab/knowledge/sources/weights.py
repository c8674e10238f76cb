"""The file of learned term weights.

Rules:
- LZMA over: a JSON line (`format`, `terms`, `scale`), the terms in alphabetical order, one a line, then
  a byte a category and term, each a weight in steps plus `OFFSET`.
- The same weights give the same file, byte for byte.
- All languages are learned together, and a term stands in the file of the first one that has it, English first
  (train/term_weights.py): what a language shares with another one may stand in that one's file.
"""

import json
import lzma
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from querymix.core.packed_weights import FIELDS, LARGEST, OFFSET, SCALE
from querymix.core.text import folded

from querymix_lab.knowledge.facts import WeightsFact
from querymix_lab.knowledge.sources.files import SourceError
from querymix_lab.knowledge.sources.languages import LANGUAGES, known_words

LEARNED: Final = Path(__file__).parents[1] / "data" / "term-weights.xz"
"""The weights that come with the package: see querymix_lab.knowledge.train."""
FORMAT: Final = 1
FILTERS: Final[list[dict[str, Any]]] = [
    {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}
]
"""Small for rows of weights."""


def file_bytes(weights: Mapping[str, tuple[int, ...]]) -> bytes:
    """Return the file's bytes. Raises ValueError for a weight out of range or a term with a line break."""
    names = sorted(weights)
    if any("\n" in name for name in names):
        raise ValueError("a term with a line break")
    if any(len(row) != FIELDS or max(map(abs, row)) > LARGEST for row in weights.values()):
        raise ValueError(f"{FIELDS} weights from -{LARGEST} to {LARGEST} belong to a term")
    head = json.dumps({"format": FORMAT, "terms": len(names), "scale": SCALE})
    rows = b"".join(bytes(weight + OFFSET for weight in weights[name]) for name in names)
    content = "\n".join([head, *names, ""]).encode() + rows
    return lzma.compress(content, format=lzma.FORMAT_XZ, filters=FILTERS)


def weights_file(language: str, learned: Path = LEARNED) -> Path:
    """Return where a further language's weights belong, beside those of English."""
    return learned.with_name(f"{learned.stem}-{language}{learned.suffix}")


def language_weights(language: str, learned: Path = LEARNED) -> Path:
    """Return the file of a further language's weights. Raises SourceError without one."""
    path = weights_file(language, learned)
    if not path.is_file():
        raise SourceError(
            f"{path}: not there, so that nothing is known of what the words of {language!r} are about; learn it with "
            "'querymix knowledge teach', or leave the language out of --languages"
        )
    return path


def weights_facts(path: Path = LEARNED) -> Iterator[WeightsFact]:
    """Yield the weights of a file. Raises SourceError where it is missing, damaged or of another format."""
    try:
        content = lzma.decompress(path.read_bytes())
        head, _, rest = content.partition(b"\n")
        header = json.loads(head)
        terms = int(header["terms"])
        if header["format"] != FORMAT or header["scale"] != SCALE:
            raise SourceError(f"{path}: of another format; make it again with 'querymix knowledge teach'")
        *names, rows = rest.split(b"\n", terms)
        if len(names) != terms or len(rows) != terms * FIELDS:
            raise ValueError("cut short")
    except OSError as error:
        raise SourceError(f"{path}: cannot be opened ({error.strerror}); install querymix[lab] again") from error
    except (lzma.LZMAError, ValueError, KeyError, TypeError) as error:
        raise SourceError(f"{path}: damaged; make it again with 'querymix knowledge teach'") from error
    for place, name in enumerate(names):
        row = rows[place * FIELDS : (place + 1) * FIELDS]
        yield WeightsFact(name.decode(), tuple(weight - OFFSET for weight in row))


def shared_weights(languages: Collection[str], learned: Path = LEARNED) -> Iterator[WeightsFact]:
    """Yield the weights of what `languages` share with others and that stands in these ones' files.

    It is each term that no file of theirs has and all of whose words one of them knows. Raises SourceError where a file
    is missing, damaged or of another format.
    """
    own = (learned, *(weights_file(language, learned) for language in languages))
    done = {fact.term for path in own for fact in weights_facts(path)}
    known = [{form for word in known_words(language) for form in (word, folded(word))} for language in languages]
    for other in (weights_file(language, learned) for language in LANGUAGES if language not in languages):
        for fact in weights_facts(other) if other.is_file() else ():
            if fact.term not in done and any(words.issuperset(fact.term.split(" ")) for words in known):
                done.add(fact.term)
                yield fact
