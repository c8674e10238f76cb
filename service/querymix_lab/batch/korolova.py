"""Korolova: the commonest queries and clicks, each with a noisy count, under no user.

Rules (section 3 of the paper; docs/batch.md says what differs, and why it holds):
1. Of each user the first d queries count, and its first d clicks among these.
2. A text is chosen if its count plus discrete Laplace noise of scale b exceeds K; a pair of a chosen text and a clicked
   host likewise.
3. A chosen text leaves with its count plus fresh noise, as that many lines; of these, as many have a clicked host as
   that pair's count plus fresh noise says, as far as there are lines.
    b = d / (epsilon / 4),  K = d - b ln(2 delta' / d) at least,  delta' = delta / 2
    epsilon = 2 (d ln alpha + d / b),  delta = 2 (d / 2) exp((d - K) / b)
    alpha = max(e^(1/b), 1 + 1 / (2 e^((K - 1) / b) - 1))
4. Every line has the same user and the same time, which no log changes: `NOBODY` and `made_rows.NO_TIME`.

Source: Korolova, Kenthapadi, Mishra and Ntoulas 2009, "Releasing search queries and clicks privately", theorem 1.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, exp, expm1
from math import log as ln
from typing import Final, NamedTuple

from querymix.core.draw import Draw
from querymix.core.hosts import cut_url

from querymix_lab.batch.base import Log, Options, Outcome, Row, Tick, no_tick
from querymix_lab.batch.made_rows import same
from querymix_lab.batch.noise import discrete_laplace, scale_at_least
from querymix_lab.batch.threshold import text_of


class Noise(NamedTuple):
    """How much noise, and from which count on something is chosen."""

    d: int
    scale: Fraction
    threshold: int

    @property
    def alpha(self) -> float:
        """How much one query more changes the chance of a choice, as a factor."""
        scale = float(self.scale)
        return max(exp(1 / scale), 1 + 1 / (2 * exp((self.threshold - 1) / scale) - 1))

    @property
    def epsilon(self) -> float:
        """Of choosing and counting one kind of thing."""
        return self.d * ln(self.alpha) + self.d / float(self.scale)

    @property
    def delta(self) -> float:
        """Of choosing one kind of thing."""
        return self.d / 2 * exp((self.d - self.threshold) / float(self.scale))


def noise_for(d: int, epsilon: float, delta: float) -> Noise:
    """Return the noise with which two kinds of things, d of each a user, keep epsilon and delta in all.

    The threshold is high enough that alpha is e^(1/b). Raises ConfigError where epsilon is too small.
    """
    wanted = 4 * d / epsilon
    while True:
        scale = scale_at_least(wanted)
        b = float(scale)
        by_delta, by_alpha = d - b * ln(delta / d), 1 + b * ln((1 + 1 / expm1(1 / b)) / 2)
        noise = Noise(d, scale, max(d, ceil(by_delta), ceil(by_alpha)))
        if 2 * noise.epsilon <= epsilon and 2 * noise.delta <= delta:
            return noise
        wanted *= 1.0001  # a rounding


NOBODY: Final = "0"
"""The user of every line, also where the log has a user of that name: another one would tell that it has."""


def korolova(log: Log, options: Options, draw: Draw, tick: Tick = no_tick) -> Outcome:
    """Return the common texts and clicks with noisy counts. Raises ConfigError where epsilon is too small."""
    noise = noise_for(options.first, options.privacy_epsilon, options.privacy_delta)
    counted = [row for rows in log.users.values() for row in first(rows, options.first)]
    texts = Counter(text_of(row) for row in counted)
    clicks = Counter((text_of(row), host) for row in counted if row.query.url and (host := cut_url(row.query.url)))
    chosen = {text: noisy(count, noise, draw) for text, count in texts.items() if passes(count, noise, draw)}
    pairs = {
        pair: noisy(count, noise, draw)
        for pair, count in clicks.items()
        if pair[0] in chosen and passes(count, noise, draw)
    }
    tick(0.5)
    rows = _lines(log, chosen, pairs)
    asked = Counter(text_of(row) for row in log.rows)
    kept = sum(min(count, asked[text]) for text, count in chosen.items())
    account = log.account(kept=kept, suppressed_by_method=len(log.rows) - kept, added=len(rows) - kept)
    figures = {
        "epsilon": 2 * noise.epsilon, "delta": 2 * noise.delta, "noise_scale": float(noise.scale),
        "threshold": noise.threshold, "texts": len(chosen), "clicked_pairs": len(pairs),
    }  # fmt: skip
    notes = ["no line names who asked: all have one user, and their number is the noisy count", *_empty(chosen, noise)]
    return Outcome(Log(rows), account, notes=notes, figures=figures)


def first(rows: Sequence[Row], d: int) -> list[Row]:
    """Return a user's first d queries."""
    return sorted(rows, key=lambda row: row.query.at)[:d]


def passes(count: int, noise: Noise, draw: Draw) -> bool:
    """Say whether something is chosen."""
    return count + discrete_laplace(noise.scale, draw) > noise.threshold


def noisy(count: int, noise: Noise, draw: Draw) -> int:
    """Return a count as it is released: no less than 0."""
    return max(0, count + discrete_laplace(noise.scale, draw))


def _lines(log: Log, chosen: Mapping[str, int], pairs: Mapping[tuple[str, str], int]) -> list[Row]:
    if not chosen:
        return []
    like_this: dict[str, Row] = {}
    for row in log.rows:
        if (text := text_of(row)) in chosen and text not in like_this:
            like_this[text] = row._replace(query=row.query._replace(text=text))
    clicked: dict[str, list[str]] = {}
    for (text, host), count in sorted(pairs.items()):
        clicked.setdefault(text, []).extend([host] * count)
    rows = []
    for text in sorted(chosen):  # not in the order of the log, which would tell who asked first
        hosts = clicked.get(text, [])[: chosen[text]]
        rows += [same(NOBODY, like_this[text], host) for host in hosts]
        rows += [same(NOBODY, like_this[text])] * (chosen[text] - len(hosts))
    return rows


def _empty(chosen: Mapping[str, int], noise: Noise) -> list[str]:
    if chosen:
        return []
    return [f"no text was chosen: one needs a count of about {noise.threshold:,}, which takes a log of many more users"]
