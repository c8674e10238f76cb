"""The account of a batch method, and what the methods share."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.draw import Draw, seeded_draw
from querymix.core.errors import ConfigError
from querymix_lab.batch.base import Log, balance, check_users
from querymix_lab.batch.microaggregation import quotas

from tests.querymix_lab.batch.made import log, log_of, logs, row


def test_the_account_tells_kept_replaced_suppressed_and_added_queries_apart() -> None:
    before = log_of({"a": ["x", "x", "y"], "b": ["z"], "c": ["w"]})
    after = log_of({"a": ["x", "v"], "b": ["z", "q", "q"]})
    account = balance(before, after.rows)
    assert (account.kept, account.replaced, account.suppressed_by_method, account.added) == (2, 1, 2, 2)
    assert account.total == len(before.rows)
    assert account.written == len(after.rows)


def test_generalized_lines_count_before_replaced_ones() -> None:
    before = log_of({"a": ["x", "y", "z"]})
    after = log(row("a", "x"), row("a", "thing")._replace(generalized=True), row("a", "v"))
    account = balance(before, after.rows)
    assert (account.kept, account.generalized, account.replaced, account.suppressed_by_method) == (1, 1, 1, 0)


def test_what_a_method_could_not_use_is_unclassified() -> None:
    before = log(row("a", "x"), row("a", "y", "Sports"), row("b", "z"))
    account = balance(before, [before.rows[1]], before.classified)
    assert (account.kept, account.unclassified, account.total) == (1, 2, 3)


@settings(deadline=None)
@given(logs, logs)
def test_any_two_logs_balance(before: Log, after: Log) -> None:
    account = balance(before, after.rows)
    assert account.total == len(before.rows)
    assert account.written == len(after.rows)
    assert min(account.figures().values()) >= 0


def test_the_account_holds_what_was_never_among_the_rows() -> None:
    account = balance(Log([], suppressed_by_identifiers=3, refused=2), [])
    assert (account.total, account.suppressed_by_identifiers, account.refused) == (5, 3, 2)


def test_no_repr_shows_a_query_or_a_user() -> None:
    made = log(row("somebody", "secret words", "Sports"))
    assert "somebody" not in repr(made) + repr(made.rows[0])
    assert "secret" not in repr(made) + repr(made.rows[0])


def test_a_log_of_too_few_users_is_refused_with_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"2 users .* --k is 3"):
        check_users(log_of({"a": ["x"], "b": ["y"]}), 3)


@settings(deadline=None)
@given(st.lists(st.integers(0, 50), min_size=1, max_size=8), st.integers(0, 1000))
def test_quotas_are_each_users_share_rounded_up_or_down(counts: list[int], seed: int) -> None:
    given_ = quotas(counts, seeded_draw(seed))
    size = len(counts)
    assert all(count // size <= quota <= -(-count // size) for count, quota in zip(counts, given_, strict=True))
    assert sum(counts) // size <= sum(given_) <= -(-sum(counts) // size)


class Counting(Draw):
    """Draws every number in turn."""

    def __init__(self, number: int) -> None:
        super().__init__(bytes)
        self._number = number

    def below(self, n: int) -> int:
        return self._number % n


def test_the_mean_of_a_quota_over_all_draws_is_exact() -> None:
    counts = [1, 5, 3]
    every = [quotas(counts, Counting(number)) for number in range(3)]
    assert [sum(column) for column in zip(*every, strict=True)] == counts
