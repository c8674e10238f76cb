"""The rule about fields and URLs: what leaves of a query under a crowd, and whom it counts."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.crowd import CountedCrowd, item
from querymix.core.generalize import FieldsRule, first_subtag, group_item, levels, url_steps, urls_of
from querymix.core.records import Query, freeze, thaw
from querymix.core.rich import Click, Result, Rich, rich_of, with_rich

LADDERS = {"place": ["city", "country"], "language": ["lang"]}
PLACES = [1, 2, 3]
"""Of city, country and language in `extra[0]`; before them stands a safe field."""
USERS = 3


def record(user: str, values: Sequence[Any], text: str = "shoes") -> Query:
    return Query(user, text, "2006-03-01 00:00:00", 0.0, "1", "", (("kept", *values),))


def rule(
    crowd: CountedCrowd,
    *,
    policy: Literal["empty", "suppress"] = "empty",
    urls: str = "host",
    remember: bool = True,
    count: Any = None,
) -> FieldsRule:
    return FieldsRule(
        crowd, ladders=LADDERS, places=PLACES, users=USERS, group_policy=policy, group_users=USERS, urls=urls,
        remember=remember, domain_of=lambda host: ".".join(host.split(".")[-2:]), count=count,
    )  # fmt: skip


def counted(log: Sequence[Query]) -> CountedCrowd:
    """Return the crowd of a table over a log: groups counted by remainder, level by level."""
    crowd = CountedCrowd()
    waiting = [(query.user, levels(LADDERS, query.extra[0][1:])) for query in log]  # type: ignore[index]
    number = 0
    while waiting:
        users = defaultdict(set)
        for user, found in waiting:
            users[found[number]].add(user) if number < len(found) else None
        for group, some in users.items():
            if len(some) >= USERS:
                for user in some:
                    crowd.add(user, [group_item(number, group)])
        waiting = [
            (user, found) for user, found in waiting if number < len(found) and len(users[found[number]]) < USERS
        ]
        number += 1
    return crowd


fields = st.tuples(
    st.sampled_from(["Lyon", "Nice", "Ulm", None]),
    st.sampled_from(["FR", "DE", None]),
    st.sampled_from(["fr", "fr-CA", "fr-FR", "de", None]),
)
logs = st.lists(st.builds(record, st.sampled_from([f"user {n}" for n in range(9)]), fields), max_size=60)


def left_of(query: Query | str) -> Any:
    assert isinstance(query, Query)
    return query.extra[0][1:] if query.extra else (None,) * 3  # type: ignore[index]


@how(deadline=None, max_examples=300)
@given(logs)
def test_each_class_of_values_that_leaves_has_enough_users(log: list[Query]) -> None:
    released = list(map(rule(counted(log)), log))
    users = defaultdict(set)
    for query, left in zip(log, released, strict=True):
        users[left_of(left)].add(query.user)
    assert all(len(some) >= USERS for values, some in users.items() if any(values))


@how(deadline=None)
@given(logs)
def test_what_leaves_is_a_level_of_what_came_and_the_rest_is_unchanged(log: list[Query]) -> None:
    for query in log:
        left = rule(counted(log))(query)
        assert isinstance(left, Query)
        assert left[:6] == query[:6]
        assert left.extra[0][0] == "kept"  # type: ignore[index]
        for own, value in zip(query.extra[0][1:], left_of(left), strict=True):  # type: ignore[index]
            assert value in (None, own, first_subtag(own))


@how(deadline=None)
@given(logs)
def test_under_suppress_only_records_whose_values_all_leave_empty_are_rare(log: list[Query]) -> None:
    crowd = counted(log)
    for query in log:
        left, strict = rule(crowd)(query), rule(crowd, policy="suppress")(query)
        had_any = any(value is not None for value in query.extra[0][1:])  # type: ignore[index]
        assert strict == ("rare" if had_any and not any(left_of(left)) else left)


@how(deadline=None)
@given(logs)
def test_what_is_remembered_is_what_the_crowd_says(log: list[Query]) -> None:
    crowd = counted(log)
    remembering, asking = rule(crowd), rule(crowd, remember=False)
    assert list(map(remembering, [*log, *log])) == list(map(asking, [*log, *log]))


def test_values_that_compare_equal_and_are_written_differently_are_different_groups() -> None:
    crowd = CountedCrowd()
    for user in "abc":
        crowd.add(user, [group_item(0, (1, None, None))])
    it = rule(crowd)
    assert [left_of(it(record("a", (value, None, None))))[0] for value in (1, True, "1", 1)] == [1, None, None, 1]


def test_a_record_without_fields_or_of_0_5_0_leaves_as_it_is() -> None:
    crowd = CountedCrowd()
    for user in "abc":
        crowd.add(user, [item("url", "http://a.example/b")])
    it = rule(crowd, policy="suppress", urls="crowd", count=crowd.add)
    for extra in ((), ((),), ((), ("Row", "a")), (False, ("city",), ("Lyon",), ("Row",), 0), ((None,) * 4,)):
        query = Query("ann", "shoes", "", 0.0, None, "http://a.example/b", extra)
        assert it(query) == query
        it.note(query)


def test_of_values_that_all_leave_empty_the_place_is_left_out_and_what_follows_stays() -> None:
    it = rule(CountedCrowd())
    query = Query("ann", "shoes", "", 0.0, None, "", ((None, "Lyon", "FR", None),))
    assert it(query) == query._replace(extra=())
    assert it(query._replace(extra=(*query.extra, ("Row", "a")))) == query._replace(extra=((), ("Row", "a")))


@how(deadline=None)
@given(logs)
def test_a_stream_counts_a_record_at_a_level_only_where_those_below_had_too_few(log: list[Query]) -> None:
    crowd = CountedCrowd()
    it = rule(crowd, remember=False, count=crowd.add)
    plain = defaultdict(set)
    for query in log:
        it.note(query)
        for number, group in enumerate(levels(LADDERS, query.extra[0][1:])):  # type: ignore[index]
            plain[named := group_item(number, group)].add(query.user)
            if len(plain[named]) >= USERS:
                break
    for named, some in plain.items():
        assert crowd.enough(named, len(some))
        assert not crowd.enough(named, len(some) + 1)


RICH = Rich(
    (
        Result("http://a.shop.example/1", 1, True, True, "One"),
        Result("http://b.shop.example/2", 2, True, False, "Two"),
        Result("http://c.other.example/3", 3, False, False, "Three"),
        Result(None, 4, True, None, "Four"),
    ),
    (Click("http://a.shop.example/1", 1, 3, 40), Click("http://c.other.example/3", 3, 9, None)),
)


def test_urls_are_cut_to_the_first_step_that_enough_users_have_and_titles_leave_with_whole_ones_only() -> None:
    crowd = CountedCrowd()
    for user in "abc":
        crowd.add(user, [item("url", "http://a.shop.example/1"), item("domain", "shop.example")])
    query = with_rich(record("ann", ("Lyon", None, None))._replace(url="http://c.other.example/3"), RICH)
    left = rule(crowd, urls="crowd")(query)
    assert isinstance(left, Query)
    assert left.url == ""
    assert rich_of(left) == Rich(
        (
            Result("http://a.shop.example/1", 1, True, True, "One"),
            Result("shop.example", 2, True, False, None),
            Result(None, 3, False, False, None),
            Result(None, 4, True, None, None),
        ),
        (Click("http://a.shop.example/1", 1, 3, 40), Click(None, 3, 9, None)),
    )
    assert thaw(list(freeze(left))) == left
    assert rule(crowd)(query).url == query.url  # type: ignore[union-attr]  # of another policy nothing is cut


def test_a_page_of_nothing_but_its_host_keeps_its_title() -> None:
    crowd = CountedCrowd()
    for user in "abc":
        crowd.add(user, [item("host", "http://a.example")])
    rows = [Result(f"http://a.example{end}", 1, True, True, "Home") for end in ("", "/", "/x")]
    left = rule(crowd, urls="crowd")(with_rich(record("ann", ("", "", "")), Rich(tuple(rows))))
    assert not isinstance(left, str)
    found = rich_of(left)
    assert found is not None
    assert [(one.url, one.title) for one in found.results] == [
        ("http://a.example", "Home"),
        ("http://a.example", "Home"),
        ("http://a.example", None),
    ]


def test_a_host_leaves_where_the_whole_url_is_rare() -> None:
    crowd = CountedCrowd()
    for user in "abc":
        crowd.add(user, [item("host", "http://a.shop.example")])
    it = rule(crowd, urls="crowd", remember=False)
    for url in ("http://a.shop.example/1", "http://jo:word@a.shop.example:80/", "HTTP://A.SHOP.example", "//"):
        left = it(record("ann", ())._replace(url=url, extra=()))
        assert isinstance(left, Query)
        assert left.url == ("" if url == "//" else "http://a.shop.example")


urls = st.one_of(
    st.sampled_from(["http://a.example/1", "http://a.example/2", "https://b.a.example", "ftp://a.example", "", None]),
    st.text(max_size=12),
    st.builds("http://{}.example/{}".format, st.text(max_size=5), st.text(max_size=3)),
)
clicked = st.lists(st.tuples(st.sampled_from("abcdefgh"), urls), max_size=40)


@how(deadline=None)
@given(clicked)
def test_each_url_that_leaves_is_one_that_enough_users_share(log: list[tuple[str, str | None]]) -> None:
    crowd = CountedCrowd()
    it = rule(crowd, urls="crowd", remember=False, count=crowd.add)
    queries = [Query(user, "shoes", "", 0.0, None, url) for user, url in log]
    for query in queries:
        it.note(query)
    users = defaultdict(set)
    for user, url in log:
        for _, step in url_steps(url, lambda host: ".".join(host.split(".")[-2:])) if url else ():
            users[step].add(user)
    for query in queries:
        left = it(query)
        assert isinstance(left, Query)
        assert not left.url or len(users[left.url]) >= USERS
        assert left.url is None or left.url in ("", *users)


def test_groups_of_a_stream_are_counted_each_by_itself_and_those_of_a_table_by_remainder() -> None:
    """docs/guarantees.md says so: who was noted while the narrower group was small counts at the wider level too."""
    log = [
        record(user, (city, "FR", "fr")) for user, city in zip("abcd", ("Lyon", "Lyon", "Lyon", "Brest"), strict=True)
    ]
    crowd = CountedCrowd()
    stream, table = rule(crowd, remember=False, count=crowd.add), rule(counted(log))
    for query in log:
        stream.note(query)
    assert stream(log[0]) == table(log[0]) == log[0]
    assert stream(log[3]) == record("d", (None, "FR", "fr")), "with two of Lyon, who leave with their city"
    assert table(log[3]) == log[3]._replace(extra=(("kept", None, None, None),))


def test_users_are_counted_for_urls_that_they_were_shown_too() -> None:
    query = with_rich(record("ann", ())._replace(url="http://d.example"), RICH)
    assert len(urls_of(query)) == 6
    assert urls_of(query._replace(extra=(), url=None)) == []


def test_where_a_table_is_the_crowd_nobody_is_counted() -> None:
    crowd = CountedCrowd()
    it = rule(crowd, urls="crowd")
    it.note(record("ann", ("Lyon", "FR", "fr"))._replace(url="http://a.example"))
    assert repr(crowd) == "CountedCrowd(0 items)"


@pytest.mark.parametrize("secret", ["ann", "Lyon"])
def test_its_repr_shows_no_value(secret: str) -> None:
    it = rule(CountedCrowd())
    it(record("ann", ("Lyon", "FR", "fr")))
    assert secret not in repr(it)
