"""What is said of a run: each near-total loss with its reason, nothing where all is well, and no user."""

from typing import Any

import pytest
from querymix.core.records import Query, Refusal
from querymix.core.rules import Rules
from querymix.local.noticed import Noticed
from querymix.local.verdict import Finding, contradictions, interrupted_remark, judge, without_effect

FATES = (
    "empty",
    "released", "held", "suppressed_by_hold", "suppressed_as_repeats", "suppressed_by_identifiers", "unclassified",
    "refused", "suppressed_as_rare", "suppressed_as_long",
)  # fmt: skip
DAY = 86400.0


def log_of(users: list[str], *, k: int = 20, step: float = 1.0) -> Noticed:
    noticed = Noticed(k)
    noticed.note([(0, Query(user, "golf", "", step * number)) for number, user in enumerate(users)])
    return noticed


def crowd(records: int = 1000, users: int = 200) -> list[str]:
    return [f"person{number % users}" for number in range(records)]


def found(noticed: Noticed, rules: Rules | None = None, most: float = 0.05, **fates: int) -> list[Finding]:
    assert fates.keys() <= set(FATES)
    figures: dict[str, Any] = dict.fromkeys(FATES, 0) | fates
    figures |= {"in": sum(fates.values()), "categories": {"Arts": {"held": figures["held"]}}}
    return judge(figures, rules or Rules(), noticed, most)


def test_of_a_run_that_went_well_nothing_is_said() -> None:
    assert found(log_of(crowd()), released=900, held=50, suppressed_by_hold=49, refused=1) == []
    assert found(Noticed(20)) == []


@pytest.mark.parametrize(("drawn", "said"), [(450, False), (99, True)])
def test_what_waits_for_its_cell_of_time_to_end_is_not_called_little(drawn: int, said: bool) -> None:
    figures = dict.fromkeys(FATES, 0) | {"in": 1000, "held": 1000}
    pools = {"categories": {"Arts": {"held": 0}, "Sports": {"held": 1000 - drawn}}}
    assert bool(judge(figures | pools, Rules(), log_of(crowd()), 0.05)) == said


@pytest.mark.parametrize(
    ("fate", "said"), [("refused", "refused"), ("suppressed_as_rare", "little_released"), ("released", "")]
)
def test_good_days_before_hide_no_bad_one(fate: str, said: str) -> None:
    whole = dict.fromkeys(FATES, 0) | {"in": 99_000, "released": 98_000, "held": 0} | {fate: 1_000}
    whole |= {"released": 99_000} if fate == "released" else {}
    run = dict.fromkeys(FATES, 0) | {"in": 1_000, fate: 1_000}
    pools = {"categories": {"Arts": {"held": 0}}}
    findings = judge(whole | pools | {"this_run": run}, Rules(), log_of(crowd()), 0.05)
    assert [one.code for one in findings] == [said] * bool(said)
    assert judge(whole | pools, Rules(), log_of(crowd()), 0.05) == []


@pytest.mark.parametrize(
    ("refused", "most", "said"), [(51, 0.05, True), (50, 0.05, False), (51, 0.06, False), (1, 0, True)]
)
def test_more_refused_lines_than_is_allowed_are_told_with_their_reasons(refused: int, most: float, said: bool) -> None:
    noticed = log_of(crowd())
    noticed.refuse(Refusal("log", n, "the user is missing") for n in range(refused - 1))
    noticed.refuse([Refusal("log", 9, "the line holds a NUL byte")])
    findings = found(noticed, most=most, released=1000 - refused, refused=refused)
    assert [one.code for one in findings] == ["refused"] * said
    if said:
        (one,) = findings
        assert one.serious
        assert f"({refused} of 1,000)" in one.text
        assert "the line holds a NUL byte (1)" in one.text
        assert refused == 1 or f"the user is missing ({refused - 1})" in one.text


@pytest.mark.parametrize(
    ("users", "rules", "fates", "says"),
    [
        (["person1"] * 1000, Rules(), {"held": 1000}, "one and the same user"),
        (crowd(users=15), Rules(), {"held": 900, "suppressed_by_hold": 100}, "15 users"),
        (
            crowd(),
            Rules(established=7 * DAY),
            {"held": 1000},
            "--established 7d is longer than the log, which spans 16m",
        ),
        (crowd(), Rules(max_hold=10.0), {"suppressed_by_hold": 950, "released": 50}, "longer than --max-hold 10s"),
        (crowd(), Rules(), {"held": 1000}, "k + 1 users (21), and by chance up to 10 more (--reserve), yet"),
        (crowd(), Rules(reserve=0), {"held": 1000}, "k + 1 users (21) yet"),
        (
            crowd(users=25),
            Rules(),
            {"held": 950, "released": 50},
            "25 users, and a release needs k + 1 users (21), and",
        ),
        (crowd(), Rules(mode="paper"), {"held": 1000}, "k queries (20)"),
        (crowd(), Rules(dedupe=DAY), {"suppressed_as_repeats": 1000}, "--dedupe"),
        ([], Rules(), {"suppressed_by_identifiers": 1000}, "nothing but identifiers"),
        ([], Rules(), {"unclassified": 1000}, "--unclassified pool"),
        (["person1"] * 9, Rules(), {"suppressed_as_rare": 991, "held": 9}, "most are suppressed as rare: too few"),
        (["person1"] * 9, Rules(), {"suppressed_as_long": 991, "held": 9}, "longer than --most-words or --most-char"),
    ],
)
def test_where_little_is_released_the_likeliest_reason_is_told(
    users: list[str], rules: Rules, fates: dict[str, int], says: str
) -> None:
    (one,) = found(log_of(users, k=rules.k + rules.reserve), rules, **fates)
    assert (one.code, one.serious) == ("little_released", True)
    assert says in one.text
    assert "person" not in one.text


