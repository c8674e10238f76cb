"""The student: additive weights a term, by multinomial regression on a teacher's scores.

Rules:
- Features are the words of a text and its pairs and triples of words, each once where it stands once.
- Loss: weighted cross-entropy against the targets, plus `L2` times the number of words of a term times the squared
  weights over 2, so that a longer term says only what its words do not.
- L-BFGS from zero with a fixed number of steps; each weight is scaled by the root of its penalty.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import scipy.sparse
from scipy.optimize import minimize

from querymix_lab.knowledge.train.encoder import Floats
from querymix_lab.knowledge.train.examples import LONGEST

L2: Final = 0.1
STEPS: Final = 300
MIN: Final = 2
"""Texts that hold a term which is no text of its own."""


def grams(tokens: Sequence[str]) -> Iterator[str]:
    """Yield the terms of a text of one to `LONGEST` words."""
    for size in range(1, LONGEST + 1):
        for start in range(len(tokens) - size + 1):
            yield " ".join(tokens[start : start + size])


def vocabulary(texts: Sequence[Sequence[str]]) -> list[str]:
    """Return the terms to learn: short texts themselves, and terms that several texts hold; in alphabetical order."""
    counts = Counter(term for tokens in texts for term in grams(tokens))
    whole = {" ".join(tokens) for tokens in texts if 0 < len(tokens) <= LONGEST}
    return sorted(whole | {term for term, count in counts.items() if count >= MIN})


def fit(texts: Sequence[Sequence[str]], targets: Floats, weights: Floats, terms: Sequence[str]) -> Floats:
    """Return each term's weights in nats, rows x categories, their mean 0.

    `targets` are distributions, rows x categories; `weights` is what each text counts.
    """
    places = {term: place for place, term in enumerate(terms)}
    starts, columns = [0], []
    for tokens in texts:
        columns += [places[term] for term in grams(tokens) if term in places]
        starts.append(len(columns))
    x = scipy.sparse.csr_matrix(
        (np.ones(len(columns), np.float32), np.array(columns, np.int32), np.array(starts)),
        shape=(len(texts), len(terms)),
    )
    turned = x.T.tocsr()
    sizes = np.array([term.count(" ") + 1 for term in terms], np.float32)
    scale = (1 / np.sqrt(np.float32(L2) * sizes))[:, None]
    penalty = (np.float32(L2) * sizes)[:, None]
    share = weights[:, None]
    shape = (len(terms) + 1, targets.shape[1])

    def loss(flat: Any) -> tuple[float, Any]:
        both = flat.reshape(shape).astype(np.float32)
        learned, bias = both[:-1] * scale, both[-1]
        scores = x @ learned + bias
        scores -= scores.max(1, keepdims=True)
        odds = np.exp(scores)
        total = odds.sum(1, keepdims=True)
        value = -(share * targets * (scores - np.log(total))).sum(dtype=np.float64)
        value += 0.5 * (penalty * learned * learned).sum(dtype=np.float64)
        error = share * (odds / total - targets)
        slope = np.empty(shape)
        slope[:-1] = (turned @ error + penalty * learned) * scale
        slope[-1] = error.sum(0)
        return float(value), slope.ravel()

    optimum = minimize(
        loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": STEPS, "maxcor": 8}
    )
    learned: Floats = (optimum.x.reshape(shape)[:-1] * scale).astype(np.float32)
    centred: Floats = learned - learned.mean(1, keepdims=True)
    return centred


def soft(scores: Floats, heat: float) -> Floats:
    """Return scores as distributions."""
    odds = np.exp((scores - scores.max(1, keepdims=True)) / np.float32(heat))
    shares: Floats = odds / odds.sum(1, keepdims=True)
    return shares
