"""The file of learned term weights.

Rules:
- LZMA over: a JSON line (`format`, `terms`, `scale`), the terms in alphabetical order, one a line, then
  a byte a category and term, each a weight in steps plus `OFFSET`.
- The same weights give the same file, byte for byte.
"""

import json
import lzma
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from querymix.core.packed_weights import FIELDS, LARGEST, OFFSET, SCALE

from querymix_lab.knowledge.facts import WeightsFact
from querymix_lab.knowledge.sources.files import SourceError

LEARNED: Final = Path(__file__).parents[1] / "data" / "term-weights.xz"
"""The weights that come with the package: see querymix_lab.knowledge.train."""
FORMAT: Final = 1
_FILTERS: Final[list[dict[str, Any]]] = [
    {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}
]


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
    return lzma.compress(content, format=lzma.FORMAT_XZ, filters=_FILTERS)


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
        raise SourceError(f"{path}: cannot be opened ({error.strerror}); give the path of a readable file") from error
    except (lzma.LZMAError, ValueError, KeyError, TypeError) as error:
        raise SourceError(f"{path}: damaged; make it again with 'querymix knowledge teach'") from error
    for place, name in enumerate(names):
        row = rows[place * FIELDS : (place + 1) * FIELDS]
        yield WeightsFact(name.decode(), tuple(weight - OFFSET for weight in row))
