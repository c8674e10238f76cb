"""The table of word pieces (querymix.core.word_pieces), learned from the scores of whole words.

A word's weights are the mean of its pieces' rows, so the rows are ridge regression on the words' weights: the
logarithms of their targets, less the mean. Conjugate gradients on the normal equations, from zero.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import scipy.sparse
from querymix.core.packed_weights import FIELDS, LARGEST, OFFSET, SCALE
from querymix.core.word_pieces import buckets

from querymix_lab.knowledge.train.encoder import Floats

ROWS: Final = 1 << 17
RIDGE: Final = 0.05
STEPS: Final = 60


def learned_table(words: Sequence[str], scores: Floats, heat: float) -> bytes:
    """Return the table that fits `scores` (words x categories) best; `heat` is what a score is divided by."""
    weights = scores / np.float32(heat)
    weights -= weights.mean(1, keepdims=True)
    x = _shares(words)
    turned = x.T.tocsr()
    rows = np.zeros((ROWS, FIELDS), np.float32)
    rest = turned @ weights
    step = rest.copy()
    size = (rest * rest).sum(0)
    for _ in range(STEPS):
        moved = turned @ (x @ step) + np.float32(RIDGE) * step
        rate = size / np.maximum((step * moved).sum(0), np.float32(1e-12))
        rows += rate * step
        rest -= rate * moved
        before, size = size, (rest * rest).sum(0)
        step = rest + size / np.maximum(before, np.float32(1e-12)) * step
    whole = np.clip(np.rint(rows * np.float32(SCALE)), -LARGEST, LARGEST).astype(np.int16) + OFFSET
    whole[np.diff(turned.indptr) == 0] = 0  # no word has a piece in this bucket
    table: bytes = whole.astype(np.uint8).tobytes()
    return table


def _shares(words: Sequence[str]) -> scipy.sparse.csr_matrix:
    """Return what share each bucket has in each word, words x rows."""
    starts, columns, values = [0], [], []
    for word in words:
        found = buckets(word, ROWS)
        columns += found
        values += [1 / len(found)] * len(found)
        starts.append(len(columns))
    return scipy.sparse.csr_matrix(
        (np.array(values, np.float32), np.array(columns, np.int32), np.array(starts)), shape=(len(words), ROWS)
    )
