"""JSON lines leave with the names that they came with, in one spelling, and with nothing that is not known or safe."""

import re
from datetime import UTC, datetime
from functools import partial
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.codecs.recognize import recognize
from querymix.codecs.spelling import NULL
from querymix.core.errors import ConfigError
from querymix.core.records import Query, Release
from querymix.core.user_ids import normal_user

NAMES = {"user": "uid", "query": "q", "time": "ts", "rank": "pos", "url": "click"}
MARK = "zqx-secret"
LOG = {"user": 142, "query": "made-up text", "time": "2006-03-01 07:17:12"}
AT = 1_141_197_432.0
REASONS = re.compile(
    r"the line is no JSON( object|: [\w ,:'.()\]}-]+ at character \d+)?|the line is JSON that is nested too deeply"
    r"|the record holds more than one line: send each record as a record of its own"
    r"|the line holds a NUL byte|the field '[\w.]+' \(the \w+\) is missing"
    r"|the (user|query|rank|URL) \('[\w.]+'\) is (neither a text nor a whole number|no text)"
    r"|the rank \('[\w.]+'\) is neither a number nor a text"
    r"|the user \('[\w.]+'\) (holds a broken character|is empty)|the time [a-zA-Z0-9 :,()-]+"
    r"|a safe field is nested too deeply"
)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
users = st.one_of(st.integers(-(2**63), 2**64 - 1), texts.map(normal_user).filter(bool))
# Twelve digits may be a date too, and are refused then.
numbers = st.one_of(st.integers(10**9, 10**11), st.integers(10**12, 2**44), st.floats(0, 1e7), st.floats(1e9, 1e11))
dates = partial(st.datetimes, datetime(1970, 1, 1))
times = st.one_of(dates().map(str), dates(timezones=st.just(UTC)).map(datetime.isoformat), numbers)
plain = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**63), 2**64 - 1),
        st.floats(allow_nan=False, allow_infinity=False),
        texts,
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=5,
)
logs = st.fixed_dictionaries(
    {"uid": users, "q": texts, "ts": times},
    optional={
        "pos": st.one_of(st.none(), st.integers(0, 500), texts),
        "click": st.one_of(st.none(), texts),
        "device": plain,
        "market": plain,
        "ip": plain,
        "cookie": plain,
    },
).flatmap(lambda log: st.permutations(list(log.items())).map(dict))


def codec(**options: Any) -> JsonLinesCodec:
    """Return a codec with the operator's own names that leaves URLs whole."""
    return JsonLinesCodec(**({"fields": NAMES, "safe": ["device", "market"], "urls": "full"} | options))


def line_of(log: object) -> str:
    """Write one record."""
    return orjson.dumps(log).decode()


def read(log: object, reader: JsonLinesCodec | None = None) -> Query:
    """Read one record that can be read."""
    queries, refusals = (reader or JsonLinesCodec()).decode([line_of(log)], "log.json", 1)
    assert not refusals, refusals
    (query,) = queries
    return query


def refused(line: str, reader: JsonLinesCodec | None = None) -> str:
    """Return why a line is refused."""
    queries, refusals = (reader or JsonLinesCodec()).decode([line], "log.json", 1)
    assert not queries
    (refusal,) = refusals
    return refusal.reason


def own(query: Query) -> Release:
    """Release a query to its own user at its own time."""
    return Release(query.user, 0, query, 0, query, 21)


@settings(deadline=None)
@given(logs, logs)
def test_a_released_line_has_the_known_and_safe_fields_that_have_a_value_in_one_order(
    one: dict[str, Any], two: dict[str, Any]
) -> None:
    reader = codec()
    query, other = read(one, reader), read(two, reader)
    (line,) = reader.encode([Release(other.user, 0, query, 0, other, 21)])
    released = orjson.loads(line)
    assert list(released) == [name for name in (*NAMES.values(), "device", "market") if name in released]
    assert released["uid"] == str(two["uid"])
    assert released["q"] == one["q"].strip()
    assert 0 <= read(two, reader).at - read(released, reader).at < 1
    for name in ("pos", "click", "device", "market"):
        if one.get(name) in (None, "", [], {}):
            assert name not in released
    for name in ("click", "market"):
        if isinstance(one.get(name), str | bool | int) and one[name] not in NULL:
            assert (released[name], type(released[name])) == (one[name], type(one[name]))


