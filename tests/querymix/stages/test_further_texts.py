"""What stands beside a query's text: identifiers go there too, and what the query's own cut words tell."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.bootstrap.parts import make_classifier, open_bundle
from querymix.core.classify import Classify
from querymix.core.pseudonyms import Pseudonyms
from querymix.core.records import Query, freeze, thaw
from querymix.core.rich import Click, Result, Rich, rich_of, with_rich
from querymix.settings import KnowledgeSettings, load
from querymix.stages.classifying import CLICKED_HOST, REPEATED, Classifying

PHONE = "212-555-0147"
MAIL = "jo.smith@example.com"


@pytest.fixture(scope="module")
def classify() -> Classify:
    settings = load(KnowledgeSettings, {})
    return make_classifier(settings, open_bundle(settings))


def query_of(*values: object, text: str = "red shoes", url: str | None = None) -> Query:
    return Query("ann", text, "2006-03-01 00:00:00", 0.0, 1, url, (values,))


def through(classify: Any, query: Query) -> tuple[Query, dict[str, int]]:
    stage = Classifying(classify, unclassified="pool")
    ((_, left),) = stage([query])
    return left, dict(stage.removed)


@pytest.mark.parametrize(
    ("value", "left"),
    [
        (f"call {PHONE} now", "call now"),
        (PHONE, None),
        (("shoes", PHONE), ("shoes", None)),
        ((PHONE, PHONE), None),
        ({"seen": f"{PHONE} shoes", "at": 3}, {"seen": "shoes", "at": 3}),
        ({PHONE: 1, "at": 3}, {"at": 3}),
        ({"deep": ({"er": (PHONE,)},)}, None),
        ("mobile", "mobile"),
        ("-", "-"),
        ("", ""),
        (7, 7),
        (2125550147, 2125550147),
        (True, True),
        (None, None),
        ((None,), (None,)),
        ((), ()),
    ],
)
def test_identifiers_are_cut_from_every_text_that_leaves(classify: Classify, value: object, left: object) -> None:
    query, removed = through(classify, query_of("kept", value))
    assert query.extra == (("kept", left),)
    assert removed == ({} if value == left else {"phone": 1})
    assert thaw(json.loads(json.dumps(freeze(query)))) == query


def test_where_all_values_go_their_part_is_empty(classify: Classify) -> None:
    assert through(classify, query_of(PHONE, MAIL))[0].extra == ()
    stage = Classifying(classify, unclassified="pool")
    ((_, query),) = stage([query_of(PHONE)._replace(extra=((PHONE,), ("Row", "user")))])
    assert query.extra == ((), ("Row", "user"))


def test_titles_of_results_are_texts_too(classify: Classify) -> None:
    rich = Rich((Result("http://a.example/x", 1, True, False, f"write to {MAIL}"), Result(None, 2, None, None, None)))
    left, removed = through(classify, with_rich(query_of("kept"), rich))
    assert rich_of(left) == Rich((Result("http://a.example/x", 1, True, False, "write to"), rich.results[1]))
    assert removed == {"email": 1}


def test_a_record_counts_once_for_a_kind_wherever_it_was_found(classify: Classify) -> None:
    assert through(classify, query_of(PHONE, f"x {PHONE}", text=f"shoes {PHONE}"))[1] == {"phone": 1}


CUT = f"jennifer martinez {PHONE} sandwich shop"


def test_what_was_cut_from_the_query_is_not_to_be_read_beside_it(classify: Classify) -> None:
    rich = Rich(
        (
            Result("http://jennifermartinez.example/a", 1, True, True, "Home"),
            Result("http://people.example/jennifer-martinez", 2, True, True, "Profile"),
            Result("http://people.example/%4aennifer_x", 3, True, True, "Profile"),
            Result("http://people.example/JenniferMartinez", 3, True, True, "Profile"),
            Result("http://shop.example/tag", 4, True, True, "Tag martinez212"),
            Result("http://shop.example/menu", 4, True, True, "The martinez menu"),
            Result("http://shop.example/sandwich", 5, True, True, "A sandwich shop"),
        ),
        (Click("http://jennifermartinez.example/a", 1, 2, 3), Click("http://shop.example/sandwich", 5, 4, 9)),
    )
    query = with_rich(query_of("by martinez", "sandwich", text=CUT, url="http://people.example/martinez"), rich)
    left, removed = through(classify, query)
    assert left.text == "sandwich shop"
    assert left.url == "http://people.example"
    assert left.extra[0] == (None, "sandwich")
    assert rich_of(left) == Rich(
        (
            Result(None, 1, True, True, None),
            Result("http://people.example", 2, True, True, None),
            Result("http://people.example", 3, True, True, None),
            Result("http://people.example", 3, True, True, None),
            Result("http://shop.example/tag", 4, True, True, None),
            Result("http://shop.example/menu", 4, True, True, None),
            Result("http://shop.example/sandwich", 5, True, True, "A sandwich shop"),
        ),
        (Click(None, 1, 2, 3), Click("http://shop.example/sandwich", 5, 4, 9)),
    )
    assert removed == {"name": 1, "phone": 1, CLICKED_HOST: 1, REPEATED: 1}


def test_a_scheme_that_was_cut_tells_nothing_of_other_urls(classify: Classify) -> None:
    text = "http://example.com/reset/bd0Aeb1kTq9Zx3 sandwich shop"
    left, removed = through(classify, query_of("kept", text=text, url="http://shop.example/menu"))
    assert removed == {"secret": 1}
    assert left.url == "http://shop.example/menu"


def test_where_nothing_was_cut_a_url_stays_as_it_is(classify: Classify) -> None:
    rich = Rich((Result("http://sandwich.example/shop", 1, True, True, "Sandwich"),))
    query = with_rich(query_of("sandwich", text="sandwich shop", url="http://sandwich.example/shop"), rich)
    assert through(classify, query) == (query, {})


def test_users_go_under_pseudonyms_also_where_fields_travel(classify: Classify) -> None:
    pseudonyms = Pseudonyms(b"a key of sixteen")
    ((_, left),) = Classifying(classify, unclassified="pool", pseudonyms=pseudonyms)([query_of("kept", PHONE)])
    assert left == query_of("kept", None)._replace(user=pseudonyms["ann"])


def test_places_that_had_a_value_are_told_and_go_on_with_the_counts(classify: Classify) -> None:
    stage, other = Classifying(classify, unclassified="pool"), Classifying(classify)
    stage([query_of(None, "a", None), query_of(None, None, PHONE), query_of()])
    assert stage.filled == {1, 2}
    other.restore(json.loads(json.dumps(stage.snapshot())))
    assert other.filled == {1, 2}
    other.restore({name: value for name, value in Classifying(classify).snapshot().items() if name != "filled"})


def test_a_query_of_0_5_0_keeps_what_travels_with_it(classify: Classify) -> None:
    old = query_of()._replace(extra=(False, ("user", "device"), ("phone",)))
    assert through(classify, old)[0] == old


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=20), st.just(PHONE), st.just(f"a {MAIL}")),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@how(deadline=None)
@given(st.lists(values, max_size=4))
def test_no_identifier_is_left_in_whatever_travels(classify: Classify, found: list[object]) -> None:
    left, removed = through(classify, query_of(*found))
    shown = json.dumps(left.extra, ensure_ascii=False)
    assert PHONE not in shown
    assert MAIL not in shown
    assert through(classify, left)[0] == left
    if not removed:
        assert left.extra == query_of(*found).extra
