"""CSV and TSV: columns in any order, quoted fields, and what of a line leaves."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.codecs.base import BROKEN_USER, LONGEST_LINE
from querymix.codecs.delimited import DelimitedCodec, column_names
from querymix.core.errors import ConfigError
from querymix.core.records import Query, Release

REASONS = re.compile(
    "the line (?:has [0-9]+ fields, where [0-9]+ are named|is longer than 65536 characters|holds a NUL byte)"
    "|the record holds more than one line: send each record as a record of its own"
    "|a quoted field has no end: close it, or double the quotation marks in it"
    "|the user \\('[a-z]+'\\) (?:is empty|holds a broken character)"
    "|the user holds bytes that are not UTF-8: convert the log to UTF-8"
    "|the time is .*"
)
FIELDS = {"user": "uid", "query": "q", "time": "ts"}
COLUMNS = ("ts", "agent", "q", "uid")
TIME = "2006-03-01 07:17:12"
UTC = "2006-03-01T07:17:12Z"
"""The same, as it leaves."""


def codec(**options: Any) -> DelimitedCodec:
    return DelimitedCodec(COLUMNS, **({"fields": FIELDS} | options))


def written(one: DelimitedCodec, *queries: Query) -> list[str]:
    """Release each query to its own user, as of the first category."""
    return one.encode([Release(query.user, 0, query, 0, query, 21) for query in queries])


def test_columns_stand_in_any_order_and_only_those_that_are_named_leave() -> None:
    (query,) = codec().decode([f"{TIME},Mozilla,movie posters,142"], "log", 1).queries
    assert query[:3] == ("142", "movie posters", TIME)
    assert written(codec(), query) == [f"142,movie posters,{UTC}"]
    assert codec().heading("ts,agent,q,uid") == "uid,q,ts"


def test_a_safe_column_leaves_with_its_query() -> None:
    (query,) = codec(safe=["agent"]).decode([f"{TIME},Mozilla,movie posters,142"], "log", 1).queries
    assert written(codec(safe=["agent"]), query) == [f"142,movie posters,{UTC},Mozilla"]
    assert codec(safe=["agent"]).heading("ts,agent,q,uid") == "uid,q,ts,agent"


def test_the_category_is_a_further_column_on_request() -> None:
    (query,) = codec().decode([f"{TIME},Mozilla,movie posters,142"], "log", 1).queries
    assert written(codec(category="on"), query) == [f"142,movie posters,{UTC},Adult"]
    assert codec(category="on").heading("ts,agent,q,uid") == "uid,q,ts,category"


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ('"posters, old"', "posters, old"),
        ('"posters ""old"""', 'posters "old"'),
        ('5" pipe', '5" pipe'),
        ('"posters" old', "posters old"),
        ("'posters'", "'posters'"),
        ('""', ""),
    ],
)
def test_quoted_fields_are_read_as_other_programs_write_them(field: str, text: str) -> None:
    queries, refusals = codec().decode([f"{TIME},,{field},142", f"{TIME},,next,143"], "log", 1)
    assert [query.text for query in queries] == [text, "next"]
    assert not refusals
    narrow = DelimitedCodec(("uid", "q", "ts"), fields=FIELDS)
    assert [query.text for query in narrow.decode(written(codec(), *queries), "log", 1).queries] == [text, "next"]


def test_a_line_end_in_a_quoted_field_is_a_blank_and_the_record_leaves_as_one_line() -> None:
    lines = [f'{TIME},,"movie', 'posters",142', f"{TIME},,next,143", "broken"]
    queries, refusals = codec().decode(lines, "log", 1)
    assert [query.text for query in queries] == ["movie posters", "next"]
    assert [refusal.line for refusal in refusals] == [4]


def test_a_quotation_mark_without_an_end_costs_its_own_line_only() -> None:
    queries, refusals = codec().decode([f'{TIME},,"movie,142', f"{TIME},,next,143"], "log", 1)
    assert [query.text for query in queries] == ["next"]
    assert [(refusal.line, refusal.reason[:14]) for refusal in refusals] == [(1, "a quoted field")]


