"""Poblete: rare and well-targeted texts go, and no two that are left share a clicked host."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix.core.hosts import host_of
from querymix_lab.batch.base import Log, Options
from querymix_lab.batch.poblete import connected, names_one, poblete
from querymix_lab.batch.threshold import text_of

from tests.querymix_lab.batch.made import log, logs, row


@pytest.mark.parametrize(
    ("text", "host", "named"),
    [
        ("amazon", "amazon.com", True),
        ("amazon books", "amazon.com", True),
        ("books", "amazon.com", False),
        ("www.amazon.com", "amazon.com", True),
        ("bank of nordlake", "bankofnordlake.com", True),
        ("best buy", "best-buy.com", True),
        ("jane doe", "janedoe.example.org", True),
        ("weather", "nws.noaa.gov", False),
        ("uk", "co.uk", False),
    ],
)
def test_a_text_that_names_a_clicked_site_is_well_targeted(text: str, host: str, named: bool) -> None:
    assert names_one(text, {host}) is named


def test_rare_texts_targeted_texts_and_joined_texts_go() -> None:
    shop = "http://shop.org"
    asked = {"rare": "", "amazon": "http://amazon.com", "books": shop, "novels": shop, "news": ""}
    rows = [row(user, text, url=url) for text, url in asked.items() for user in ("a" if text == "rare" else "ab")]
    outcome = poblete(log(*rows, row("a", "books", url="http://shop.org")), Options(k=2), seeded_draw(1))
    assert {each.query.text for each in outcome.released.rows} == {"books", "news"}  # novels are rarer than books
    assert outcome.figures == {
        "distinct_texts": 5,
        "removed_too_few_users": 1,
        "removed_naming_a_clicked_site": 1,
        "removed_sharing_a_click": 1,
    }


def test_the_text_that_is_joined_with_most_goes_first() -> None:
    clicked = {"hub": {"a", "b", "c"}, "x": {"a"}, "y": {"b"}, "z": {"c"}}
    assert connected(clicked, {"hub": 99, "x": 1, "y": 1, "z": 1}) == {"hub"}


@settings(max_examples=80)
@given(st.dictionaries(st.sampled_from("pqrstuvw"), st.sets(st.sampled_from("abcde")), max_size=8))
def test_what_is_left_has_no_clicked_host_in_common_and_nothing_goes_in_vain(clicked: dict[str, set[str]]) -> None:
    gone = connected(clicked, dict.fromkeys(clicked, 1))
    left = [hosts for text, hosts in clicked.items() if text not in gone]
    assert sum(map(len, left)) == len(set[str]().union(*left))
    for text in gone:
        assert any(clicked[text] & hosts for other, hosts in clicked.items() if other != text)


@settings(max_examples=60, deadline=None)
@given(logs, st.integers(2, 3))
def test_any_log_balances_and_keeps_the_guarantee(before: Log, k: int) -> None:
    outcome = poblete(before, Options(k=k), seeded_draw(1))
    assert outcome.account.total == len(before.rows)
    assert outcome.account.written == len(outcome.released.rows) == outcome.account.kept
    users: dict[str, set[str]] = {}
    hosts: dict[str, set[str]] = {}
    for each in before.rows:
        users.setdefault(text_of(each), set()).add(each.user)
    for each in outcome.released.rows:
        assert len(users[text_of(each)]) >= k
        hosts.setdefault(host_of(each.query.url or ""), set()).add(text_of(each))
    assert all(len(texts) == 1 for host, texts in hosts.items() if host)
