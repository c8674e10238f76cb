"""The library lets out what `querymix run` does, whatever the shape of records and however they are pushed."""

import asyncio
import copy
import csv
import inspect
import json
import pickle
import re
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta, timezone
from enum import Enum
from importlib.util import find_spec
from itertools import pairwise
from numbers import Integral
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import pytest
import querymix
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix import Anonymizer, ConfigError, RecordError
from querymix.api import Options, _released
from querymix.bootstrap.parts import make_run, open_bundle
from querymix.codecs.recognize import Form
from querymix.core.account import Account
from querymix.core.draw import seeded_draw
from querymix.local.reading import Input
from querymix.settings import MethodSettings, RunSettings, load
from querymix.stages.releasing import Releasing

from tests.docs.blocks import ROOT, blocks
from tests.keys import OTHER_KEY, key_file

Make = Callable[..., Anonymizer]
Row = dict[str, Any]
MARK: Final = "zqx-secret"
TEXTS: Final = (
    "barcelona",
    "players barcelona",
    "the barcelona",
    "european soccer",
    "jennifer 555-123-4567",
    "unknown",
)
START: Final = 1_141_197_432
OPTIONS: Final[list[Options]] = [
    {},
    {"time_precision": 60},
    {"click_wait": 0, "unclassified": "drop"},
    {"time_policy": "query", "max_hold": "2m", "hold_policy": "merge"},
    {"preset": "strict", "established": "1m"},
]
options = st.sampled_from(OPTIONS)
rows = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 5), st.integers(0, 40)), max_size=60)
"""Users, texts and seconds since the record before."""
cuts = st.sets(st.integers(0, 60), max_size=5)
examples = how(deadline=None, max_examples=40)


def records(some: list[tuple[int, int, int]]) -> list[Row]:
    """Return records in the order of their times; each one's rank tells which it is."""
    out, at = [], START
    for rank, (user, text, later) in enumerate(some):
        at += later
        out.append({"user": f"u{user}", "query": TEXTS[text], "time": at, "rank": rank, "url": "http://a.example/b"})
    return out


def many(**fields: Any) -> list[Row]:
    """Return 60 records of 9 users and one category, a minute apart."""
    return [row | fields for row in records([(rank * 5 % 9, 0, 60) for rank in range(60)])]


def seeded(releasing: Releasing, seed: int = 1) -> None:
    """Let a stage draw what it will draw again for the same seed."""
    releasing.pools.draw, releasing.cells._draw = seeded_draw(seed), seeded_draw(seed + 1)


@pytest.fixture(scope="module")
def make(small_bundle: Path) -> Make:
    """Return what makes anonymizers that all draw the same numbers and leave the user ids as they are."""

    def make(k: int = 2, **chosen: Any) -> Anonymizer:
        it = Anonymizer(k, knowledge=small_bundle, **{"pseudonym_period": "none", **chosen})
        seeded(it._releasing)
        return it

    return make


def pushed(it: Anonymizer, some: list[Row], at: Set[int] = frozenset()) -> list[Any]:
    """Push records in batches that are cut at these places, and return what left."""
    places = sorted({0, len(some), *(place for place in at if place < len(some))})
    return [release for begin, end in pairwise(places) for release in it.push_many(some[begin:end])]


# --- the ids that it leaves under


def ids_of(out: list[Row]) -> dict[str, set[str]]:
    """Return the users that stand in each day."""
    found = dict[str, set[str]]()
    for row in out:
        found.setdefault(row["time"][:10], set()).add(row["user"])
    return found


def test_by_default_an_id_lasts_a_day_and_a_restored_anonymizer_goes_on_under_it(small_bundle: Path) -> None:
    log = records([(rank * 5 % 9, 0, 3600) for rank in range(120)])
    it = Anonymizer(2, knowledge=small_bundle)
    out = it.push_many(log[:50])
    it = Anonymizer.restore(it.snapshot())
    out += it.push_many(log[50:])
    days = ids_of(out)
    assert len(days) >= 4
    assert max(map(len, days.values())) <= 9, "no more than there are users, though it was restored within one"
    assert len(set().union(*days.values())) == sum(map(len, days.values()))
    assert not {row["user"] for row in log} & {row["user"] for row in out}


