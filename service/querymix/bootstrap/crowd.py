"""From logs to the pairs of a crowd table: what `querymix crowd` reads, each log in its own form."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from time import time
from typing import Final

from querymix.bootstrap.parts import make_codec
from querymix.codecs.base import Codec
from querymix.codecs.recognize import Form
from querymix.core.errors import ConfigError
from querymix.core.records import Query
from querymix.crowd.counting import Counting
from querymix.crowd.pairs import Pairs
from querymix.crowd.window import Window
from querymix.knowledge.domains import registrable_domains
from querymix.local.forms import form_of
from querymix.local.reading import Input
from querymix.settings import PartsSettings, ReleaseSettings
from querymix.settings.values import Ladders

DROPPED: Final = "its day was dropped from the parts"
FUTURE: Final = "its time is later than tomorrow"
"""A part of such a day would keep the key and make the table look new, for as long as that takes."""
_DAY: Final = 86_400
_BATCH: Final = 16_384


class _Counted(ReleaseSettings):
    """What a log is read by that is counted: as a run reads it, and nothing leaves."""

    generalize: Ladders


class Logs:
    """The logs of a count, and what became of their records."""

    def __init__(self, names: Sequence[str], chosen: PartsSettings, owned: ExitStack) -> None:
        """Open all; `owned` closes them. Raises ConfigError where one cannot be read, or is no log."""
        self.sources: list[Input] = []
        self.refused = Counter[str]()
        self.records = 0
        self._chosen = chosen
        seen = set()
        for name in names:
            source = Input(name)
            owned.callback(source.close)
            if source.regular and source.inode in seen:
                raise ConfigError(f"{name} is given twice: give it once")
            seen.add(source.inode)
            self.sources.append(source)
        self.forms = [form_of([source], chosen) for source in self.sources]
        for form in self.forms:
            make_codec_of(form, chosen)

    def count(self, counting: Counting, window: Window, tick: Callable[[str, float], None]) -> None:
        """Hand the pairs of all records on. Raises TransientError where a disk fails."""
        pairs = Pairs(window.keys, window.ladders, registrable_domains())
        size = sum(source.size for source in self.sources)
        for source, form in zip(self.sources, self.forms, strict=True):
            for batch in source.batches(make_codec_of(form, self._chosen)):
                self.refused.update(one.reason for one in batch.refusals)
                for begin in range(0, len(batch.queries), _BATCH):
                    taken = self._taken(batch.queries[begin : begin + _BATCH], window.dropped)
                    counting.add(pairs(taken), pairs.groups)
                    pairs.groups.clear()
                tick("reading", sum(one.position for one in self.sources) / size if size else 0.0)

    def _taken(self, queries: list[Query], dropped: int) -> list[Query]:
        """Return the queries of days that have come and were not dropped; the others are counted as refused."""
        latest = time() + _DAY
        come = [query for query in queries if query.at <= latest]
        taken = [query for query in come if query.at >= dropped * _DAY] if dropped else come
        self.records += len(taken)
        if late := len(queries) - len(come):
            self.refused[FUTURE] += late
        if gone := len(come) - len(taken):
            self.refused[DROPPED] += gone
        return taken

    def check_any(self, window: Window) -> None:
        """Raise ConfigError where there were records, and none could be taken."""
        if self.records or not self.refused:
            return
        if self.refused[DROPPED]:
            day = datetime.fromtimestamp(window.dropped * _DAY, UTC).date()
            raise ConfigError(
                f"all records are of days that were dropped from {window.folder}: it begins on {day}. Add later ones."
            )
        why = "".join(f": {reason}" for reason, _ in self.refused.most_common(1))
        raise ConfigError(f"no record could be read{why}. See what the log is with 'querymix check'")


def make_codec_of(form: Form, chosen: PartsSettings) -> Codec:
    """Return what reads a log with whole URLs and the fields of the ladders. Raises ConfigError where it has none."""
    settings = _Counted.model_construct(
        fields=chosen.fields, longest_query=chosen.longest_query, generalize=chosen.generalize, urls="crowd"
    )
    return make_codec(settings, "trigger", None, form)