def test_in_tsv_a_quotation_mark_is_a_letter() -> None:
    tsv = codec(kind="tsv", delimiter="\t")
    (query,) = tsv.decode([f'{TIME}\t\t"exact phrase"\t142'], "log", 1).queries
    assert query.text == '"exact phrase"'
    assert written(tsv, query) == [f'142\t"exact phrase"\t{UTC}']


def test_columns_without_a_header_are_called_by_their_numbers() -> None:
    numbered = DelimitedCodec(("1", "2", "3"), headed=False, fields={"user": "2", "query": "1", "time": "3"})
    queries, refusals = numbered.decode([f"movie posters,142,{TIME}", "1,2,3"], "log", 1)
    assert [query[:3] for query in queries] == [("142", "movie posters", TIME)]
    assert len(refusals) == 1
    assert written(numbered, *queries) == [f"movie posters,142,{UTC}"]


@pytest.mark.parametrize("line", ["", "  ", ",,,", '"",,"",', "sep=,", '"sep=;"', "\ufeffSep=;,,,", "ts,agent,q,uid"])
def test_what_spreadsheets_write_around_the_rows_is_no_record(line: str) -> None:
    one = codec()
    assert one.header(line)
    assert one.heading(line) == "uid,q,ts"
    assert one.decode([line, f"{TIME},,next,143"], "log", 1).refusals == []
    numbered = DelimitedCodec(("1", "2", "3", "4"), headed=False, fields={"user": "4", "query": "3", "time": "1"})
    assert not numbered.header(line)
    assert len(numbered.decode([line], "log", 1).refusals) == (line == "ts,agent,q,uid")


def test_delimiters_at_the_end_of_a_line_are_no_columns() -> None:
    queries, refusals = codec().decode([f"{TIME},,movie posters,142,,", f"{TIME},,movie posters,142,,x"], "log", 1)
    assert [query[:3] for query in queries] == [("142", "movie posters", TIME)]
    assert [refusal.reason for refusal in refusals] == ["the line has 6 fields, where 4 are named"]


def test_a_column_that_is_named_twice_is_refused_where_it_is_one_that_is_read() -> None:
    with pytest.raises(ConfigError, match="'q' twice"):
        DelimitedCodec(("ts", "q", "q", "uid"), fields=FIELDS)
    DelimitedCodec(("ts", "q", "agent", "agent", "uid"), fields=FIELDS)


def test_names_in_a_header_have_no_blanks_quotation_marks_or_byte_order_mark() -> None:
    assert column_names('\ufeff"user id", q ,ts', ",", quoted=True) == ["user id", "q", "ts"]


@given(st.lists(st.sampled_from(['a"b', "ab", '"', ""]), max_size=6), st.integers(0, 40))
def test_records_that_go_on_in_the_next_block_are_read_as_if_there_was_one(texts: list[str], size: int) -> None:
    quoted = [text.replace('"', '""').replace("b", "b\n") for text in texts]
    block = "".join(f'{TIME},,"{text}",142\n' for text in quoted).encode()
    whole = codec().decode(block.decode().split("\n")[:-1], "log", 1).queries
    cut = block.rfind(b"\n", 0, size) + 1
    end = codec().whole(block[:cut])
    parts = [block[:end], block[end:]]
    read = [query for part in parts for query in codec().decode(part.decode().split("\n")[:-1], "log", 1).queries]
    assert read == whole


def test_a_block_is_not_held_back_for_ever_by_one_quotation_mark() -> None:
    assert codec().whole(b'a,"\n' + b"x" * (LONGEST_LINE + 1) + b"\n") == LONGEST_LINE + 6
    assert codec().whole(b'a,"\n' + b"x\n" * 100) == 4 + 200


def test_bytes_that_are_not_utf8_are_read_as_windows_1252_but_not_in_a_user() -> None:
    lines = [f"{TIME},,caf\udce9,142", f"{TIME},,caf\udce9,14\udce9", f'{TIME},,"caf\udce9, old",143']
    queries, refusals = codec().decode(lines, "log", 1)
    assert [(query.user, query.text) for query in queries] == [("142", "café"), ("143", "café, old")]
    assert [refusal.reason for refusal in refusals] == [BROKEN_USER]
