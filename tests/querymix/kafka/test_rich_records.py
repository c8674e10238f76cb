"""Records with lists of results and clicks through the service: they leave with their query, or as a dead letter."""

import json
from typing import Any

from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.kafka.releases import ReleaseWriter

from tests.querymix.codecs.test_rich_fields import RICH_FIELDS
from tests.querymix.kafka.whole import TOPICS, Honest, Service


def record(number: int, **more: Any) -> bytes:
    at = 1_141_197_432 + number
    log = {"user": {"id": f"u{number % 8}"}, "q": f"0 query {number}", "ts": at,
           "serp": {"items": [{"link": f"http://www.a{number}.example/x", "pos": 1}]},
           "clicks": [{"pos": 1, "ts": at + number}]}  # fmt: skip
    return json.dumps(log | more).encode()


async def test_lists_leave_with_their_query_and_wrong_ones_are_dead_letters() -> None:
    service = Service(Honest)
    codec = JsonLinesCodec(fields=RICH_FIELDS)
    service.classifier.codec = codec
    service.anonymizer.log_format = codec.format
    service.anonymizer.release_writer = ReleaseWriter(TOPICS, service.partitions, codec, category_header=True)
    bad = [
        record(90, clicks="zqx"),
        record(91, serp={"items": {"link": "zqx"}}),
        record(92, clicks=["zqx"]),
        record(93, clicks=[{"ts": 1}, {"ts": 1_141_100_000}]),
    ]
    for number in range(40):
        service.memory.put(TOPICS.raw, 0, None, record(number))
    for value in bad:
        service.memory.put(TOPICS.raw, 0, None, value)
    await service.run([service.processor(source) for source in service.sources])
    released = [json.loads(one.value or b"") for one in await service.records(TOPICS.anonymized)]
    assert len(released) > 10
    for row in released:
        number = int(row["q"].split()[-1])
        assert row["serp"] == {"items": [{"link": f"http://www.a{number}.example", "pos": 1}]}
        assert row["clicks"] == [{"pos": 1, "ts": number}]
        assert row["user"]["id"] != f"u{number % 8}"
    letters = await service.records(TOPICS.deadletter)
    assert [one.value for one in letters] == bad
    reasons = [dict(one.headers)["reason"].decode() for one in letters]
    assert reasons == [
        "the clicks ('clicks') are no list",
        "the results ('serp.items') are no list",
        "one of the clicks ('clicks') is no object",
        "the time of a click ('clicks.ts') is before the query",
    ]
