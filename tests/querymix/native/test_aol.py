"""Lines of the AOL format: Rust reads and writes them as Python does, and leaves to it what is unusual."""

import random
from contextlib import suppress
from datetime import date, timedelta
from importlib import import_module
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from querymix.codecs.aol import HEADER, AolCodec
from querymix.codecs.base import LONGEST_FIELD, LONGEST_LINE, LONGEST_QUERY, Decoded, is_utf8
from querymix.core.records import Query, Release
from querymix.native_path import SWITCH

NATIVE = import_module("querymix.native")
TIME = "2006-03-01 07:17:12"
ODD = "\ufeff|\u200b|\x1c|\x85|\xa0|\u3000|\x00|\r|\n|\udcff|\u00e9|e\u0301|\U0001f600|\x7f| | x |\\N|NULL|-"
USERS = ["7", "77", "a.b", "u" * LONGEST_FIELD, "u" * (LONGEST_FIELD + 1), "", "Jos\u00e9", *ODD.split("|")]
TEXTS = ["soccer", " cheap  zoo ", "\u00e9" * LONGEST_QUERY, "x" * (LONGEST_QUERY + 1), "", *ODD.split("|")]
TIMES = [
    TIME, "2004-02-29 23:59:59", "1969-12-31 23:59:59", "0001-01-01 00:00:00", "9999-12-31 23:59:59",
    "2005-02-29 00:00:00", "1900-02-29 00:00:00", "2000-02-29 00:00:00", "2006-04-31 00:00:00", "2006-13-01 00:00:00",
    "2006-00-01 00:00:00", "2006-01-00 00:00:00", "2006-03-01 24:00:00", "2006-03-01 07:60:00", "2006-03-01 07:17:60",
    "0000-01-01 00:00:00", "-006-01-01 00:00:00", "-2006-03-01 07:17:12", "12006-03-01 07:17:12", "2006-3-1 7:17:12",
    "2006-03-01T07:17:12", "2006/03/01 07:17:12", "2006-03-01 07:17:12Z", "2006-03-01 07:17:12.5",
    "2006-W10-3 07:17:12", " 2006-03-01 07:17:12", "2006-03-01 +7:17:12", "\u0662006-03-01 07:17:12", "1141197432", "",
    *ODD.split("|"),
]  # fmt: skip
RANKS = ["", "1", "0", "007", "00", "9" * LONGEST_FIELD, "9" * (LONGEST_FIELD + 1), "-1", "1.5", "\u0663", "\u00b2",
         *ODD.split("|")]  # fmt: skip
URLS = ["", "http://www.example.com", "https://a.b.example.org/x?y", "http://10.0.0.1/", "example.com/a", "\u00e9.com",
        "www." + "x" * 300 + ".com", *ODD.split("|")]  # fmt: skip
COLUMNS = [USERS, TEXTS, TIMES, RANKS, URLS, ["more"]]


def codec(monkeypatch: pytest.MonkeyPatch, switch: str, **options: Any) -> AolCodec:
    """Return a codec with the native path `on` or `off`."""
    monkeypatch.setenv(SWITCH, switch)
    return AolCodec(**options)


def both(monkeypatch: pytest.MonkeyPatch, **options: Any) -> tuple[AolCodec, AolCodec]:
    """Return the codec with and without the native path."""
    return codec(monkeypatch, "on", **options), codec(monkeypatch, "off", **options)


def exact(decoded: Decoded) -> Any:
    """Return what was read with the types of all its values."""
    return [[(type(value), value) for value in query] for query in decoded.queries], decoded.refusals


def made(draw: random.Random) -> str:
    """Return a line in which few fields are unusual, seldom too many or too few."""
    width = draw.choice((3, 4, 5, 5, 5, 5, 5, 5, draw.randrange(7)))
    return "\t".join(column[0] if draw.random() < 0.8 else draw.choice(column) for column in COLUMNS[:width])


@pytest.mark.parametrize("urls", ["host", "full"])
def test_lines_are_read_as_python_reads_them(monkeypatch: pytest.MonkeyPatch, urls: str) -> None:
    draw = random.Random(5)
    native, python = both(monkeypatch, urls=urls)
    read = 0
    for _ in range(1_500):
        lines = [made(draw) for _ in range(draw.choice((1, 3, 20, 40)))]
        found = native.decode(lines, "log", 7)
        assert exact(found) == exact(python.decode(lines, "log", 7))
        assert all(type(query) is Query for query in found.queries)
        read += len(found.queries)
    assert read > 10_000


