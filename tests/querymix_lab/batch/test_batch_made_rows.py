"""Made-up lines hold nothing of the log; every codec reads them back."""

import pytest
from hypothesis import given
from querymix.codecs.access_log import AccessLogCodec
from querymix.codecs.aol import AolCodec
from querymix.codecs.base import Codec
from querymix.codecs.delimited import DelimitedCodec
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.core.records import UNCLASSIFIED, Query, Release
from querymix_lab.batch.base import Row
from querymix_lab.batch.made_rows import NO_TIME, general, same

from tests.querymix_lab.batch.made import rows


@given(rows)
def test_a_made_up_line_has_the_text_and_the_click_that_it_is_given_and_nothing_else_of_the_log(row: Row) -> None:
    assert general("ann", "thing") == Row(Query("ann", "thing", NO_TIME, 0.0), UNCLASSIFIED, (), -1, True)
    assert same("0", row).query == Query("0", row.query.text, NO_TIME, 0.0)
    assert same("0", row, "http://x.org")[1:] == row[1:]


@pytest.mark.parametrize(
    "codec",
    [
        AolCodec(),
        JsonLinesCodec(safe=["safe"]),
        DelimitedCodec(("user", "query", "time", "url", "safe"), safe=["safe"]),
        AccessLogCodec(fields={"url": "url.to"}),
        AccessLogCodec(fields={"query": "referrer.q", "url": "url.to"}),
    ],
)
def test_every_codec_reads_what_was_made_up(codec: Codec) -> None:
    row = Row(Query("b", "y", "2006-03-01 00:00:00", 1.0, "1", "http://c.org"), 3, (), 0)
    for made in (general("0", "thing").query, same("0", row, "http://x.org").query):
        queries, refusals = codec.decode(codec.encode([Release("0", 0, made, 0, made, 0)]), "", 1)
        assert not refusals
        assert [(query.user, query.text, query.at, query.url or None) for query in queries] == [
            ("0", made.text, 0.0, made.url)
        ]
