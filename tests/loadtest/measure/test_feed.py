"""What a load test sends: whole logs under fresh users, and bad records that the service refuses."""

from collections import Counter
from itertools import islice
from pathlib import Path

import faker  # noqa: F401 - the made-up log needs it, so without it the module is skipped
import pytest
from querymix.codecs.aol import AolCodec

from loadtest.measure.feed import BAD, Feed, lines_of
from loadtest.measure.scenario import Log
from loadtest.measure.stamps import Stamps

ORIGIN = 1_795_862_700_000
LINES = [b"%d\tblue cheese\t2006-03-01 07:00:00\t\t" % user for user in range(7)]


def sent(feed: Feed, limit: int) -> list[tuple[bytes, bytes]]:
    """Return users and lines of one replay, all due at once."""
    feed.limit = limit
    return [
        (user, line)
        for batch in feed.batches()
        for _, user, line in feed.fill(batch, [0.0] * len(batch), ORIGIN / 1000)
    ]


def test_each_round_has_users_of_its_own_and_a_replay_goes_on_where_the_last_one_stopped() -> None:
    feed = Feed(LINES, ORIGIN)
    users = [user for limit in (5, 4, 12) for user, _ in sent(feed, limit)]
    assert users == [b"%d%s" % (user, mark) for mark in (b"", b".1", b".2") for user in range(7)]
    assert feed.total == 12
    other = [user for user, _ in sent(Feed(LINES, ORIGIN, label="-1"), 14)]
    assert set(other).isdisjoint(users)


def test_a_record_is_keyed_by_its_user_and_stamped_with_when_it_was_due() -> None:
    feed = Feed(LINES, ORIGIN)
    feed.limit = 2
    (batch,) = feed.batches()
    logs = feed.fill(batch, [0.25, 1.5], ORIGIN / 1000 + 3)
    assert [Stamps(ORIGIN).read(line.decode()) for _, _, line in logs] == [(ORIGIN + 3250,) * 2, (ORIGIN + 4500,) * 2]
    assert [line.partition(b"\t")[0] for _, _, line in logs] == [user for _, user, _ in logs]


@pytest.mark.parametrize("bad", BAD)
def test_every_bad_record_is_one_that_the_service_refuses(bad: bytes) -> None:
    decoded = AolCodec().decode([bad.decode("utf-8", "surrogateescape").rstrip("\r\n")], "raw", 0)
    assert decoded.queries == []
    assert len(decoded.refusals) == 1


def test_bad_records_come_beside_the_logs_at_their_share_and_are_counted() -> None:
    feed = Feed(LINES, ORIGIN, bad=0.25, seed=3)
    lines = [line for _, line in sent(feed, 10_000)]
    assert feed.bad == sum(line in BAD for line in lines)
    assert 0.17 < feed.bad / len(lines) < 0.23  # a quarter of the logs is a fifth of the records
    assert set(BAD) <= set(lines)


def test_a_hot_topic_has_its_share_of_the_queries() -> None:
    log = Log(lines=2_000, users=100)
    queries = Counter(
        line.split(b"\t")[1] for line in lines_of(log.model_copy(update={"hot": "games", "hot_share": 0.9}))
    )
    calm = Counter(line.split(b"\t")[1] for line in lines_of(log))
    common = {query for query in queries if queries[query] > 5 and query not in calm}
    assert sum(queries[query] for query in common) > 800
    assert len(lines_of(log)) == 2_000


def test_files_are_sent_in_order_of_time_with_all_five_columns(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv"
    path.write_text(
        "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
        "2\tlater\t2006-03-01 09:00:00\t\t\n1\tfirst\t2006-03-01 07:00:00\n"
    )
    lines = lines_of(Log(files=[str(path)]))
    assert [line.split(b"\t")[1] for line in lines] == [b"first", b"later"]
    assert [line.count(b"\t") for line in lines] == [4, 4]
    assert len(list(islice(sent(Feed(lines, ORIGIN), 4), 4))) == 4
