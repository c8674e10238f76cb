"""Unknown words become known ones, known ones stay, and the work is bounded."""

import string
from collections.abc import Iterable, Iterator
from itertools import islice, product
from string import ascii_lowercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core import bounded_cache
from querymix.core.knowledge import COMMON, NOUN, UNKNOWN, Term
from querymix.core.unknown import LONGEST, Reduce

from tests.known import Known


def counts(_: int) -> Iterable[tuple[str, int]]:
    return COUNTS.items()


class Counting(Known):
    """A knowledge base that counts how often it is asked."""

    asked = 0

    def __getitem__(self, term: str) -> Term:
        self.asked += 1
        return super().get(term, UNKNOWN)


COUNTS = {
    "home": 10**9,
    "depot": 10**8,
    "the": 2 * 10**10,
    "a": 10**10,
    "kitchen": 10**8,
    "st": 10**8,
    "re": 10**9,
    "and": 10**10,
    "comput": 10**5,
    "computer": 10**9,
    "commuter": 10**7,
    "lion": 10**7,
    "lions": 10**7,
    "ears": 10**7,
    "sears": 10**7,
    "garden": 10**8,
    "gardes": 10**8,
    "accomodation": 10**6,
    "booking": 10**8,
    "levin": 10**6,
    "sky": 5 * 10**7,
    "selvage": 10**5,
}


def reduce() -> Reduce:
    known = {word: Term(NOUN) for word in (*COUNTS, "example.com", "homely")}
    known["lions ears"] = Term(NOUN, 10**6)
    known["kitchn"] = Term(recommendation="kitchen")
    known["homeandkitchen"] = Term(recommendation="home kitchen")
    known["accomodation"] = Term(references=COUNTS["accomodation"], recommendation="accommodation")
    return Reduce(Known(known), counts)


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("home", ("home",)),
        ("homely", ("homely",)),
        ("kitchn", ("kitchen",)),
        ("homeandkitchen", ("home", "kitchen")),
        ("homedepot", ("home", "depot")),
        ("wwwhomedepot", ("home", "depot")),
        ("kitchen's", ("kitchen",)),
        ("home-kitchn", ("home", "kitchen")),
        ("www.homedepot.com", ("home", "depot")),
        ("shop.example.com", ("example.com",)),
        ("kitchan", ("kitchen",)),
        ("kithcen", ("kitchen",)),
        ("kitcheen", ("kitchen",)),
        ("xitchen", ("xitchen",)),
        ("kitchxyz", ("kitchxyz",)),
        ("hme", ("hme",)),
        ("com", ()),
        ("kitchen's-depot", ("kitchen", "depot")),
        ("home'sears", ("home", "sears")),
        ("o'sullivan", ("osullivan",)),
        ("l'home", ("home",)),
        ("d'accomodation", ("accommodation",)),
        ("dell'home", ("home",)),
        ("qu'est", ("est",)),
        ("home-d'st", ("home", "st")),
        ("s'ears", ("sears",)),
        ("lhome", ("lhome",)),
        ("kitch\u00e1n", ("kitch\u00e1n",)),
        ("h\u00f4medepot", ("h\u00f4medepot",)),
    ],
)
def test_a_word_is_reduced(word: str, pieces: tuple[str, ...]) -> None:
    assert reduce()(word) == pieces


@pytest.mark.parametrize("word", ["kithcen", "homedepot", "accomodaton"])
def test_a_word_of_another_language_is_neither_corrected_nor_split(word: str) -> None:
    known = {name: Term(NOUN) for name in COUNTS} | {word: Term(COMMON)}
    assert Reduce(Known(known), counts)(word) == (word,)
    assert reduce()(word) != (word,), "it would be if it were not known"


def test_an_edit_in_a_frequent_word_is_likelier_than_rare_or_short_pieces() -> None:
    assert reduce()("computre") == ("computer",)


def test_of_the_ways_to_split_a_word_the_pair_that_the_base_knows_is_taken() -> None:
    assert reduce()("lionsears") == ("lions", "ears")


def test_a_likely_edit_goes_before_any_other_one() -> None:
    assert reduce()("gardenn") == ("garden",)
    assert reduce()("gardees") == ("gardes",)


def test_a_long_word_is_split_into_many() -> None:
    assert reduce()("homeandgardendepot") == ("home", "and", "garden", "depot")


def test_a_piece_with_a_recommendation_is_replaced_too() -> None:
    assert reduce()("accomodationbooking") == ("accommodation", "booking")
    assert reduce()("accomodaton") == ("accommodation",)


