"""AOL lines come back byte for byte; what cannot be read is refused without showing it."""

import re
from datetime import datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from querymix.codecs.aol import HEADER, AolCodec
from querymix.codecs.base import LONGEST_LINE, TimePolicy, as_windows_1252, is_utf8
from querymix.core.bounded_cache import MAX
from querymix.core.records import Query, Release
from querymix.core.user_ids import normal_user

TIME = "2006-03-01 07:17:12"
AT = 1_141_197_432.0
MARK = "zqx-secret"
REASONS = re.compile(
    r"the line has \d+ fields, not 3 to 5 parted by tabs|the user \(field 1\) is empty"
    r"|the rank \(field 4\) is no whole number|the line holds a NUL byte|the line is longer than 65536 characters"
    r"|the record holds more than one line: send each record as a record of its own"
    r"|the time is no date and time of the form YYYY-MM-DD HH:MM:SS"
    r"|the user holds bytes that are not UTF-8: convert the log to UTF-8"
)

fields = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r\0")),
    st.binary(max_size=20).map(lambda raw: raw.translate(None, b"\t\n\r\0").decode("utf-8", "surrogateescape")),
)
users = fields.map(normal_user).filter(lambda user: user not in ("", "AnonID") and is_utf8(user))
times = st.datetimes().map(lambda moment: moment.isoformat(sep=" ", timespec="seconds"))
digits = st.from_regex(r"[0-9]{1,5}", fullmatch=True)
clicks = st.one_of(
    st.just(()),
    st.tuples(st.one_of(st.just(""), digits)),
    st.tuples(st.one_of(st.just(""), digits), fields),
)


def full(time: TimePolicy = "trigger") -> AolCodec:
    """Return a codec that leaves URLs whole."""
    return AolCodec(time=time, urls="full")


def read(line: str, codec: AolCodec | None = None) -> Query:
    """Read one line that can be read."""
    queries, refusals = (codec or full()).decode([line], "log.tsv", 1)
    assert not refusals
    (query,) = queries
    return query


def refused(line: str) -> str:
    """Return why a line is refused."""
    queries, refusals = full().decode([line], "log.tsv", 1)
    assert not queries
    (refusal,) = refusals
    return refusal.reason


@settings(deadline=None)
@given(users, fields, times, clicks)
@example("1", "-", TIME, ())
@example("1", "caf\udce9", TIME, ("", ""))
@example("1", "a\x85b\u2028c", TIME, ("3",))
def test_a_query_released_to_its_own_user_at_its_own_time_is_its_line_with_all_five_columns(
    user: str, text: str, time: str, clicked: tuple[str, ...]
) -> None:
    line = "\t".join((user, text, time, *clicked))
    rank, url = (*clicked, "", "")[:2]
    left = "\t".join((user, as_windows_1252(text).strip(), time, str(int(rank)) if rank else "", as_windows_1252(url)))
    policies: tuple[TimePolicy, ...] = ("trigger", "query")
    for policy in policies:
        codec = full(policy)
        query = read(line, codec)
        assert codec.encode([Release(user, 0, query, 0, query, 21)]) == [left]
        assert (query.user, query.text, query.time) == (user, as_windows_1252(text), time)


@pytest.mark.parametrize("around", [0, 300])
def test_what_is_not_utf_8_leaves_as_utf_8_and_the_rest_of_its_line_as_it_came(around: int) -> None:
    """Also among so many lines that they are read by column."""
    other = f"1\tgolf\t{TIME}\t\t"
    came = "2\tna\u00efve caf\u00e9".encode() + b" \x80 r\xe9sum\xe9 \x81" + f"\t{TIME}\t\t".encode()
    lines = [other] * around + [came.decode("utf-8", "surrogateescape")] + [other] * around
    queries, refusals = AolCodec().decode(lines, "log", 1)
    assert not refusals
    assert [query.text for query in queries if query.user == "2"] == [
        "na\u00efve caf\u00e9 \u20ac r\u00e9sum\u00e9 \x81"
    ]
    assert "".join(AolCodec().encode([Release("1", 0, query, 0, query, 21) for query in queries])).encode()


@pytest.mark.parametrize("user", [b"jos\xe9", b"\xff", "jos\u00e9".encode() + b"\xe9"])
def test_a_user_id_that_is_not_utf_8_is_refused_since_it_could_become_another_users(user: bytes) -> None:
    assert "not UTF-8" in refused(user.decode("utf-8", "surrogateescape") + f"\tgolf\t{TIME}")


@given(st.binary())
def test_a_text_that_is_utf_8_stays_and_any_other_becomes_utf_8(raw: bytes) -> None:
    text = as_windows_1252(raw.decode("utf-8", "surrogateescape"))
    assert is_utf8(text)
    valid = is_utf8(raw.decode("utf-8", "surrogateescape"))
    assert (text.encode() == raw) == valid


@settings(deadline=None)
@given(users, fields, times, clicks)
def test_a_line_is_read_the_same_whether_urls_are_cut_or_not_but_for_the_url(
    user: str, text: str, time: str, clicked: tuple[str, ...]
) -> None:
    line = "\t".join((user, text, time, *clicked))
    whole, cut = read(line), read(line, AolCodec())
    assert whole._replace(url=None) == cut._replace(url=None)
    assert (whole.url is None) == (cut.url is None)


@pytest.mark.parametrize(
    ("clicked", "rank", "url"),
    [
        ("", None, None),
        ("\t", "", None),
        ("\t\t", "", ""),
        ("\t3", "3", None),
        ("\t3\t", "3", ""),
        ("\t3\thttp://example.com", "3", "http://example.com"),
        ("\t\thttp://example.com", "", "http://example.com"),
        ("\t\\N\t\\N", "", ""),
        ("\tNULL\thttp://example.com", "", "http://example.com"),
    ],
)
def test_absent_and_empty_rank_and_url_are_told_apart(clicked: str, rank: str | None, url: str | None) -> None:
    query = read(f"142\tmade-up text\t{TIME}{clicked}")
    assert query == Query("142", "made-up text", TIME, AT, rank, url)


