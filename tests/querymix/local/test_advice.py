"""What a run advises where the hold took much: what it names does, in a run of its own."""

from random import Random

import pytest
from querymix.core.draw import seeded_draw
from querymix.core.records import Query
from querymix.core.rules import Rules
from querymix.local.advice import LIMIT, UNORDERED, Advisor, sentences
from querymix.settings.values import show_seconds
from querymix.stages.classifying import Classified
from querymix.stages.pooling import Pooling

HOUR = 3600.0


def stream(users: int, logs: int, gap: float) -> list[Classified]:
    draw = Random(3)
    return [
        Classified(0, Query(f"user{draw.randrange(users)}", f"text {n}", "", 1e9 + gap * n, n)) for n in range(logs)
    ]


def lost(log: list[Classified], rules: Rules) -> float:
    pooling = Pooling(rules, seeded_draw(9))
    pooling(log)
    return pooling.account.suppressed_by_hold / len(log)


@pytest.mark.parametrize("policy", ["trim", "suppress"])
def test_the_k_and_the_hold_that_are_named_do_and_little_less_does_not(policy: str) -> None:
    log, rules = stream(300, 4000, 600.0), Rules(40, max_hold=3 * HOUR, hold_policy=policy, reserve=0)  # type: ignore[arg-type]
    advisor = Advisor(rules)
    advisor.note(log[:1000])
    advisor.note(log[1000:])
    share = lost(log, rules)
    advice = advisor.advise(share)
    assert advice is not None
    assert advice["k"] < 40
    assert advice["max_hold"] > 3 * HOUR
    assert lost(log, rules._replace(k=advice["k"])) <= LIMIT + 0.01
    assert lost(log, rules._replace(max_hold=advice["max_hold"])) <= LIMIT + 0.01
    assert lost(log, rules._replace(k=advice["k"] + 2)) > LIMIT
    (says,) = sentences({"advice": advice}, rules)
    assert f"--k {advice['k']}" in says
    assert f"--max-hold {show_seconds(advice['max_hold'])}" in says
    assert "held longer than 3h." in says


def test_where_nothing_helps_it_says_so() -> None:
    log, rules = stream(2, 500, 600.0), Rules(20, max_hold=3 * HOUR)
    advisor = Advisor(rules, most=400)
    advisor.note(log)
    advice = advisor.advise(lost(log, rules))
    assert advice is not None
    assert (advice["k"], advice["reserve"], advice["max_hold"]) == (None, None, None)
    assert "more users" in sentences({"advice": advice}, rules)[0]
    against = rules._replace(established=4 * HOUR)
    (says,) = sentences({"advice": advice}, against)
    assert "more users" not in says
    assert "--established, which is longer than --max-hold" in says


def test_the_smallest_categories_are_kept_however_the_log_is_cut_into_batches() -> None:
    log = [Classified((0, 0, 0, 1, 1, 2)[n % 6], query) for n, (_, query) in enumerate(stream(300, 3000, 600.0))]
    rules = Rules(40, max_hold=3 * HOUR)
    advice = []
    for size in (1, 7, len(log)):
        advisor = Advisor(rules, most=1600)
        for begin in range(0, len(log), size):
            advisor.note(log[begin : begin + size])
        advice.append(advisor.advise(0.5))
    assert advice[0] == advice[1] == advice[2]
    assert advice[0] is not None
    assert (advice[0]["records"], advice[0]["categories"]) == (1500, 2)


def test_small_categories_that_lose_much_do_not_speak_for_larger_ones() -> None:
    few, many = stream(3, 450, 20 * 600.0), stream(60, 9000, 600.0)
    log = sorted([*(Classified(1, query) for _, query in few), *many], key=lambda row: row[1].at)
    rules = Rules(60, max_hold=24 * HOUR, reserve=0)
    advisor = Advisor(rules)
    advisor.note(log)
    advice = advisor.advise(lost(log, rules))
    assert advice is not None
    assert (advice["records"], advice["categories"]) == (len(log), 2)
    assert lost(log, rules._replace(k=advice["k"])) <= LIMIT + 0.01


