"""The fields of `--generalize` through settings, codecs and the rule: what is refused, and where values stand."""

import json
from collections import defaultdict
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix import Anonymizer
from querymix.bootstrap.generalizing import fields_rules, ladder_fields, never_filled
from querymix.bootstrap.parts import (
    make_classifier,
    make_codec,
    make_ordering,
    make_releasing,
    open_bundle,
)
from querymix.bootstrap.screening import open_crowd
from querymix.codecs.base import Codec
from querymix.codecs.frames import decode_classified, encode_classified
from querymix.codecs.recognize import AOL, Form
from querymix.core.crowd import CountedCrowd
from querymix.core.errors import ConfigError
from querymix.core.generalize import group_item, levels
from querymix.core.records import Query, Release
from querymix.crowd.writing import write_table
from querymix.settings import OutputSettings, ReleaseSettings, RunSettings, load
from querymix.stages.classifying import Classifying

CLASSIFY = make_classifier(load(RunSettings, {}), open_bundle(load(RunSettings, {})))
FOUND = "212-555-0147 or jo@example.com"
LADDERS = "place=geo.city>geo.country,language=lang"
CSV = Form("csv", delimiter=",", columns=("user", "query", "time", "town", "land"), headed=True)


def chosen(**options: Any) -> RunSettings:
    return load(RunSettings, {"crowd": "table", "generalize": LADDERS, **options})


def codec_of(settings: ReleaseSettings, form: Form = Form("json")) -> Codec:  # noqa: B008 - it does not change
    return make_codec(settings, "trigger", None, form)


def line_of(**fields: object) -> str:
    return json.dumps({"user": "7", "query": "red shoes", "time": "2006-03-01 00:00:00"} | fields)


def crowd_of(*items: str) -> CountedCrowd:
    crowd = CountedCrowd()
    for user in range(1000):
        crowd.add(str(user), items)
    return crowd


@pytest.mark.parametrize("safe", ["", "app", "zone", "app,zone"])
def test_fields_of_ladders_leave_beside_safe_ones_each_at_its_place(safe: str) -> None:
    settings = chosen(safe_fields=safe)
    codec = codec_of(settings)
    raw = line_of(geo={"city": "Lyon", "country": "FR", "street": "x"}, lang="fr-CA", app="web", zone=[1], other="gone")
    (query,), _ = codec.decode([raw], "log", 1)
    (rule,) = fields_rules(settings, crowd_of(group_item(2, (None, "FR", "fr"))))
    left = rule(query)
    assert not isinstance(left, str)
    (line,) = codec.encode([Release("8", 0, left, 0, left, 21)])
    released = json.loads(line)
    kept = {name: released.pop(name) for name in ("app", "zone") if name in released}
    assert released == {
        "user": "8", "query": "red shoes", "time": "2006-03-01T00:00:00Z", "geo": {"country": "FR"}, "lang": "fr"
    }  # fmt: skip
    assert ",".join(kept) == safe


@pytest.mark.parametrize("value", [{"name": "Lyon"}, ["Lyon"], [[]], {"a": {}}])
def test_a_field_that_is_an_object_or_a_list_is_refused_and_counted(value: object) -> None:
    queries, refusals = codec_of(chosen()).decode([line_of(geo={"city": value}), line_of(lang="fr")], "log", 1)
    assert len(queries) == 1
    assert [(one.line, "'geo.city' of --generalize is a list or an object" in one.reason) for one in refusals] == [
        (1, True)
    ]


