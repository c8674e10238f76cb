"""What a load test sends: a made-up log or files, again and again under fresh users, with bad records among them.

Rules:
- The same scenario sends the same logs, up to the times in them.
- A round's users are other users than those of the rounds before: a pool that sees a user twice waits for others.
- What is replayed once more is in memory: lines of a made-up log, or of the files.
"""

from collections.abc import Iterator, Sequence
from importlib import resources
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Final

from loadtest.measure.scenario import Log as LogPart
from loadtest.measure.stamps import stamp
from loadtest.replay.ledger import Ledger
from loadtest.replay.logs import Log, open_logs
from loadtest.replay.sinks import Sink
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
"""Records that no codec reads, of all kinds that the service refuses. Their user is empty, which tells them."""


class Feed:
    """A source for the replay that never ends; a batch goes on where the last replay of it stopped."""

    def __init__(self, lines: Sequence[bytes], bad: float = 0.0, seed: int = 1) -> None:
        self._batches = _endless(lines, bad, Random(seed))
        self.start = 0.0
        """Unix time of the last replay's start."""

    @property
    def total(self) -> int | None:
        """There is no end."""
        return None

    def batches(self, now: float) -> Iterator[Sequence[Log]]:
        """Yield logs for ever."""
        self.start = now
        return self._batches


def _endless(lines: Sequence[bytes], bad: float, draw: Random) -> Iterator[Sequence[Log]]:
    for turn in count():
        mark = b".%d" % turn if turn else b""
        for first in range(0, len(lines), BATCH):
            logs: list[Log] = []
            for line in lines[first : first + BATCH]:
                user, _, rest = line.partition(b"\t")
                user += mark
                logs.append((0.0, user, b"%s\t%s" % (user, rest)))
                if bad and draw.random() < bad:
                    logs.append((0.0, b"", draw.choice(BAD)))
            yield logs


def lines_of(log: LogPart) -> list[bytes]:
    """Return the lines that a scenario sends, each with five fields."""
    if log.files:
        with open_logs([Path(name) for name in log.files]) as source:
            lines = [line for batch in source.batches(0.0) for _, _, line in batch]
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


class Stamping:
    """A sink that stamps a feed's logs with when each was due, on their way to another sink.

    `origin` is the run's, in milliseconds since 1970.
    """

    def __init__(self, feed: Feed, sink: Sink, origin: int) -> None:
        self._feed = feed
        self._sink = sink
        self._origin = origin
        self.bad = 0
        """Bad records that were handed on."""

    async def send(self, logs: Sequence[Log], due: Sequence[float], ledger: Ledger) -> None:
        """Take logs that are due."""
        stamped: list[Log] = []
        start, origin = self._feed.start * 1000, self._origin
        for (at, user, line), seconds in zip(logs, due, strict=True):
            if user:
                stamped.append((at, user, stamp(line, origin, int(start + seconds * 1000))))
            else:
                self.bad += 1
                stamped.append((at, user, line))
        await self._sink.send(stamped, due, ledger)

    async def flush(self) -> None:
        """Wait until all logs that were taken are safely there."""
        await self._sink.flush()
