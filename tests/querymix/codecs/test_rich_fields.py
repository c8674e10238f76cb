"""Lists of results and clicks: read from a producer's own names, refused where they are wrong, and left in one form."""

import json
from collections import namedtuple
from datetime import UTC, datetime
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.codecs.base import LONGEST_LINE, UnreadableRecordError
from querymix.codecs.delimited import DelimitedCodec
from querymix.codecs.fields import NamedFields
from querymix.codecs.frames import decode_classified, encode_classified
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.codecs.objects import PLACES, ObjectCodec
from querymix.codecs.rich_fields import MOST_ELEMENTS, RICH_NAMES, flat_names
from querymix.core.errors import ConfigError
from querymix.core.records import Query, Release
from querymix.core.rich import Click, Result, Rich, rich_of, with_rich

from tests.querymix.codecs.test_jsonlines import line_of

RICH_FIELDS: Final = {
    "user": "user.id", "query": "q", "time": "ts",
    "results": "serp.items", "results.url": "link", "results.rank": "pos", "results.shown": "visible",
    "results.clicked": "clicked", "results.title": "title",
    "clicks": "clicks", "clicks.url": "href", "clicks.rank": "pos", "clicks.time": "ts", "clicks.dwell": "dwell_ms",
}  # fmt: skip
MARK: Final = "zqx-secret"
AT: Final = 1_141_197_432.0
LOG: Final = {"user": {"id": "7"}, "q": "red shoes", "ts": "2006-03-01T07:17:12Z"}
RESULT: Final = {"link": "http://www.a.example/b?c", "pos": 1, "visible": True, "clicked": False, "title": "Shoes"}
CLICK: Final = {"href": "http://www.a.example/b?c", "pos": 1, "ts": "2006-03-01T07:17:20Z", "dwell_ms": 3999}


def codec(**options: Any) -> JsonLinesCodec:
    return JsonLinesCodec(**({"fields": RICH_FIELDS} | options))


def rich_log(results: object = (), clicks: object = (), **more: Any) -> dict[str, Any]:
    return {**LOG, "serp": {"items": results, "took": 3}, "clicks": clicks, **more}


def read(log: dict[str, Any], reader: JsonLinesCodec | None = None) -> Query:
    decoded = (reader or codec()).decode([line_of(log)], "log.json", 1)
    assert not decoded.refusals, decoded.refusals
    return decoded.queries[0]


def refused(log: dict[str, Any] | str, reader: JsonLinesCodec | None = None) -> str:
    line = log if isinstance(log, str) else line_of(log)
    decoded = (reader or codec()).decode([line], "log.json", 1)
    assert not decoded.queries
    return decoded.refusals[0].reason


def written(query: Query, writer: JsonLinesCodec | None = None) -> str:
    (line,) = (writer or codec()).encode([Release("9", 0, query, 0, query, 21)])
    return line


def test_the_named_fields_of_results_and_clicks_are_read_and_no_others() -> None:
    query = read(rich_log([{**RESULT, "kind": MARK}, {"pos": 2}], [{**CLICK, "mouse": MARK}]))
    assert rich_of(query) == Rich(
        (Result("http://www.a.example", 1, True, False, "Shoes"), Result(None, 2, None, None)),
        (Click("http://www.a.example", 1, 8, 3),),
    )
    assert MARK not in str(tuple(query))


def test_they_leave_under_the_producers_names_in_the_same_nesting_and_in_one_order() -> None:
    log = rich_log([dict(reversed(RESULT.items())), {}], [CLICK], device="mobile")
    line = written(read(log, codec(safe=["device"])), codec(safe=["device"]))
    assert line == (
        '{"user":{"id":"9"},"q":"red shoes","ts":"2006-03-01T07:17:12Z","serp":{"items":[{"link":"http://www.a.example",'
        '"pos":1,"visible":true,"clicked":false,"title":"Shoes"},{}]},"clicks":[{"href":"http://www.a.example","pos":1,'
        '"ts":8,"dwell_ms":3000}],"device":"mobile"}'
    )


def test_no_time_of_a_click_leaves_as_a_time_of_day() -> None:
    for at in ("2006-03-01 07:18:00", "2006-03-01T08:18:00+01:00", AT + 48, str(int(AT) + 48), (AT + 48.9) * 1000):
        assert rich_of(read(rich_log([], [{"ts": at}]))) == Rich((), (Click(None, None, 48, None),))


