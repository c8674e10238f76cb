"""Made-up lines have the commonest form of the log, and nothing else of it; every codec reads them back."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.codecs.aol import AolCodec
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.core.records import UNCLASSIFIED, Query, Release
from querymix_lab.batch.base import Log, Row
from querymix_lab.batch.made_rows import NO_TIME, Template

from tests.querymix_lab.batch.made import log, row


def log_of(queries: Sequence[Query]) -> Log:
    return Log([Row(query, UNCLASSIFIED, (), place) for place, query in enumerate(queries)])


JSON = [
    '{"user": 1, "query": "a", "time": 1141197432, "safe": "kept"}',
    '{"user": "b", "query": "b", "time": "2006-03-01T07:17:12+09:00", "rank": 3, "url": "http://b.org", "safe": 1}',
    '{"user": 2, "query": "c", "time": 1141197432, "safe": "other"}',
]


def test_one_line_of_another_form_changes_nothing() -> None:
    lines = JsonLinesCodec(safe=["safe"]).decode(JSON, "", 1).queries
    made = Template(log_of(lines)).general("ann", "thing").query
    assert (made.time, made.at, made.rank, made.url) == (0, 0.0, None, None)
    assert made == Template(log_of([lines[0], lines[2]])).general("ann", "thing").query


def test_a_click_has_a_field_to_stand_in() -> None:
    before = log(row("a", "x"), *(row("b", "y")._replace(query=Query("b", "y", "2006-03-01", 0.0)) for _ in range(5)))
    before = Log([*before.rows, row("c", "z", url="http://c.org", rank="2")])
    assert Template(before, clicks=True).same("0", before.rows[0], "http://c.org").query.rank == ""
    assert Template(before).same("0", before.rows[0]).query.rank is None


@pytest.mark.parametrize("lines", [JSON, JSON[:1], JSON[1:2]])
def test_json_reads_what_was_made_up(lines: list[str]) -> None:
    codec = JsonLinesCodec(safe=["safe"])
    made = Template(log_of(codec.decode(lines, "", 1).queries)).general("0", "thing").query
    written = codec.encode([Release("0", 0, made, 0, made, 0)])
    assert codec.decode(written, "", 1).queries == [made._replace(user="0")]


@given(st.permutations([row("a", "x"), row("b", "x", url="http://b.org"), row("c", "x", rank="1", at=9e8)]))
def test_aol_reads_what_was_made_up_and_the_order_of_the_log_does_not_matter(rows: list[Row]) -> None:
    codec = AolCodec()
    made = Template(Log(rows)).same("0", rows[0], "http://x.org").query
    assert made == Query("0", "x", NO_TIME, 0.0, "", "http://x.org")
    assert codec.decode(codec.encode([Release("0", 0, made, 0, made, 0)]), "", 1).queries == [made]