@pytest.mark.parametrize(
    "user",
    [
        "007",
        "\u0661\u0662",
        "123456789012345678901234567890",
        "1_000",
        "+1",
        "-0",
        "u1",
        "0",
        "142",
        "18446744073709551615",
    ],
)
def test_every_user_is_a_text_whatever_it_came_as(user: str) -> None:
    for came in (142, "142", "u1"):
        query = read(LOG | {"user": came})
        (line,) = JsonLinesCodec().encode([Release(user, 0, query, 0, query, 21)])
        assert orjson.loads(line)["user"] == user


def test_unknown_fields_and_those_without_a_value_are_dropped() -> None:
    for log in (LOG, {"ip": "192.0.2.1", "rank": None, **LOG, "url": None}, {"url": "", **LOG, "rank": "NULL"}):
        (line,) = JsonLinesCodec().encode([own(read(log))])
        assert line == '{"user":"142","query":"made-up text","time":"2006-03-01T07:17:12Z"}'


@pytest.mark.parametrize(
    ("rank", "left"),
    [(3, 3), ("3", 3), ("03", 3), (" +3 ", 3), ("3.0", 3), ("-0", 0), ("\u0663", 3), ("top", "top"), ("1e3", "1e3"),
     (2**64 - 1, 2**64 - 1), (f"0{2**64}", f"{2**64}"), ("\u00b2", "\u00b2"), ("", None), ("\\N", None), (" ", None)],
)  # fmt: skip
def test_a_rank_leaves_as_a_number_where_it_is_a_whole_one(rank: str | int, left: str | int | None) -> None:
    (line,) = JsonLinesCodec().encode([own(read(LOG | {"rank": rank}))])
    assert orjson.loads(line).get("rank") == left
    assert JsonLinesCodec().encode([own(read(orjson.loads(line)))]) == [line]


@pytest.mark.parametrize(
    ("time", "at"),
    [
        ("2006-03-01 07:17:12", AT),
        ("2006-03-01T07:17:12Z", AT),
        ("2006-03-01T08:17:12+01:00", AT),
        ("2006-03-01T07:17:12.500", AT + 0.5),
        (1_141_197_432, AT),
        (1_141_197_432.5, AT + 0.5),
        (1_141_197_432_000, AT),
        (1_141_197_432_500.0, AT + 0.5),
        ("1141197432", AT),
    ],
)
def test_a_time_is_read_and_leaves_as_its_second_in_utc(time: object, at: float) -> None:
    query = read(LOG | {"time": time})
    assert query.at == at
    (line,) = JsonLinesCodec().encode([own(query)])
    assert orjson.loads(line)["time"] == "2006-03-01T07:17:12Z"


@pytest.mark.parametrize("time", [None, True, [], {}, "", MARK, "20060301", "2006-02-29 00:00:00"])
def test_any_other_time_is_refused(time: object) -> None:
    reason = refused(line_of(LOG | {"time": time}))
    assert reason.startswith("the time")
    assert REASONS.fullmatch(reason)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (r"golf \ud83d", "golf \ufffd"),
        (r"golf \udd25 clubs", "golf \ufffd clubs"),
        (r"golf \ud83d\ud83d\udd25", "golf \ufffd\U0001f525"),
        (r"golf \\ud83d", r"golf \ud83d"),
        ("golf \udcf0\udc9f\udc94", "golf \ufffd\ufffd\ufffd"),
    ],
)
def test_a_query_cut_inside_a_character_is_read_with_a_sign_in_its_place(query: str, text: str) -> None:
    line = '{"user":142,"query":"%s","time":"2006-03-01 07:17:12"}' % query  # noqa: UP031 - braces
    ((one,), refusals) = JsonLinesCodec().decode([line], "log.json", 1)
    assert not refusals
    assert one.text == text
    JsonLinesCodec().encode([own(one)])[0].encode("utf-8")


@pytest.mark.parametrize("user", [r"a\ud83d", "a\udcff"])
def test_a_user_cut_inside_a_character_is_refused_since_two_might_become_one(user: str) -> None:
    line = '{"user":"%s","query":"golf","time":"2006-03-01 07:17:12"}' % user  # noqa: UP031
    assert refused(line) == "the user ('user') holds a broken character"


