"""Lines that say the same leave as the same bytes, whichever program wrote them, and are read and written as they are.

A codec gets one entry in `WRITERS`: it writes a record in a spelling that `pick` chooses.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.codecs.access_log import AccessLogCodec
from querymix.codecs.aol import HEADER, AolCodec
from querymix.codecs.base import Codec
from querymix.codecs.delimited import DelimitedCodec
from querymix.codecs.fields import NamedFields
from querymix.codecs.frames import decode_classified, encode_classified
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.codecs.objects import PLACES, ObjectCodec
from querymix.core.records import Query, Release
from querymix.core.user_ids import normal_user


class Said(NamedTuple):
    """What a record says."""

    user: str
    text: str
    at: int
    rank: int | None
    host: str | None
    safe: dict[str, Any] | None


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r\0\ufeff"))
users = st.one_of(st.integers(0, 10**9).map(str), words.map(normal_user)).filter(
    lambda user: user not in ("", "AnonID", "-", "uid") and "\ufffd" not in user
)
records = st.builds(
    Said,
    users,
    words,
    st.integers(1_000_000_000, 4_000_000_000),
    st.one_of(st.none(), st.integers(0, 500)),
    st.one_of(st.none(), st.sampled_from(["http://example.com", "https://b.example.org"])),
    st.one_of(st.none(), st.just({"os": {"a": 1, "b": [1, "x"]}, "v": 2})),
)


def a_time(at: int, pick: Random) -> Any:
    moment = datetime.fromtimestamp(at, UTC)
    there = moment.astimezone(timezone(timedelta(minutes=pick.choice([-300, 0, 60, 330]))))
    return pick.choice(
        [
            at,
            at * 1000 + pick.randrange(1000),
            float(at) + pick.choice([0.0, 0.5]),
            str(at),
            f"{moment:%Y-%m-%d %H:%M:%S}",
            f"{moment:%Y/%m/%d %H:%M:%S}",
            f" {moment:%Y-%m-%dT%H:%M:%S.25}z ",
            there.isoformat(),
            f"{there:%d/%b/%Y:%H:%M:%S %z}",
        ]
    )


def a_text(text: str, pick: Random) -> str:
    return pick.choice(["", " ", "  "]) + text + pick.choice(["", " "])


def a_rank(rank: int | None, pick: Random) -> object:
    return pick.choice([None, "", "NULL", "\\N"] if rank is None else [rank, str(rank), f"0{rank}", f" {rank} "])


def a_url(host: str | None, pick: Random) -> str | None:
    if host is None:
        return pick.choice([None, "", "NULL"])
    return pick.choice([host, f"{host}/path?q=1", host.upper() + ":8080/", f"{host}./", f"{host}#top"])


def as_json(value: object, pick: Random) -> str:
    ascii_only, space = pick.random() < 0.5, pick.choice(["", " "])
    return json.dumps(value, ensure_ascii=ascii_only, separators=(f"{space},{space}", f":{space}"))


def mixed(fields: dict[str, Any], pick: Random) -> dict[str, Any]:
    names = list(fields)
    pick.shuffle(names)
    return {name: fields[name] for name in names}


def fields_of(said: Said, pick: Random) -> dict[str, Any]:
    number = said.user.isascii() and said.user.isdigit() and str(int(said.user)) == said.user
    number = number and int(said.user) < 1 << 63  # beyond that JSON has no numbers
    fields: dict[str, Any] = {
        "uid": int(said.user) if number and pick.random() < 0.5 else pick.choice([said.user, f" {said.user}"]),
        "q": a_text(said.text, pick),
        "ts": a_time(said.at, pick),
        "pos": a_rank(said.rank, pick),
        "click": a_url(said.host, pick),
        "device": pick.choice([None, "", {}, []]),
    }
    if said.safe is not None:
        part = mixed({"a": pick.choice([1, 1.0]), "b": [1.0, "x"], "none": None}, pick)
        fields["device"] = mixed({"os": part, "v": pick.choice([2, 2.0]), "": ""}, pick)
    for name in ("pos", "click", "device"):
        if fields[name] is None and pick.random() < 0.5:
            del fields[name]
    if pick.random() < 0.5:
        fields["agent"] = "more"
    return mixed(fields, pick)


def line_of_json(said: Said, pick: Random) -> str:
    return pick.choice(["", " ", "\ufeff"]) + as_json(fields_of(said, pick), pick) + pick.choice(["", ","])


def line_of_nested_json(said: Said, pick: Random) -> str:
    fields = fields_of(said, pick)
    log: dict[str, Any] = {"s": {}, "more": {"s": 1}}
    for name, value in fields.items():
        if name in ("uid", "q", "click", "device") and pick.random() < 0.7:
            log["s"][name] = value
        elif name in ("uid", "q", "click", "device"):
            log[f"s.{name}"] = value
        else:
            log[name] = value
    return as_json(mixed(log, pick), pick)


def cells(said: Said, pick: Random) -> list[str]:
    device = "phone" if said.safe else pick.choice(["", "NULL"])
    values = (a_time(said.at, pick), a_rank(said.rank, pick), a_url(said.host, pick))
    time, rank, url = ("" if value is None else str(value) for value in values)
    return [url, time, "more", a_text(said.text, pick), device, rank, pick.choice([said.user, f" {said.user}\u200b"])]


def line_of_csv(said: Said, pick: Random) -> str:
    out = io.StringIO()
    quoting: Any = pick.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    csv.writer(out, lineterminator="", quoting=quoting).writerow(cells(said, pick))
    return out.getvalue() + pick.choice(["", ",,"])


def line_of_tsv(said: Said, pick: Random) -> str:
    return "\t".join(cells(said, pick)) + pick.choice(["", "\t"])


def line_of_aol(said: Said, pick: Random) -> str:
    moment = datetime.fromtimestamp(said.at, UTC)
    line = f"{pick.choice([said.user, f' {said.user}'])}\t{a_text(said.text, pick)}\t{moment:%Y-%m-%d %H:%M:%S}"
    rank = pick.choice(["", "NULL", "\\N"] if said.rank is None else [str(said.rank), f"0{said.rank}"])
    url = a_url(said.host, pick) or ""
    if not said.host and not url and pick.random() < 0.5:
        return line if said.rank is None and pick.random() < 0.5 else f"{line}\t{rank}"
    return f"{line}\t{rank}\t{url}"


def escaped(text: str, pick: Random) -> str:
    done = quote(text, safe=pick.choice(["", "/:!'()*"]))
    if pick.random() < 0.5:
        done = done.replace("%20", "+")
    return re.sub("%..", lambda found: found[0].lower(), done) if pick.random() < 0.5 else done


def line_of_access(said: Said, pick: Random) -> str:
    there = datetime.fromtimestamp(said.at, timezone(timedelta(minutes=pick.choice([-300, 0, 330]))))
    time = pick.choice([f"{there:%d/%b/%Y:%H:%M:%S %z}", there.isoformat()])
    asked = {"q": a_text(said.text, pick), "pos": a_rank(said.rank, pick), "click": a_url(said.host, pick), "page": "2"}
    parts = [f"{name}={escaped(str(value), pick)}" for name, value in mixed(asked, pick).items() if value is not None]
    user = escaped(pick.choice([said.user, f" {said.user}"]), pick)
    parts.insert(pick.randrange(len(parts) + 1), f"uid={user}")
    before = pick.choice(["", "www.example.com:443 "])
    after = pick.choice(["", ' "-" "Mozilla"', ' "-" "-" "sid=1; lang=en" 0.1'])
    return (
        f'{before}198.51.100.7 - frank [{time}] "GET /find?{"&".join(parts)} HTTP/1.{pick.choice("01")}" 200 5{after}'
    )


NAMES = {"user": "uid", "query": "q", "time": "ts", "rank": "pos", "url": "click"}
IN_OTHERS = {**NAMES, "user": "s.uid", "query": "s.q", "url": "s.click"}
COLUMNS = ("click", "ts", "agent", "q", "device", "pos", "uid")
PLACED = {"user": "url.uid", "rank": "url.pos", "url": "url.click"}

Write = Callable[[Said, Random], str]
WRITERS: dict[str, tuple[Callable[..., Codec], Write]] = {
    "aol": (AolCodec, line_of_aol),
    "json": (lambda **how: JsonLinesCodec(fields=NAMES, safe=["device"], **how), line_of_json),
    "nested": (lambda **how: JsonLinesCodec(fields=IN_OTHERS, safe=["s.device"], **how), line_of_nested_json),
    "csv": (lambda **how: DelimitedCodec(COLUMNS, fields=NAMES, safe=["device"], **how), line_of_csv),
    "tsv": (
        lambda **how: DelimitedCodec(COLUMNS, kind="tsv", delimiter="\t", fields=NAMES, safe=["device"], **how),
        line_of_tsv,
    ),
    "access": (lambda **how: AccessLogCodec(fields=PLACED, **how), line_of_access),
}


def own(query: Query) -> Release:
    return Release(query.user, 0, query, 0, query, 21)


def through(codec: Codec, lines: Sequence[str]) -> tuple[list[str], list[Query]]:
    """Return what lines leave as, and what they are read as."""
    queries, refusals = codec.decode(lines, "log", 1)
    assert not refusals, refusals
    assert len(queries) == len(lines)
    return codec.encode(map(own, queries)), queries


@pytest.mark.parametrize("name", WRITERS)
@settings(deadline=None, max_examples=60)
@given(said=records, seeds=st.lists(st.integers(), min_size=2, max_size=12), category=st.sampled_from(["on", "off"]))
def test_lines_that_differ_only_in_spelling_leave_as_the_same_bytes(
    name: str, said: Said, seeds: list[int], category: str
) -> None:
    make, write = WRITERS[name]
    released, queries = through(make(category=category), [write(said, Random(seed)) for seed in seeds])
    assert len(set(released)) == 1
    assert {(query.user, query.text.strip(), int(query.at)) for query in queries} == {
        (said.user, said.text.strip(), said.at)
    }


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("precision", [None, 3600])
@settings(deadline=None, max_examples=40)
@given(said=records, seed=st.integers())
def test_what_was_written_is_read_and_written_again_as_it_is(
    name: str, precision: float | None, said: Said, seed: int
) -> None:
    make, write = WRITERS[name]
    codec = make(precision=precision)
    released, _ = through(codec, [write(said, Random(seed))])
    reading = codec
    if isinstance(codec, DelimitedCodec):  # its header names the columns that leave
        sign = "\t" if name == "tsv" else ","
        heading = codec.heading("").split(sign)
        kind: Any = name
        reading = DelimitedCodec(heading, kind=kind, delimiter=sign, fields=NAMES, safe=["device"], precision=precision)
        assert reading.heading("").split(sign) == heading == ["uid", "q", "ts", "pos", "click", "device"]
    again, (query,) = through(reading, released)
    assert again == released
    assert query[:2] == (said.user, said.text.strip())
    assert query.at == said.at // (precision or 1) * (precision or 1)


@pytest.mark.parametrize("name", WRITERS)
@settings(deadline=None, max_examples=30)
@given(said=records, seed=st.integers())
def test_what_is_read_goes_through_a_frame(name: str, said: Said, seed: int) -> None:
    make, write = WRITERS[name]
    codec = make()
    released, queries = through(codec, [write(said, Random(seed))])
    _, thawed, _ = decode_classified(encode_classified(3, queries, codec.format), codec.format)
    assert thawed == queries
    assert codec.encode(map(own, thawed)) == released


def objects() -> ObjectCodec:
    return ObjectCodec(NamedFields(fields=NAMES, safe=["device"]), NamedFields(fields=PLACES, safe=[]))


@settings(deadline=None, max_examples=60)
@given(records, st.integers(), st.integers())
def test_python_objects_that_say_the_same_leave_the_same(said: Said, one: int, other: int) -> None:
    codec, logs = objects(), [fields_of(said._replace(safe=None), Random(seed)) for seed in (one, other)]
    for log in logs:
        log.pop("device", None)
    out = [codec.write([own(codec.read(log))])[0] for log in logs]
    assert list(out[0].items()) == list(out[1].items())
    moment = datetime.fromtimestamp(said.at, UTC)
    times = [said.at, moment, moment.replace(tzinfo=None), moment.astimezone(timezone(timedelta(hours=2)))]
    rows: list[tuple[object, ...]] = [(said.user, said.text, time) for time in times]
    rows += [(*row, None) for row in rows] + [(*row, "", None, "more") for row in rows]
    left = codec.write([own(codec.read(row)) for row in rows])
    assert set(left) == {(said.user, said.text.strip(), out[0]["ts"], None, None)}


@pytest.mark.parametrize(
    ("form", "time"),
    [
        ("iso", "2006-03-01T07:17:12Z"),
        ("plain", "2006-03-01 07:17:12"),
        ("seconds", 1141197432),
        ("milliseconds", 1141197432000),
    ],
)
def test_times_leave_as_the_operator_asks_for_them(form: Any, time: object) -> None:
    line = '{"user":7,"query":"z","time":"2006-03-01T08:17:12.7+01:00"}'
    codec = JsonLinesCodec(time_form=form)
    (released,), _ = through(codec, [line])
    assert released == json.dumps({"user": "7", "query": "z", "time": time}, separators=(",", ":"))
    assert through(codec, [released])[0] == [released]
    table = DelimitedCodec(("time", "user", "query"), time_form=form)
    assert through(table, ["2006-03-01T08:17:12.7+01:00,7,z"])[0] == [f"7,z,{time}"]


# --- what 0.5.0 held, in `extra` of another form

OLD_JSON = ("user", "query", "time", "device", "rank")


@pytest.mark.parametrize("rank", [3, "3", "03"])
@pytest.mark.parametrize("user_is_number", [True, False])
def test_queries_that_0_5_0_held_are_written_in_the_same_form(rank: str | int, *, user_is_number: bool) -> None:
    codec = JsonLinesCodec(safe=["market", "device"])
    device = {"v": 1.0, "os": ("x", None)}
    old = Query("7", "z", 1141197432000, 1141197432.0, rank, "", (user_is_number, OLD_JSON, (device,)))
    _, (restored,), _ = decode_classified(encode_classified(3, [old], codec.format), codec.format)
    line = '{"user":"7","query":"z","time":"2006-03-01T07:17:12Z","rank":3,"device":{"os":["x",null],"v":1}}'
    assert codec.encode([own(restored)]) == [line]
    assert through(codec, [line])[0] == [line]


def test_records_in_other_objects_that_0_5_0_held_are_written_in_the_same_form() -> None:
    codec = JsonLinesCodec(fields={"user": "u.id"})
    places = (("time",), ("u.id",), ("query",))
    old = Query("7", "z", "1141197432", 1141197432.0, None, None, (True, ("time", "u.id", "query"), (), places))
    assert codec.encode([own(old)]) == ['{"u":{"id":"7"},"query":"z","time":"2006-03-01T07:17:12Z"}']


def test_a_table_that_0_5_0_held_is_written_in_the_same_form() -> None:
    codec = DelimitedCodec(COLUMNS, fields=NAMES, safe=["device"])
    form = ("click", "ts", "q", "device", "pos", "uid")
    old = Query("7", "z", "2006/03/01 07:17:12", 1141197432.0, "03", "", (False, form, ("phone",)))
    assert codec.encode([own(old)]) == ["7,z,2006-03-01T07:17:12Z,3,,phone"]


def test_access_logs_that_0_5_0_held_are_written_in_the_same_form() -> None:
    time, form = "01/Mar/2006:08:17:12 +0100", ("time", "referrer.q", "address")
    for extra in ((False, form, (), "http://a.example"), ((), "http://a.example")):
        old = Query("7", "z", time, 1141197432.0, None, None, extra)
        assert AccessLogCodec(fields={"query": "referrer.q"}).encode([own(old)]) == [
            '7 - - [01/Mar/2006:07:17:12 +0000] "GET /search HTTP/1.1" 200 - "http://a.example/search?q=z" "-"'
        ]
    old = Query("7", "z", time, 1141197432.0, None, None, (False, ("time", "url.q", "address"), ()))
    assert AccessLogCodec().encode([own(old)]) == [
        '7 - - [01/Mar/2006:07:17:12 +0000] "GET /search?q=z HTTP/1.1" 200 - "-" "-"'
    ]


def test_python_objects_that_0_5_0_held_are_written_in_the_same_form() -> None:
    codec, at = objects(), 1141197432.0
    shapes: list[tuple[tuple[object, ...], object]] = [
        ((), {"uid": "7", "q": "z", "ts": "2006-03-01T07:17:12Z"}),
        ((4,), ("7", "z", "2006-03-01T07:17:12Z", None, None)),
        (("Click", "ts", "q", "uid"), ("2006-03-01T07:17:12Z", "z", "7")),
    ]
    for shape, left in shapes:
        old = Query("7", "z", "2006-03-01 07:17:12", at, None, None, (True, ("q", "ts", "uid"), (), shape, 1))
        assert codec.write([own(old)]) == [left]


# --- odd configurations


def test_a_field_with_dots_in_its_name_leaves_so_where_its_beginning_is_a_field_too() -> None:
    codec = JsonLinesCodec(safe=["user.id", "a.b.c", "a.b"])
    line = '{"a":{"b":{"c":5}},"user.id":[1],"user":"7","query":"z","time":0,"a.b.c":6}'
    (released,), _ = through(codec, [line])
    assert released == (
        '{"user":"7","query":"z","time":"1970-01-01T00:00:00Z","user.id":[1],"a.b.c":6,"a":{"b":{"c":5}}}'
    )
    assert through(codec, [released])[0] == [released]


def test_safe_fields_are_the_same_in_whatever_order_another_process_named_them() -> None:
    line = '{"user":"7","query":"z","time":0,"b":"two","a":"one"}'
    _, queries = through(JsonLinesCodec(safe=["b", "a"]), [line])
    (released,) = JsonLinesCodec(safe=["a", "b"]).encode(map(own, queries))
    assert released == '{"user":"7","query":"z","time":"1970-01-01T00:00:00Z","a":"one","b":"two"}'


def test_a_table_without_a_header_keeps_the_order_of_its_columns() -> None:
    table = DelimitedCodec(("1", "2", "3"), headed=False, fields={"user": "2", "query": "1", "time": "3"})
    released, _ = through(table, ["movie posters,142,2006-03-01 00:00:00"])
    assert released == ["movie posters,142,2006-03-01T00:00:00Z"]
    assert through(table, released)[0] == released


def test_a_header_of_fewer_columns_leaves_as_that_of_all() -> None:
    assert AolCodec().heading("AnonID\tQuery\tQueryTime") == HEADER
    assert AolCodec().heading("") == "", "a state of 0.5.0 has this of its columns"