@pytest.mark.parametrize(
    ("value", "offset"),
    [(0, 0), (7, 7), ("7", 7), (7.9, 7), (86_400, 86_400), (-3, 0), (AT - 60, 0), (AT + 86_400, 86_400), ("", None)],
)
def test_a_click_time_may_be_an_offset_already(value: object, offset: int | None) -> None:
    rich = rich_of(read(rich_log([], [{"ts": value, "pos": 1}])))
    assert rich is not None
    assert rich.clicks[0].offset == offset


@pytest.mark.parametrize("value", [AT - 61, AT + 86_401, -61, "2006-02-28T00:00:00Z", "2007-03-01T07:17:12Z"])
def test_a_click_before_its_query_or_more_than_a_day_later_is_refused(value: object) -> None:
    reason = refused(rich_log([], [{"ts": value}]))
    assert reason.startswith("the time of a click ('clicks.ts') is ")
    assert "the query" in reason


@pytest.mark.parametrize(
    ("field", "value", "key", "found"),
    [
        ("pos", "03", "rank", 3),
        ("pos", 3.0, "rank", 3),
        ("pos", " 4 ", "rank", 4),
        ("pos", "NULL", "rank", None),
        ("pos", 2**64 - 1, "rank", 2**64 - 1),
        ("visible", 1, "shown", True),
        ("visible", 0, "shown", False),
        ("visible", "TRUE", "shown", True),
        ("visible", "0", "shown", False),
        ("visible", "", "shown", None),
        ("clicked", 1.0, "clicked", True),
        ("title", "  Shoes ", "title", "Shoes"),
        ("title", "\\N", "title", None),
        ("title", "\ud800x", "title", "\ufffdx"),
        ("link", " http://b.example/x ", "url", "http://b.example"),
        ("link", None, "url", None),
    ],
)
def test_a_value_that_says_the_same_is_the_same(field: str, value: object, key: str, found: object) -> None:
    line = json.dumps(rich_log([{"kind": 1, field: value}, {"pos": 1}]))
    decoded = codec().decode([line], "log.json", 1)
    assert not decoded.refusals
    rich = rich_of(decoded.queries[0])
    assert rich is not None
    assert getattr(rich.results[0], key) == found
    assert type(getattr(rich.results[0], key)) is type(found)


@pytest.mark.parametrize(
    ("results", "clicks", "reason"),
    [
        (MARK, [], "the results ('serp.items') are no list"),
        ({"link": MARK}, [], "the results ('serp.items') are no list"),
        (7, [], "the results ('serp.items') are no list"),
        ([], {"0": MARK}, "the clicks ('clicks') are no list"),
        ([RESULT, MARK], [], "one of the results ('serp.items') is no object"),
        ([RESULT, None], [], "one of the results ('serp.items') is no object"),
        ([], [[CLICK]], "one of the clicks ('clicks') is no object"),
        ([RESULT] * (MOST_ELEMENTS + 1), [], "the results ('serp.items') are more than 200"),
        ([{"link": [MARK]}], [], "the URL of a result ('serp.items.link') is no text"),
        ([{"link": 7}], [], "the URL of a result ('serp.items.link') is no text"),
        ([{"title": {"en": MARK}}], [], "the title of a result ('serp.items.title') is no text"),
        ([{"pos": MARK}], [], "the rank of a result ('serp.items.pos') is no whole number, or one beyond 64 bits"),
        ([{"pos": 1.5}], [], "the rank of a result ('serp.items.pos') is no whole number, or one beyond 64 bits"),
        ([{"pos": True}], [], "the rank of a result ('serp.items.pos') is no whole number, or one beyond 64 bits"),
        ([{"pos": "9" * 20}], [], "the rank of a result ('serp.items.pos') is a number beyond 64 bits"),
        ([{"visible": MARK}], [], "the flag 'shown' of a result ('serp.items.visible') is neither true nor false"),
        ([{"clicked": 2}], [], "the flag 'clicked' of a result ('serp.items.clicked') is neither true nor false"),
        ([{"clicked": [True]}], [], "the flag 'clicked' of a result ('serp.items.clicked') is neither true nor false"),
        ([], [{"dwell_ms": -1}], "the dwell of a click ('clicks.dwell_ms') is below 0"),
        ([], [{"dwell_ms": MARK}], "the dwell of a click ('clicks.dwell_ms') is no number"),
        ([], [{"dwell_ms": True}], "the dwell of a click ('clicks.dwell_ms') is no number"),
        ([], [{"pos": {}}], "the rank of a click ('clicks.pos') is no whole number, or one beyond 64 bits"),
    ],
)
def test_what_is_of_another_type_is_refused_with_its_field_and_rule(results: Any, clicks: Any, reason: str) -> None:
    assert refused(rich_log(results, clicks)) == reason


