"""Access logs: where the query and the user stand, what is no search, and that nothing else leaves."""

import re
from typing import Any

import pytest
from querymix.codecs.access_log import AccessLogCodec, parameters, parse
from querymix.codecs.base import BROKEN_USER
from querymix.core.errors import ConfigError
from querymix.core.records import Query, Release

REASONS = re.compile(
    "the line is (?:longer than 65536 characters|not of the combined form of access logs)"
    "|the line holds a NUL byte"
    "|the record holds more than one line: send each record as a record of its own"
    "|the user \\('[a-z.]+'\\) (?:is '-': it was not logged, and would make one user of many people"
    "|is empty|holds a broken character)"
    "|the user holds bytes that are not UTF-8: convert the log to UTF-8"
    "|the time is .*"
)
TIME = "10/Oct/2006:13:55:36 -0700"
UTC = "10/Oct/2006:20:55:36 +0000"
"""The same, as it leaves."""
LINE = (
    f'198.51.100.7 - frank [{TIME}] "GET /search?page=2&q=movie+posters HTTP/1.1" 200 512 "http://a.example/?k=v" "Moz"'
)


def codec(**options: Any) -> AccessLogCodec:
    return AccessLogCodec(**options)


def read(line: str, **options: Any) -> Query:
    queries, refusals = codec(**options).decode([line], "log", 1)
    assert not refusals, refusals
    (query,) = queries
    return query


def released(query: Query, **options: Any) -> str:
    (line,) = codec(**options).encode([Release("77", 0, query, 0, query, 21)])
    return line


def test_a_search_is_read_and_nothing_but_user_query_and_time_leaves() -> None:
    query = read(LINE)
    assert query[:4] == ("198.51.100.7", "movie posters", TIME, 1160513736.0)
    assert released(query) == f'77 - - [{UTC}] "GET /search?q=movie+posters HTTP/1.1" 200 - "-" "-"'


@pytest.mark.parametrize(
    "line",
    [
        LINE,
        f"www.example.com {LINE}",
        f"www.example.com:443 {LINE.replace('.7', '.7:5123')}",
        f"203.0.113.9:443 {LINE}",
        f"localhost {LINE.replace('.7', '.7, 203.0.113.9,203.0.113.8')}",
        LINE.replace(".7", ".7,203.0.113.9"),
        LINE.replace(".7", ".7 203.0.113.9").replace("- frank", "frank"),
        LINE.replace("198.51.100.7 - frank", "2001:db8::7 - frank of the desk"),
        LINE.replace("198.51.100.7", "[2001:db8::7]:5123"),
        f"[::1]:443 {LINE}",
        f"www.example.com:443 {LINE}",
        LINE.replace('"http://a.example/?k=v" "Moz"', "").rstrip(),
        f'{LINE} "203.0.113.9" 0.012',
        LINE.replace(" HTTP/1.1", ""),
        LINE.replace("GET", "POST").replace("HTTP/1.1", "HTTP/2.0"),
        LINE.replace("movie+posters", "movie%20posters"),
        LINE.replace("movie+posters", "movie\\x20posters"),
        LINE.replace("198.51.100.7", "2001:db8::7"),
        LINE.replace("200 512", "304 -"),
        LINE.replace("Moz", 'M \\"o\\" z'),
        LINE.replace("frank", "frank van der berg"),
    ],
)
def test_the_forms_that_servers_write_are_read(line: str) -> None:
    query = read(line)
    assert query[1:3] == ("movie posters", TIME)
    assert query.user == ("2001:db8::7" if ":db8" in line else "198.51.100.7")


@pytest.mark.parametrize(
    ("fields", "user"),
    [
        ({"user": "login"}, "frank"),
        ({"user": "cookie.sid"}, "abc=1"),
        ({"user": "field.2"}, "203.0.113.9"),
        ({"user": "url.page"}, "2"),
        ({"user": "referrer.k"}, "v"),
    ],
)
def test_the_user_may_stand_elsewhere_and_leaves_from_there(fields: dict[str, str], user: str) -> None:
    line = f'{LINE} "lang=en; sid=abc=1" 203.0.113.9'
    query = read(line, fields=fields)
    assert query.user == user
    assert read(released(query, fields=fields), fields=fields)[:3] == ("77", "movie posters", UTC)