def test_where_more_than_half_is_rare_it_is_said_how_more_would_leave() -> None:
    assert found(log_of(crowd()), released=501, suppressed_as_rare=499) == []
    (one,) = found(log_of(crowd()), released=500, suppressed_as_rare=500)
    assert (one.code, one.serious) == ("much_rare", False)
    assert one.text.startswith("50.0 % (500 of 1,000) of the records that were read were suppressed as rare: too few")


def test_of_a_tiny_log_it_is_only_said_that_its_lines_were_refused() -> None:
    assert found(log_of(crowd(99)), held=99) == []
    assert [one.code for one in found(log_of(crowd(9)), held=9, refused=9)] == ["refused"]
    assert found(log_of(["null"] * 99), held=99) == []


def test_a_log_of_which_a_tenth_was_released_is_not_called_a_loss() -> None:
    assert found(log_of(crowd()), released=100, held=900) == []
    assert found(log_of(crowd()), released=99, held=901)[0].code == "little_released"


@pytest.mark.parametrize("word", ["null", "-", "anonymous", "(null)", "0000"])
@pytest.mark.parametrize(("share", "serious"), [(40, False), (60, True)])
def test_a_placeholder_on_many_records_is_told_by_its_name(word: str, share: int, serious: bool) -> None:
    users = crowd(1000 - 10 * share) + [word] * 10 * share
    (one,) = found(log_of(users), released=600, held=400)
    assert (one.code, one.serious) == ("placeholder_user", serious)
    assert f'"{word}"' in one.text
    assert f"{share} %" in one.text


def test_placeholders_are_taken_together_and_a_zero_may_be_somebody() -> None:
    (one,) = found(log_of(crowd(940) + ["null"] * 20 + ["N/A"] * 20 + ["-"] * 20), released=1000)
    assert one.text.startswith("6 % of the records (60)")
    assert found(log_of(crowd(900) + ["0"] * 100), released=1000) == []
    assert found(log_of(crowd(900) + ["null"] * 100), released=1000)[0].code == "placeholder_user"


def test_one_user_with_much_of_the_log_is_told_without_its_name() -> None:
    (one,) = found(log_of(crowd(600) + ["secret77"] * 400), released=600, held=400)
    assert (one.code, one.serious) == ("one_user", False)
    assert "40 %" in one.text
    assert "secret77" not in one.text
    assert found(log_of(crowd(810) + ["secret77"] * 190), released=1000) == []


def test_an_option_without_effect_is_serious_where_the_command_line_names_it() -> None:
    findings = without_effect({"max_hold": "with x.", "delta": "with y."}, {"delta"})
    assert findings == [
        Finding("no_effect", "--max-hold has no effect with x.", serious=False),
        Finding("no_effect", "--delta has no effect with y.", serious=True),
    ]


def test_options_that_work_against_each_other_are_told_and_the_defaults_do_not() -> None:
    assert contradictions(Rules()) == []
    assert contradictions(Rules(established=DAY, max_hold=DAY)) == []
    assert contradictions(Rules(established=90 * DAY, hold_policy="wait")) == []
    (one,) = contradictions(Rules(established=2 * DAY, max_hold=DAY))
    assert (one.code, one.serious) == ("contradiction", False)
    assert "--established 2d is longer than --max-hold 1d" in one.text


def test_an_interrupted_output_is_called_partial_with_what_to_do() -> None:
    for output in ("out.tsv", "-"):
        for resumes in (False, True):
            said = interrupted_remark(output, resumes=resumes)
            assert "is partial" in said
            assert "give the same command again" in said
            assert ("begins anew" in said, "profile" in said) == (not resumes, not resumes)
    assert "standard output" in interrupted_remark("-", resumes=False)


def test_a_field_that_no_record_has_is_told_where_there_were_records() -> None:
    figures = dict.fromkeys(FATES, 0) | {"in": 1000, "released": 1000}
    (one,) = judge(figures, Rules(), log_of(crowd()), 0.05, lambda: {"geo.city": "--generalize"})
    assert (one.code, one.serious) == ("no_effect", False)
    assert one.text == "--generalize names 'geo.city', of which no record has a value: see that the name is right"
    assert judge(figures, Rules(), Noticed(20), 0.05, lambda: {"geo.city": "--generalize"}) == []
