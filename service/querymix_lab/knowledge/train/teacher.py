"""The teacher: how well each category fits a text, from its embedding.

Kernel ridge regression with a Gaussian kernel, fitted to texts whose labels or scores are known. With all of them as
landmarks it is exact; with fewer, drawn by a fixed seed, it is the Nyström approximation, which reads many texts.

Source: Williams and Seeger 2001, "Using the Nyström Method to Speed Up Kernel Machines".
"""

from typing import Final

import numpy as np
import scipy.linalg

from querymix_lab.knowledge.train.encoder import Floats

_PART: Final = 4000


class KernelRidge:
    """From embeddings (rows x width) to scores (rows x categories).

    `known` are the embeddings to learn from and `scores` theirs; `gamma` is the kernel's width, `ridge` the penalty,
    `landmarks` how many of `known` make the kernel's columns, all by default.
    """

    def __init__(self, known: Floats, scores: Floats, *, gamma: float, ridge: float, landmarks: int = 0) -> None:
        self._gamma = np.float32(gamma)
        self._mean = scores.mean(0)
        centred = scores - self._mean
        if not 0 < landmarks < len(known):
            self._landmarks = known
            kernel = self._kernel(known)
            kernel[np.diag_indices_from(kernel)] += np.float32(ridge)
            self._dual = scipy.linalg.solve(kernel, centred, assume_a="pos", overwrite_a=True)
            return
        self._landmarks = known[np.random.RandomState(0).permutation(len(known))[:landmarks]]
        gram = ridge * self._kernel(self._landmarks).astype(np.float64)
        gram[np.diag_indices_from(gram)] += 0.01  # near twins would make it singular
        moment = np.zeros((landmarks, scores.shape[1]))
        for start in range(0, len(known), _PART):
            part = self._kernel(known[start : start + _PART])
            gram += part.T @ part
            moment += part.T @ centred[start : start + _PART]
        self._dual = scipy.linalg.solve(gram, moment, assume_a="pos", overwrite_a=True).astype(np.float32)

    def __call__(self, texts: Floats) -> Floats:
        """Return the scores of texts, rows x categories."""
        parts = [texts[start : start + _PART] for start in range(0, len(texts), _PART)]
        scores: Floats = np.concatenate([self._kernel(part) @ self._dual + self._mean for part in parts])
        return scores

    def _kernel(self, texts: Floats) -> Floats:
        other = self._landmarks
        distances = (texts**2).sum(1)[:, None] + (other**2).sum(1)[None] - 2 * texts @ other.T
        np.maximum(distances, 0, out=distances)
        distances *= -self._gamma
        kernel: Floats = np.exp(distances, out=distances)
        return kernel
