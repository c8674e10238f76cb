"""The library: the method inside of somebody else's program. What of it is stable, and how: docs/library.md.

Rules:
- It is what `querymix run` does to a stream: the same stages, the same defaults, chance from the operating system.
- Nothing is read from the environment, and there is no log, thread or file but the knowledge and the pseudonym key.
- A call decides all or nothing: where it raises, none of its records was taken in.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, Literal, TypedDict, TypeVar, Unpack

from querymix.bootstrap.parts import (
    make_classifier,
    make_classifying,
    make_ordering,
    make_releasing,
    open_bundle,
    read_pseudonyms,
)
from querymix.codecs.base import UnreadableRecordError
from querymix.codecs.fields import NamedFields
from querymix.codecs.frames import dumps, loads
from querymix.codecs.objects import PLACES, ObjectCodec
from querymix.codecs.spelling import TimeForm
from querymix.core.account import Account
from querymix.core.classify import Classify
from querymix.core.errors import ConfigError, RecordError
from querymix.core.records import Classification, Release
from querymix.settings import LibrarySettings, load
from querymix.stages.period_ids import PeriodIds

Record = Mapping[Any, Any] | tuple[Any, ...]
R = TypeVar("R", bound=Record)
Fields = Mapping[str, str | int]
"""Where user, query, time, rank and url stand: a name, or a position in tuples without names."""
OnRefused = Callable[[int, str], object]
"""Is told the number of a record that cannot be read, counted from 1, and the reason."""
_FORMAT: Final = 1
"""Of snapshots."""
_NO_SNAPSHOT: Final = "this is no snapshot of an Anonymizer, or one of another version of querymix"
_BROKEN: Final = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What reading raises that is no snapshot, or was damaged; its text may hold what is held."""


class Options(TypedDict, total=False):
    """Options of `querymix run` that the library has: the same names, values and defaults (docs/options.md)."""

    knowledge: str | Path | None
    keep_identifiers: Sequence[str]
    safe_fields: Sequence[str]
    longest_query: int
    urls: Literal["host", "full"]
    time_form: TimeForm
    pseudonym_key_file: str | Path | None
    pseudonym_period: float | str | None
    preset: Literal["none", "strict"]
    reserve: int
    max_hold: float | str
    hold_policy: Literal["trim", "wait", "suppress", "merge"]
    established: float | str | None
    dedupe: float | str | None
    click_wait: float | str
    unit: Literal["query", "session"]
    session_gap: float | str
    session_most: int
    session_scope: Literal["category", "all"]
    time_policy: Literal["trigger", "query"]
    time_precision: float | str | None
    unclassified: Literal["pool", "drop"]
    surrogates: Literal["off", "on"]