@pytest.mark.parametrize(
    ("geo", "values"),
    [
        ({}, ()),
        (None, ()),
        ("Lyon", ()),
        ({"city": None, "country": ""}, ()),
        ({"city": "NULL", "country": "FR"}, (None, "FR", None)),
        ({"city": 0, "country": False}, (0, False, None)),
        ({"city": 69123.0, "country": 1.5}, (69123, 1.5, None)),
    ],
)
def test_a_value_is_absent_null_empty_or_plain(geo: object, values: tuple[object, ...]) -> None:
    (query,), refusals = codec_of(chosen()).decode([line_of(geo=geo)], "log", 1)
    assert refusals == []
    assert query.extra == ((values,) if values else ())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"generalize": "place=user"}, "'user', which is the user: name another field"),
        ({"generalize": "place=q", "fields": "query=q"}, "'q', which is the query"),
        ({"generalize": "place=city>city"}, "'city' twice"),
        ({"generalize": "place=city,home=city"}, "'city' twice"),
        ({"safe_fields": "lang"}, "both name 'lang': leave it out of --safe-fields"),
        (
            {"crowd": None},
            "--generalize asks how many users share what leaves, and",
        ),
        ({"crowd": None, "generalize": None, "urls": "crowd"}, "--urls crowd asks how many users"),
        ({"generalize": "place=category", "category_column": "on"}, "--category-column writes the field 'category'"),
    ],
)
def test_a_ladder_that_cannot_be_is_refused_with_the_way_out(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as error:
        codec_of(chosen(**options))
    assert said in str(error.value)


def test_columns_of_a_table_are_named_as_the_header_has_them() -> None:
    codec = codec_of(chosen(generalize="place=town>land"), CSV)
    (query,), _ = codec.decode(["7,red shoes,2006-03-01 00:00:00,Lyon,FR"], "log", 1)
    assert query.extra == (("FR", "Lyon"),)
    with pytest.raises(ConfigError, match="the header has no column 'city'"):
        codec_of(chosen(generalize="place=city>land"), CSV)


@pytest.mark.parametrize("form", [AOL, Form("access")])
def test_a_form_without_names_has_no_ladders(form: Form) -> None:
    with pytest.raises(ConfigError, match="there are none to name"):
        codec_of(chosen(), form)


def test_an_offline_method_has_no_crowd_to_cut_urls_by() -> None:
    with pytest.raises(ConfigError, match="--urls crowd asks"):
        ladder_fields(load(OutputSettings, {"urls": "crowd"}))


def test_what_counts_a_crowd_reads_whole_urls_and_asks_nobody() -> None:
    settings = ReleaseSettings(urls="crowd", safe_fields=["lang"])
    (query,), _ = codec_of(settings).decode([line_of(url="http://a.example/b", lang="fr")], "log", 1)
    assert (query.url, query.extra) == ("http://a.example/b", (("fr",),))


def test_without_an_option_that_asks_there_is_no_rule() -> None:
    assert fields_rules(load(RunSettings, {"crowd": "table"}), CountedCrowd()) == []


def test_the_library_refuses_as_a_run_does() -> None:
    with pytest.raises(ConfigError, match="--generalize asks"):
        Anonymizer(2, generalize={"place": ["city"]})


def test_the_library_looks_for_identifiers_beside_the_query_too() -> None:
    rows = [
        {"user": n, "query": "red shoes", "time": 1141171200 + n, "note": f"call {FOUND}", "app": "exp-4711"}
        for n in range(9)
    ]
    it = Anonymizer(2, reserve=0, safe_fields=["note", "app"])
    released = [*it.push_many(rows), *it.flush()]
    assert len(released) == 7
    assert {(row["note"], row["app"]) for row in released} == {("call or", "exp-4711")}


def test_what_was_generalized_travels_in_frames_as_it_is() -> None:
    settings = chosen(safe_fields="zone")
    queries, _ = codec_of(settings).decode([line_of(geo={"city": "Lyon", "country": "FR"}, zone={"a": [1]})], "log", 1)
    for crowd in (CountedCrowd(), crowd_of(group_item(1, (None, "FR", None)))):
        (rule,) = fields_rules(settings, crowd)
        left = rule(queries[0])
        assert isinstance(left, Query)
        assert decode_classified(encode_classified(3, [left], codec_of(settings).format))[1] == [left]


def test_a_settings_file_names_ladders_as_a_table(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('crowd = "table"\n[generalize]\nplace = ["geo.city", "geo.country"]\nlanguage = ["lang"]\n')
    assert load(RunSettings, {}, file).generalize == chosen().generalize


def test_a_field_that_never_had_a_value_is_told_with_the_option_that_names_it() -> None:
    settings = chosen(safe_fields="zone,app")  # places: app, geo.city, geo.country, lang, zone
    assert never_filled(settings, {0, 2}) == {
        "geo.city": "--generalize",
        "lang": "--generalize",
        "zone": "--safe-fields",
    }
    assert never_filled(settings, set(range(5))) == {}


TOWNS = [
    {"city": "Lyon", "country": "FR"},
    {"city": "Nice", "country": "FR"},
    {"city": "Ulm", "country": "DE"},
    {"country": "DE"},
    {},
]


def log_of(draws: list[tuple[int, int, str | None]]) -> list[str]:
    return [
        line_of(user=str(user), time=1141171200 + second, geo=TOWNS[town], lang=lang)
        for second, (user, town, lang) in enumerate(draws)
    ]


@how(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 4), st.sampled_from(["fr-CA", "fr", "de", None])),
        min_size=20,
        max_size=120,
    )
)
def test_each_class_of_values_in_the_released_lines_has_enough_users_in_the_log(
    draws: list[tuple[int, int, str | None]],
) -> None:
    """By a plain count of who asked what leaves, over the lines that a table was counted from."""
    settings = chosen(k=2, reserve=0, group_users=3, pseudonym_period="none", click_wait="0")
    codec = codec_of(settings)
    queries, _ = codec.decode(log_of(draws), "log", 1)
    classified = Classifying(CLASSIFY, unclassified="pool")(queries)
    crowd = remainder(settings, [query for _, query in classified])
    (rule,) = fields_rules(settings, crowd)
    screened = [(category, rule(query)) for category, query in classified]
    users = defaultdict(set)
    for _, query in screened:
        assert isinstance(query, Query)
        users[query.extra].add(query.user)
    assert all(len(some) >= 3 for values, some in users.items() if values)
    releasing = make_releasing(settings, codec.format, make_ordering(settings))
    releases = releasing(screened).releases + releasing.finish().releases  # type: ignore[arg-type]
    for line in codec.encode(releases):
        (again,), _ = codec.decode([line], "released", 1)
        assert not again.extra or len(users[again.extra]) >= 3


def remainder(settings: RunSettings, log: list[Query]) -> CountedCrowd:
    """Return the crowd of a table over a log: at each level those are counted whose groups below were too small."""
    crowd = CountedCrowd()
    waiting = [(query.user, levels(settings.generalize, query.extra[0])) for query in log if query.extra]  # type: ignore[arg-type]
    for number in range(8):
        users = defaultdict(set)
        for user, found in waiting:
            for group in found[number : number + 1]:
                users[group].add(user)
        for group, some in users.items():
            for user in some if len(some) >= settings.group_users else ():
                crowd.add(user, [group_item(number, group)])
        waiting = [(user, found) for user, found in waiting if len(found) > number and len(users[found[number]]) < 3]
    return crowd


def test_a_table_whose_groups_were_counted_by_other_ladders_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "crowd.table"
    write_table(table, {"term red": 30}, least=20, first=date(2026, 1, 1), last=date(2026, 1, 9), established=7)
    settings = RunSettings(crowd=str(table), generalize={"language": ["lang"]}, group_users=1000)
    with pytest.raises(ConfigError, match="counts the groups of no --generalize"):
        open_crowd(settings)
