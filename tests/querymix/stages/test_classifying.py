"""The first stage: what goes on, what is counted, and that identifiers and user ids go no further."""

import json

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.pseudonyms import Pseudonyms
from querymix.core.records import UNCLASSIFIED, Classification, Query
from querymix.stages.classifying import CLICKED_HOST, Classifying
from querymix.stages.screening import Reason

TOPICS = {
    "soccer": Classification(15, "Sports/Soccer", "soccer", "soccer"),
    "soccer 555": Classification(15, "Sports/Soccer", "soccer", "soccer", ("phone",)),
    "555 joe": Classification(1, "Arts", "", "", ("name", "phone")),
    "zyx": Classification(UNCLASSIFIED, "", "", "zyx"),
    "zyx 555": Classification(UNCLASSIFIED, "", "", "zyx", ("phone",)),
    "-": Classification(UNCLASSIFIED, "", "", ""),
    " ": Classification(UNCLASSIFIED, "", "", ""),
}
texts = st.sampled_from(sorted(TOPICS))


def topic_of(text: str, url: str | None = None, /) -> Classification:
    return TOPICS[text]


def ask(text: str, user: str = "ann") -> Query:
    return Query(user, text, "2006-03-01 00:00:00", 0.0, "1", "http://a.example", ("form",))


@how(deadline=None)
@given(st.lists(texts), st.sampled_from(["drop", "pool"]))
def test_every_query_goes_on_or_is_counted(asked: list[str], policy: str) -> None:
    stage = Classifying(topic_of, unclassified="drop" if policy == "drop" else "pool")
    out = stage(map(ask, asked))
    dropped = stage.unclassified if policy == "drop" else 0
    assert stage.arrived == len(asked) == len(out) + stage.suppressed + stage.empty + dropped
    assert stage.empty == asked.count("-") + asked.count(" ")
    assert stage.account.total == len(asked)
    assert stage.suppressed == asked.count("555 joe")
    assert stage.unclassified == asked.count("zyx") + asked.count("zyx 555")
    assert stage.removed["phone"] == sum("555" in text for text in asked)
    assert stage.removed["name"] == asked.count("555 joe")


@how(deadline=None)
@given(st.lists(st.tuples(texts, st.sampled_from(["ann", "bob", "555"]))))
def test_what_goes_on_holds_the_released_text_and_the_rest_unchanged(asked: list[tuple[str, str]]) -> None:
    out = Classifying(topic_of, unclassified="pool")(ask(*pair) for pair in asked)
    kept = [pair for pair in asked if TOPICS[pair[0]].text]
    assert [(category, query.text, query.user) for category, query in out] == [
        (TOPICS[text].category, TOPICS[text].text, user) for text, user in kept
    ]
    assert all("555" not in query.text for _, query in out)
    assert all(query[2:] == ask("soccer")[2:] for _, query in out)


@pytest.mark.parametrize("text", ["soccer", "soccer 555"])
def test_users_go_on_under_pseudonyms_only(text: str) -> None:
    pseudonyms = Pseudonyms(b"a key of sixteen")
    ((_, query),) = Classifying(topic_of, pseudonyms=pseudonyms)([ask(text, "ann")])
    assert query.user == pseudonyms["ann"] != "ann"
    assert query.text == "soccer"
    assert query[2:] == ask(text)[2:]


@how(deadline=None)
@given(st.lists(texts), st.lists(texts))
def test_restored_counts_go_on(before: list[str], after: list[str]) -> None:
    whole, first, second = (Classifying(topic_of) for _ in range(3))
    whole(map(ask, before + after))
    first(map(ask, before))
    second.restore(json.loads(json.dumps(first.snapshot())))
    second(map(ask, after))
    assert second.snapshot() == whole.snapshot()


def test_counts_of_a_version_that_knew_no_empty_queries_go_on() -> None:
    stage, old = Classifying(topic_of), Classifying(topic_of)
    stage([ask("soccer")])
    old.restore({name: count for name, count in stage.snapshot().items() if name != "empty"})
    old([ask("-")])
    assert (old.empty, old.account.total) == (1, 2)


def test_no_repr_shows_a_user_or_a_query() -> None:
    out = Classifying(topic_of)([ask("soccer")])
    assert out
    assert "ann" not in repr(out)
    assert "soccer" not in repr(out)


CUT = Classification(15, "Arts/Music", "piano", "piano", ("name",))


@pytest.mark.parametrize(
    ("url", "released", "counted"),
    [("http://jenniferbrown.example", "", 1), ("http://piano.example", "http://piano.example", 0), (None, None, 0)],
)
def test_a_clicked_url_whose_host_holds_a_cut_word_is_left_out_and_counted(
    url: str | None, released: str | None, counted: int
) -> None:
    stage = Classifying(lambda text, url=None, /: CUT)
    query = ask("jennifer brown piano")._replace(url=url)
    ((_, out),) = stage([query])
    assert out == query._replace(text="piano", url=released)
    assert stage.removed[CLICKED_HOST] == counted
    again = Classifying(topic_of)
    again.restore(stage.snapshot())
    assert again.removed == stage.removed


def test_a_host_stays_where_nothing_was_cut() -> None:
    query = ask("soccer")._replace(url="http://soccer.example")
    assert [query for _, query in Classifying(topic_of)([query])] == [query]


class Refuses:
    """A rule that knows by a query's first letter what it may not leave for."""

    def __call__(self, query: Query, /) -> Query | Reason:
        """Return the query in capitals, or the reason."""
        return {"z": RARE, "-": LONG}.get(query.text[0]) or query._replace(text=query.text.upper())

    def note(self, query: Query, /) -> None:
        """Count nobody."""


RARE: Reason = "rare"
LONG: Reason = "long"


@how(deadline=None)
@given(st.lists(texts), st.sampled_from(["drop", "pool"]))
def test_what_a_rule_suppresses_is_counted_once_and_goes_no_further(asked: list[str], policy: str) -> None:
    def stage() -> Classifying:
        return Classifying(topic_of, unclassified="drop" if policy == "drop" else "pool", rules=[Refuses()])

    it = stage()
    out = it(map(ask, asked))
    assert {query.text for _, query in out} <= {"SOCCER"}
    rare = 0 if policy == "drop" else asked.count("zyx") + asked.count("zyx 555")
    account = it.account
    assert (account.suppressed_as_rare, account.suppressed_as_long) == (rare, 0)
    assert account.total == len(asked) == it.arrived
    assert account.waiting == len(out) == it.passed_on
    assert it.unclassified == it.dropped == (0 if policy == "pool" else asked.count("zyx") + asked.count("zyx 555"))
    plain = Classifying(topic_of)
    plain.restore(json.loads(json.dumps(it.snapshot())))
    assert plain.account == account, "also where nothing is screened any longer"


def test_counts_of_a_version_that_screened_nothing_go_on() -> None:
    stage, old = Classifying(topic_of, rules=[Refuses()]), Classifying(topic_of, rules=[Refuses()])
    stage([ask("zyx")])
    old([ask("soccer")])
    stage.restore({name: count for name, count in old.snapshot().items() if name != "screened"})
    assert (stage.account.suppressed_as_rare, stage.account.total) == (0, 1)
