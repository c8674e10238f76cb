"""Queries packed for sorting come back as they were, and what is no query of texts is left to `marshal`."""

import random
from contextlib import suppress
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.records import Query
from querymix.local.external_sort import ExternalSort, Runs
from querymix.native_path import SWITCH

NATIVE = import_module("querymix.native")
TIME = 3
PLAIN = Query("7", "q", "2006-03-01 07:17:12", 1141197432.0, "1", "http://a.com")
texts = st.text(max_size=20) | st.sampled_from(["x" * size for size in (125, 126, 127, 16_381, 16_382)])
maybe = st.none() | texts
whole = st.integers(-(1 << 63), (1 << 63) - 1)
queries = st.builds(Query, texts, texts, texts | whole, st.floats(allow_nan=False), whole | maybe, maybe, st.just(()))
numbers = st.builds(
    Query, texts, texts, st.integers(), st.floats(allow_nan=False), st.integers() | maybe, maybe, st.just(("a", 1))
)
ODD: dict[str, Any] = {
    "a fraction for the time": PLAIN._replace(time=1141197432.5),
    "True for the rank": PLAIN._replace(rank=True),
    "a number of nine bytes": PLAIN._replace(rank=1 << 63),
    "bytes for the text": PLAIN._replace(text=b"q"),  # type: ignore[arg-type]
    "a whole moment": PLAIN._replace(at=1),
    "no moment": PLAIN._replace(at=None),  # type: ignore[arg-type]
    "safe fields": PLAIN._replace(extra=("a",)),
    "a list of none": PLAIN._replace(extra=[]),  # type: ignore[arg-type]
    "a broken text": PLAIN._replace(text="\udc80"),
    "a text of another class": PLAIN._replace(text=type("Text", (str,), {})("q")),
    "too few fields": PLAIN[:6],
    "too many fields": (*PLAIN, 1),
    "no tuple": list(PLAIN),
}


@given(st.lists(queries))
def test_queries_come_back_as_they_were(rows: list[Query]) -> None:
    found = NATIVE.unpack_queries(NATIVE.pack_queries(rows), {}, Query)
    assert found == rows
    assert {type(row) for row in found} <= {Query}
    assert [list(map(repr, row)) for row in found] == [list(map(repr, row)) for row in rows]


@pytest.mark.parametrize("name", ODD)
def test_other_rows_are_left_to_python(name: str) -> None:
    assert NATIVE.pack_queries([PLAIN, ODD[name]]) is None
    assert NATIVE.pack_queries([PLAIN]) is not None


def test_equal_users_are_one_text_over_blocks() -> None:
    data = NATIVE.pack_queries([PLAIN._replace(user=user) for user in ("5" * 12, "6", "5" * 12)])
    users: dict[str, str] = {}
    first, *others = [row.user for _ in range(2) for row in NATIVE.unpack_queries(data, users, Query)]
    assert [user is first for user in others] == [user == first for user in others]


def test_what_is_cut_short_or_damaged_is_an_error_or_other_queries_and_no_crash() -> None:
    data = NATIVE.pack_queries([PLAIN, PLAIN._replace(text="x" * 300, rank=None)])
    draw = random.Random(1)
    for end in range(1, len(data)):
        with suppress(ValueError):
            assert len(NATIVE.unpack_queries(data[:end], {}, Query)) < 2
    for _ in range(20_000):
        broken = bytearray(data)
        for _ in range(draw.choice((1, 3))):
            broken[draw.randrange(len(data))] = draw.choice((0, 1, 0x7F, 0x80, 0xFF, draw.randrange(256)))
        try:
            NATIVE.unpack_queries(bytes(broken), {}, Query)
        except ValueError as error:
            assert str(error) == "queries cannot be read"  # noqa: PT017 - most are none
    for other in (b"", b"\xdb", b"Q" + b"\xff" * 30):
        with pytest.raises(ValueError, match="cannot be read"):
            NATIVE.unpack_queries(other, {}, Query)


@pytest.mark.parametrize("switch", ["on", "off"])
@given(st.lists(st.lists(queries | numbers, max_size=9), max_size=9))
def test_queries_are_sorted_the_same_with_and_without_the_native_path(switch: str, batches: list[list[Query]]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv(SWITCH, switch)
        with ExternalSort(TIME, Runs(least=4, block=3, in_memory=64), row=Query, most=10) as found:
            for batch in batches:
                found.add(batch)
            found.end()
            rows = [row for some in found.batches(5) for row in some]
    assert rows == sorted((row for batch in batches for row in batch), key=lambda row: row.at)
    assert {type(row) for row in rows} <= {Query}
