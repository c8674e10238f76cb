"""Generalizing bags of terms: the paper's worked values, and LCG and GGD against a search over all generalizations."""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations_with_replacement, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix_lab.batch.clump import clusters
from querymix_lab.batch.generalizing import Group, represented
from querymix_lab.batch.taxonomy import Taxonomy, meet
from querymix_lab.batch.topdown_partition import parts

PARENTS = {
    "fruit": "food", "meat": "food", "dairy": "food",
    "apple": "fruit", "orange": "fruit", "banana": "fruit",
    "chicken": "meat", "beef": "meat",
    "milk": "dairy", "cheese": "dairy", "butter": "dairy",
}  # fmt: skip
NAMES = ["food", *PARENTS]
FOOD = Taxonomy([-1, *(NAMES.index(parent) for parent in PARENTS.values())], NAMES)


def bag(text: str) -> list[int]:
    return [FOOD.names.index(word) for word in text.split()]


def names(nodes: Sequence[int]) -> list[str]:
    return sorted(FOOD.names[node] for node in nodes)


def lcg(transactions: Sequence[Sequence[int]], taxonomy: Taxonomy) -> tuple[list[int], float]:
    """Return the least common generalization and its GGD, as the methods reach them."""
    common = reduce(meet, [taxonomy.counts(each) for each in transactions])
    return taxonomy.lcg(common), taxonomy.distortion(len(transactions), sum(map(len, transactions)), common)


EXAMPLE = [
    bag(text)
    for text in ("orange chicken beef", "banana beef cheese", "chicken milk butter", "apple chicken", "chicken beef")
]


def test_the_loss_of_a_term_is_that_of_the_paper() -> None:
    losses = {name: FOOD.losses[FOOD.names.index(name)] for name in ("fruit", "meat", "dairy", "food", "milk")}
    assert losses == {"fruit": 2 / 7, "meat": 1 / 7, "dairy": 2 / 7, "food": 1.0, "milk": 0.0}


@pytest.mark.parametrize(
    ("transactions", "expected", "distortion"),
    [
        (("orange beef", "apple chicken beef"), "beef fruit", 11 / 7),
        (("orange milk", "apple cheese butter"), "dairy fruit", 15 / 7),
        (("orange apple", "orange banana milk", "banana apple beef"), "fruit fruit", 26 / 7),
        (("orange beef", "apple milk"), "food fruit", 18 / 7),
        (("apple apple", "apple orange"), "apple fruit", 4 / 7),  # BUIG makes <apple, food> of it
    ],
)
def test_the_least_common_generalization_is_that_of_the_paper(
    transactions: tuple[str, ...], expected: str, distortion: float
) -> None:
    found, loss = lcg([bag(text) for text in transactions], FOOD)
    assert names(found) == expected.split()
    assert loss == pytest.approx(distortion)


def total(groups: Sequence[Group]) -> float:
    return sum(FOOD.loss_of([EXAMPLE[at] for at in group.members], group.nodes) for group in groups)


def test_clump_gives_the_clusters_of_the_paper() -> None:
    found = clusters(EXAMPLE, FOOD, 2)
    assert [(sorted(group.members), names(group.nodes)) for group in found] == [
        ([0, 1], ["beef", "food", "fruit"]),
        ([2, 3, 4], ["chicken", "food"]),
    ]
    assert total(found) == pytest.approx(6.5714, abs=5e-5)


def test_partition_gives_the_parts_of_the_paper_whose_printed_sum_is_wrong() -> None:
    found = parts(EXAMPLE, FOOD, 2)
    assert sorted((sorted(group.members), names(group.nodes)) for group in found) == [
        ([0, 3], ["fruit", "meat"]),
        ([1, 2, 4], ["food"]),
    ]
    assert total(found) == pytest.approx(9.8571, abs=5e-5)  # the paper prints 8.85


taxonomies = (
    st.lists(st.integers(0, 100), min_size=1, max_size=8)
    .map(lambda draws: [-1, *(each % (at + 1) for at, each in enumerate(draws))])
    .map(lambda parents: Taxonomy(parents, [f"t{node}" for node in range(len(parents))]))
)


@st.composite
def cases(draw: st.DrawFn, least: int = 1, most: int = 3) -> tuple[Taxonomy, list[list[int]]]:
    """Draw a taxonomy and a few short bags of its nodes."""
    taxonomy = draw(taxonomies)
    item = st.integers(0, len(taxonomy.names) - 1)
    bags = st.lists(st.lists(item, min_size=1, max_size=4), min_size=least, max_size=most)
    return taxonomy, draw(bags)


def stands_for(general: Sequence[int], special: Sequence[int], taxonomy: Taxonomy) -> bool:
    """Say whether each of `general` is above (or is) another one of `special`: Definition 1, by trying all."""
    return any(
        all(node in taxonomy.path(item) for node, item in zip(general, chosen, strict=True))
        for chosen in permutations(special, len(general))
    )


def generalizations(transactions: Sequence[Sequence[int]], taxonomy: Taxonomy) -> Iterator[tuple[int, ...]]:
    for size in range(min(map(len, transactions)) + 1):
        for nodes in combinations_with_replacement(range(len(taxonomy.names)), size):
            if all(stands_for(nodes, transaction, taxonomy) for transaction in transactions):
                yield nodes


@settings(max_examples=150, deadline=None)
@given(cases())
def test_lcg_and_ggd_equal_a_search_over_all_common_generalizations(case: tuple[Taxonomy, list[list[int]]]) -> None:
    taxonomy, transactions = case
    found, distortion = lcg(transactions, taxonomy)
    every = list(generalizations(transactions, taxonomy))
    assert tuple(sorted(found)) in every
    assert all(stands_for(other, found, taxonomy) for other in every)  # there is no more special one
    assert distortion == pytest.approx(taxonomy.loss_of(transactions, found))
    assert distortion == pytest.approx(min(taxonomy.loss_of(transactions, other) for other in every))
    assert len(found) == min(map(len, transactions))  # Property 2


@settings(max_examples=60, deadline=None)
@given(cases(), st.integers(0, 3))
def test_the_lcg_of_many_is_reached_one_by_one_in_any_order(case: tuple[Taxonomy, list[list[int]]], turn: int) -> None:
    taxonomy, transactions = case
    turned = transactions[turn % len(transactions) :] + transactions[: turn % len(transactions)]
    assert lcg(transactions, taxonomy)[0] == lcg(turned, taxonomy)[0]


@settings(max_examples=100, deadline=None)
@given(cases(least=2, most=12), st.integers(2, 4), st.integers(1, 3))
def test_every_cluster_has_k_users_and_a_common_generalization_and_every_user_is_in_one(
    case: tuple[Taxonomy, list[list[int]]], k: int, r: int
) -> None:
    taxonomy, transactions = case
    if len(transactions) < k:
        return
    for groups in (clusters(transactions, taxonomy, k, r), parts(transactions, taxonomy, k)):
        assert sorted(member for group in groups for member in group.members) == list(range(len(transactions)))
        for group in groups:
            assert len(group.members) >= k
            assert all(stands_for(group.nodes, transactions[member], taxonomy) for member in group.members)
            for member in group.members:  # as many queries are represented as there are terms, each of one noun
                lines = [[item] for item in transactions[member]]
                assert represented(lines, group.nodes, taxonomy) == len(group.nodes)
