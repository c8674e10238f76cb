"""What leaves under a rule about texts is shared by enough users, term by term, pair by pair, whole."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.crowd import CountedCrowd, bare, item, items_of, terms_of
from querymix.core.rare_texts import Items, RareTexts, TooLong
from querymix.core.records import Query
from querymix.core.rich import Click, Result, Rich, rich_of, with_rich

USERS = 2
WORDS = ("red", "Red", "shoes", "shoes?", "(blue)", "blue", "--", "café", "cafe\u0301", "東京", "ß", "\udce9", "x")
texts = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join) | st.text(max_size=8)
logs = st.lists(st.tuples(st.integers(0, 4), texts), max_size=25)
levels = st.sampled_from(("terms", "pairs", "queries"))
policies: st.SearchStrategy[Literal["suppress", "drop-terms"]] = st.sampled_from(("suppress", "drop-terms"))


def ask(text: str, user: int = 1) -> Query:
    return Query(f"u{user}", text, "2006-03-01 00:00:00", 0.0, "1", "http://a.example", (("x",),))


def counted(log: Iterable[tuple[int, str]]) -> CountedCrowd:
    crowd = CountedCrowd()
    for user, text in log:
        crowd.add(f"u{user}", items_of(text))
    return crowd


def shared(text: str, crowd: CountedCrowd, level: Items) -> bool:
    """Say whether each item of a text that is asked for has enough users: the rule, written down anew."""
    terms = terms_of(text)
    plain = [bare(term) for term in terms]
    items = [item("term", term) for term in (*terms, *plain)]
    items += [item("pair", *two) for two in pairwise(plain)] if level != "terms" else []
    items += [item("query", *plain)] if level == "queries" else []
    return bool(terms) and all(crowd.enough(one, USERS) for one in items)


@how(deadline=None)
@given(logs, texts, levels, policies)
def test_whatever_leaves_is_in_the_crowd_and_in_normal_form(
    log: list[tuple[int, str]], text: str, level: Items, policy: Literal["suppress", "drop-terms"]
) -> None:
    crowd = counted(log)
    rule = RareTexts(crowd, USERS, level, policy)
    for one in [text, *(text for _, text in log)]:
        out = rule(ask(one))
        if isinstance(out, str):
            assert not shared(one, crowd, level)
            continue
        assert shared(out.text, crowd, level)
        assert out.text == " ".join(terms_of(out.text))
        assert out == ask(one)._replace(text=out.text)
        assert rule(out) == out
        assert rule(ask(one)) == out, "the second time it is remembered"
        forms = [{term, bare(term)} for term in terms_of(one)]
        left = terms_of(out.text)
        if policy == "suppress":
            assert len(left) == len(forms)
        remaining = iter(forms)
        assert all(any(term in form for form in remaining) for term in left), "in their order"


@how(deadline=None)
@given(logs, texts, levels)
def test_what_leaves_whole_when_rare_queries_are_suppressed_leaves_whole_when_rare_terms_are_dropped(
    log: list[tuple[int, str]], text: str, level: Items
) -> None:
    crowd = counted(log)
    suppressed = RareTexts(crowd, USERS, level)(ask(text))
    dropped = RareTexts(crowd, USERS, level, "drop-terms")(ask(text))
    assert suppressed in ("rare", dropped)


@how(deadline=None)
@given(logs, texts, levels, policies)
def test_a_crowd_that_is_counted_as_it_comes_lets_out_the_same_as_a_table(
    log: list[tuple[int, str]], text: str, level: Items, policy: Literal["suppress", "drop-terms"]
) -> None:
    crowd = CountedCrowd()
    stream = RareTexts(crowd, USERS, level, policy, crowd.add)
    for user, one in log:
        stream.note(ask(one, user))
    assert stream(ask(text)) == RareTexts(counted(log), USERS, level, policy)(ask(text))


LOG = [(1, "red shoes"), (2, "Red  Shoes!"), (1, "blue shoes"), (2, "blue hat"), (3, "shoes (red)"), (4, "red hat?")]


@pytest.mark.parametrize(
    ("text", "level", "suppress", "drop"),
    [
        ("RED shoes?", "queries", "red shoes", "red shoes"),
        ("blue shoes", "terms", "blue shoes", "blue shoes"),
        ("blue shoes", "pairs", None, "blue"),
        ("red hat shoes", "terms", "red hat shoes", "red hat shoes"),
        ("red hat shoes", "pairs", None, "red shoes"),
        ("red ann shoes", "terms", None, "red shoes"),
        ("red ann shoes", "queries", None, "red shoes"),
        ("hat", "queries", None, None),
        ("ann", "terms", None, None),
        (" ", "terms", None, None),
    ],
)
def test_what_is_rare_is_suppressed_or_dropped_by_what_is_asked_for(
    text: str, level: Items, suppress: str | None, drop: str | None
) -> None:
    crowd = counted(LOG)
    outcomes = RareTexts(crowd, USERS, level)(ask(text)), RareTexts(crowd, USERS, level, "drop-terms")(ask(text))
    assert outcomes == tuple("rare" if left is None else ask(text)._replace(text=left) for left in (suppress, drop))


def test_what_holds_a_word_that_was_left_out_does_not_leave_beside_the_query() -> None:
    rule = RareTexts(counted(LOG), USERS, "terms", "drop-terms")
    told, other = "http://annabelle.example", "http://shoes.example"
    asked = ask("red Annabelle shoes")._replace(url=told, extra=(("Annabelle B.", "x", 7),))
    assert rule(asked) == asked._replace(text="red shoes", url="", extra=((None, "x", 7),))
    results = (Result(told, 1, True, True, "hers"), Result(other, 2, True, True, "of annabelle"))
    clicks = (Click(told, 1, 2, 3), Click(other, 2, 2, 3))
    out = rule(with_rich(ask("red Annabelle shoes")._replace(url=other), Rich(results, clicks)))
    assert not isinstance(out, str)
    assert out.url == other
    assert rich_of(out) == Rich(
        (Result(None, 1, True, True), Result(other, 2, True, True)), (Click(None, 1, 2, 3), Click(other, 2, 2, 3))
    )
    nested = ({"by": ["Annabelle"]}, {"annabelle": 1}, ("x", ("of annabelle",)), {"by": ["x", 7]})
    left = (None, None, None, {"by": ["x", 7]})
    asked = ask("red Annabelle shoes")._replace(extra=(nested,))
    assert rule(asked) == asked._replace(text="red shoes", extra=(left,)), "also inside of lists and objects"
    kept = ask("RED shoes")._replace(url="http://redshoes.example", extra=(("red",),))
    assert rule(kept) == kept._replace(text="red shoes"), "where nothing was left out"


class Asked:
    """A crowd that notes what it is asked, and has all but some items."""

    def __init__(self, *lacking: str) -> None:
        self.lacking = lacking
        self.asked: list[str] = []

    def enough(self, item: str, users: int) -> bool:
        self.asked.append(item)
        return item not in self.lacking


def test_a_text_and_a_term_are_asked_once_and_the_whole_of_what_has_common_pairs_never() -> None:
    crowd = Asked()
    rule = RareTexts(crowd, USERS)
    for _ in range(2):
        rule(ask("red shoes"))
    assert crowd.asked == ["term red", "term shoes", "pair red shoes"]
    rule(ask("shoes red"))
    assert crowd.asked[3:] == ["pair shoes red"]


def test_after_the_first_rare_term_nothing_more_is_asked() -> None:
    crowd = Asked("term red")
    assert RareTexts(crowd, USERS)(ask("red ann shoes")) == "rare"
    assert crowd.asked == ["term red"]


def test_the_answers_of_a_crowd_that_is_counted_as_it_comes_are_not_remembered() -> None:
    crowd = CountedCrowd()
    rule = RareTexts(crowd, USERS, count=crowd.add)
    rule.note(ask("shoes", 1))
    assert rule(ask("shoes")) == "rare"
    rule.note(ask("shoes", 2))
    assert rule(ask("shoes")) == ask("shoes")


def test_a_crowd_that_is_counted_as_it_comes_is_told_of_what_is_asked_for_alone() -> None:
    crowd = Asked()
    told: list[str] = []
    RareTexts(crowd, USERS, "terms", count=lambda _, items: told.extend(items)).note(ask("red shoes?"))
    assert sorted(told) == ["term red", "term shoes", "term shoes?"]


@pytest.mark.parametrize(
    ("text", "words", "characters", "long"),
    [
        ("one two three", 3, None, False),
        ("one two three", 2, None, True),
        ("a b c", 2, None, True),
        ("a  b", 2, None, False),
        ("shoes", None, 5, False),
        ("shoes", None, 4, True),
        ("東京天気", 1, 4, False),
        ("\ufdfa", 3, None, True),  # one character, in normal form several words
        ("\ufdfa", None, 5, True),
        ("anything at all", None, None, False),
    ],
)
def test_what_has_more_words_or_characters_is_too_long(
    text: str, words: int | None, characters: int | None, long: bool
) -> None:
    assert TooLong(words, characters)(ask(text)) == ("long" if long else ask(text))


@given(st.text(max_size=30), st.integers(1, 5), st.integers(1, 12))
def test_what_is_not_too_long_is_not_so_in_normal_form_either(text: str, words: int, characters: int) -> None:
    if TooLong(words, characters)(ask(text)) != "long":
        for form in (text, " ".join(terms_of(text))):
            assert len(form.split()) <= words
            assert len(form) <= characters


def test_no_repr_shows_a_text() -> None:
    rule = RareTexts(counted(LOG), USERS)
    rule(ask("red shoes"))
    assert "red" not in f"{rule!r} {TooLong(1, 2)!r}"
