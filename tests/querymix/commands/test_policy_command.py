"""`querymix policy`: what settings do, and what would change on a log."""

import gzip
import json
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from querymix.bootstrap.compared import compare
from querymix.core.errors import ConfigError
from querymix.local.comparing import by_remainder
from querymix.settings import load
from querymix.settings.policy import PolicySettings
from querymix.settings.presets import PRESETS, text_of

Command = Callable[..., Result]
OWN = "zqxsoccer"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return a log of 60 users in 600 records, a minute apart: all ask one text, and each fifth record is one's own."""
    path = tmp_path / "log.tsv"
    rows = []
    for n in range(600):
        text = f"{OWN} {n % 60}" if (n // 60 + n) % 5 == 0 else "soccer"
        rows.append(
            f"{n % 60}\t{text}\t2006-03-01 {n // 60:02d}:{n % 60:02d}:00\t1\thttp://www.soccer.example/{n % 60}"
        )
    path.write_text("\n".join(rows) + "\n")
    return path


def told(result: Result, code: int = 0) -> dict[str, Any]:
    assert result.exit_code == code, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_the_presets_are_listed_in_each_form(querymix: Command) -> None:
    for form in ((), ("--markdown",), ("--json",)):
        result = querymix("policy", "--list", *form)
        assert result.exit_code == 0
        assert all(name in result.stdout for name in PRESETS)
    assert [one["preset"] for one in told(querymix("policy", "--list", "--json"))["presets"]] == list(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_printed_as_the_settings_file_that_it_is(querymix: Command, name: str) -> None:
    assert querymix("policy", "--preset", name, "--toml").stdout == text_of(name)


def test_the_three_forms_tell_the_same(querymix: Command) -> None:
    found = told(querymix("policy", "--preset", "strict", "--json", QUERYMIX_PSEUDONYM_PERIOD=None))
    assert found["preset"] == "strict"
    markdown = querymix("policy", "--preset", "strict", "--markdown", QUERYMIX_PSEUDONYM_PERIOD=None).stdout
    wide = querymix("policy", "--preset", "strict", COLUMNS="2000", QUERYMIX_PSEUDONYM_PERIOD=None).stdout
    narrow = re.sub(r"[│┃\s]+", " ", querymix("policy", "--preset", "strict", QUERYMIX_PSEUDONYM_PERIOD=None).stdout)
    for row in found["fields"]:
        for sentence in list(row.values())[1:]:
            assert sentence in markdown
            assert sentence in wide
    assert "Cut to 1h" in narrow
    assert [one["option"] for one in found["warnings"]] == ["crowd"]
    assert all(cells.count("|") == 7 for cells in markdown.splitlines() if cells.startswith("| user"))


def test_options_the_environment_and_a_file_are_told_as_a_run_would_take_them(
    querymix: Command, tmp_path: Path
) -> None:
    file = tmp_path / "querymix.toml"
    file.write_text('preset = "strict"\nk = 30\n')
    found = told(querymix("policy", "--settings", file, "--urls", "full", "--json", QUERYMIX_RESERVE="0"))
    (user,) = [row for row in found["fields"] if row["field"] == "user"]
    assert "more than 30 distinct users wait" in user["pool"]
    assert {"urls", "reserve", "pseudonym_period"} <= {one["option"] for one in found["warnings"]}


def test_odd_names_of_fields_and_files_are_shown_as_they_are_and_obeyed_by_nobody(
    querymix: Command, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = ("policy", "--safe-fields", "[bold]a,b|c,d\x1b[31m", "--output", "[red]out")
    wide = querymix(*odd, COLUMNS="2000").stdout
    assert "[bold]a" in wide
    assert "[red]out" in wide
    assert "\x1b" not in wide + querymix(*odd, "--markdown").stdout
    assert "| b\\|c |" in querymix(*odd, "--markdown").stdout
    monkeypatch.chdir(log.rename(log.with_name("[bold]log.tsv")).parent)  # a long path is broken over lines
    assert "[bold]log.tsv" in querymix("policy", "--compare", "default", "sessions", "[bold]log.tsv").stdout


def test_a_worker_is_told_with_its_topics(querymix: Command, tmp_path: Path) -> None:
    file = tmp_path / "worker.toml"
    file.write_text('prefix = "searches"\ninternal_retention = "2h"\n')
    found = told(querymix("policy", "--service", "--settings", file, "--json"))
    assert {"what": "users and counts of categories", "where": "topic searches.evidence", "how_long": "2h"} in (
        found["kept"]
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--json", "--markdown"), "give one of them"),
        (("log.tsv",), "--compare A B"),
        (("--compare", "default", "strict"), "needs a log"),
        (("--compare", "strict", "strict", "log.tsv"), "both are the same"),
        (("--compare", "strict", "stricter", "log.tsv"), "neither a preset"),
        (("--service", "--state", "x"), "no option of a worker"),
        (("--preset", "stricter"), "--preset"),
        (("--settings", "nowhere.toml"), "cannot read the settings file"),
        (("--compare", "default", "strict", "nowhere.tsv"), "cannot open nowhere.tsv"),
        (("--compare", "default", "strict", "-"), "give a file"),
    ],
)
def test_what_cannot_be_told_is_refused_with_the_way_out(querymix: Command, words: Sequence[str], says: str) -> None:
    result = querymix("policy", *words, stdin=b"")
    assert result.exit_code == 2
    assert says in re.sub(r"\s+", " ", result.stderr)


def test_two_presets_are_compared_on_a_log_without_a_trace(querymix: Command, log: Path) -> None:
    before = sorted(log.parent.iterdir())
    found = told(querymix("policy", "--compare", "default", "strict", log, "--json"))
    one, other = found["settings"]["default"], found["settings"]["strict"]
    for side in (one, other):
        account = side["account"]
        assert account["in"] == side["records"] == 600
        assert account["in"] == sum(
            account[name] for name in ("released", "held", "suppressed", "unclassified", "empty", "refused")
        )
        assert side["queries"]["asked"] == 61
    assert one["account"]["released"] > 0 == other["account"]["released"]
    assert 1 < one["queries"]["released"] <= 61
    assert one["fields"] == {"rows": one["account"]["released"], "URL, host or domain": one["account"]["released"]}
    assert sorted(log.parent.iterdir()) == before
    result = querymix("policy", "--compare", "default", "strict", log)
    assert result.exit_code == 0
    assert "distinct queries released" in result.stdout
    assert OWN not in result.output + json.dumps(found)


def test_settings_files_are_compared_too_and_what_the_command_line_names_wins(
    querymix: Command, log: Path, tmp_path: Path
) -> None:
    one, other = tmp_path / "a.toml", tmp_path / "b.toml"
    one.write_text('urls = "full"\nunit = "session"\nsession_gap = "2h"\n')
    other.write_text("k = 90\n")
    found = told(querymix("policy", "--compare", one, other, log, "--json", "--reserve", "0"))["settings"]
    assert "URL, whole" in found[str(one)]["fields"]
    assert found[str(one)]["sessions"] > 0
    assert found[str(other)]["account"]["released"] == 0
    assert found[str(other)]["fields"] == {"rows": 0}


def test_a_log_that_was_not_read_whole_ends_with_three(querymix: Command, tmp_path: Path, log: Path) -> None:
    packed = tmp_path / "log.tsv.gz"
    packed.write_bytes(gzip.compress(log.read_bytes())[:-20])
    result = querymix("policy", "--compare", "default", "strict", packed)
    assert result.exit_code == 3, result.output
    assert "default: " in result.stderr


def test_where_no_crowd_is_named_the_log_itself_is_counted_and_that_is_said(
    bare_environment: None, log: Path, small_bundle: Path
) -> None:
    chosen = {
        name: load(PolicySettings, {"preset": name, "knowledge": small_bundle}) for name in ("default", "threshold")
    }
    doing = set[str]()
    found = compare(str(log), chosen, doing.add)
    (remark,) = found["remarks"]
    assert remark.startswith("threshold asks how many users share something")
    assert found["settings"]["default"]["account"]["suppressed_as_rare"] == 0
    threshold = found["settings"]["threshold"]
    assert threshold["account"]["suppressed_as_rare"] == 120
    assert threshold["account"]["in"] == 600
    assert threshold["queries"] == {"asked": 61, "released": 1}
    assert any(one.startswith("threshold: ") for one in doing)


def test_a_pipe_cannot_be_compared(tmp_path: Path, small_bundle: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with os.fdopen(os.open(pipe, os.O_RDWR), "wb"), pytest.raises(ConfigError, match="several times"):
        compare(str(pipe), {"a": load(PolicySettings, {"knowledge": small_bundle})}, lambda _: None)


def test_groups_are_counted_by_remainder_as_a_table_counts_them() -> None:
    chains: dict[tuple[str, ...], set[str]] = {
        ("paris", "fr"): {"1", "2"},
        ("nice", "fr"): {"3"},
        ("lyon", "fr"): {"4"},
        ("bonn", "de"): {"5"},
    }
    assert list(by_remainder(chains, 2)) == [("paris", {"1", "2"}), ("fr", {"3", "4"})]
    assert list(by_remainder(chains, 3)) == [("fr", {"1", "2", "3", "4"})]
    assert list(by_remainder({("a",): {"1"}, ("a", "b"): {"2"}}, 2)) == [("a", {"1", "2"})]
    assert list(by_remainder({}, 2)) == []


def test_fields_and_urls_leave_as_far_as_the_log_s_own_users_share_them(
    bare_environment: None, tmp_path: Path, small_bundle: Path
) -> None:
    path = tmp_path / "log.jsonl"
    rows = [
        {
            "user": str(n % 60), "query": "soccer", "time": 1_141_197_432 + 60 * n, "url": f"http://a.example/{n % 2}",
            "city": "Paris" if n % 60 < 40 else f"Town {n % 60}", "country": "FR",
        }
        for n in range(600)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = {"knowledge": small_bundle, "urls": "crowd", "generalize": "place=city>country", "crowd_users": 20}
    chosen = {name: load(PolicySettings, given | {"group_users": least}) for name, least in (("a", 30), ("b", 70))}
    found = compare(str(path), chosen, lambda _: None)["settings"]
    some, none = found["a"]["fields"], found["b"]["fields"]
    assert some["URL, whole"] == some["rows"] > some["city"] > 0
    assert "country" not in none
    assert some.get("country") == some["city"]  # 20 users of towns have nothing in common that 30 share


def test_surrogates_are_made_up_after_the_rules_and_not_taken_for_rare_words(
    bare_environment: None, tmp_path: Path, small_bundle: Path
) -> None:
    path = tmp_path / "log.tsv"
    rows = [f"{n % 60}\tsoccer 555-123-4567\t2006-03-01 {n // 60:02d}:{n % 60:02d}:00" for n in range(600)]
    path.write_text("\n".join(rows) + "\n")
    given = {"preset": "shared-search-data", "knowledge": small_bundle}
    chosen = {name: load(PolicySettings, given | {"surrogates": name}) for name in ("off", "on")}
    found = compare(str(path), chosen, lambda _: None)["settings"]
    rare = [found[name]["account"]["suppressed_as_rare"] for name in ("off", "on")]
    assert rare == [0, 0]
