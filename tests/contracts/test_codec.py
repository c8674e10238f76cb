"""What every codec must do (querymix.codecs.base.Codec).

A new codec gets one form in `FORMS`: how it is made, and how a record is written for it. Frames are none: they carry
what any codec has read, which is tested here too.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.codecs.access_log import AccessLogCodec
from querymix.codecs.aol import HEADER, AolCodec
from querymix.codecs.base import LONGEST_LINE, Codec
from querymix.codecs.delimited import DelimitedCodec
from querymix.codecs.frames import decode_classified, encode_classified
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.codecs.spelling import NULL
from querymix.core.errors import ConfigError
from querymix.core.records import MAX_REFUSED, UNCLASSIFIED, Query, Release, each_row
from querymix.core.user_ids import normal_user

from tests.querymix.codecs import test_access_log, test_aol, test_delimited, test_jsonlines

TIME = "2006-03-01 07:17:12"
AT = 1_141_197_432.0
LATER = "2006-03-02 00:00:00"
AT_LATER = 1_141_257_600.0
MARK = "zqx-secret"
NAMES = {"user": "uid", "query": "q", "time": "ts", "rank": "pos", "url": "click"}

Row = tuple[str, str, str, str | None, str | None]
"""User, text, time, rank and URL; None where the record has no such field."""


def tabs(row: Row) -> str:
    return "\t".join(field for field in row if field is not None)


def objects(row: Row, names: Sequence[str], **more: object) -> str:
    record = {name: field for name, field in zip(names, row, strict=True) if field is not None}
    return json.dumps(record | more, separators=(",", ":"), ensure_ascii=False)


def nested(row: Row) -> str:
    names = dict(zip(NAMES, row, strict=True))
    user, query = names.pop("user"), names.pop("query")
    rest = {NAMES[name]: field for name, field in names.items() if field is not None}
    record = {"who": {"uid": user}, "search": {"text": {"q": query}}, **rest}
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


def delimited(row: Row, sign: str) -> str:
    """Write a record of five columns; what is absent is empty."""
    if sign == "\t":
        return "\t".join(field or "" for field in row)
    out = io.StringIO()
    csv.writer(out, delimiter=sign, lineterminator="").writerow([field or "" for field in row])
    return out.getvalue()


def request(row: Row) -> str:
    """Write a request to a web server, in whose URL all but the time stands."""
    places = zip(("uid", "q", "", "pos", "click"), row, strict=True)
    asked = "&".join(f"{name}={quote_plus(field)}" for name, field in places if name and field is not None)
    return f'- - - [{row[2]}] "GET /search?{asked} HTTP/1.1" 200 - "-" "-"'


class Form(NamedTuple):
    """One codec, as it is made and as its records are written."""

    make: Callable[..., Codec]
    """Takes `time`, `urls` and `precision`."""
    write: Callable[[Row], str]
    reasons: re.Pattern[str]
    """All that a refusal may say: there is no room for what the record holds."""
    header: Sequence[str] = ()
    """Lines that name the columns."""
    absent: str | None = None
    """What a field is read as that a record lacks."""
    passed_over: str | None = None
    """A line that is neither a record nor refused."""


FORMS = {
    "aol": Form(AolCodec, tabs, test_aol.REASONS, [HEADER, "AnonID\tQuery\tQueryTime"]),
    "json": Form(JsonLinesCodec, partial(objects, names=tuple(NAMES)), test_jsonlines.REASONS),
    "json, own names": Form(
        partial(JsonLinesCodec, fields=NAMES, safe=["device"]),
        partial(objects, names=tuple(NAMES.values()), device={"a": [1, [None]]}),
        test_jsonlines.REASONS,
    ),
    "json, in other objects": Form(
        partial(JsonLinesCodec, fields=NAMES | {"user": "who.uid", "query": "search.text.q"}),
        nested,
        test_jsonlines.REASONS,
    ),
    "csv": Form(
        partial(DelimitedCodec, tuple(NAMES.values()), fields=NAMES, delimiter=";"),
        partial(delimited, sign=";"),
        test_delimited.REASONS,
        [";".join(NAMES.values()), '"uid"; q;ts ;pos;click'],
        absent="",
        passed_over="",
    ),
    "tsv": Form(
        partial(DelimitedCodec, tuple(NAMES.values()), kind="tsv", fields=NAMES, delimiter="\t"),
        partial(delimited, sign="\t"),
        test_delimited.REASONS,
        ["\t".join(NAMES.values())],
        absent="",
        passed_over="",
    ),
    "access": Form(
        partial(AccessLogCodec, fields={"user": "url.uid", "rank": "url.pos", "url": "url.click"}),
        request,
        test_access_log.REASONS,
        absent=None,
        passed_over="",
    ),
}
CLICK = ("3", "http://example.com")

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r\0\ufeff"))
users = words.map(normal_user).filter(lambda user: user not in ("", "AnonID", "-", "uid") and "\ufffd" not in user)
rows: st.SearchStrategy[Row] = st.tuples(
    users,
    words.map(str.strip),
    st.datetimes(datetime(1970, 1, 1)).map(lambda moment: moment.isoformat(sep=" ", timespec="seconds")),
    st.integers(0, 99_999).map(str),
    words,
)
tab_parts = st.sampled_from([*"\t\t\t\t17-", TIME, TIME, "zqx", "\0", "\n", "\udc80", "\ufeff", "http://zqx/"])
json_parts = st.sampled_from([*'{}[]":,17', TIME, "zqx", "\0", "\r", "\udc80", "\\ud83d"])
lines = st.one_of(
    st.lists(tab_parts).map("".join),
    st.lists(json_parts).map("".join),
    rows.map(tabs),
    rows.map(FORMS["json"].write),
    rows.map(FORMS["json, own names"].write),
)


@pytest.fixture(params=FORMS)
def form(request: pytest.FixtureRequest) -> Form:
    return FORMS[request.param]


def read(form: Form, row: Row, **options: Any) -> Query:
    """Read one record that can be read."""
    queries, refusals = form.make(**options).decode([form.write(row)], "log", 1)
    assert not refusals, refusals
    (query,) = queries
    return query


def released(form: Form, release: Release, **options: Any) -> list[Query]:
    """Return what a release reads as, once it was written."""
    codec = form.make(**options)
    queries, refusals = codec.decode(codec.encode([release]), "released", 1)
    assert not refusals
    return queries


def said(query: Query) -> tuple[object, ...]:
    """Return what a query says, without how it was written."""
    rank, url = ("" if value in (None, *NULL) else str(value) for value in query[4:6])
    return query.user, query.text, query.at // 1, int(rank) if rank else None, url, query.extra


def own(query: Query) -> Release:
    """Release a query to its own user at its own time."""
    return Release(query.user, 0, query, 0, query, 21)


@pytest.mark.parametrize("name", FORMS)
@settings(deadline=None, max_examples=50)
@given(row=rows)
def test_a_record_is_read_as_it_was_written_and_leaves_so(name: str, row: Row) -> None:
    query = read(FORMS[name], row, urls="full")
    assert query[:3] + query[4:6] == row
    (out,) = released(FORMS[name], own(query), urls="full")
    assert said(out) == said(query)


@pytest.mark.parametrize("clicked", [(None, None), ("3", None), ("", ""), CLICK])
def test_absent_and_empty_fields_leave_alike(form: Form, clicked: tuple[str | None, str | None]) -> None:
    query = read(form, ("142", "made-up text", TIME, *clicked))
    expected = [form.absent if field is None else field for field in clicked]
    assert query[:6] == ("142", "made-up text", TIME, AT, *expected)
    (out,) = released(form, own(query))
    assert said(out) == said(query)
    filled = form.write(("142", "made-up text", TIME, clicked[0] or "", clicked[1] or ""))
    assert form.make().encode(map(own, form.make().decode([filled], "", 1).queries)) == form.make().encode([own(query)])


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/a/zqx",
        "http://example.com?zqx",
        "http://example.com#zqx",
        "http://zqx:word@example.com",
        "http://zqx@example.com",
        "http://example.com:8080",
    ],
)
def test_a_click_is_cut_to_scheme_and_host_unless_it_is_asked_for_in_full(form: Form, url: str) -> None:
    row = ("142", "made-up text", TIME, "1", url)
    cut, whole = read(form, row), read(form, row, urls="full")
    assert (cut.url, whole.url) == ("http://example.com", url)
    assert cut._replace(url=None) == whole._replace(url=None)


@pytest.mark.parametrize("url", ["example.com/zqx", "example.com?to=http://zqx.org", "example.com:80"])
def test_a_click_without_a_scheme_is_cut_to_its_host(form: Form, url: str) -> None:
    assert read(form, ("142", "made-up text", TIME, "1", url)).url == "example.com"


def test_the_released_time_is_the_triggers_or_the_querys_own(form: Form) -> None:
    release = Release("3", 0, read(form, ("1", "one", TIME, *CLICK)), 0, read(form, ("2", "two", LATER, *CLICK)), 21)
    assert [query.at for query in released(form, release)] == [AT_LATER]
    assert [query.at for query in released(form, release, time="query")] == [AT]


def test_a_released_time_is_cut_to_the_grid_that_is_asked_for(form: Form) -> None:
    release = Release("3", 0, read(form, ("1", "one", LATER, *CLICK)), 0, read(form, ("2", "two", TIME, *CLICK)), 21)
    assert [query.at for query in released(form, release, precision=3600)] == [AT // 3600 * 3600]


def test_the_owner_and_the_trigger_do_not_leave_but_for_its_time(form: Form) -> None:
    query = read(form, ("owner", "one", TIME, "2", "http://example.com"))
    trigger = read(form, ("asker", "two", LATER, "9", "http://example.org"))
    (line,) = form.make().encode([Release("3", 0, query, 0, trigger, 21)])
    alone = read(form, ("3", "one", LATER, "2", "http://example.com"))
    assert [line] == form.make().encode([own(alone)])


@pytest.mark.parametrize("policy", ["trigger", "query"])
def test_the_rows_of_a_query_are_lines_of_their_own_one_after_the_other(form: Form, policy: str) -> None:
    first, second, third = (
        read(form, (f"{n}", f"text {n}", f"2006-03-0{n} 07:17:12", f"{n}", "http://a.example")) for n in (1, 2, 3)
    )
    trigger = read(form, ("9", "other", "2006-03-09 07:17:12", None, None))
    releases = [
        Release("ann", 0, first, 0, trigger, 20, (second, third)),
        Release("bob", 0, second, 0, trigger, 20),
    ]
    codec = form.make(time=policy)
    written = codec.encode(releases)
    assert written == codec.encode(each_row(releases))
    assert [query[:2] for query in codec.decode(written, "released", 1).queries] == [
        ("ann", "text 1"), ("ann", "text 2"), ("ann", "text 3"), ("bob", "text 2"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
@settings(deadline=None, max_examples=50)
@given(one=rows, two=rows)
def test_any_user_can_get_any_query_without_changing_it(name: str, one: Row, two: Row) -> None:
    query, other = read(FORMS[name], one, urls="full"), read(FORMS[name], two, urls="full")
    (out,) = released(FORMS[name], Release(other.user, 0, query, 0, other, 21), urls="full")
    assert said(out) == said(query._replace(user=two[0], at=other.at))


@pytest.mark.parametrize("name", FORMS)
@settings(deadline=None, max_examples=20)
@given(row=rows)
def test_each_line_of_a_session_names_its_own_category(name: str, row: Row) -> None:
    codec, query = FORMS[name].make(category="on"), read(FORMS[name], row)
    session = Release("bob", (1, 3), query, 1, query, 21, (query,), 0.0, (1, UNCLASSIFIED))
    alone = [Release("bob", 1, query, pool, query, 21) for pool in (1, UNCLASSIFIED)]
    assert codec.encode([session]) == codec.encode(alone)
    assert len(set(codec.encode([session]))) == 2


@pytest.mark.parametrize("name", FORMS)
@settings(deadline=None, max_examples=50)
@given(row=rows)
def test_what_went_through_a_frame_is_written_as_what_did_not(name: str, row: Row) -> None:
    codec, query = FORMS[name].make(), read(FORMS[name], row)
    category, queries, _ = decode_classified(encode_classified(3, [query], codec.format), codec.format)
    assert (category, queries) == (3, [query])
    assert codec.encode(map(own, queries)) == codec.encode([own(query)])


def test_a_frame_of_another_codecs_records_is_refused(form: Form) -> None:
    codec = form.make()
    frame = encode_classified(3, [read(form, ("1", "one", TIME, None, None))], codec.format)
    others = {other.make().format for other in FORMS.values()} - {codec.format}
    assert len(others) == len(FORMS) - 1
    for other in others:
        with pytest.raises(ConfigError, match="cannot be written as"):
            decode_classified(frame, other)


def test_a_header_is_no_record_on_any_line_and_in_any_width(form: Form) -> None:
    codec, line = form.make(), form.write(("1", "one", TIME, "", ""))
    queries, refusals = codec.decode([*form.header, line, *form.header, line], "log", 1)
    assert [query.user for query in queries] == ["1", "1"]
    assert not refusals
    assert all(map(codec.header, form.header))
    assert not codec.header(line)


def test_a_byte_order_mark_before_a_line_is_no_part_of_it(form: Form) -> None:
    line = form.write(("1", "one", TIME, *CLICK))
    queries, refusals = form.make().decode(
        [f"\ufeff{line}", line, *(f"\ufeff{head}" for head in form.header)], "log", 1
    )
    assert len(queries) == 2
    assert queries[0] == queries[1]
    assert not refusals


def test_bad_lines_do_not_stop_the_lines_after_them(form: Form) -> None:
    good = form.write(("1", "one", TIME, "", ""))
    queries, refusals = form.make().decode([MARK, good, "", good, f"{MARK}\t"], "log.tsv", 11)
    assert len(queries) == 2
    bad = (11, 15) if form.passed_over == "" else (11, 13, 15)
    assert [(refusal.source, refusal.line) for refusal in refusals] == [("log.tsv", n) for n in bad]
    assert all(form.reasons.fullmatch(refusal.reason) for refusal in refusals)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_line_end_inside_a_record_is_refused_since_it_would_come_out_as_two_lines(form: Form, end: str) -> None:
    good = form.write(("1", "one", TIME, *CLICK))
    for line in (
        f"{good}{end}",
        good.replace("one", f"one{end}two"),
        f"{good}{end}{good}",
        good.replace("1", f"1{end}", 1),
    ):
        assert "more than one line" in refused(form, line)


def test_a_nul_or_an_overlong_line_is_refused(form: Form) -> None:
    good = form.write(("1", "one", TIME, *CLICK))
    assert refused(form, f"{good}\0") == "the line holds a NUL byte"
    assert refused(form, good.replace("one", "\0")) == "the line holds a NUL byte"
    assert "longer than" in refused(form, good.replace("one", MARK * LONGEST_LINE))


def refused(form: Form, line: str) -> str:
    """Return why a line is refused."""
    queries, refusals = form.make().decode([line], "log", 1)
    assert not queries
    (refusal,) = refusals
    return refusal.reason


@pytest.mark.parametrize("name", FORMS)
@settings(deadline=None, max_examples=200)
@given(some=st.lists(lines), first=st.integers(1, 9))
def test_whatever_lines_hold_each_is_read_or_refused_in_order_and_nothing_shows(
    name: str, some: list[str], first: int
) -> None:
    codec = FORMS[name].make()
    queries, refusals = codec.decode(some, "log", first)
    numbers = [refusal.line for refusal in refusals]
    assert numbers == sorted(set(numbers))
    assert len(queries) + len(refusals) <= len(some)
    if name in ("aol", "json", "json, own names"):  # elsewhere a line may be passed over, or go on with the next one
        assert len(queries) + len(refusals) == sum(not codec.header(line) for line in some)
    for refusal in refusals:
        line = some[refusal.line - first]
        assert FORMS[name].reasons.fullmatch(refusal.reason)
        assert refusal.raw == line.encode("utf-8", "surrogateescape")[:MAX_REFUSED]
        assert repr(refusal) == f"Refusal(log:{refusal.line}: {refusal.reason})"
    assert {repr(query) for query in queries} <= {"Query(...)"}
    assert len(codec.encode(map(own, queries))) == len(queries)


def test_no_record_shows_a_query_or_a_user(form: Form) -> None:
    query = read(form, ("somebody", MARK, TIME, "1", f"http://{MARK}.example/"))
    for shown in (repr(query), str(query), repr(own(query)), f"{own(query)}", repr([own(query)])):
        assert MARK not in shown
        assert "somebody" not in shown


@pytest.mark.parametrize("name", FORMS)
def test_the_spellings_of_a_user_id_are_one_user_in_its_normal_form_and_an_empty_one_is_refused(name: str) -> None:
    form = FORMS[name]
    spellings = [
        "ann\u00e9",
        " ann\u00e9",
        "anne\u0301 ",
        "\u200bann\u00e9",
        "\u3000ann\u00e9\u00a0",
        "ann\u00ad\u00e9",
    ]
    lines = [form.write((user, "golf", "2006-03-01 07:17:12", "1", "")) for user in spellings]
    for some in (lines, lines * 3):  # few are read one by one, many at once
        queries, refusals = form.make().decode(some, "log", 1)
        assert {query.user for query in queries} == {"ann\u00e9"}
        assert not refusals
    empty = [form.write((user, "golf", "2006-03-01 07:17:12", "1", "")) for user in (" ", "\u200b")]
    queries, refusals = form.make().decode(empty * 8, "log", 1)
    assert not queries
    assert all("is empty" in refusal.reason for refusal in refusals)