def test_two_anonymizers_give_a_user_different_ids(small_bundle: Path) -> None:
    one, other = ({row["user"] for row in Anonymizer(2, knowledge=small_bundle).push_many(many())} for _ in range(2))
    assert one
    assert not one & other


def test_an_id_may_last_for_one_release_or_one_row_or_for_good(make: Make) -> None:
    log = [row | {"rank": rank} for row in many() for rank in (1, 2)]
    releases = [pushed(make(pseudonym_period=period), log) for period in ("session", "record", None, "none")]
    session, record, none, named = ([row["user"] for row in out] for out in releases)
    assert len(set(session)) == len(session) / 2
    assert session[::2] == session[1::2]
    assert len(set(record)) == len(record)
    assert none == named
    assert set(none) <= {row["user"] for row in log}


def test_a_snapshot_of_before_there_were_periods_goes_on_under_ids_of_a_day(make: Make) -> None:
    it = make()
    it.push_many(many())
    old = json.loads(it.snapshot())
    del old["options"]["pseudonym_period"], old["ids"]
    users = {row["user"] for row in Anonymizer.restore(json.dumps(old).encode()).push_many(many())}
    assert users
    assert not users & {row["user"] for row in many()}


# --- what leaves


@examples
@given(rows, cuts, options)
def test_the_command_line_lets_out_the_same_for_the_same_draws(
    make: Make, small_bundle: Path, tmp_path_factory: pytest.TempPathFactory, some: Any, at: set[int], chosen: Options
) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / "log").write_text("".join(json.dumps(row) + "\n" for row in records(some)))
    run = {
        "k": 2,
        "pseudonym_period": "none",
        "format": "json",
        "order": "input",
        "output": str(folder / "out"),
        "knowledge": small_bundle,
    }
    settings = load(RunSettings, {**chosen, **run})
    with ExitStack() as owned:
        job = make_run(
            [Input(str(folder / "log"))], Form("json"), open_bundle(settings), settings, owned, lambda: None
        ).run
        seeded(job._releasing)
        summary = asyncio.run(job())
    there = [json.loads(line) for line in (folder / "out").read_text().splitlines()]
    it = make(**chosen)
    here = pushed(it, records(some), at) + it.flush()
    if settings.time_policy == "query":  # a file is sorted as a whole
        here, there = (sorted(those, key=lambda row: row["rank"]) for those in (here, there))
    assert here == there
    account = it.account.figures()
    assert account.items() - {("lost", 0), ("waiting", 0)} <= summary.items()


@examples
@given(rows, cuts, options)
def test_every_record_is_counted_once_however_they_are_pushed(
    make: Make, some: Any, at: set[int], chosen: Options
) -> None:
    refused: list[int] = []
    it = make(on_refused=lambda number, reason: refused.append(number), **chosen)
    log = records(some)
    given = [row if rank % 7 else {"user": 1} for rank, row in enumerate(log)]
    left = pushed(it, given, at)
    for last in (False, True):
        left += it.flush() if last else []
        account = it.account
        parts = account.released + account.held + account.suppressed + account.unclassified + account.refused
        assert not account.empty
        assert account.total == parts == len(given)
        assert account.released == len(left)
    assert refused == list(range(1, len(given) + 1, 7))
    assert account.refused == len(refused)


@examples
@given(rows, st.integers(0, 60), options)
def test_a_restored_anonymizer_goes_on_as_the_one_that_was_not(make: Make, some: Any, at: int, chosen: Options) -> None:
    log, here = records(some), make(**chosen)
    pushed(here, log[:at])
    there = Anonymizer.restore(here.snapshot())
    assert there.snapshot() == here.snapshot()
    for it in (here, there):
        seeded(it._releasing, 5)
    assert pushed(there, log[at:]) == pushed(here, log[at:])
    assert there.flush() == here.flush()
    assert there.snapshot() == here.snapshot()
    assert there.account == here.account