class Anonymizer:
    """One stream's pools: records are pushed in, in the order of their times, and releases come out.

    It is for one thread at a time. Raises ConfigError where an option or a file that it names is wrong.
    """

    def __init__(
        self,
        k: int = 20,
        *,
        fields: Fields | None = None,
        on_refused: OnRefused | None = None,
        **options: Unpack[Options],
    ) -> None:
        names = Options.__annotations__
        if unknown := sorted(options.keys() - names.keys()):
            raise TypeError(f"there is no option {unknown[0]!r}: the options are {', '.join(names)}")
        settings = load(LibrarySettings, {"k": k, **options})
        pseudonyms = read_pseudonyms(settings.pseudonym_key_file)
        self._made_by = {
            "fields": fields and dict(fields),
            "options": settings.model_dump(mode="json", include={"k", *names}),
            "key": None if pseudonyms is None else pseudonyms["snapshot"],  # tells another key, and not the key
        }
        self._on_refused = on_refused
        read = partial(
            NamedFields,
            safe=settings.safe_fields,
            time=settings.time_policy,
            urls=settings.urls,
            precision=settings.time_precision,
            time_form=settings.time_form,
            longest_query=settings.longest_query,
        )
        named, placed = (read(fields=names) for names in (fields, fields or PLACES))
        self._codec = ObjectCodec(named, placed)
        self._classifying = make_classifying(settings, open_bundle(settings), pseudonyms)
        self._releasing = make_releasing(settings, self._codec.format, make_ordering(settings))
        self._ids = PeriodIds(settings.pseudonym_period)
        self._pushed = self._refused = 0

    def __repr__(self) -> str:
        return f"Anonymizer({self.account.held} held)"

    def __reduce__(self) -> str:
        raise TypeError(
            "an Anonymizer is not copied or pickled: each query would leave twice. See snapshot and restore"
        )

    @property
    def account(self) -> Account:
        """What became of every record that was pushed; those of a call that raised do not count."""
        return self._classifying.account + self._releasing.account + Account(refused=self._refused)

    def push(self, record: Record) -> list[Any]:
        """Take in a record, and return what may leave now, each in the shape that it came in.

        Raises RecordError where it cannot be read, unless `on_refused` is told.
        """
        return self.push_many((record,))

    def push_many(self, records: Iterable[Record]) -> list[Any]:
        """Take in a batch, which costs less than one by one, and return what may leave now.

        Raises RecordError where one cannot be read, unless `on_refused` is told; none is taken in then.
        """
        queries, number, refused = [], self._pushed, 0
        for number, record in enumerate(records, self._pushed + 1):
            try:
                queries.append(self._codec.read(record))
            except UnreadableRecordError as error:
                if self._on_refused is None:
                    raise RecordError(number, str(error)) from None
                self._on_refused(number, str(error))
                refused += 1
        self._pushed, self._refused = number, self._refused + refused
        return self._written(self._releasing(self._classifying(queries)).releases)

    def flush(self) -> list[Any]:
        """Return what waits for further clicks or for its cell of time and may leave: at the end of the records.

        Nothing leaves below k: the rest stays held, and more may be pushed.
        """
        return self._written(self._releasing.finish().releases)

    def _written(self, releases: list[Release]) -> list[Any]:
        return self._codec.write(self._ids.of(releases, self._releasing))

    def snapshot(self) -> bytes:
        """Return the whole state, for `restore`. It holds raw queries and the key of the ids: guard it as the log."""
        state = {
            "format": _FORMAT,
            **self._made_by,
            "counts": [self._pushed, self._refused],
            "classifying": self._classifying.snapshot(),
            "releasing": self._releasing.snapshot(),
            "ids": self._ids.snapshot(),
        }
        return dumps(state)

    @classmethod
    def restore(
        cls,
        snapshot: bytes,
        k: int | None = None,
        *,
        on_refused: OnRefused | None = None,
        **options: Unpack[Options],
    ) -> "Anonymizer":
        """Return an anonymizer that goes on where a snapshot was taken, under its options but for those given.

        Raises ConfigError where it is no snapshot, was made under another pseudonym key, or holds records that cannot
        be written with other `safe_fields`.
        """
        try:
            state = loads(snapshot)
            if state["format"] != _FORMAT or not state["options"].keys() <= {"k", *Options.__annotations__}:
                raise ValueError
            options = state["options"] | options | ({} if k is None else {"k": k})
            fields, counts, key = state["fields"], state["counts"], state["key"]
        except _BROKEN:
            raise ConfigError(_NO_SNAPSHOT) from None
        it = cls(fields=fields, on_refused=on_refused, **options)
        if key != it._made_by["key"]:
            raise ConfigError("the snapshot was made under another pseudonym key: give that pseudonym_key_file")
        try:
            it._pushed, it._refused = counts
            it._classifying.restore(state["classifying"])
            it._releasing.restore(state["releasing"])
            it._ids.restore(state.get("ids"))  # 0.5.0 and before had none
        except _BROKEN:
            raise ConfigError(_NO_SNAPSHOT) from None
        return it


def anonymize(
    records: Iterable[R],
    k: int = 20,
    *,
    fields: Fields | None = None,
    on_refused: OnRefused | None = None,
    **options: Unpack[Options],
) -> Iterator[R]:
    """Yield what may leave of `records`, each in the shape that it came in, as soon as it may.

    `records` are mappings, named tuples or tuples in the order of their times. Raises ConfigError at once where an
    option is wrong, and RecordError while it is iterated where a record cannot be read, unless `on_refused` is told.
    """
    return _released(Anonymizer(k, fields=fields, on_refused=on_refused, **options), records)


def _released(anonymizer: Anonymizer, records: Iterable[R]) -> Iterator[R]:
    for record in records:
        yield from anonymizer.push(record)
    yield from anonymizer.flush()


def classify(text: str, knowledge: str | Path | None = None) -> Classification:
    """Return the category of a query's text, its main semantic unit, and what of it may be released.

    Raises ConfigError where the knowledge cannot be read.
    """
    return _classifier(knowledge)(text)


@lru_cache(maxsize=1)
def _classifier(knowledge: str | Path | None) -> Classify:
    settings = load(LibrarySettings, {"knowledge": knowledge})
    return make_classifier(settings, open_bundle(settings))