@pytest.mark.parametrize("value", [MARK, [MARK], {"at": MARK}, True, "03/01/2006", "20060301"])
def test_a_click_time_that_cannot_be_read_is_refused_by_the_rule_of_times(value: object) -> None:
    reason = refused(rich_log([], [{"ts": value}]))
    assert reason.startswith("the time of a click ('clicks.ts') cannot be read: the time ")
    assert MARK not in reason


def test_a_rank_of_more_than_64_bits_is_refused_where_json_has_one() -> None:
    line = line_of(rich_log([{"pos": 1}])).replace('"pos":1', f'"pos":{2**70}')
    assert refused(line) == "the rank of a result ('serp.items.pos') is no whole number, or one beyond 64 bits"


@pytest.mark.parametrize(
    "log",
    [
        LOG,
        {**LOG, "serp": None},
        {**LOG, "serp": MARK},
        {**LOG, "serp": {}},
        {**LOG, "serp": [{"items": [RESULT]}]},
        rich_log(),
        rich_log(None, None),
        rich_log("", "NULL"),
        rich_log([{}, {"other": MARK}], [{"pos": None}]),
    ],
)
def test_what_is_absent_null_or_empty_is_not_there_and_the_query_leaves(log: dict[str, Any]) -> None:
    query = read(log)
    assert query.extra == ()
    assert written(query) == '{"user":{"id":"9"},"q":"red shoes","ts":"2006-03-01T07:17:12Z"}'


def test_a_list_that_is_nested_too_deeply_is_refused() -> None:
    line = line_of(rich_log()).replace('"clicks":[]', '"clicks":' + "[" * 3000 + "]" * 3000)
    assert refused(line).startswith("the line is ")
    deep = line_of(rich_log()).replace('"clicks":[]', '"clicks":[{"mouse":' + "[" * 500 + "]" * 500 + ',"pos":2}]')
    assert rich_of(codec().decode([deep], "x", 1).queries[0]) == Rich((), (Click(None, 2, None, None),))


def test_of_a_key_that_is_there_twice_the_last_is_read() -> None:
    line = line_of(rich_log()).replace('"clicks":[]', '"clicks":[{"pos":1}],"clicks":[{"pos":2,"pos":3}]')
    assert rich_of(codec().decode([line], "x", 1).queries[0]) == Rich((), (Click(None, 3, None, None),))


def test_of_a_result_whose_host_is_not_certain_neither_url_nor_title_leaves() -> None:
    results = [{"link": "http://127.0.0.1/secret", "title": MARK, "pos": 1}, {"title": "Shoes"}]
    rich = rich_of(read(rich_log(results)))
    assert rich == Rich((Result(None, 1, None, None), Result(None, None, None, None, "Shoes")), ())


@pytest.mark.parametrize("urls", ["full", "crowd"])
def test_urls_stay_whole_where_all_of_them_or_a_crowd_decides(urls: str) -> None:
    rich = rich_of(read(rich_log([RESULT], [CLICK]), codec(urls=urls)))
    assert rich is not None
    assert (rich.results[0].url, rich.clicks[0].url) == (RESULT["link"], CLICK["href"])


def test_names_inside_of_elements_may_have_dots() -> None:
    names = {**LOG_NAMES, "results": "r", "results.url": "doc.link", "results.rank": "doc.pos", "results.title": "t"}
    reader = JsonLinesCodec(fields=names)
    log = {"u": "7", "q": "x", "t": "2006-03-01T07:17:12Z", "r": [{"doc": {"link": "http://a.example/b", "pos": 2}}]}
    assert json.loads(written(read(log, reader), reader))["r"] == [{"doc": {"link": "http://a.example", "pos": 2}}]
    log["r"] = [{"doc.link": "http://a.example/b", "doc": 7, "t": "T"}]
    assert json.loads(written(read(log, reader), reader))["r"] == [{"doc": {"link": "http://a.example"}, "t": "T"}]