def test_the_query_may_stand_in_the_page_that_was_searched_on() -> None:
    line = f'198.51.100.7 - - [{TIME}] "GET /page HTTP/1.1" 200 1 "https://search.example/find?x=1&p=movie+posters" "M"'
    fields = {"query": "referrer.p"}
    assert read(line, fields=fields).text == "movie posters"
    out = released(read(line, fields=fields), fields=fields)
    assert out == f'77 - - [{UTC}] "GET /search HTTP/1.1" 200 - "https://search.example/search?p=movie+posters" "-"'
    assert read(out, fields=fields).text == "movie posters"


def test_rank_and_click_leave_as_parameters_and_the_click_as_its_host() -> None:
    fields = {"rank": "url.pos", "url": "url.to"}
    line = LINE.replace("page=2", "pos=3&to=http%3A%2F%2Fb.example%2Fsecret")
    query = read(line, fields=fields)
    assert query[4:6] == ("3", "http://b.example")
    assert "&pos=3&to=http%3A%2F%2Fb.example " in released(query, fields=fields)


def test_a_request_that_is_no_search_is_no_record() -> None:
    lines = [
        LINE.replace("q=", "query="),
        LINE.replace("/search?page=2&q=movie+posters", "/style.css"),
        "# comment",
        "",
    ]
    assert codec().decode(lines, "log", 1) == ([], [])


def test_a_user_who_was_not_logged_is_refused_since_it_would_be_many_people() -> None:
    _, (refusal,) = codec(fields={"user": "login"}).decode([LINE.replace("frank", "-")], "log", 1)
    assert "not logged" in refusal.reason


def test_a_line_of_another_form_is_refused() -> None:
    _, refusals = codec().decode(["no access log", "1\tone\t2006-03-01 00:00:00"], "log", 1)
    assert [REASONS.fullmatch(refusal.reason) is not None for refusal in refusals] == [True, True]


def test_letters_that_a_browser_sent_in_windows_1252_are_read_as_such() -> None:
    assert read(LINE.replace("movie+posters", "caf%E9")).text == "café"
    assert read(LINE.replace("movie+posters", "caf%C3%A9")).text == "café"
    assert "q=caf%C3%A9 " in released(read(LINE.replace("movie+posters", "caf\\xe9")))


def test_bytes_that_are_not_utf8_are_no_users() -> None:
    assert read(LINE.replace("Moz", "caf\udce9")).text == "movie posters"
    _, (refusal,) = codec(fields={"user": "login"}).decode([LINE.replace("frank", "fran\udce7ois")], "log", 1)
    assert refusal.reason == BROKEN_USER


def test_a_time_is_cut_to_the_grid_and_leaves_in_utc() -> None:
    assert f"[{UTC[:15]}00:00 +0000]" in released(read(LINE), precision=3600)
    line = LINE.replace(TIME, "01/Jan/2007:00:10:00 +0530")
    assert "[31/Dec/2006:00:00:00 +0000]" in released(read(line), precision=86400)


@pytest.mark.parametrize("name", ["agent", "url.", "field.0", "cookie", "q"])
def test_a_place_that_no_access_log_has_is_refused_with_those_that_there_are(name: str) -> None:
    with pytest.raises(ConfigError, match=r"url\.NAME"):
        codec(fields={"user": name})


def test_the_first_parameter_of_a_name_counts() -> None:
    hit = parse(LINE.replace("page=2", "q=first"))
    assert hit is not None
    assert parameters(hit) == {"q": "first"}
    assert repr(hit) == "Hit(...)"


def test_the_category_is_a_last_field_on_request() -> None:
    assert released(read(LINE), category="on").endswith('"-" "-" "Adult"')
