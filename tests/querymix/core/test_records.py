"""Writing a query down and reading it back gives the same query, whatever a codec read."""

import json
from typing import Any

import orjson
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.codecs.aol import AolCodec
from querymix.codecs.frames import dumps, loads
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.codecs.spelling import valued
from querymix.core.records import Query, Release, each_row, freeze, own_rows_of, rows_of, thaw, tuples

settings = how(deadline=None)
scalars = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.none(),
    st.booleans(),
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
plain: st.SearchStrategy[Any] = st.recursive(
    scalars, lambda deeper: st.one_of(st.lists(deeper, max_size=3), st.dictionaries(texts, deeper, max_size=3))
)


def there_and_back(query: Query) -> Query:
    return thaw(loads(dumps(freeze(query))))


@settings
@given(st.text(min_size=1), plain, st.one_of(st.none(), st.integers(0, 99)))
def test_a_query_of_json_lines_comes_back_the_same_with_all_types(user: str, safe: Any, rank: int | None) -> None:
    line = json.dumps({"user": user, "query": "made up", "time": 1141171200, "rank": rank, "more": safe})
    for query in JsonLinesCodec(safe=["more"]).decode([line], "test", 1).queries:
        back = there_and_back(query)
        assert back == query
        assert repr(back[:]) == repr(query[:]), "types too"
        assert there_and_back(back) == back


@settings
@given(plain)
def test_a_safe_field_leaves_with_its_content(safe: Any) -> None:
    codec = JsonLinesCodec(safe=["more"])
    line = orjson.dumps({"user": "ann", "query": "made up", "time": "2006-03-01", "more": safe}).decode()
    (query,) = codec.decode([line], "test", 1).queries
    (out,) = codec.encode([Release("bob", 1, there_and_back(query), 1, query, 3)])
    left = {"user": "bob", "query": "made up", "time": "2006-03-01T00:00:00Z"}
    content = valued(orjson.loads(line)["more"])
    assert orjson.loads(out) == left | ({} if content is None else {"more": orjson.loads(orjson.dumps(content))})


def test_a_query_of_an_aol_line_comes_back_the_same() -> None:
    for line in ("1\tmade up\t2006-03-01 00:00:00", "1\tmade \udcff\t2006-03-01 00:00:00\t2\thttp://a.example"):
        (query,) = AolCodec().decode([line], "test", 1).queries
        assert repr(there_and_back(query)[:]) == repr(query[:])


@given(plain)
def test_tuples_stand_for_lists_at_every_depth_and_only_once(value: Any) -> None:
    made = tuples(value)
    assert tuples(made) == made
    assert loads(dumps(made)) == loads(dumps(value))


def test_own_rows_are_counted_as_all_rows_are() -> None:
    asked = [Query(user, "text", "", 0.0, rank) for user in ("ann", "bob") for rank in "123"]
    releases = [
        Release("ann", 0, asked[0], 0, asked[0], 2, tuple(asked[1:3])),
        Release("ann", 0, asked[3], 0, asked[3], 2, tuple(asked[4:6])),
    ]
    assert (rows_of(releases), own_rows_of(releases)) == (6, 3)


def test_each_row_of_a_session_is_told_with_its_own_category() -> None:
    asked = [Query("ann", f"text {n}", "", 0.0, n) for n in range(4)]
    releases = [
        Release("bob", (1, -1), asked[0], 1, asked[1], 2, (asked[1],), 0.0, (1, -1)),
        Release("bob", 3, asked[2], 1, asked[2], 2, (), 0.0, (3,)),
        Release("bob", 1, asked[3], 1, asked[3], 2),
    ]
    rows = each_row(releases)
    assert [(row.query.rank, row.pool, row.further, row.categories) for row in rows] == [
        (n, category, (), ()) for n, category in enumerate([1, -1, 3, 1])
    ]


def test_a_release_of_one_row_stays_as_it_is_beside_one_of_several() -> None:
    query = Query("ann", "made-up", "", 1.0)
    alone = Release("bob", 1, query, 1, query, 20)
    several = alone._replace(further=(query._replace(rank=2), query), categories=(1, 3, 1))
    rows = each_row([alone, several, alone])
    assert rows[0] is rows[-1] is alone
    assert [(row.query.rank, row.pool, row.further, row.categories) for row in rows[1:-1]] == [
        (None, 1, (), ()), (2, 3, (), ()), (None, 1, (), ()),
    ]  # fmt: skip