LOG_NAMES: Final = {"user": "u", "query": "q", "time": "t"}


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ({"results.url": "link"}, "the list of results is not named: add results=NAME to --fields"),
        ({"clicks.dwell_unit": "ms"}, "the list of clicks is not named"),
        ({"results": "items"}, "nothing of the results is named"),
        ({"results": "items", "results.link": "x"}, "unknown field 'results.link'"),
        ({"clicks": "c", "clicks.shown": "x"}, "unknown field 'clicks.shown'"),
        ({"results": "items", "results.url": "x", "results.title": "x"}, "two fields of results have the same name"),
        ({"results": "items", "results.url": "x", "clicks": "items", "clicks.url": "x"}, "two fields have the same"),
        ({"results": "u", "results.url": "x"}, "two fields have the same name"),
        ({"clicks": "c", "clicks.dwell": "stay"}, "clicks.dwell=stay does not say whether it is seconds or millisec"),
        ({"clicks": "c", "clicks.dwell": "stay", "clicks.dwell_unit": "h"}, "add clicks.dwell_unit=s or clicks.dwell"),
        ({"clicks": "c", "clicks.url": "u", "clicks.dwell_unit": "ms"}, "clicks.dwell_unit is given without clicks.d"),
        ({"results": "", "results.url": "x"}, "the list of results is not named"),
        ({"clicks": "c", "clicks.url": ""}, "'' is no name of a field of clicks"),
    ],
)
def test_a_mapping_that_is_wrong_is_refused_with_what_to_do(names: dict[str, str], says: str) -> None:
    with pytest.raises(ConfigError) as error:
        JsonLinesCodec(fields=LOG_NAMES | names)
    assert says in str(error.value)


def test_a_safe_field_that_holds_a_list_is_refused_since_all_of_the_list_would_leave() -> None:
    for safe in ("serp", "serp.more"):
        with pytest.raises(ConfigError, match="would leave whole"):
            codec(fields=RICH_FIELDS | {"results": "serp.more.items"}, safe=[safe])
    codec(safe=["serp.took", "serp.item"])


def test_tables_have_no_lists() -> None:
    with pytest.raises(ConfigError, match="only JSON has lists"):
        DelimitedCodec(["user", "query", "time", "r"], fields={"results": "r", "results.url": "x"})


@pytest.mark.parametrize(
    ("name", "unit", "seconds", "leaves"),
    [
        ("dwell_ms", None, 3, 3000),
        ("dwellMs", None, 3, 3000),
        ("dwellMillis", None, 3, 3000),
        ("stay.milliseconds", None, 3, 3000),
        ("dwell_s", None, 3999, 3999),
        ("dwellSeconds", None, 3999, 3999),
        ("stay", "ms", 3, 3000),
        ("stay", "s", 3999, 3999),
        ("dwell_ms", "s", 3999, 3999),
    ],
)
def test_the_name_or_the_unit_says_how_a_dwell_counts(name: str, unit: str | None, seconds: int, leaves: int) -> None:
    names = {**LOG_NAMES, "clicks": "c", "clicks.dwell": name, **({"clicks.dwell_unit": unit} if unit else {})}
    reader = JsonLinesCodec(fields=names)
    log = {"u": "7", "q": "x", "t": "2006-03-01T07:17:12Z", "c": [{name: 3999.5}]}
    query = read(log, reader)
    assert rich_of(query) == Rich((), (Click(None, None, None, seconds),))
    (click,) = json.loads(written(query, reader))["c"]
    while isinstance(click, dict):
        (click,) = click.values()
    assert click == leaves


@pytest.mark.parametrize("name", ["dwell", "dwellms", "milli_seconds", "microSeconds", "items", "7"])
def test_a_name_that_does_not_say_how_a_dwell_counts_needs_its_unit(name: str) -> None:
    with pytest.raises(ConfigError, match="dwell_unit"):
        JsonLinesCodec(fields={"clicks": "c", "clicks.dwell": name})


