"""The file of the learned weights of word pieces: the table of querymix.core.word_pieces.

Rules:
- LZMA over: a JSON line (`format`, `rows`, `scale`), then the table.
- The same table gives the same file, byte for byte.
"""

import json
import lzma
from pathlib import Path
from typing import Final

from querymix.core.packed_weights import FIELDS, SCALE
from querymix.core.word_pieces import UNKNOWN_ROW

from querymix_lab.knowledge.sources.files import SourceError
from querymix_lab.knowledge.sources.weights import FILTERS

LEARNED_PIECES: Final = Path(__file__).parents[1] / "data" / "piece-weights.xz"
"""The table that comes with the package: see querymix_lab.knowledge.train."""
FORMAT: Final = 1


def piece_file_bytes(table: bytes) -> bytes:
    """Return the file's bytes. Raises ValueError for a table of no whole rows, or one with a weight out of range."""
    _check(table)
    head = json.dumps({"format": FORMAT, "rows": len(table) // FIELDS, "scale": SCALE}).encode()
    return lzma.compress(head + b"\n" + table, format=lzma.FORMAT_XZ, filters=FILTERS)


def piece_table(path: Path = LEARNED_PIECES) -> bytes:
    """Return the table of a file. Raises SourceError where it is missing, damaged or of another format."""
    try:
        content = lzma.decompress(path.read_bytes())
        head, _, table = content.partition(b"\n")
        header = json.loads(head)
        if header["format"] != FORMAT or header["scale"] != SCALE:
            raise SourceError(f"{path}: of another format; make it again with 'querymix knowledge teach'")
        if len(table) != header["rows"] * FIELDS:
            raise ValueError("cut short")
        _check(table)
    except OSError as error:
        raise SourceError(f"{path}: cannot be opened ({error.strerror}); install querymix[lab] again") from error
    except (lzma.LZMAError, ValueError, KeyError, TypeError) as error:
        raise SourceError(f"{path}: damaged; make it again with 'querymix knowledge teach'") from error
    return table


def _check(table: bytes) -> None:
    """Raise ValueError where a row is neither unknown nor sixteen weights."""
    rows = [table[at : at + FIELDS] for at in range(0, len(table), FIELDS)]
    if any(len(row) != FIELDS or (0 in row and row != UNKNOWN_ROW) for row in rows):
        raise ValueError(f"a row of a table of word pieces is {FIELDS} weights, or zeros alone")
