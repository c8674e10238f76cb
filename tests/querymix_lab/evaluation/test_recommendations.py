"""Misspellings are made of known units and judged strictly; the default bundle keeps its floor. All is made up."""

import random
from itertools import islice

from querymix.core.knowledge import NOUN, Term
from querymix.core.unknown import Reduce
from querymix.knowledge.bundle import Bundle
from querymix_lab.evaluation.recommendations import (
    KINDS,
    Made,
    Outcome,
    by_recommendation,
    by_reduction,
    edited,
    measure,
    misspelled,
    rare_words,
    spoiled,
)
from querymix_lab.shares import Part

from tests.known import Known


def base() -> Known:
    known = {word: Term(NOUN, 5_000_000) for word in ("bicycle", "garden", "london", "castle")}
    known["london castle"] = Term(NOUN, 200_000)
    known["bycicle"] = Term(recommendation="bicycle")
    return Known(known)


def test_the_same_seed_makes_the_same_misspellings() -> None:
    first, second = (misspelled(base(), sorted(base()), 20, seed) for seed in (1, 1))
    assert first == second
    assert {one.kind for one in first} == set(KINDS)


def test_a_misspelling_is_never_another_known_word() -> None:
    for one in misspelled(base(), sorted(base()), 50, 2):
        assert one.wrong != one.right
        assert not any(base()[word].tags for word in one.wrong.split() if word not in one.right.split())


def test_an_edit_leaves_the_first_letter_alone() -> None:
    draw = random.Random(3)
    assert all(edited("bicycle", draw)[0] == "b" for _ in range(200))


def test_only_the_unit_itself_is_right() -> None:
    made = [
        Made("one edit", "bycicle", "bicycle"),
        Made("one edit", "biccycle", "bicycle"),
        Made("one edit", "bycicle", "garden"),
    ]
    found = measure(by_recommendation(base()), made)
    assert found["one edit"] == Outcome(Part(1, 3), Part(1, 3))
    assert found["segmentation"].right.share == 0.0


def test_rare_words_are_those_that_are_not_frequent() -> None:
    assert rare_words(["garden"], ["garden", "quern", "it"], ["zyzzxman"]) == {
        "dictionary": ["quern"],
        "surnames": ["zyzzxman"],
    }


def test_a_rare_word_that_changes_is_spoiled() -> None:
    assert spoiled(by_recommendation(base()), ["bycicle", "quern"]) == Part(1, 2)


def test_the_default_bundle_keeps_its_floor() -> None:
    """`querymix study recommendations` has the figures; these are well below them."""
    bundle = Bundle()
    made = misspelled(bundle, sorted(name for name, _ in islice(bundle.terms(), None, None, 5)), 200, 5)
    found = measure(by_reduction(bundle, Reduce(bundle, bundle.counts)), made)
    assert found["one edit"].right.share >= 0.88
    assert found["one edit"].wrong.share <= 0.06
    assert found["two edits"].wrong.share < found["two edits"].right.share
    assert found["pair"].right.share >= 0.8
    assert found["pair"].wrong.share <= 0.06
    assert found["segmentation"].right.share >= 0.92


def test_right_but_rare_words_stay() -> None:
    bundle = Bundle()
    correct = by_reduction(bundle, Reduce(bundle, bundle.counts))
    words = ("quern", "selvedge", "escutcheon", "isinglass", "marquetry", "vellum", "dulcimer", "zeugma")
    unknown_surnames = ("levinsky", "holzinger", "stefanich", "zaccaria")
    assert spoiled(correct, words + unknown_surnames).part == 0