def test_a_dwell_of_more_than_a_day_is_a_day() -> None:
    assert rich_of(read(rich_log([], [{"dwell_ms": 10**12}]))) == Rich((), (Click(None, None, None, 86_400),))


def test_the_format_names_the_lists_and_is_as_it_was_without_them() -> None:
    assert JsonLinesCodec(fields=LOG_NAMES, safe=["b", "a"]).format == (
        "json user=u query=q time=t rank=rank url=url a b"
    )
    one = {"results": "r", "results.url": "x", "clicks": "c", "clicks.rank": "y"}
    format_ = JsonLinesCodec(fields=LOG_NAMES | one).format
    assert format_ == JsonLinesCodec(fields=dict(reversed(one.items())) | LOG_NAMES).format
    assert format_ != JsonLinesCodec(fields=LOG_NAMES | one | {"clicks.rank": "z"}).format
    assert set(one.items()) <= {tuple(part.split("=")) for part in format_.split(" ")[1:]}


def test_a_table_of_names_inside_of_another_is_that_of_a_list() -> None:
    nested = {"user": "uid", "results": {"list": "serp.items", "url": "link"}, "clicks": {"list": "c", "rank": "p"}}
    flat = {"user": "uid", "results": "serp.items", "results.url": "link", "clicks": "c", "clicks.rank": "p"}
    assert flat_names(nested) == flat == flat_names(flat)
    assert flat_names({"user.list": "u", "results.list": "r"}) == {"user.list": "u", "results": "r"}


elements = st.fixed_dictionaries(
    {},
    optional={
        "link": st.sampled_from(["http://a.example/b", "http://127.0.0.1/", "", None, "x"]),
        "href": st.sampled_from(["http://a.example/b", "ftp://b.example", None]),
        "pos": st.one_of(st.none(), st.integers(-(2**63), 2**64 - 1), st.integers(0, 99).map(str)),
        "visible": st.sampled_from([True, False, None, "true", 0]),
        "clicked": st.booleans(),
        "title": st.one_of(st.none(), st.text(max_size=9)),
        "ts": st.one_of(st.none(), st.integers(0, 86_400), st.integers(int(AT), int(AT) + 86_400)),
        "dwell_ms": st.one_of(st.none(), st.integers(0, 2**40), st.floats(0, 1e12)),
        "other": st.text(max_size=3),
    },
)


@settings(deadline=None)
@given(st.lists(elements, max_size=4), st.lists(elements, max_size=4))
def test_what_is_released_is_read_and_written_as_it_is(
    results: list[dict[str, Any]], clicks: list[dict[str, Any]]
) -> None:
    (query,) = codec().decode([json.dumps(rich_log(results, clicks))], "log.json", 1).queries
    line = written(query)
    released = json.loads(line)
    assert "other" not in line
    for click in released.get("clicks", []):
        assert 0 <= click.get("ts", 0) <= 86_400
        assert click.get("dwell_ms", 0) % 1000 == 0
    (again,) = codec().decode([line], "out.json", 1).queries
    assert written(again) == line
    assert again.extra == query.extra
    category, (back,), _ = decode_classified(encode_classified(3, [query], codec().format), codec().format)
    assert (category, back) == (3, query)
    assert rich_of(back) == rich_of(query)


anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(-1e9, 1e12), st.text()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["link", "pos", "href", "ts", "dwell_ms", "title", "visible"]), inner),
    ),
)


@settings(deadline=None)
@given(anything, anything)
def test_whatever_stands_there_is_read_or_refused_and_the_stream_goes_on(results: Any, clicks: Any) -> None:
    lines = [json.dumps(rich_log(results, clicks)), json.dumps(LOG)]
    decoded = codec().decode(lines, "log.json", 1)
    assert len(decoded.queries) + len(decoded.refusals) == 2
    assert decoded.queries[-1].extra == ()
    for refusal in decoded.refusals:
        assert refusal.reason.split(" (")[0].split(" ")[-1] in ("results", "clicks", "result", "click")
    for query in decoded.queries:
        written(query)