@examples
@given(rows, st.integers(2, 4), options)
def test_nobody_gets_an_own_query_and_nothing_leaves_below_k(make: Make, some: Any, k: int, chosen: Options) -> None:
    log, it = records(some), make(k, **chosen)
    left = pushed(it, log) + it.flush()
    owners = {row["rank"]: row["user"] for row in log}
    assert all(owners[row["rank"]] != row["user"] for row in left)
    assert len({row["rank"] for row in left}) == len(left), "a query left twice"
    assert all(least >= k for _, pool in it._releasing.pools for least in pool.spread)
    assert not left or len(set(owners.values())) > k


def test_draws_differ_where_no_test_chooses_them(small_bundle: Path) -> None:
    runs = [list(querymix.anonymize(many(), 2, knowledge=small_bundle)) for _ in range(4)]
    assert any(run != runs[0] for run in runs)


def test_a_generator_is_read_no_further_than_it_has_to_be(make: Make) -> None:
    read = []

    def log() -> Iterator[Row]:
        for row in many():
            read.append(row)
            yield row

    released = _released(make(), log())
    assert not read
    next(released)
    assert 3 <= len(read) < 20


def test_identifiers_are_cut_and_urls_too(make: Make) -> None:
    rest = list(_released(make(), many(query="barcelona hotel 555-123-4567", url="http://a.example/who?q=jennifer")))
    assert {row["query"] for row in rest} == {"barcelona hotel"}
    assert {row["url"] for row in rest} == {"http://a.example"}


# --- shapes of records


class Click(NamedTuple):
    """A record as a program may have it; `session` is nothing that leaves."""

    session: str
    when: object
    user: str | int
    query: str


PLACES: Final = {"user": "user", "query": "query", "time": "when"}


def released(make: Make, log: list[Any], **chosen: Any) -> list[Any]:
    """Return what leaves of a log, which is the same for whatever shape it has."""
    out = list(_released(make(**chosen), log))
    assert len(out) > 30
    return out


def test_a_tuple_leaves_with_a_place_for_each_field_that_is_named_and_none_for_what_is_not_released(make: Make) -> None:
    log = many()
    plain = [tuple(row.values()) for row in log]
    assert released(make, plain) == [tuple(row.values()) for row in released(make, log)]
    short = [row[:3] for row in plain]
    assert {row[3:] for row in released(make, short)} == {(None, None)}
    mixed = [(MARK, row["time"], row["query"], row["user"], MARK) for row in log]
    out = released(make, mixed, fields={"user": 3, "query": 2, "time": 1})
    assert out == [(None, row["time"], row["query"], row["user"]) for row in released(make, log)]


def test_a_named_tuple_leaves_as_one_of_its_class(make: Make) -> None:
    log = [Click(MARK, row["time"], row["user"], row["query"]) for row in many()]
    out = released(make, log, fields=PLACES)
    assert {type(row) for row in out} == {Click}
    assert {row.session for row in out} == {None}
    assert {row.session for row in released(make, log, fields=PLACES, safe_fields=["session"])} == {MARK}


def test_a_restored_anonymizer_knows_the_fields_of_named_tuples_that_are_held(make: Make) -> None:
    it = make(fields=PLACES, click_wait="1h")
    it.push_many([Click(MARK, row["time"], row["user"], row["query"]) for row in many()])
    restored = Anonymizer.restore(it.snapshot())
    left = restored.flush()
    assert left
    assert all(row._fields == Click._fields and row == (None, row.when, row.user, row.query) for row in left)
    assert restored.push_many([Click("", START + 9999, f"u{user}", "barcelona") for user in range(9)]) == []


def test_a_mapping_leaves_as_a_dict_of_the_fields_with_a_value_in_one_order(make: Make) -> None:
    log = [
        OrderedDict(secret=MARK, url=None, **{name: row[name] for name in ("time", "query", "user")}) for row in many()
    ]
    for row in released(make, log):
        assert type(row) is dict
        assert list(row) == ["user", "query", "time"]