def test_a_number_as_a_user_and_the_same_digits_as_a_text_are_one_user_and_a_fraction_is_none() -> None:
    assert read(LOG | {"user": 1}).user == read(LOG | {"user": "1"}).user
    assert read(LOG | {"user": 1.0}).user == "1"
    assert refused(line_of(LOG | {"user": 1.5})).startswith("the user")
    assert refused(line_of(LOG | {"user": 2.0**53})).startswith("the user")
    assert refused('{"user":123456789012345678901234567890,"query":"a","time":0}').startswith("the user")


def test_of_a_field_given_twice_the_last_one_holds_and_one_leaves() -> None:
    line = '{"user":1,"user":2,"query":"golf","time":"2006-03-01 07:17:12"}'
    ((one,), _) = JsonLinesCodec().decode([line], "log.json", 1)
    assert one.user == "2"
    assert JsonLinesCodec().encode([own(one)]) == ['{"user":"2","query":"golf","time":"2006-03-01T07:17:12Z"}']


@pytest.mark.parametrize("begin", ["", '{"user":', '{"a":"\\ud83d","b":'])
def test_a_line_nested_without_end_is_refused(begin: str) -> None:
    assert REASONS.fullmatch(refused(begin + "[" * 20_000))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"user": None}, "the user ('user')"),
        ({"user": ""}, "the user ('user')"),
        ({"user": True}, "the user ('user')"),
        ({"user": 1.5}, "the user ('user')"),
        ({"user": [MARK]}, "the user ('user')"),
        ({"query": None}, "the query ('query')"),
        ({"query": 5}, "the query ('query')"),
        ({"rank": True}, "the rank ('rank')"),
        ({"rank": 1.5}, "the rank ('rank')"),
        ({"rank": {MARK: 1}}, "the rank ('rank')"),
        ({"url": 5}, "the URL ('url')"),
        ({"url": [MARK]}, "the URL ('url')"),
    ],
)
def test_a_field_of_the_wrong_type_is_refused_by_name_and_not_shown(change: dict[str, object], reason: str) -> None:
    found = refused(line_of(LOG | change))
    assert found.startswith(reason)
    assert MARK not in found


@pytest.mark.parametrize("field", ["user", "query", "time"])
def test_a_missing_field_is_named_as_the_operator_names_it(field: str) -> None:
    log = {NAMES[name]: value for name, value in LOG.items() if name != field}
    assert refused(line_of(log), codec()) == f"the field {NAMES[field]!r} (the {field}) is missing"


@pytest.mark.parametrize(
    "line", ["", MARK, "[]", f'"{MARK}"', "null", "{", '{"user":\udc80}', '{"a":"\\ud800"}', "{}\0", "NaN"]
)
def test_what_is_no_json_object_is_refused_and_not_shown(line: str) -> None:
    found = refused(line)
    assert REASONS.fullmatch(found)
    assert MARK not in found


@pytest.mark.parametrize("depth", [100, 300, 900])
def test_a_deep_safe_field_is_released_or_refused_and_never_breaks_the_batch(depth: int) -> None:
    deep = line_of(LOG)[:-1] + ',"device":' + "[" * depth + "]" * depth + "}"
    reader = JsonLinesCodec(safe=["device"])
    queries, refusals = reader.decode([deep, line_of(LOG)], "log.json", 1)
    assert len(queries) + len(refusals) == 2
    assert all(REASONS.fullmatch(refusal.reason) for refusal in refusals)
    assert len(reader.encode(map(own, queries))) == len(queries)


@settings(deadline=None)
@given(st.lists(st.one_of(texts, st.one_of(plain, st.dictionaries(st.sampled_from(list(LOG)), plain)).map(line_of))))
def test_whatever_lines_hold_each_is_read_or_refused_and_nothing_shows(lines: list[str]) -> None:
    queries, refusals = JsonLinesCodec().decode(lines, "log.json", 1)
    assert len(queries) + len(refusals) == len(lines) - sum(line in ("[", "]", ",") for line in lines)
    assert all(REASONS.fullmatch(refusal.reason) for refusal in refusals)
    assert {repr(query) for query in queries} <= {"Query(...)"}
    assert len(JsonLinesCodec().encode(map(own, queries))) == len(queries)