def test_of_one_category_that_is_too_large_the_first_records_are_kept() -> None:
    log, rules = stream(300, 4000, 600.0), Rules(40, max_hold=3 * HOUR)
    some, first = Advisor(rules, most=500), Advisor(rules)
    some.note(log)
    first.note(log[:500])
    advice = some.advise(0.5)
    assert advice is not None
    assert advice == first.advise(0.5)
    assert advice["records"] == 500
    (says,) = sentences({"advice": advice}, rules)
    assert "By the 500 records that were looked at, of 1 category, --max-hold 1d would" in says


def test_where_what_arrived_loses_nothing_even_now_nothing_is_told_from_it() -> None:
    log, rules = stream(300, 400, 1.0), Rules(40)
    advisor = Advisor(rules)
    advisor.note(log)
    advice = advisor.advise(0.5)
    assert advice is not None
    assert (advice["k"], advice["reserve"], advice["max_hold"], advice["records"]) == (None, None, None, 0)
    assert "cannot be told" in sentences({"advice": advice}, rules)[0]


def test_a_lower_reserve_is_named_where_the_reserve_is_what_few_users_do_not_fill() -> None:
    log, rules = stream(14, 3000, 60.0), Rules(3, max_hold=4 * HOUR, reserve=60)
    advisor = Advisor(rules)
    advisor.note(log)
    advice = advisor.advise(lost(log, rules))
    assert advice is not None
    assert 0 <= advice["reserve"] < 60
    assert lost(log, rules._replace(reserve=advice["reserve"])) <= LIMIT + 0.01
    assert f"--reserve {advice['reserve']}" in sentences({"advice": advice}, rules)[0]
    assert "--reserve 0 would" in sentences({"advice": advice | {"reserve": 0}}, rules)[0].replace("or --max", "would")
    paper = Advisor(Rules(mode="paper", reserve=5))
    assert paper.advise(0.5) is None, "nothing has arrived"
    paper.note(log)
    advice = paper.advise(0.5)
    assert advice is not None
    assert advice["reserve"] is None


def test_users_who_do_not_count_yet_are_named_where_they_are_the_reason() -> None:
    log = stream(60, 3000, 60.0)
    rules = Rules(5, max_hold=4 * HOUR, established=30 * HOUR, reserve=2)
    advisor = Advisor(rules)
    advisor.note(log)
    advice = advisor.advise(lost(log, rules))
    assert advice is not None
    assert advice["without_established"]
    assert lost(log, rules._replace(established=None)) <= LIMIT
    assert "no --established" in sentences({"advice": advice}, rules)[0]


@pytest.mark.parametrize(("hold", "shown"), [(10.0, "10s"), (600.0, "10m"), (86400.0, "1d")])
def test_a_hold_is_shown_in_the_unit_that_it_is_given_in(hold: float, shown: str) -> None:
    nothing = dict.fromkeys(("k", "reserve", "max_hold"))
    advice = {"suppressed_by_hold": 0.5, **nothing, "without_established": False, "records": 9}
    assert f"longer than {shown}. " in sentences({"advice": advice}, Rules(max_hold=hold))[0]


def test_there_is_no_advice_without_need_and_merge_is_warned_of() -> None:
    assert Advisor(Rules()).advise(LIMIT) is None
    assert sentences({"advice": None}, Rules()) == []
    (says,) = sentences({"advice": None}, Rules(hold_policy="merge"))
    assert "profiles" in says


def test_a_log_that_is_not_in_time_order_is_told_to_be_given_as_a_file() -> None:
    (says,) = sentences({"advice": None}, Rules(), setbacks=UNORDERED)
    assert "as a file" in says
    assert sentences({"advice": None}, Rules(), setbacks=UNORDERED - 1) == []
    assert sentences({"advice": None}, Rules(hold_policy="wait"), setbacks=99) == []
