"""Sentence embeddings in plain numpy: BERT (MiniLM) and MPNet encoders read from safetensors files.

A text's embedding is the mean of its tokens' last layer, of unit length. Texts of one token length make a batch, so
that no padding and no mask is needed. What was computed is kept in a folder by model and texts.

Source: Devlin et al., "BERT" (2018); Song et al., "MPNet" (2020), whose attention has a bias by relative position.
"""

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from querymix.core.errors import ConfigError, reason
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer

Floats = NDArray[np.float32]
_BATCH: Final = 1024
"""Tokens in one batch."""
_LONGEST: Final = 64
_BUCKETS, _FAR = 32, 128


class Encoder:
    """One model out of a folder in the form of the sentence-transformers.

    Raises ConfigError where a file is missing.
    """

    def __init__(self, folder: Path) -> None:
        try:
            config = json.loads((folder / "config.json").read_text())
            weights = load_file(folder / "model.safetensors")
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except (OSError, ValueError) as error:
            raise ConfigError(f"{folder} is no model of the sentence-transformers: {reason(error)}") from None
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_LONGEST)
        self._relative = config["model_type"] == "mpnet"
        self._heads = int(config["num_attention_heads"])
        self._epsilon = float(config["layer_norm_eps"])
        prefix = "mpnet." if self._relative else "bert."
        # The position numbers of the checkpoint are whole numbers and no weights.
        w = {
            name.removeprefix(prefix): value.astype(np.float32)
            for name, value in weights.items()
            if value.dtype != np.int64
        }
        self.width = w["embeddings.word_embeddings.weight"].shape[1]
        self._word = w["embeddings.word_embeddings.weight"]
        self._place = w["embeddings.position_embeddings.weight"]
        self._type = 0.0 if self._relative else w["embeddings.token_type_embeddings.weight"][0]
        self._first = w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"]
        self._distance = w.get("encoder.relative_attention_bias.weight")
        self._layers = [self._layer(w, f"encoder.layer.{at}.") for at in range(int(config["num_hidden_layers"]))]

    def _layer(self, w: dict[str, Floats], prefix: str) -> tuple[Any, ...]:
        inside = prefix + ("attention.attn." if self._relative else "attention.self.")
        names = ("q", "k", "v") if self._relative else ("query", "key", "value")
        out = prefix + ("attention.attn.o" if self._relative else "attention.output.dense")
        norm = prefix + ("attention.LayerNorm" if self._relative else "attention.output.LayerNorm")
        both = np.concatenate([w[inside + name + ".weight"] for name in names])
        biases = np.concatenate([w[inside + name + ".bias"] for name in names])

        def dense(name: str) -> tuple[Floats, Floats]:
            return np.ascontiguousarray(w[name + ".weight"].T), w[name + ".bias"]

        def scaled(name: str) -> tuple[Floats, Floats]:
            return w[name + ".weight"], w[name + ".bias"]

        return (
            (np.ascontiguousarray(both.T), biases),
            dense(out),
            scaled(norm),
            dense(prefix + "intermediate.dense"),
            dense(prefix + "output.dense"),
            scaled(prefix + "output.LayerNorm"),
        )

    def _distances(self, size: int) -> Any:
        if self._distance is None:
            return np.float32(0)
        back = np.arange(size)[:, None] - np.arange(size)[None]
        half = _BUCKETS // 2
        exact = half // 2
        far = np.abs(back)
        steps = np.log(np.maximum(far, 1) / exact) / math.log(_FAR / exact) * (half - exact)
        bucket = (back < 0) * half + np.where(far < exact, far, np.minimum(exact + steps.astype(int), half - 1))
        return self._distance[bucket].transpose(2, 0, 1)[None]

    def _forward(self, ids: NDArray[np.int64]) -> Floats:
        count, size = ids.shape
        heads, width = self._heads, self.width
        places = np.arange(size) + (2 if self._relative else 0)
        x = self._normed(self._word[ids] + self._place[places] + self._type, self._first)
        x = x.reshape(count * size, width)
        distances = self._distances(size)
        scale = np.float32(1 / math.sqrt(width // heads))
        for attend, out, norm, wide, narrow, last in self._layers:
            y = _dense(x, attend).reshape(count, size, 3, heads, width // heads).transpose(2, 0, 3, 1, 4)
            scores = y[0] @ y[1].transpose(0, 1, 3, 2) * scale + distances
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            mixed = (scores.astype(np.float32) @ y[2]).transpose(0, 2, 1, 3).reshape(count * size, width)
            x = self._normed(_dense(mixed, out) + x, norm)
            x = self._normed(_dense(_gelu(_dense(x, wide)), narrow) + x, last)
        pooled = x.reshape(count, size, width).mean(1)
        normed: Floats = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return normed

    def _normed(self, x: Floats, by: tuple[Floats, Floats]) -> Floats:
        x = x - x.mean(-1, keepdims=True)
        variance = np.einsum("...i,...i->...", x, x)[..., None] / x.shape[-1]
        x /= np.sqrt(variance + np.float32(self._epsilon))
        x *= by[0]
        x += by[1]
        return x

    def encode(self, texts: Sequence[str]) -> NDArray[np.float16]:
        """Return one row a text."""
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        by_size: dict[int, list[int]] = {}
        for place, row in enumerate(ids):
            by_size.setdefault(len(row), []).append(place)
        out = np.zeros((len(texts), self.width), np.float16)
        for size, places in sorted(by_size.items()):
            step = max(1, _BATCH // size)
            for start in range(0, len(places), step):
                part = places[start : start + step]
                out[part] = self._forward(np.array([ids[place] for place in part]))
        return out


def encoded(folder: Path, texts: Sequence[str], cache: Path) -> Floats:
    """Return the embeddings of `texts` by the model in `folder`, from `cache` where it has them."""
    return kept(f"{folder.parent.name}-{folder.name}", texts, cache, lambda: Encoder(folder).encode(texts))


def kept(model: str, texts: Sequence[str], cache: Path, make: Callable[[], NDArray[np.float16]]) -> Floats:
    """Return what `make` gives for `texts`, from the file that `cache` has for them and the model's name."""
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()
    path = cache / f"{model}-{digest[:24]}.npy"
    if path.is_file():
        vectors: Floats = np.load(path).astype(np.float32)
        return vectors
    made = make()
    cache.mkdir(parents=True, exist_ok=True)
    np.save(path, made)
    return made.astype(np.float32)


def _dense(x: Floats, by: tuple[Floats, Floats]) -> Floats:
    return x @ by[0] + by[1]


def _gelu(x: Floats) -> Floats:
    y: Floats = erf(x * np.float32(1 / math.sqrt(2)))
    y += 1
    y *= x
    y *= np.float32(0.5)
    return y
