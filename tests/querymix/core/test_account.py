"""The account: a value that adds up."""

from functools import reduce
from operator import add

from hypothesis import given
from hypothesis import strategies as st
from querymix.core.account import Account

accounts = st.builds(Account, *[st.integers(-(10**9), 10**9)] * 10)


@given(st.lists(accounts))
def test_the_total_of_a_sum_is_the_sum_of_the_totals(some: list[Account]) -> None:
    assert reduce(add, some, Account()).total == sum(account.total for account in some)


@given(accounts, accounts)
def test_what_was_added_can_be_taken_off_again(one: Account, other: Account) -> None:
    assert one + other - other == one


@given(accounts)
def test_what_users_see_adds_up_to_what_came_in(account: Account) -> None:
    shown = account.figures()
    parts = ("released", "held", "suppressed", "unclassified", "empty", "refused", "lost", "waiting")
    assert sum(shown[part] for part in parts) == shown["in"] == account.total
    reasons = ("suppressed_by_identifiers", "suppressed_by_hold", "suppressed_as_repeats")
    assert sum(shown[reason] for reason in reasons) == shown["suppressed"]