BAD_ROWS: Final = [
    [[["http://a.example", 1, True, False, None]]],
    [[["http://a.example", "1", True, False, None]], []],
    [[["http://a.example", 1, True, False]], []],
    [[], [["http://a.example", 1, "8", None]]],
    [[], [{"ts": 1}]],
    {"results": []},
    7,
]


@pytest.mark.parametrize("rich", BAD_ROWS)
def test_a_frame_of_another_shape_is_none(rich: object) -> None:
    frame = encode_classified(3, [Query("7", "x", 0, 0.0, None, None, ((), (), rich))], "json")
    with pytest.raises(ValueError, match="not a frame"):
        decode_classified(frame)


def test_what_0_5_0_held_has_no_lists() -> None:
    assert rich_of(Query("7", "x", 0, 0.0, None, None, (False, ("user", "q"), (), ("a", "b"), 3))) is None


def objects(**options: Any) -> ObjectCodec:
    names = {"user": "uid", "query": "q", "time": "ts", "results": "r", "results.url": "url", "results.rank": "pos",
             "clicks": "c", "clicks.time": "at", "clicks.rank": "doc.pos"}  # fmt: skip
    places = {**PLACES, "results": 5, "results.url": "url", "results.rank": "pos"}
    return ObjectCodec(NamedFields(fields=names, **options), NamedFields(fields=places, **options))


class Array:
    """What a dataframe holds where a cell is a list."""

    def __init__(self, values: list[Any]) -> None:
        self._values = values

    def tolist(self) -> list[Any]:
        return self._values


def of_object(record: Any) -> tuple[Rich | None, Any]:
    codec = objects(safe=[])
    query = codec.read(record)
    (released,) = codec.write([Release("9", 0, query, 0, query, 21)])
    return rich_of(query), released


@pytest.mark.parametrize("kind", [list, tuple, Array])
def test_objects_have_lists_tuples_or_arrays_of_mappings(kind: Any) -> None:
    results = kind([{"url": "http://a.example/b", "pos": 1.0, "other": MARK}, {"pos": float("nan")}])
    clicks = kind([{"at": datetime(2006, 3, 1, 7, 17, 20, tzinfo=UTC), "doc": {"pos": 2}}])
    rich, released = of_object({"uid": 7, "q": "x", "ts": AT, "r": results, "c": clicks})
    assert rich == Rich(
        (Result("http://a.example", 1, None, None), Result(None, None, None, None)), (Click(None, 2, 8, None),)
    )
    assert released["r"] == [{"url": "http://a.example", "pos": 1}, {}]
    assert released["c"] == [{"at": 8, "doc": {"pos": 2}}]


def test_a_named_tuple_and_a_tuple_keep_their_shape() -> None:
    row = namedtuple("row", "uid q ts r c")
    rich, released = of_object(row(7, "x", AT, [{"pos": 1}], float("nan")))
    assert rich == Rich((Result(None, 1, None, None),), ())
    assert (type(released).__name__, released.r, released.c) == ("row", [{"pos": 1}], None)
    rich, released = of_object((7, "x", AT, None, None, [{"pos": 1, "other": MARK}]))
    assert rich == Rich((Result(None, 1, None, None),), ())
    assert released[5] == [{"pos": 1}]


@pytest.mark.parametrize(
    ("results", "says"),
    [
        (MARK, "are no list"),
        (7, "are no list"),
        ([MARK], "is no object"),
        ([{"pos": 10**400}], "beyond 64 bits"),
        ([{"url": "x" * (LONGEST_LINE + 1)}], "characters"),
        ([{"url": object()}], "is no text"),
    ],
)
def test_an_object_whose_list_is_wrong_is_refused(results: object, says: str) -> None:
    with pytest.raises(UnreadableRecordError, match=says):
        objects().read({"uid": 7, "q": "x", "ts": AT, "r": results})


def test_a_list_leaves_with_what_a_rule_has_left_of_it() -> None:
    query = read(rich_log([RESULT], [CLICK]))
    emptied = with_rich(query, Rich((Result(None, None, None, None),), ()))
    assert written(emptied) == '{"user":{"id":"9"},"q":"red shoes","ts":"2006-03-01T07:17:12Z"}'


def test_each_name_of_a_list_is_one_that_can_be_given() -> None:
    assert set(RICH_FIELDS) - {"user", "query", "time"} <= set(RICH_NAMES)
