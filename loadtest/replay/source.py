"""The records of files or of standard input, in order of time, round after round."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import groupby
from math import inf
from operator import itemgetter
from types import TracebackType
from typing import Final, Literal, Self

from querymix.core.errors import ConfigError
from querymix.core.records import Refusal
from querymix.local.external_sort import ExternalSort
from querymix.local.reading import Input

from loadtest.replay.logs import Log
from loadtest.replay.reading import WholeLines, unread, whole
from loadtest.replay.templates import filled, fresh

Times = Literal["kept", "now"]
Order = Literal["time", "input"]
_MAX_DIGITS: Final = 19
"""Digits of a user id that is a JSON number: 64 bits."""
_BATCH: Final = 4_096
"""Records that are handed on at once."""
_MAX_AT_ONCE: Final = 65_536
"""Logs of one second that are spread over it."""
Tick = Callable[[int, int], None]


class LogFiles:
    """A source over files, plain or packed, or standard input. A context manager: entering reads and sorts files.

    `order` "time" puts the records of all files in order; "input" takes them as they come, as standard input always is.
    `times` "now" writes into each record when it is due. `loop` begins again at the end, with users that are new in
    each round and times that go on. `spread` spreads the records of a whole second over it. `fields` names JSON
    fields. `tick` is told bytes read and bytes in all while files are read.

    Raises ConfigError where an input cannot be opened, holds no records, or does not go with the options, and
    TransientError where the temporary folder cannot take them.
    """

    def __init__(
        self,
        names: Sequence[str],
        *,
        fields: Mapping[str, str] | None = None,
        order: Order = "time",
        times: Times = "kept",
        loop: bool = False,
        spread: bool = False,
        tick: Tick = lambda done, size: None,
    ) -> None:
        self._names = names
        self._now = times == "now"
        self._templates = loop or times == "now"
        self._loop = loop
        self._spread = spread
        self._tick = tick
        self._order = order
        self._fields = dict(fields or {})
        self._codecs: list[WholeLines] = []
        self._inputs: list[Input] = []
        self._owned = ExitStack()
        self._sorter: ExternalSort[Log] | None = None
        self._begin = inf
        self._end = -inf
        self._longest = 0
        self.rounds = 0
        """Rounds begun."""

    def __enter__(self) -> Self:
        try:
            self._open()
            piped = [one.name for one in self._inputs if not one.regular]
            if piped and len(self._inputs) > 1:
                raise ConfigError(f"{piped[0]} is no file and cannot be merged with others: give it alone")
            if piped and self._loop:
                raise ConfigError(f"{piped[0]} is no file and cannot be read again: --loop needs files")
            self.waits = bool(piped)
            if self._order == "time" and not piped:
                self._sort()
        except BaseException:
            self._owned.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._owned.close()

    waits: bool = False
    """Whether reading may wait for somebody."""

    @property
    def total(self) -> int | None:
        """Records that will come."""
        return self._sorter.count if self._sorter and not self._loop else None

    @property
    def refused(self) -> int:
        """Rows of one round that could not be read, so far."""
        return sum(one.refused for one in self._inputs)

    @property
    def first_refusal(self) -> Refusal | None:
        """The first of them."""
        return next((codec.first_refusal for codec in self._codecs if codec.first_refusal), None)

    @property
    def remarks(self) -> list[str]:
        """What to say of inputs that could not be read, or not to their end."""
        pairs = zip(self._inputs, self._codecs, strict=True)
        return [remark for one, codec in pairs if (remark := unread(one, codec.first_refusal))]

    def before(self, at: float) -> float | None:
        """Return about how many records, over all rounds, have a time up to `at`; None where that is not known."""
        if self._sorter is None:
            return None
        if not self._loop:
            return self._sorter.before(at)
        rounds, rest = divmod(at - self._begin, self._span)
        return rounds * self._sorter.count + self._sorter.before(self._begin + rest)

    def batches(self) -> Iterator[Sequence[Log]]:
        """Yield the records, round after round."""
        while True:
            number = self.rounds
            self.rounds += 1
            if number and any(codec.numbers for codec in self._codecs):
                _check_digits(number, self._longest)
            shift = number * self._span if number else 0.0
            batches = self._round(again=number > 0)
            for logs in spread(batches) if self._spread else batches:
                if number:
                    yield [(at + shift, fresh(user, number, self._longest), line) for at, user, line in logs]
                else:
                    yield logs
            if self._begin > self._end:
                raise ConfigError(self._nothing())
            if not self._loop:
                return

    def fill(self, logs: Sequence[Log], due: Sequence[float], began: float) -> Sequence[Log]:
        """Return records with their gaps filled."""
        if not self._templates:
            return logs
        if self._now:
            return [
                (at, user, filled(line, user, began + when)) for (at, user, line), when in zip(logs, due, strict=True)
            ]
        return [(at, user, filled(line, user, at)) for at, user, line in logs]

    @property
    def _span(self) -> float:
        """Seconds from the beginning of one round to that of the next."""
        return self._end - self._begin + 1

    def _open(self) -> None:
        self._inputs = []
        for name in self._names:
            self._inputs.append(Input(name))
            self._owned.callback(self._inputs[-1].close)
        self._codecs = self._codecs or [WholeLines(self._fields, templates=self._templates) for _ in self._inputs]

    def _read(self) -> Iterator[list[Log]]:
        for one, codec in zip(self._inputs, self._codecs, strict=True):
            for batch in one.batches(codec):
                if logs := whole(batch.queries):
                    self._note(logs)
                    yield logs
                self._tick(sum(each.position for each in self._inputs), sum(each.size for each in self._inputs))

    def _note(self, logs: Sequence[Log]) -> None:
        ats = [log[0] for log in logs]
        self._begin = min(self._begin, *ats)
        self._end = max(self._end, *ats)
        self._longest = max(self._longest, *[len(log[1]) for log in logs])

    def _sort(self) -> None:
        self._sorter = self._owned.enter_context(ExternalSort[Log](0))
        for logs in self._read():
            self._sorter.add(logs)
        self._sorter.end()
        if not self._sorter.count:
            raise ConfigError(self._nothing())

    def _round(self, *, again: bool) -> Iterator[Sequence[Log]]:
        if self._sorter is not None:
            return self._sorter.batches(_BATCH)
        if again:
            self._owned.close()
            self._open()
        return self._read()

    def _nothing(self) -> str:
        return " ".join([f"there are no records in {', '.join(one.name for one in self._inputs)}.", *self.remarks])


def spread(batches: Iterable[Sequence[Log]]) -> Iterator[list[Log]]:
    """Yield records with those of one whole second spread evenly over it: the AOL form has no fractions."""
    held: list[Log] = []
    for batch in batches:
        held += batch
        cut = len(held) - 1
        while cut and held[cut - 1][0] == held[-1][0]:
            cut -= 1
        if len(held) - cut >= _MAX_AT_ONCE:
            cut = len(held)
        if cut:
            yield _spread(held[:cut])
            held = held[cut:]
    if held:
        yield _spread(held)


def _spread(logs: list[Log]) -> list[Log]:
    out: list[Log] = []
    for at, group in groupby(logs, key=itemgetter(0)):
        same = list(group)
        if len(same) == 1 or at % 1:
            out += same
        else:
            out += [(at + place / len(same), user, line) for place, (_, user, line) in enumerate(same)]
    return out


def _check_digits(number: int, longest: int) -> None:
    if len(str(number)) + len(str(longest)) + longest > _MAX_DIGITS - 1:
        raise ConfigError(
            f"--loop: the log's user ids are numbers of up to {longest} digits, and no further ones fit into 64 bits: "
            "write them as texts, or replay without --loop"
        )
