"""Queries and short fields have a longest length, in every form of log, and reading a line takes linear time."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from querymix.codecs.access_log import AccessLogCodec
from querymix.codecs.aol import AolCodec
from querymix.codecs.base import LONGEST_FIELD, LONGEST_LINE, LONGEST_QUERY, Codec
from querymix.codecs.delimited import DelimitedCodec
from querymix.codecs.jsonlines import JsonLinesCodec

NAMES = ("user", "query", "time", "rank", "url")
TIME = "2006-03-01 07:17:12"
Make = Callable[..., Codec]
Line = Callable[..., str]


def of_columns(delimiter: str) -> Line:
    def line(user: str = "7", query: str = "kites", time: str = TIME, rank: str = "1") -> str:
        return delimiter.join((user, query, time, rank, "http://a.example"))

    return line


def of_json(**fields: Any) -> str:
    return json.dumps({"user": "7", "query": "kites", "time": TIME, "rank": 1} | fields)


def of_access(user: str = "7", query: str = "kites", time: str = "10/Oct/2006:13:55:36 -0700") -> str:
    return f'{user} - - [{time}] "GET /search?q={query} HTTP/1.1" 200 512 "-" "-"'


FORMS: dict[str, tuple[Make, Line]] = {
    "aol": (AolCodec, of_columns("\t")),
    "csv": (lambda **options: DelimitedCodec(NAMES, **options), of_columns(",")),
    "tsv": (lambda **options: DelimitedCodec(NAMES, kind="tsv", delimiter="\t", **options), of_columns("\t")),
    "json": (JsonLinesCodec, of_json),
    "access": (AccessLogCodec, of_access),
}
each_form = pytest.mark.parametrize(("make", "line"), FORMS.values(), ids=FORMS)


def reasons(codec: Codec, *lines: str) -> list[str]:
    """Return why lines are refused; the others are read."""
    queries, refusals = codec.decode(lines, "log", 1)
    assert len(queries) + len(refusals) == len(lines)
    return [refusal.reason for refusal in refusals]


@each_form
def test_a_query_of_the_longest_length_is_read_and_one_more_character_is_refused(make: Make, line: Line) -> None:
    assert reasons(make(), line(query="x" * LONGEST_QUERY)) == []
    assert reasons(make(), line(query="x" * (LONGEST_QUERY + 1))) == [
        "the query is longer than 2000 characters (--longest-query)"
    ]


@each_form
def test_the_longest_length_is_settable_and_may_be_shorter_than_a_user(make: Make, line: Line) -> None:
    assert reasons(make(longest_query=60_000), line(query="x" * 60_000)) == []
    assert reasons(make(longest_query=4), line(query="kites"), line(query="kite")) == [
        "the query is longer than 4 characters (--longest-query)"
    ]


@each_form
def test_a_long_user_is_refused(make: Make, line: Line) -> None:
    assert reasons(make(), line(user="u" * LONGEST_FIELD)) == []
    assert reasons(make(), line(user="u" * (LONGEST_FIELD + 1))) == ["the user is longer than 256 characters"]


@pytest.mark.parametrize("form", ["aol", "csv", "tsv", "json"])
def test_a_long_rank_is_refused(form: str) -> None:
    make, line = FORMS[form]
    assert reasons(make(), line(rank="1" * LONGEST_FIELD)) == []
    assert reasons(make(), line(rank="1" * (LONGEST_FIELD + 1))) == ["the rank is longer than 256 characters"]


@pytest.mark.parametrize("form", ["csv", "tsv", "json"])
def test_a_time_with_a_long_fraction_is_refused(form: str) -> None:
    make, line = FORMS[form]
    assert reasons(make(), line(time=f"{TIME}.{'3' * 200}")) == []
    assert reasons(make(), line(time=f"{TIME}.{'3' * 300}")) == ["the time is longer than 256 characters"]


@pytest.mark.parametrize("place", [0, 9, 39])
@pytest.mark.parametrize("field", ["user", "query", "rank"])
def test_among_many_lines_only_the_long_one_is_refused(field: str, place: int) -> None:
    line = of_columns("\t")
    lines = [line()] * 40
    lines[place] = line(**{field: "7" * (LONGEST_QUERY + 1)})
    (refusal,) = AolCodec().decode(lines, "log", 1).refusals
    assert (refusal.line, refusal.reason[:7]) == (1 + place, f"the {field}"[:7])


@pytest.mark.parametrize(
    "line",
    [
        "a" * LONGEST_LINE,
        "a." * (LONGEST_LINE // 2),
        "a:" + "1" * (LONGEST_LINE - 2),
        "1.2.3.4 - " + "a [b" * 16_000,
        '1.2.3.4 - - [d] "' + '" [d] "' * 9_000,
        of_access(query="a" + " " * 65_000 + "b")[:LONGEST_LINE],
        "1.2.3.4" + ", a" * 20_000,
    ],
    ids=lambda line: line[:12],
)
def test_a_line_of_an_access_log_made_to_be_slow_is_refused_in_linear_time(line: str) -> None:
    """By patterns whose time grows with the square of a line, each took half a minute."""
    assert AccessLogCodec().decode([line], "log", 1).queries == []


@pytest.mark.parametrize("form", ["aol", "csv", "tsv", "json"])
def test_a_user_is_measured_as_it_came_before_its_normal_form_is_made(form: str) -> None:
    """To put piled-up marks in order takes time that grows with the square of their number."""
    make, line = FORMS[form]
    for user in ("\u0301\u0327" * 5_000, "7" + "\u200b" * LONGEST_FIELD):
        assert reasons(make(), line(user=user)) == ["the user is longer than 256 characters"]
        lines = [line()] * 20 + [line(user=user)]
        assert reasons(make(), *lines) == ["the user is longer than 256 characters"]
