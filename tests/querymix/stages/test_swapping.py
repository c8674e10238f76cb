"""Surrogates in the stage: the category is that of the cut text, rows and repeats agree, and each is counted."""

import re

from querymix.core.draw import system_draw
from querymix.core.identifiers import Identifier
from querymix.core.records import UNCLASSIFIED, Classification, Query
from querymix.core.surrogates import Surrogates
from querymix.stages.classifying import CLICKED_HOST, Classifying
from querymix.stages.swapping import Swapping

TOPICS = {
    "jane roe soccer": Classification(15, "Sports", "soccer", "soccer", ("name",), (Identifier("name", 0, 8),)),
    "jane roe": Classification(UNCLASSIFIED, "", "", "", ("name",), (Identifier("name", 0, 8),)),
    "soccer": Classification(15, "Sports", "soccer", "soccer"),
    "soccer mrn 123456": Classification(
        15, "Sports", "soccer", "soccer", ("medical",), (Identifier("medical", 7, 17),)
    ),
}
SURROGATES = Surrogates(system_draw())


def topic_of(text: str, url: str | None = None, /) -> Classification:
    return TOPICS[text]


def asked(text: str, at: float = 0.0, user: str = "ann", url: str | None = None) -> Query:
    return Query(user, text, at, at, None, url)


def stage(within: float = 0.0, most: int = 100) -> Classifying:
    return Classifying(topic_of, swapping=Swapping(SURROGATES, within, most))


def texts(it: Classifying, *queries: Query) -> list[str]:
    return [query.text for _, query in it(queries)]


def test_a_surrogate_stands_where_a_name_was_and_the_category_is_that_of_the_rest() -> None:
    it = stage()
    ((category, query),) = it([asked("jane roe soccer")])
    assert category == 15
    assert re.fullmatch("[a-z]+ [a-z]+ soccer", query.text)
    assert query.text != "jane roe soccer"


def test_a_query_that_is_nothing_but_a_name_is_suppressed_as_without() -> None:
    it = stage()
    assert texts(it, asked("jane roe")) == []
    assert it.suppressed == 1
    assert not it.swapped


def test_what_is_swapped_and_what_is_cut_are_counted_apart() -> None:
    it = stage()
    assert texts(it, asked("soccer"), asked("soccer mrn 123456"), asked("jane roe soccer"))[:2] == ["soccer", "soccer"]
    assert it.removed == {"name": 1, "medical": 1}
    assert it.swapped == {"name": 1}
    again = stage()
    again.restore(it.snapshot())
    assert again.swapped == {"name": 1}
    old = {name: count for name, count in it.snapshot().items() if name != "swapped"}
    again.restore(old)
    assert not again.swapped


def test_the_rows_of_one_query_have_one_surrogate_and_the_next_query_another() -> None:
    it = stage()
    rows = texts(it, *(asked("jane roe soccer", 7.0) for _ in range(3)))
    assert len(set(rows)) == 1
    assert len(set(texts(it, *(asked("jane roe soccer", 8.0 + at) for at in range(30))))) > 20
    assert len(set(texts(it, *(asked("jane roe soccer", 90.0, user) for user in "abcdefghijklmnopqrst")))) > 12


def test_a_repeat_within_dedupe_has_the_same_surrogate_so_that_it_is_known() -> None:
    it = stage(within=10.0)
    first, second, third = texts(it, *(asked("jane roe soccer", at) for at in (0.0, 9.0, 18.0)))
    assert first == second == third
    assert len({*texts(it, *(asked("jane roe soccer", 100.0 + 20 * at) for at in range(9)))}) > 5


def test_what_is_remembered_is_bounded() -> None:
    it = Swapping(SURROGATES, most=2)
    topic = TOPICS["jane roe soccer"]
    for user in "abcdef":
        it(asked("jane roe soccer", user=user), topic, "soccer")
    assert repr(it) == "Swapping(2 queries)"


def test_a_text_that_a_rule_has_changed_is_in_normal_form_with_its_surrogate() -> None:
    topic = Classification(15, "Sports", "soccer", "Soccer  Cup", ("name",), (Identifier("name", 0, 8),))
    made = Swapping(SURROGATES)(asked("Jane Roe Soccer  Cup"), topic, "soccer cup")
    assert re.fullmatch("[a-z]+ [a-z]+ soccer cup", made.text)


def test_a_clicked_host_that_tells_what_was_swapped_is_left_out() -> None:
    it = stage()
    ((_, query),) = it([asked("jane roe soccer", url="http://janeroe.example")])
    assert query.url == ""
    assert it.removed[CLICKED_HOST] == 1


def test_without_surrogates_the_text_is_cut() -> None:
    it = Classifying(topic_of)
    assert texts(it, asked("jane roe soccer")) == ["soccer"]
    assert not it.swapped


def test_a_query_as_it_came_is_known_for_an_hour_and_for_as_long_as_repeats_are_looked_for() -> None:
    for within in (0.0, 86_400.0):
        it = Swapping(SURROGATES, within)
        topic = TOPICS["jane roe soccer"]
        for user, at in (("ann", 0.0), ("bob", within + 3600.0)):
            it(asked("jane roe soccer", at, user), topic, "soccer")
        assert repr(it) == "Swapping(2 queries)"
        it(asked("jane roe soccer", within + 3601.0, "cyd"), topic, "soccer")
        assert repr(it) == "Swapping(2 queries)", "the first one is gone"