@pytest.mark.parametrize("zone", [None, UTC, timezone(timedelta(hours=5, minutes=30)), float, int, str])
@pytest.mark.parametrize("precision", [None, "1h"])
@pytest.mark.parametrize("form", ["iso", "seconds"])
def test_times_leave_in_one_form_whatever_they_came_as(make: Make, zone: Any, precision: str | None, form: Any) -> None:
    def dated(row: Row) -> Row:
        if isinstance(zone, type):
            return row | {"time": zone(row["time"])}
        at = datetime.fromtimestamp(row["time"] + 0.250001, zone or UTC)
        return row | {"time": at if zone else at.replace(tzinfo=None)}

    log = many()
    out = released(make, [dated(row) for row in log], time_precision=precision, time_form=form)
    left = {row["time"] if form == "seconds" else datetime.fromisoformat(row["time"]).timestamp() for row in out}
    assert left <= {row["time"] // 3600 * 3600 if precision else row["time"] for row in log}


@pytest.mark.parametrize("far", [datetime(9999, 12, 31, 23, 59, tzinfo=timezone(timedelta(hours=-5))), datetime.max])
def test_the_farthest_datetime_costs_no_release(make: Make, far: datetime) -> None:
    it = make(click_wait=0)
    log = [row | {"time": datetime.fromtimestamp(row["time"], UTC)} for row in many()]
    log[30]["time"] = far
    left = [row for one in log for row in it.push(one)]
    assert len(left) == it.account.released
    assert len(left) > 30


class Text(str):
    """As numpy's texts are."""

    __slots__ = ()


class Asked(str, Enum):  # noqa: UP042 - what a StrEnum does not do
    """A text that `str` writes as its name."""

    PLACE = "barcelona"


class Real(float):
    """As numpy's numbers are."""


class NAType:
    """As pandas' NA, which has no truth value."""

    def __bool__(self) -> bool:
        raise TypeError


@Integral.register
class Whole:
    """As numpy's whole numbers, which are no ints."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __int__(self) -> int:
        return self.number


def test_what_dataframes_hold_becomes_plain(make: Make) -> None:
    log = many()
    odd = [
        row
        | {
            "user": Whole(7 + rank % 9),
            "query": Text(row["query"]),
            "time": Real(row["time"]),
            "rank": Real(rank),
            "url": url,
        }
        for rank, (row, url) in enumerate(zip(log, [float("nan"), NAType(), None] * 20, strict=True))
    ]
    out = released(make, odd, safe_fields=[])
    assert {tuple(map(type, row.values())) for row in out} == {(str, str, str, int)}


def test_a_text_that_is_a_member_of_an_enum_leaves_as_its_text(make: Make) -> None:
    assert {row["query"] for row in released(make, many(query=Asked.PLACE))} == {"barcelona"}


# --- records that cannot be read

GOOD: Final = {"user": "u", "query": "q", "time": START}


@pytest.mark.parametrize(
    "record",
    [
        None,
        MARK,
        [MARK, MARK, START],
        {"user": MARK, "query": MARK},
        GOOD | {"user": MARK.encode()},
        GOOD | {"user": None, "query": MARK},
        GOOD | {"user": 1.5},
        GOOD | {"user": True},
        GOOD | {"user": ""},
        GOOD | {"user": MARK + "\ud800"},
        GOOD | {"user": 1 << 64},
        GOOD | {"query": MARK.encode()},
        GOOD | {"query": [MARK]},
        GOOD | {"query": MARK * 6554},
        GOOD | {"time": MARK},
        GOOD | {"time": float("nan")},
        GOOD | {"time": datetime(1969, 1, 1)},
        GOOD | {"rank": 1.5},
        GOOD | {"url": MARK.encode()},
        GOOD | {"more": object()},
        (MARK, MARK),
        Click(MARK, MARK, MARK, MARK),
    ],
    ids=lambda record: f"{record!r:.40}",
)
def test_a_record_that_cannot_be_read_is_named_by_its_number_and_never_shown(make: Make, record: Any) -> None:
    it = make(safe_fields=["more"])
    it.push(GOOD)
    with pytest.raises(RecordError) as caught:
        it.push_many([GOOD, record, GOOD])
    assert caught.value.number == 3
    assert str(caught.value).startswith(f"record 3: {caught.value.reason}. ")
    assert "on_refused" in str(caught.value)
    assert not any(MARK in shown for shown in (str(caught.value), repr(caught.value), repr(caught.value.__cause__)))
    assert caught.value.__suppress_context__
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301 - our own bytes
    assert it.account.total == 1, "none of a call that raised is taken in"
    told: list[tuple[int, str]] = []
    counting = make(on_refused=lambda *refused: told.append(refused), safe_fields=["more"])
    counting.push_many([GOOD, GOOD, record, GOOD])
    assert told == [(3, caught.value.reason)]
    assert counting.account.total == 4
    assert counting.account.refused == 1


def test_a_generator_ends_at_a_record_that_cannot_be_read_and_what_was_ready_has_left(make: Make) -> None:
    out: list[Row] = []
    with pytest.raises(RecordError, match="record 41: "):
        out.extend(_released(make(), [*many()[:40], {}, *many()[40:]]))
    assert out


def test_broken_characters_of_a_text_are_replaced(make: Make) -> None:
    assert {row["query"] for row in released(make, many(query="barcelona \ud800"))} == {"barcelona \ufffd"}


# --- options, errors and state


def test_the_defaults_and_the_options_are_those_of_a_run(small_bundle: Path) -> None:
    names = {"k", *Options.__annotations__}
    theirs = {name: RunSettings.model_fields[name].default for name in names}
    theirs["time_form"] = "iso"  # a stream has no first lines that tell it
    assert json.loads(Anonymizer().snapshot())["options"] == theirs
    for function in (Anonymizer.__init__, querymix.anonymize):
        assert inspect.signature(function).parameters["k"].default == theirs["k"]
    forms = {"format", "fields"}
    research = {"classifier", "confidence", "mode", "draw", "delta"}
    assert names == MethodSettings.model_fields.keys() - forms - research


def test_the_environment_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYMIX_K", "2")
    monkeypatch.setenv("QUERYMIX_NO_SUCH_OPTION", "2")
    assert json.loads(Anonymizer().snapshot())["options"]["k"] == 20


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"k": 1}, "k: "),
        ({"max_hold": "soon"}, "max_hold: a time is a number"),
        ({"hold_policy": "Trim"}, "hold_policy: "),
        ({"keep_identifiers": ["nose"]}, "'nose' is no kind of identifier"),
        ({"fields": {"usr": "uid"}}, "unknown field 'usr'"),
        ({"fields": {"user": "query"}}, "two fields have the same name"),
        ({"knowledge": "/nowhere"}, "Make one with 'querymix knowledge build -o FILE'"),
        ({"pseudonym_key_file": "/nowhere"}, "cannot read the pseudonym key"),
        ({"preset": "strict", "established": "0s"}, "established must be more than 0"),
    ],
)
def test_a_wrong_option_is_named_before_a_record_is_read(chosen: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        querymix.anonymize([], **chosen)


def test_an_unknown_option_is_a_mistake_of_the_program() -> None:
    with pytest.raises(TypeError, match="'format'"):
        Anonymizer(**{"format": "aol"})  # type: ignore[arg-type]


def test_a_restored_anonymizer_keeps_its_options_but_for_those_given(make: Make) -> None:
    snapshot = make(3, max_hold="1h").snapshot()
    kept = [
        json.loads(it.snapshot())["options"] for it in (Anonymizer.restore(snapshot), Anonymizer.restore(snapshot, 4))
    ]
    assert [(one["k"], one["max_hold"]) for one in kept] == [(3, 3600.0), (4, 3600.0)]


@pytest.mark.parametrize("state", [b"", b"[]", b"{}", MARK.encode(), b'{"format": 0}', b"[" * 100_000])
def test_what_is_no_snapshot_is_refused_and_not_shown(state: bytes) -> None:
    with pytest.raises(ConfigError, match="no snapshot") as caught:
        Anonymizer.restore(state)
    assert MARK not in str(caught.value)


@pytest.mark.parametrize("damage", [-1, [MARK], {MARK: MARK}], ids=type)
@pytest.mark.parametrize("part", ["options", "counts", "classifying", "pools", "waiting", "last", "clock", "in_cells"])
def test_a_damaged_snapshot_is_refused_and_not_shown(make: Make, part: str, damage: Any) -> None:
    it = make()
    it.push_many(many())
    state = json.loads(it.snapshot())
    (state if part in state else state["releasing"])[part] = damage
    with pytest.raises(ConfigError, match="no snapshot") as caught:
        Anonymizer.restore(json.dumps(state).encode())
    assert MARK not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_snapshot_with_an_option_of_a_later_version_is_refused(make: Make) -> None:
    state = json.loads(make().snapshot())
    state["options"]["later"] = 1
    with pytest.raises(ConfigError, match="another version"):
        Anonymizer.restore(json.dumps(state).encode())


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_an_anonymizer_is_not_copied_since_a_query_would_leave_twice(make: Make, copied: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="snapshot"):
        copied(make())


def test_a_snapshot_goes_on_under_its_own_pseudonym_key_only(make: Make, tmp_path: Path) -> None:
    key_file(tmp_path / "key")
    key_file(tmp_path / "other", OTHER_KEY)
    it = make(pseudonym_key_file=tmp_path / "key")
    assert all(row["user"].isdecimal() for row in it.push_many(many()))
    snapshot = it.snapshot()
    assert b'"u1"' not in snapshot
    with pytest.raises(ConfigError, match="another pseudonym key"):
        Anonymizer.restore(snapshot, pseudonym_key_file=tmp_path / "other")
    assert Anonymizer.restore(snapshot).account == it.account


def test_no_repr_shows_what_is_held(make: Make) -> None:
    it = make()
    it.push_many(many(user=MARK, query=f"barcelona {MARK}"))
    assert MARK not in repr(it) + repr(it.account) + repr(querymix.classify(MARK))
    assert repr(it) == "Anonymizer(60 held)"


# --- the package


def test_every_public_name_is_there_and_a_misspelt_one_is_not() -> None:
    assert all(hasattr(querymix, name) for name in querymix.__all__)
    assert not hasattr(querymix, "anonymise")
    assert set(dir(querymix)) == set(querymix.__all__)


def test_to_import_it_is_light() -> None:
    program = "import sys; before = set(sys.modules); import querymix; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "querymix" in loaded
    assert not loaded - sys.stdlib_module_names - {"querymix"}
    assert not loaded & {"asyncio", "sqlite3", "multiprocessing", "json"}
    assert not [name for name in done.stdout.split() if name.startswith("querymix.")]


def test_a_text_is_classified_as_the_command_does(small_bundle: Path) -> None:
    found = querymix.classify("european soccer barcelona 555-123-4567", small_bundle)
    assert (found.path, found.unit, found.text) == ("Sports/Soccer", "european soccer", "european soccer barcelona")
    assert found.removed == ("phone",)


class Frame:
    """As much of pandas.DataFrame as the document uses, where pandas is not installed."""

    def __init__(self, rows: Iterable[Row], columns: Iterable[str] = ()) -> None:
        self.rows = list(rows)
        self.columns = list(columns) or list(self.rows[0])

    def sort_values(self, name: str) -> "Frame":
        return Frame(sorted(self.rows, key=lambda row: row[name]))

    def to_dict(self, orient: str) -> list[Row]:
        assert orient == "records"
        return self.rows


def read_csv(path: str, *, sep: str, dtype: type, keep_default_na: bool) -> Frame:
    """Return a file of texts, as pandas.read_csv does."""
    assert (dtype, keep_default_na) == (str, False)
    with Path(path).open(newline="") as file:
        return Frame(csv.DictReader(file, delimiter=sep, restval="", quoting=csv.QUOTE_NONE))


def test_the_examples_of_the_document_run_and_print_what_they_say(
    made_up_log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "log.tsv").write_bytes(made_up_log.read_bytes())
    monkeypatch.chdir(tmp_path)
    if find_spec("pandas") is None:
        pandas: Any = ModuleType("pandas")
        pandas.DataFrame, pandas.read_csv = Frame, read_csv
        monkeypatch.setitem(sys.modules, "pandas", pandas)
    story: Row = {}
    found = [block for block in blocks(ROOT / "docs" / "library.md") if block.language == "python"]
    assert len(found) == 7
    for block in found:
        exec(compile(block.text, f"{block.document}:{block.line}", "exec"), story)  # noqa: S102 - our own document
        assert capsys.readouterr().out.splitlines() == re.findall(r"^print\(.*\)  # (.*)$", block.text, re.MULTILINE)
    assert story["first"]
    assert story["second"]


@pytest.mark.parametrize(
    "names",
    [
        {"clicks": "c", "clicks.rank": "pos", "clicks.time": "at"},
        {"clicks": {"list": "c", "rank": "pos", "time": "at"}},
    ],
)
def test_lists_leave_with_their_query_also_after_a_snapshot(small_bundle: Path, names: Any) -> None:
    it = Anonymizer(3, fields=names, knowledge=small_bundle, reserve=0, unclassified="pool")
    log = [
        {"user": n, "query": f"soccer {n}", "time": 1_141_197_432 + 9 * n, "c": [{"pos": n, "at": n, "x": "zqx"}]}
        for n in range(20)
    ]
    released = it.push_many(log[:10])
    it = Anonymizer.restore(it.snapshot())
    released += it.push_many(log[10:]) + it.flush()
    assert len(released) > 10
    for row in released:
        number = int(row["query"].split()[1])
        assert row["c"] == [{"pos": number, "at": number}]
    with pytest.raises(RecordError, match=r"the clicks \('c'\) are no list"):
        it.push({**log[0], "c": "zqx"})


@pytest.mark.parametrize("url", [None, "http://www.example.com/"])
@pytest.mark.parametrize("policy", ["pool", "drop"])
def test_empty_queries_are_counted_apart_and_never_pooled(make: Make, url: str | None, policy: Any) -> None:
    it = make(unclassified=policy)
    texts = ["", " ", "\t", "-", " - ", "\u200b", "\u3000"]
    log = [
        {"user": f"user {n}", "query": text, "time": 1_141_197_432 + n, "url": url} for n, text in enumerate(texts * 4)
    ]
    assert it.push_many(log) + it.flush() == []
    assert it.account.figures() == Account(empty=len(log)).figures()
    assert Anonymizer.restore(it.snapshot()).account == it.account


def test_clicks_of_a_query_that_has_a_text_are_not_empty(make: Make) -> None:
    it = make(unclassified="pool")
    clicks = [
        {
            "user": f"user {n // 3}",
            "query": "?!",
            "time": 1_141_197_432 + n // 3,
            "url": f"http://www.example{n % 3}.com/",
        }
        for n in range(12)
    ]
    assert len(it.push_many(clicks) + it.flush()) % 3 == 0
    assert (it.account.empty, it.account.total) == (0, 12)


def test_a_query_that_is_too_long_is_refused_with_the_reason_and_the_longest_is_settable(small_bundle: Path) -> None:
    (row,) = many(query="x" * 2001)[:1]
    with pytest.raises(RecordError, match=r"^record 1: the query is longer than 2000 characters \(--longest-query\)"):
        Anonymizer(knowledge=small_bundle).push(row)
    longer = Anonymizer(knowledge=small_bundle, longest_query=2001)
    assert longer.push(row) == []
    assert longer.account.held == 1
    with pytest.raises(RecordError, match="the user is longer than 256 characters"):
        longer.push(row | {"user": "u" * 257})
