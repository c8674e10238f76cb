"""The ways to release a log that are compared: the rules of others, and ours at several settings.

Rules:
- A way is plain data. What it does to a log is in `releasing`, by its fields, and never by its name.
- Crowds are counted over the log itself. No user has to be established first: a real table asks for that too.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from querymix.core.periods import Period
from querymix.core.rules import Rules

from querymix_lab.sweep.grid import DAY, Named

Family = Literal["identifiers cut", "threshold rule", "rare terms suppressed", "stream", "batch"]
FAMILIES: Final[tuple[Family, ...]] = (
    "identifiers cut", "threshold rule", "rare terms suppressed", "stream", "batch",
)  # fmt: skip
KS: Final = (5, 20, 50)
CROWDS: Final = (2, 5, 20, 50)
THRESHOLDS: Final = (5, 30)
SESSION_GAP: Final = Rules().session_gap
SESSION_MOST: Final = Rules().session_most


@dataclass(frozen=True)
class Way(Named):
    """One way at one setting."""

    told: str
    """Its name on the page."""
    family: Family
    made: str
    """How it was made, in one sentence or two."""
    batch: str | None = None
    """The batch method that runs, None: none."""
    k: int | None = None
    """Users that a query is mixed with, or of a batch method's clusters; None: nothing is mixed."""
    rules: dict[str, Any] = field(default_factory=dict)
    """The stream's rules that are not at their defaults."""
    period: Period = None
    """How long an id lasts, as in `--pseudonym-period`."""
    precision: float | None = None
    """The grid of released times, in seconds; None: times leave as they are."""
    screens: dict[str, Any] = field(default_factory=dict)
    """The options of `querymix run` by which queries are screened before; nothing: they are not."""
    users: int | None = None
    """Of the batch method `threshold`: who must have asked the whole query."""
    preset: bool = False
    """Whether it is one of `--preset`."""
    seed: int = 1

    @property
    def name(self) -> str:
        """A name for files: equal for what is done alike, whatever it is called."""
        return super(Way, replace(self, told="", made="", family="stream", preset=False)).name

    @property
    def pooled(self) -> bool:
        """Whether the stream runs."""
        return self.k is not None and self.batch is None

    @property
    def stream(self) -> Rules:
        """The rules of the stream's pools."""
        return Rules(self.k or Rules().k)._replace(**self.rules)

    @property
    def bound(self) -> float | None:
        """What one draw tells of the owner at most; None: there is no such bound."""
        return self.stream.owner_named_at_most if self.pooled else None


def ways(seed: int) -> list[Way]:
    """Return all ways, family by family."""
    return [*_cut(seed), *_thresholds(seed), *_suppressed(seed), *_streams(seed), *_batches(seed)]


def _cut(seed: int) -> Iterator[Way]:
    yield Way("identifiers cut only", "identifiers cut", "Lasting pseudonyms and exact times.", seed=seed)
    yield Way(
        "day pseudonyms, day times", "identifiers cut",
        "A new pseudonym each day and times cut to the day: the counter-proposal to suppressing.",
        period=DAY, precision=DAY, seed=seed,
    )  # fmt: skip


def _thresholds(seed: int) -> Iterator[Way]:
    for users in THRESHOLDS:
        yield Way(
            f"threshold, {users} users", "threshold rule",
            f"A query leaves, and its clicked host, where {users} users asked it within 13 months; on its day, without "
            "any id, as in Google's licensing program.",
            batch="threshold", users=users, period="record", precision=DAY, seed=seed,
        )  # fmt: skip


def _suppressed(seed: int) -> Iterator[Way]:
    for crowd in CROWDS[1:]:
        yield Way(
            f"rare terms, {crowd} users", "rare terms suppressed",
            f"A query leaves where {crowd} users asked each of its terms and each two adjacent ones; on its day, under "
            "an id for each session of five minutes and five queries.",
            period="session", precision=DAY, screens={"crowd_users": crowd}, seed=seed,
        )  # fmt: skip


def _streams(seed: int) -> Iterator[Way]:
    for k in KS:
        yield Way(f"stream, k={k}", "stream", f"Mixed by topic, k = {k}; ids of a day.", k=k, period=DAY, seed=seed)
    for told, period in (("lasting ids", None), ("session ids", "session")):
        made = f"As the stream with k = 20, under {told}."
        yield Way(f"stream, {told}", "stream", made, k=20, period=period, seed=seed)  # type: ignore[arg-type]
    for crowd in CROWDS:
        yield Way(
            f"stream, crowd {crowd}", "stream",
            f"As the stream with k = 20; before, rare terms are suppressed as above, with {crowd} users.",
            k=20, period=DAY, screens={"crowd_users": crowd}, seed=seed,
        )  # fmt: skip
    session = {"unit": "session"}
    made = "Sessions of one topic leave together, k = 20, each under an id of its own"
    yield Way("stream, sessions", "stream", f"{made}.", k=20, rules=session, period="session", seed=seed)
    yield Way(
        "stream, sessions, crowd 20", "stream", f"{made}; before, rare terms are suppressed.",
        k=20, rules=session, period="session", screens={"crowd_users": 20}, seed=seed,
    )  # fmt: skip


def _batches(seed: int) -> Iterator[Way]:
    for name, k in (("odp", 20), ("korolova", None)):
        lasting = "all lines without any user" if k is None else "lasting ids"
        made = f"The offline method {name}; days for times, {lasting}: docs/batch.md."
        period: Period = "record" if k is None else None
        told = name if k is None else f"{name}, k={k}"
        yield Way(told, "batch", made, batch=name, k=k, period=period, precision=DAY, seed=seed)
