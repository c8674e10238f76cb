"""What a load test sends: a made-up log or files, again and again under fresh users, with bad records among them.

Rules:
- The same scenario sends the same records, up to the times in them.
- A round's users are other users than those of the rounds before: a pool that sees a user twice waits for others.
- What is replayed once more is in memory: lines of a made-up log, or of the files.
"""

from collections.abc import Iterator, Sequence
from importlib import resources
from itertools import count, islice
from random import Random
from typing import Final

from loadtest.measure.scenario import Log as LogPart
from loadtest.measure.stamps import stamp
from loadtest.replay.logs import Log
from loadtest.replay.source import LogFiles
from loadtest.synthesize import synthesize

BATCH: Final = 1_000
BAD: Final = (
    b"no log at all",
    b"user\tquery\tyesterday\t\t",
    b"\tquery without a user\t2006-03-01 07:00:00\t\t",
    b"user\tquery\t2006-03-01 07:00:00\tfirst\t",
    b"user\tquery\t2006-03-01 25:61:00\t\t",
    b"user\tnul\0byte\t2006-03-01 07:00:00\t\t",
    b"user\t" + b"x" * 70_000 + b"\t2006-03-01 07:00:00\t\t",
    b"\xff\xfe\x00\x01",
    b"",
)
"""Records that no codec reads, of all kinds that the service refuses."""
_BAD_USER: Final = b"\0"
"""What the keys of bad records begin with."""


class Feed:
    """A source for the replay, which may be replayed again and again: each time it goes on where it stopped.

    `limit` is how many records the next replay gets. `origin` is the run's, in milliseconds since 1970. `label` is
    added to all users, so that those of several feeds are not the same.
    """

    def __init__(self, lines: Sequence[bytes], origin: int, bad: float = 0.0, seed: int = 1, label: str = "") -> None:
        self._logs = _endless(lines, bad, Random(seed), label.encode())
        self._origin = origin
        self.limit = 0
        self.bad = 0
        """Bad records that were handed on."""

    @property
    def total(self) -> int | None:
        """Records that the next replay gets."""
        return self.limit

    def batches(self) -> Iterator[Sequence[Log]]:
        """Yield records for one replay."""
        for first in range(0, self.limit, BATCH):
            yield list(islice(self._logs, min(BATCH, self.limit - first)))

    def fill(self, logs: Sequence[Log], due: Sequence[float], began: float) -> Sequence[Log]:
        """Return the records stamped with when each is due."""
        stamped: list[Log] = []
        start, origin = began * 1000, self._origin
        for (at, user, line), seconds in zip(logs, due, strict=True):
            if user[:1] == _BAD_USER:
                self.bad += 1
                stamped.append((at, user, line))
            else:
                stamped.append((at, user, stamp(line, origin, int(start + seconds * 1000))))
        return stamped


def _endless(lines: Sequence[bytes], bad: float, draw: Random, label: bytes) -> Iterator[Log]:
    for turn in count():
        mark = label + (b".%d" % turn if turn else b"")
        for number, line in enumerate(lines):
            user, _, rest = line.partition(b"\t")
            user += mark
            yield (0.0, user, b"%s\t%s" % (user, rest))
            if bad and draw.random() < bad:
                yield (0.0, b"%s%d" % (_BAD_USER, number), draw.choice(BAD))


def lines_of(log: LogPart) -> list[bytes]:
    """Return the lines that a scenario sends, each with five fields."""
    if log.files:
        with LogFiles(log.files) as source:
            lines = [line for batch in source.batches() for _, _, line in batch]
        return [line + b"\t" * max(0, 4 - line.count(b"\t")) for line in lines]
    rows = islice(synthesize(log.lines, log.users, log.seed, order="time"), 1, None)
    if log.hot is None:
        return [row.encode() for row in rows]
    return list(_heated(rows, log.hot, log.hot_share, Random(log.seed)))


def _heated(rows: Iterator[str], topic: str, share: float, draw: Random) -> Iterator[bytes]:
    """Have a share of the rows ask about one topic."""
    words = (resources.files("loadtest") / "words" / f"{topic}.txt").read_text("ascii").splitlines()
    terms = [word for word in words if word and "X" not in word]
    for row in rows:
        user, query, rest = row.split("\t", 2)
        yield f"{user}\t{draw.choice(terms) if draw.random() < share else query}\t{rest}".encode()