@given(st.lists(st.text(st.sampled_from("\t\t\t17 -:0e\u00e9\udc80\ufeff\r\n\0"), max_size=40), max_size=12))
@example([HEADER, f"1\tq\t{TIME}", "\ufeff" + HEADER, f"\ufeff1\tq\t{TIME}\t1\thttp://a.com", HEADER])
@example([f"1\t{'x' * (LONGEST_LINE - 22)}\t{TIME}", f"1\t{'x' * (LONGEST_LINE - 21)}\t{TIME}"])
@example([f"1\tq\t{TIME}\t1\t" + "\u00e9" * LONGEST_LINE, f"1\tq\t{TIME}\t1\t" + "\u00e9" * (LONGEST_LINE - 26)])
def test_any_lines_are_read_as_python_reads_them(lines: list[str]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        native, python = both(monkeypatch, longest_query=LONGEST_LINE)
    assert exact(native.decode(lines, "log", 1)) == exact(python.decode(lines, "log", 1))


def test_each_day_is_its_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    native, python = both(monkeypatch)
    days = [date(1, 1, 1) + timedelta(days=day) for day in range(0, 3_652_059, 31)]
    lines = [f"1\tq\t{day} {place % 24:02}:{place % 60:02}:{place % 59:02}" for place, day in enumerate(days)]
    found = NATIVE.read_aol(lines, {}, None, 9, Query)
    assert found == (python.decode(lines, "log", 1).queries, [])
    assert native.decode(lines, "log", 1).queries == found[0]


def test_plain_lines_are_not_left_to_python() -> None:
    lines = [f"7\tcaf\u00e9\t{TIME}", f"7\tq\t{TIME}\t", f"7\tq\t{TIME}\t01\thttp://a.com/x"]
    queries, unusual = NATIVE.read_aol(lines, {}, None, LONGEST_QUERY, Query)
    assert unusual == []
    assert [query[4:] for query in queries] == [(None, None, ()), ("", None, ()), ("1", "http://a.com/x", ())]


def test_equal_users_are_one_text_over_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    native = codec(monkeypatch, "on")
    line = f"{'5' * 12}\tq\t{TIME}"
    first, *others = [query.user for _ in range(3) for query in native.decode([line, f"6\tq\t{TIME}", line], "", 1)[0]]
    assert [user is first for user in others] == [user == first for user in others]


@pytest.mark.parametrize("time", ["trigger", "query"])
@pytest.mark.parametrize("category", ["off", "on"])
def test_releases_are_written_as_python_writes_them(monkeypatch: pytest.MonkeyPatch, time: str, category: str) -> None:
    draw = random.Random(3)
    native, python = both(monkeypatch, time=time, category=category)
    for _ in range(1_500):
        rows = [
            Query("owner", draw.choice(TEXTS), draw.choice(TIMES), 0.0, draw.choice([None, *RANKS]),
                  draw.choice([None, *URLS]), ())
            for _ in range(12)
        ]  # fmt: skip
        usual = [row for row in rows if is_utf8(f"{row.text}{row.time}")]
        further = tuple(draw.sample(usual, draw.randrange(min(3, len(usual) + 1))))
        for some in (rows, usual):
            releases = [Release(draw.choice(USERS), 1, row, 2, draw.choice(some), 9, further) for row in some]
            assert native.encode(iter(releases)) == python.encode(iter(releases))


def test_white_space_at_the_ends_is_cut_as_python_cuts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    native, python = both(monkeypatch)
    signs = [chr(code) for code in range(0x11000) if not 0xD800 <= code < 0xE000]
    rows = [Query("7", f"{sign}a{sign}b{sign}", TIME, 0.0) for sign in signs]
    releases = [Release("8", 1, row, 2, row, 9) for row in rows]
    assert NATIVE.write_aol(releases, False) == python.encode(releases) == native.encode(releases)


@pytest.mark.parametrize("field", [1, 2, 4, 5])
@pytest.mark.parametrize("value", [5, 0, 1.5, b"x", type("Text", (str,), {})("x"), "\udc80"])
def test_releases_of_other_values_are_left_to_python(
    monkeypatch: pytest.MonkeyPatch, field: int, value: object
) -> None:
    native, python = both(monkeypatch)
    query = Query("7", "q", TIME, 0.0, "1", "http://a.com")
    odd = tuple.__new__(Query, [value if place == field else kept for place, kept in enumerate(query)])
    releases = [Release("8", 1, one, 2, one, 9) for one in (query, odd)]
    assert NATIVE.write_aol(releases, False) is None
    if field == 1 and not isinstance(value, str | bytes):
        with pytest.raises(AttributeError):
            native.encode(releases)
    elif field != 1 or isinstance(value, str):
        assert native.encode(releases) == python.encode(releases)


@pytest.mark.parametrize("releases", [[()], [7], [("u",)], [("u", 1, (), 2, (), 9, ())], [("u", 1, 5, 2, 5, 9, ())]])
def test_what_is_no_release_is_no_crash(releases: list[Any]) -> None:
    with suppress(IndexError):
        assert NATIVE.write_aol(releases, False) is None


@pytest.mark.parametrize("arguments", [((), {}, None, 9, Query), ([], [], None, 9, Query), ([], {}, [], 9, Query),
                                       ([], {}, None, -1, Query), ([], {}, None, 9, 7)])  # fmt: skip
def test_arguments_of_other_kinds_are_refused(arguments: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, OverflowError)):
        NATIVE.read_aol(*arguments)


def test_a_class_of_no_tuples_is_refused() -> None:
    with pytest.raises(TypeError):
        NATIVE.read_aol([f"7\tq\t{TIME}"], {}, None, 9, dict)
