"""The teachers: how well each category fits a text, from its embeddings.

The first is kernel ridge regression (RBF) on both models' embeddings, fitted to the phrases. The second is ridge
regression on the smaller model's embeddings and random Fourier features of them, from a fixed seed, fitted to the first
one's scores; it reads texts that are too many for the larger model.
"""

from typing import Final

import numpy as np

from querymix_lab.knowledge.train.encoder import Floats

GAMMA: Final = 0.5
RIDGE: Final = 1.0
FEATURES: Final = 3000
SECOND_RIDGE: Final = 0.3
_PART: Final = 2000


class First:
    """Kernel ridge regression from embeddings (rows x width) to labels (rows x categories)."""

    def __init__(self, known: Floats, labels: Floats) -> None:
        self._known = known
        self._mean = labels.mean(0)
        kernel = _kernel(known, known)
        kernel[np.diag_indices_from(kernel)] += RIDGE
        self._dual = np.linalg.solve(kernel, labels - self._mean)

    def __call__(self, texts: Floats) -> Floats:
        """Return the scores of texts, rows x categories."""
        parts = [texts[start : start + _PART] for start in range(0, len(texts), _PART)]
        scores: Floats = np.concatenate([_kernel(part, self._known) @ self._dual + self._mean for part in parts])
        return scores


class Second:
    """Ridge regression on random Fourier features."""

    def __init__(self, known: Floats, scores: Floats) -> None:
        draw = np.random.RandomState(0)
        self._turn = draw.randn(known.shape[1], FEATURES).astype(np.float32)
        self._phase = (draw.rand(FEATURES) * 2 * np.pi).astype(np.float32)
        self._mean = scores.mean(0)
        wide = self._features(known)
        gram = wide.T @ wide
        gram[np.diag_indices_from(gram)] += SECOND_RIDGE
        self._weights = np.linalg.solve(gram, wide.T @ (scores - self._mean))

    def _features(self, texts: Floats) -> Floats:
        waves = np.cos(texts @ self._turn + self._phase) * np.float32((2 / FEATURES) ** 0.5)
        return np.concatenate([texts, waves], axis=1)

    def __call__(self, texts: Floats) -> Floats:
        """Return the scores of texts, rows x categories."""
        parts = [texts[start : start + _PART] for start in range(0, len(texts), _PART)]
        scores: Floats = np.concatenate([self._features(part) @ self._weights + self._mean for part in parts])
        return scores


def _kernel(one: Floats, other: Floats) -> Floats:
    distances = (one**2).sum(1)[:, None] + (other**2).sum(1)[None] - 2 * one @ other.T
    kernel: Floats = np.exp(np.float32(-GAMMA) * np.maximum(distances, 0))
    return kernel