@pytest.mark.parametrize("name", ["levinsky", "leviny", "homerst", "selvaage"])
def test_a_word_that_may_be_right_stays_where_segmentations_and_edits_are_no_likelier(name: str) -> None:
    assert reduce()(name) == (name,)


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("leons", ("lions",)),  # a vowel for a vowel is likelier
        ("liovs", ("liovs",)),  # than any other letter
        ("kichten", ("kichten",)),  # "t" moved by two places is no edit
        ("homelion", ("home", "lion")),  # less likely than a word of eight letters, but for `SEGMENTATION`
        ("homeandthe", ("homeandthe",)),  # too short for three pieces
        ("thehomeandre", ("the", "home", "and", "re")),  # just long enough
    ],
)
def test_what_is_just_likely_enough_is_taken(word: str, pieces: tuple[str, ...]) -> None:
    assert reduce()(word) == pieces


@given(st.sampled_from(["computer", "commuter", "accommodation"]), st.sampled_from(string.ascii_lowercase), st.data())
def test_any_edit_behind_the_first_letter_of_a_long_word_is_put_right(
    word: str, letter: str, data: st.DataObject
) -> None:
    made = Reduce(Known({word: Term(NOUN)}), lambda _: [(word, 10**9)])
    at = data.draw(st.integers(1, len(word) - 1))
    before, here, after = word[:at], word[at], word[at + 1 :]
    swapped = before + after[:1] + here + after[1:]
    for wrong in (
        before + after,
        before + here + here + after,
        before + letter + here + after,
        before + letter + after,
        swapped,
    ):
        assert made(wrong) == (word,)


@pytest.mark.parametrize("word", sorted(COUNTS.keys() - {"accomodation"}))
def test_a_known_word_without_a_recommendation_is_never_touched(word: str) -> None:
    assert reduce()(word) == (word,)


def test_a_frequent_word_that_the_base_does_not_know_stays() -> None:
    assert Reduce(Known(), lambda _: [("computer", 10**9)])("computer") == ("computer",)


def test_a_word_that_is_too_long_is_nothing() -> None:
    assert reduce()("homedepot" * LONGEST) == ()


@settings(deadline=None)
@given(st.text(alphabet="homedeptkicn'-. \u00e9", max_size=LONGEST + 2))
def test_pieces_are_never_empty_and_the_same_each_time(word: str) -> None:
    made = reduce()
    assert all(made(word))
    assert made(word) == made(word)


def test_how_often_words_stand_in_the_web_is_read_when_a_word_first_needs_it() -> None:
    read = []

    def some(_: int) -> Iterator[tuple[str, int]]:
        read.append(True)
        yield from COUNTS.items()

    made = Reduce(Known({"home": Term(NOUN)}), some)
    assert (made("home"), made("hme"), made("com"), read) == (("home",), ("hme",), (), [])
    assert (made("homedepot"), made("kithcen"), read) == (("home", "depot"), ("kitchen",), [True])


def test_what_broke_off_while_it_was_read_is_read_again() -> None:
    broken = [True]

    def some(_: int) -> Iterator[tuple[str, int]]:
        yield "home", COUNTS["home"]
        if broken:
            raise KeyError(broken.pop())
        yield from COUNTS.items()

    made = Reduce(Known({word: Term(NOUN) for word in COUNTS}), some)
    with pytest.raises(KeyError):
        made("homedepot")
    assert made("homedepot") == ("home", "depot")


def test_what_is_handed_in_says_what_is_likeliest_and_leaves_the_rest() -> None:
    answers = {"homedepot": ["depot", "home"]}
    made = Reduce(Known({word: Term(NOUN) for word in COUNTS}), counts, answers.get)
    assert made("homedepot") == ("depot", "home")
    assert made("www.homedepot.com") == ("depot", "home")
    assert made("kithcen") == ("kitchen",)


def test_answers_are_remembered_but_only_so_many() -> None:
    base = Counting({word: Term(NOUN) for word in COUNTS})
    made = Reduce(base, counts)
    made("zyx")
    asked = base.asked
    made("zyx")
    assert base.asked == asked, "the second answer comes from memory"
    for letters in islice(product(ascii_lowercase, repeat=4), bounded_cache.MAX):
        made("".join(letters))
    asked = base.asked
    made("zyx")
    assert base.asked > asked, "the first answer was forgotten"
