"""Joint levels of ladders, their items, and the steps of URLs."""

import doctest
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core import generalize
from querymix.core.generalize import fields_of, first_subtag, group_item, levels, url_steps

LADDERS = {"place": ["city", "region", "country"], "device": ["device"], "language": ["lang"]}


def test_the_examples_of_the_module_hold() -> None:
    assert doctest.testmod(generalize).failed == 0


def test_each_level_lacks_the_next_step_of_the_next_ladder_in_turn() -> None:
    assert fields_of(LADDERS) == ["city", "region", "country", "device", "lang"]
    assert levels(LADDERS, ("Lyon", "ARA", "FR", "phone", "fr-CA")) == [
        ("Lyon", "ARA", "FR", "phone", "fr-CA"),
        (None, "ARA", "FR", "phone", "fr-CA"),
        (None, "ARA", "FR", None, "fr-CA"),
        (None, "ARA", "FR", None, "fr"),
        (None, None, "FR", None, "fr"),
        (None, None, "FR", None, None),
    ]


def test_a_level_keeps_its_number_where_a_value_is_absent() -> None:
    assert levels(LADDERS, (None, None, "FR", None, "fr"))[-1] == (None, None, "FR", None, None)
    assert len(levels(LADDERS, (None, None, "FR", None, "fr"))) == 6
    assert levels(LADDERS, (None,) * 5) == []
    assert levels({}, ()) == []


@pytest.mark.parametrize(
    ("tag", "first"),
    [("es-MX", "es"), ("zh_Hant_TW", "zh"), ("es-MX,es;q=0.9", "es"), (" de", "de"), ("419", None), (7, None)],
)
def test_the_first_subtag_of_a_language_is_a_step(tag: object, first: str | None) -> None:
    assert first_subtag(tag) == first


def test_a_ladder_of_another_name_has_no_subtags() -> None:
    assert levels({"locale": ["lang"]}, ("es-MX",)) == [("es-MX",)]


def test_a_group_of_another_level_or_of_other_values_is_another_item() -> None:
    assert group_item(1, (None, "FR", 3)) == 'group 1 [null,"FR",3]'
    seen = {group_item(0, ("3", None)), group_item(0, (3, None)), group_item(0, (None, 3)), group_item(1, (3, None))}
    assert len(seen | {group_item(0, (True, None)), group_item(0, (1, None))}) == 6


@given(st.lists(st.one_of(st.none(), st.text(max_size=8), st.integers()), min_size=5, max_size=5))
def test_a_level_never_has_a_value_that_a_level_before_it_lacks(values: list[object]) -> None:
    found = levels(LADDERS, values)
    for finer, coarser in pairwise(found):
        changed = [place for place in range(5) if finer[place] != coarser[place]]
        assert len(changed) <= 1
        assert all(coarser[place] in (None, first_subtag(finer[place])) for place in changed)


@pytest.mark.parametrize(
    ("url", "released"),
    [
        ("http://www.shop.example/a?b=c#d", ["http://www.shop.example/a?b=c#d", "http://www.shop.example", "DOMAIN"]),
        ("http://www.shop.example", ["http://www.shop.example", "DOMAIN"]),
        ("http://www.shop.example/", ["http://www.shop.example", "DOMAIN"]),
        ("HTTP://shop.example", ["http://shop.example", "DOMAIN"]),
        ("http://shop.example//", ["http://shop.example//", "http://shop.example", "DOMAIN"]),
        ("http://shop.example/?", ["http://shop.example/?", "http://shop.example", "DOMAIN"]),
        ("http://jo:word@shop.example/a", ["http://shop.example", "DOMAIN"]),
        ("http:\\\\jo@shop.example/a", ["http://shop.example", "DOMAIN"]),
        ("http://shop.example/a@b", ["http://shop.example/a@b", "http://shop.example", "DOMAIN"]),
        ("http://shop.example:8080/", ["http://shop.example:8080/", "http://shop.example", "DOMAIN"]),
        ("http://b\u00fccher.example/x", ["http://xn--bcher-kva.example", "DOMAIN"]),
        ("HTTP://Shop.example/A", ["HTTP://Shop.example/A", "http://shop.example", "DOMAIN"]),
        ("http://shop.example:pw@shop.example/a", ["http://shop.example", "DOMAIN"]),
        ("http://shop.example@evil.example/a", ["http://evil.example", "DOMAIN"]),
        ("http://shop.example:/a", ["http://shop.example", "DOMAIN"]),
        ("http://shop.example\\a@b", ["http://shop.example", "DOMAIN"]),
        ("http://shop.example/\tx", ["http://shop.example", "DOMAIN"]),
        ("http://shop.example/" + 3000 * "x", ["http://shop.example", "DOMAIN"]),
        ("http://127.0.0.1/a", []),
        ("http://[::1]/a", []),
        ("mailto:jo@shop.example", []),
        ("javascript:alert(1)", []),
        ("localhost", []),
        ("", []),
    ],
)
def test_a_url_has_these_steps(url: str, released: list[str]) -> None:
    assert [value for _, value in url_steps(url, lambda host: "DOMAIN")] == released


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_item_of_a_step_names_what_leaves(head: str, tail: str) -> None:
    for url in (head, f"http://{head}.shop.example/{tail}"):
        for named, value in url_steps(url, lambda host: host):
            assert named.partition(" ")[2] == value
