"""What settings do, in sentences: each option is told, and each weaker choice that is in force is warned of."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.settings import (
    MethodSettings,
    RunSettings,
    TopicSettings,
    WorkerSettings,
    load,
)
from querymix.settings.policy import NOT_TOLD, STAGES, Policy, PolicySettings, Row, ServicePolicySettings, policy_of
from querymix.settings.presets import PRESETS
from querymix.settings.weaker import weaker_of

pytestmark = pytest.mark.usefixtures("bare_environment")

STREAM = {"crowd": "stream"}
SESSION = {"unit": "session"}
PAPER = {"mode": "paper"}
LADDER = {"generalize": "place=city>country", **STREAM}
TOLD: dict[str, tuple[dict[str, Any], str]] = {
    "knowledge": ({}, "own.bundle"), "classifier": ({}, "paper"), "confidence": ({}, "0.5"),
    "keep_identifiers": ({}, "email"), "format": ({}, "json"), "fields": ({}, "user=uid"),
    "longest_query": ({}, "100"), "safe_fields": ({}, "place"), "urls": ({}, "full"), "time_form": ({}, "plain"),
    "k": ({}, "50"), "pseudonym_key_file": ({}, "key"), "pseudonym_period": ({}, "7d"), "mode": ({}, "paper"),
    "draw": ({}, "entry"), "reserve": ({}, "5"), "delta": (PAPER, "1.5"), "max_hold": ({}, "10m"),
    "hold_policy": ({}, "merge"), "established": ({}, "7d"), "dedupe": ({}, "24h"), "click_wait": ({}, "0"),
    "unit": ({}, "session"), "session_gap": (SESSION, "1m"), "session_most": (SESSION, "3"),
    "session_scope": (SESSION, "all"), "time_policy": ({}, "query"), "time_precision": ({}, "1h"),
    "unclassified": ({}, "drop"), "crowd": ({}, "stream"), "crowd_users": (STREAM, "50"),
    "crowd_items": (STREAM, "queries"), "crowd_window": (STREAM, "1d"), "rare": (STREAM, "drop-terms"),
    "most_words": ({}, "8"), "most_characters": ({}, "80"), "generalize": (STREAM, "place=city>country"),
    "group_users": (LADDER, "500"), "group_policy": (LADDER, "suppress"), "surrogates": ({}, "on"),
    "output": ({}, "out.tsv"), "profiles": ({}, "profiles.db"), "refused": ({}, "bad.tsv"),
    "category_column": ({}, "on"), "state": ({}, "state"), "checkpoint": ({}, "state"),
    "again": ({"state": "state"}, "on"), "order": ({}, "input"),
}  # fmt: skip
"""For each option of a run that is told: options beside it, and a value that changes a sentence."""
TOLD_OF_SERVICE: dict[str, Any] = {
    "prefix": "log", "raw_topic": "searches", "roles": "anonymizer", "hot": "Arts=2", "category_header": "off",
    "dry_run": "on", "database": "people", "profiles_token_file": "token",
}  # fmt: skip


def told(policy: Policy) -> str:
    return repr([policy.rows, policy.warnings, policy.kept])


def of_run(**options: Any) -> Policy:
    return policy_of(load(PolicySettings, options))


def row(name: str, policy: Policy) -> Row:
    (found,) = [one for one in policy.rows if one.field == name]
    return found


def test_each_option_is_told_or_listed_with_the_reason_why_it_is_not() -> None:
    """An option that is added and forgotten fails here."""
    every = RunSettings.model_fields | WorkerSettings.model_fields | TopicSettings.model_fields
    assert TOLD.keys() | TOLD_OF_SERVICE.keys() | {"internal_retention"} | NOT_TOLD.keys() == every.keys()
    assert (TOLD.keys() | TOLD_OF_SERVICE.keys()).isdisjoint(NOT_TOLD)
    assert MethodSettings.model_fields.keys() - NOT_TOLD.keys() <= TOLD.keys()


@pytest.mark.parametrize("name", TOLD)
def test_another_value_of_an_option_changes_a_sentence(name: str) -> None:
    beside, value = TOLD[name]
    assert told(of_run(**beside)) != told(of_run(**beside, **{name: value}))


@pytest.mark.parametrize("name", TOLD_OF_SERVICE)
def test_another_value_of_an_option_of_a_worker_changes_a_sentence(name: str) -> None:
    chosen: list[dict[str, Any]] = [{}, {name: TOLD_OF_SERVICE[name]}]
    one, two = (policy_of(load(ServicePolicySettings, options), TopicSettings()) for options in chosen)
    assert told(one) != told(two)


def test_how_long_the_internal_topics_are_kept_is_told() -> None:
    topics = load(TopicSettings, {"internal_retention": "2h"})
    kept = {one.where: one.how_long for one in policy_of(load(ServicePolicySettings, {}), topics).kept}
    assert kept["topic querylog.classified"] == kept["topic querylog.evidence"] == "2h"
    assert kept["topic querylog.state"].startswith("until they leave, 30d at most")


@pytest.mark.parametrize("kind", [PolicySettings, ServicePolicySettings])
@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_is_told_in_whole_sentences(name: str, kind: type[MethodSettings]) -> None:
    found = policy_of(load(kind, {"preset": name}))
    assert len({one.field for one in found.rows}) == len(found.rows) >= 9
    for one in found.rows:
        for stage in STAGES:
            sentence = getattr(one, stage)
            assert sentence[0].isupper()
            assert sentence.endswith(".")
            assert "None" not in sentence.replace("None of", "")
    assert bool([note for note in found.notes if "crowd build" in note]) == (
        name in ("shared-search-data", "threshold")
    )


BESIDE: dict[tuple[str, str], dict[str, Any]] = {
    ("delta", "1"): PAPER,
    ("session_scope", "all"): SESSION,
    ("rare", "release"): STREAM,
    ("rare", "drop-terms"): STREAM,
    ("again", "on"): {"state": "state"},
}
"""What a weaker choice needs beside it to be read at all."""
WEAKER = [(name, value) for name, field in RunSettings.model_fields.items() for value in weaker_of(field)]


@pytest.mark.parametrize(("name", "value"), WEAKER)
def test_each_weaker_choice_is_warned_of_where_it_is_in_force(name: str, value: str) -> None:
    beside = BESIDE.get((name, value), {})
    found = of_run(**beside, **{name: "email" if value == "any" else value})
    (warned,) = [one for one in found.warnings if one.option == name]
    assert warned.why == weaker_of(RunSettings.model_fields[name])[value]
    assert warned.text.startswith(f"--{name.replace('_', '-')} ")
    assert not warned.by_default
    if beside:
        assert [one for one in of_run(**{name: value}).warnings if one.option == name] == []


def test_defaults_that_are_the_weaker_choice_are_told_as_defaults_and_last() -> None:
    assert [(one.option, one.by_default) for one in of_run().warnings] == [
        ("crowd", True), ("established", True), ("dedupe", True), ("time_precision", True),
    ]  # fmt: skip
    found = of_run(draw="entry", dedupe="none").warnings
    assert [one.by_default for one in found] == sorted(one.by_default for one in found)
    assert {one.option for one in found if not one.by_default} == {"draw", "dedupe"}
    assert {one.option for one in of_run(preset="strict").warnings} == {"crowd"}


def test_what_a_preset_chooses_counts_as_chosen_and_not_as_a_default() -> None:
    (unit,) = [one for one in of_run(preset="sessions").warnings if one.option == "unit"]
    assert not unit.by_default
    assert "crowd" not in {one.option for one in of_run(preset="threshold").warnings}
    assert "rare" in {one.option for one in of_run(preset="threshold", rare="drop-terms").warnings}


def test_a_user_leaves_under_the_id_that_the_settings_say() -> None:
    assert row("user", of_run()).pool == (
        "Waits until more than 20 distinct users, and by chance up to 10 more, wait in the pool of one category; "
        "leaves with a query of another user, never with its own."
    )
    assert "lasts for 1d" in row("user", of_run()).write
    assert "all its lines can be joined" in row("user", of_run(pseudonym_period="none")).write
    assert "each line" in row("user", of_run(pseudonym_period="record")).write
    paper = row("user", of_run(mode="paper")).pool
    assert "which may be its own" in paper
    assert "never" not in paper
    assert "seen 7d ago" in row("user", of_run(established="7d")).pool
    assert row("user", of_run(format="csv")).strip == "Stays as it came."
    assert "keyed hash" in row("user", of_run(format="csv", pseudonym_key_file="key")).strip


def test_a_query_that_few_share_leaves_only_where_the_settings_let_it() -> None:
    assert row("query", of_run()).screen == "A text that one person only asked may leave."
    assert row("query", of_run(crowd="stream", rare="release")).screen == "A text that one person only asked may leave."
    assert row("query", of_run(preset="threshold", crowd="table.crowd")).screen == (
        "Suppressed where fewer than 30 users asked it as a whole, or one of its terms or pairs of adjacent terms, by "
        "the table table.crowd."
    )
    assert "Suppressed beyond 8 words." in row("query", of_run(most_words="8")).screen
    assert "Loses terms" in row("query", of_run(crowd="stream", rare="drop-terms")).screen
    assert "kept by choice (email)" in row("query", of_run(keep_identifiers="email")).strip
    assert "swapped" in row("query", of_run(surrogates="on")).strip


def test_what_holds_a_rare_word_that_was_left_out_is_told_to_go_from_beside_the_query() -> None:
    fields = {"safe_fields": "note", "fields": "results=serp,results.title=t,clicks=clicks"}
    for preset in ("default", "threshold"):
        dropped = of_run(preset=preset, crowd="stream", rare="drop-terms", **fields)
        for name in ("URL", "results", "clicks", "note"):
            assert "Left out where it holds a word that was left out of the query" in row(name, dropped).screen
    assert row("note", of_run(crowd="stream", **fields)).screen == "Not screened."


def test_how_long_users_and_swapped_queries_are_known_is_told_as_it_is() -> None:
    kept = {one.what: one.how_long for one in of_run(crowd="stream", crowd_window="7d", surrogates="on").kept}
    (users,) = [how_long for what, how_long in kept.items() if what.startswith("which users had what")]
    assert users == "21d at most", "the window has two generations, and users move to the newer one"
    assert [how_long for what, how_long in kept.items() if "swapped" in what] == [
        "until such a query comes that is 1h later, or the program ends"
    ]
    assert "for 7d" in row("user", of_run(crowd="stream", crowd_window="7d")).screen
    established = row("user", of_run(crowd="stream", crowd_window="7d", established="2d")).screen
    assert "first seen 2d ago" in established


def test_a_time_is_the_other_users_unless_the_settings_say_otherwise() -> None:
    assert row("time", of_run()).pool == "Replaced by that of the search that set the release off."
    assert row("time", of_run(time_policy="query")).pool == "Stays that of the query itself."
    assert row("time", of_run()).write.startswith("Written to the second")
    assert row("time", of_run(preset="strict")).write.startswith("Cut to 1h")


def test_fields_that_leave_have_a_row_and_all_others_are_told_to_be_dropped() -> None:
    found = of_run(safe_fields="place,device", generalize="where=city>country,language=lang", crowd="stream")
    names = [one.field for one in found.rows]
    assert names[7:] == ["place", "device", "city", "country", "lang", "category", "everything else"]
    assert "step 2 of 2" in row("country", found).screen
    assert "first subtag" in row("lang", found).screen
    assert "1000 users" in row("city", found).screen
    assert row("everything else", found).read.startswith("Dropped")
    assert row("results", found).read.startswith("Dropped")
    lists = of_run(fields="results=items,results.url=link,clicks=clicked")
    assert "'items'" in row("results", lists).read
    assert "whole seconds" in row("clicks", lists).pool


def test_what_a_worker_leaves_in_the_clear_is_noted_and_no_host_is_named() -> None:
    found = policy_of(load(ServicePolicySettings, {"broker": "kafka.example:9092"}))
    assert [note for note in found.notes if "SASL_SSL" in note]
    assert "kafka.example" not in repr(found)


def test_a_worker_and_a_run_of_one_settings_file_are_told_by_their_own_options(tmp_path: Path) -> None:
    file = tmp_path / "querymix.toml"
    file.write_text('preset = "sessions"\nbroker = "localhost:9092"\nstate = "folder"\n')
    assert "header" in row("category", policy_of(load(ServicePolicySettings, {}, file))).write
    assert row("category", policy_of(load(PolicySettings, {}, file))).write == "Not written."


@settings(deadline=None, max_examples=60)
@given(st.sets(st.sampled_from(sorted(TOLD)), max_size=12), st.sampled_from([None, *PRESETS]))
def test_any_options_together_are_told_in_whole_sentences(names: set[str], preset: str | None) -> None:
    options = {name: TOLD[name][1] for name in names} | ({} if preset is None else {"preset": preset})
    found = of_run(**options)
    for one in found.rows:
        assert all(sentence.endswith(".") and sentence[0].isupper() for sentence in one[1:])
    assert all(warned.why and warned.text.endswith(".") for warned in found.warnings)
    assert all(kept.what and kept.where and kept.how_long for kept in found.kept)