@pytest.mark.parametrize(
    "form", ["[{}\n,{}]", "[\n{},\n{}\n]", "\ufeff[\n  {},\n  {}\n]", "\x1e{}\n\x1e{}", "{} ,\n{} ,"]
)
def test_the_objects_of_an_array_that_has_one_a_line_are_records(form: str) -> None:
    lines = form.replace("{}", line_of(LOG)).split("\n")
    queries, refusals = JsonLinesCodec().decode(lines, "log.json", 1)
    assert queries == [read(LOG)] * 2
    assert not refusals
    assert recognize(lines).format == "json"


def test_no_line_is_a_header() -> None:
    assert not JsonLinesCodec().header('{"user": "AnonID"}')


def test_an_unknown_field_name_is_an_operators_mistake() -> None:
    with pytest.raises(ConfigError, match="unknown field 'usr': the fields that can be named are user, query"):
        JsonLinesCodec(fields={"usr": "uid"})


@pytest.mark.parametrize(("fields", "safe"), [({"user": "query"}, []), ({}, ["user"]), ({}, ["a", "a"])])
def test_one_name_for_two_fields_is_an_operators_mistake(fields: dict[str, str], safe: list[str]) -> None:
    with pytest.raises(ConfigError, match="two fields have the same name"):
        JsonLinesCodec(fields=fields, safe=safe)


# --- fields inside of other objects


def in_objects(record: object, **options: Any) -> str:
    """Release a record to user 77, and return the line."""
    codec = JsonLinesCodec(fields={"user": "user.id", "query": "q.text", "time": "@timestamp"}, **options)
    queries, refusals = codec.decode([orjson.dumps(record).decode()], "log", 1)
    assert not refusals, refusals
    (query,) = queries
    (line,) = codec.encode([Release("77", 1, query, 1, query, 21)])
    return line


def test_a_dotted_name_is_a_field_inside_of_other_objects_and_leaves_there() -> None:
    record = {"host": "x", "@timestamp": "2006-03-01T00:00:00Z", "user": {"agent": "y", "id": "7"}, "q": {"text": "z"}}
    assert in_objects(record) == '{"user":{"id":"77"},"q":{"text":"z"},"@timestamp":"2006-03-01T00:00:00Z"}'


def test_a_name_with_a_dot_in_it_is_that_field_too_and_leaves_inside_of_the_other() -> None:
    record = {"user.id": 7, "q": {"text": "z"}, "@timestamp": "2006-03-01T00:00:00Z"}
    assert in_objects(record) == '{"user":{"id":"77"},"q":{"text":"z"},"@timestamp":"2006-03-01T00:00:00Z"}'


def test_a_safe_field_may_be_inside_of_another_and_the_category_is_added_on_request() -> None:
    record = {"q": {"text": "z", "lang": ["en"]}, "user": {"id": 7}, "@timestamp": "2006-03-01T00:00:00Z"}
    assert in_objects(record, safe=["q.lang"], category="on") == (
        '{"user":{"id":"77"},"q":{"text":"z","lang":["en"]},"@timestamp":"2006-03-01T00:00:00Z","category":"Arts"}'
    )


def test_the_actions_of_a_bulk_request_are_no_records() -> None:
    record = '{"user":7,"query":"z","time":"2006-03-01 00:00:00"}'
    actions = ['{"index":{}}', '{"index":{"_index":"s","_id":"1"}}', '{"create":{"_id":"2","routing":"r"}}']
    queries, refusals = JsonLinesCodec().decode([*actions, record, '{"index":{"user":7}}', '{"index":7}'], "log", 1)
    assert [query.user for query in queries] == ["7"]
    assert [refusal.line for refusal in refusals] == [5, 6]


values = st.sampled_from(
    [1, "1", 1.0, True, " 1", "", None, "a" * 256, "a" * 257, "b" * 2001, 1.5, [], {}, "\ufffd", LOG["time"], 1e9]
)


@settings(deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from([*LOG, "rank", "url"]), values), max_size=9))
def test_a_record_is_read_the_same_whichever_were_read_before_it(changes: list[dict[str, Any]]) -> None:
    lines = [orjson.dumps(LOG | {"user": "1"} | change).decode() for change in changes]
    found = JsonLinesCodec().decode(lines, "made-up", 1)
    alone = [JsonLinesCodec().decode([line], "made-up", number) for number, line in enumerate(lines, 1)]
    assert found.queries == [query for one in alone for query in one.queries]
    assert found.refusals == [refused for one in alone for refused in one.refusals]
    assert {type(query.user) for query in found.queries} <= {str}