def test_a_lone_dash_is_a_log_like_any_other() -> None:
    assert read(f"1\t-\t{TIME}\t\t").text == "-"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "1 fields"),
        (MARK, "1 fields"),
        (f"{MARK}\t{MARK}", "2 fields"),
        (f"1\t{MARK}\t{TIME}\t1\thttp://{MARK}\t6", "6 fields"),
        (f"\t{MARK}\t{TIME}\t\t", "user"),
        (f"\t{MARK}\t{TIME}", "user"),
        (f"1\t{MARK}\t{MARK}\t\t", "time"),
        (f"1\t{MARK}\t\t\t", "time"),
        (f"1\t{MARK}\t{TIME}\t{MARK}\t", "rank"),
        (f"1\t{MARK}\t{TIME}\t-1", "rank"),
        (f"1\t{MARK}\0\t{TIME}\t\t", "NUL"),
        (f"1\t{MARK}\0\t{TIME}", "NUL"),
        (f"{MARK}\t{MARK * LONGEST_LINE}\t{TIME}\t\t", "longer"),
        (f"1\t{MARK}\nb\t{TIME}\t\t", "more than one line"),
        (f"1\t{MARK}\rb\t{TIME}\t1\thttp://b.example/", "more than one line"),
        (f"1\t{MARK}\r\nb\t{TIME}", "more than one line"),
        (f"{MARK}\nb\tone\t{TIME}\t\t", "more than one line"),
        (f"1\tone\t{TIME}\t1\thttp://b.example/{MARK}\n", "more than one line"),
    ],
)
def test_a_refusal_names_the_rule_and_never_the_content(line: str, reason: str) -> None:
    found = refused(line)
    assert reason in found
    assert MARK not in found
    assert REASONS.fullmatch(found)


odd_lines = st.sampled_from(
    [
        HEADER,
        "",
        f"1\tone\t{TIME}",
        f"1\tone\t{TIME}\t3",
        f"1\tone\t{TIME}\t3\thttp://a.example/b\t6",
        f"1\tone\t{TIME}\tx\t",
        f"\tone\t{TIME}\t\t",
        f"\ufeff1\tone\t{TIME}\t\t",
        "1\tone\t2006-03-01 24:00:00\t\t",
        f"1\to\0e\t{TIME}\t\t",
        f"1\tone\t{TIME}\t\t\n",
        f"1\tone\n\t{TIME}\t\t",
        f"1\ttwo\t{TIME}\t\t\t\n\t2\ttwo\t{TIME}\t\t",
        f"1\ttwo\t{TIME}\t\t\n\t2\ttwo\t{TIME}\t\t",
        f"1\t{'w' * LONGEST_LINE}\t{TIME}\t\t",
    ]
)


@settings(deadline=None)
@given(st.integers(0, 600), st.lists(st.tuples(st.integers(0, 600), odd_lines), max_size=4), st.integers(3, 5))
def test_lines_are_read_together_as_each_is_alone(size: int, odd: list[tuple[int, str]], width: int) -> None:
    lines = [
        "\t".join([f"user {number}", "some words", TIME, "7", "http://www.example.com/page"][:width])
        for number in range(size)
    ]
    for place, line in odd:
        lines.insert(place, line)
    together = AolCodec().decode(lines, "log.tsv", 1)
    alone = [AolCodec().decode([line], "log.tsv", number) for number, line in enumerate(lines, 1)]
    assert together.queries == [query for one in alone for query in one.queries]
    assert together.refusals == [refusal for one in alone for refusal in one.refusals]


def test_the_header_constant_names_the_five_columns() -> None:
    assert HEADER.split("\t") == ["AnonID", "Query", "QueryTime", "ItemRank", "ClickURL"]


@settings(deadline=None)
@given(st.datetimes())
def test_the_moment_of_a_line_is_its_time_as_utc(moment: datetime) -> None:
    text = moment.isoformat(sep=" ", timespec="seconds")
    assert read(f"1\tone\t{text}").at == (moment.replace(microsecond=0) - datetime(1970, 1, 1)).total_seconds()


@pytest.mark.parametrize("place", [0, 7, 19])
def test_a_rank_that_begins_with_0_leaves_as_its_number_on_any_of_many_lines(place: int) -> None:
    lines = [f"{n}\t0{n} words\t2006-03-01 07:17:12\t{n or ''}\t" for n in range(20)]
    lines[place] = f"{place}\twords\t2006-03-01 07:17:12\t007\t"
    found = [query.rank for query in AolCodec().decode(lines, "made-up", 1).queries]
    assert found == [*(str(n or "") for n in range(place)), "7", *map(str, range(place + 1, 20))]


def test_equal_users_of_many_lines_are_one_text_and_are_forgotten_in_time() -> None:
    codec = AolCodec()
    lines = [f"ann{n % 3}\twords {n}\t{TIME}\t\t" for n in range(20)]
    users = [query.user for _ in range(2) for query in codec.decode(lines, "made-up", 1).queries]
    assert users == [f"ann{n % 3}" for n in range(20)] * 2
    assert len(set(map(id, users))) == 3
    assert {f"ann{n}" for n in range(3)} == codec._users.keys()
    for start in range(0, MAX + 512, 256):
        codec.decode([f"bob{n}\twords\t{TIME}\t\t" for n in range(start, start + 256)], "made-up", 1)
    assert len(codec._users) <= MAX + 256
    assert "ann0" not in codec._users
