"""Rare and long texts in a run, the library, 'check' and a worker: none leaves, each is counted."""

import asyncio
import json
from collections.abc import Callable
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import querymix
from click.testing import Result
from querymix import Anonymizer, ConfigError
from querymix.bootstrap.parts import make_run, open_bundle
from querymix.bootstrap.screening import crowd_rules, open_crowd, screening_rules
from querymix.codecs.recognize import Form
from querymix.core.draw import seeded_draw
from querymix.core.rare_texts import RareTexts, TooLong
from querymix.local.reading import Input
from querymix.settings import RunSettings, load
from querymix.stages.releasing import Releasing

from tests.crowds import counted, shared, table_of

Command = Callable[..., Result]
USERS = 8
"""Who must share an item."""
BASE = ("--k", "5", "--reserve", "0", "--json")


def pairs(rows: list[str]) -> list[tuple[str, str]]:
    return [(row.split("\t")[0], row.split("\t")[1]) for row in rows]


@pytest.fixture
def table(made_up_rows: list[str], tmp_path: Path) -> Path:
    return table_of(tmp_path / "words.crowd", pairs(made_up_rows))


def ran(querymix: Command, log: Path, out: Path, *options: str | Path) -> dict[str, Any]:
    """Run over a log; return its summary. The account must add up, and say the same in its two forms."""
    result = querymix("run", log, "-o", out, *BASE, *options)
    assert result.exit_code in (0, 3), result.output
    summary: dict[str, Any] = json.loads(result.stdout)
    fates = ("released", "held", "suppressed", "unclassified", "empty", "refused")
    assert sum(summary[name] for name in fates) == summary["in"]
    reasons = [summary[name] for name in summary if name.startswith("suppressed_")]
    assert sum(reasons) == summary["suppressed"]
    return summary


def texts_in(out: Path) -> list[str]:
    return [line.split("\t")[1] for line in out.read_text().splitlines()[1:]]


@pytest.mark.parametrize("items", ["terms", "pairs", "queries"])
@pytest.mark.parametrize("rare", ["suppress", "drop-terms"])
def test_each_released_text_is_shared_by_enough_users_of_a_plain_count(
    querymix: Command, made_up_log: Path, made_up_rows: list[str], table: Path, tmp_path: Path, items: str, rare: str
) -> None:
    users = 3 if items == "queries" else USERS  # whole queries that eight share are so few that none may leave
    options = ("--crowd", table, "--crowd-users", str(users), "--crowd-items", items, "--rare", rare)
    summary = ran(querymix, made_up_log, tmp_path / "out.tsv", *options)
    crowd = counted(pairs(made_up_rows))
    kinds = ("term", "pair", "query")[: ("terms", "pairs", "queries").index(items) + 1]
    texts = texts_in(tmp_path / "out.tsv")
    assert len(texts) == summary["released"] > 0
    assert [text for text in texts if not shared(text, crowd, users, kinds)] == []
    if rare == "suppress":
        common = sum(shared(text, crowd, users, kinds) for _, text in pairs(made_up_rows))
        passed = summary["in"] - sum(summary[f"suppressed_{why}"] for why in ("as_rare", "by_identifiers"))
        assert 0 <= passed - common <= sum(summary["identifiers_removed"].values()), "what is left may be common"
    else:
        assert summary["suppressed_as_rare"] < len(made_up_rows) / (1 if items == "queries" else 2)


def spelled(row: str, number: int) -> str:
    """Write a record's text in a spelling that few have: in capitals, full width, with marks, or what does not show."""
    user, text, rest = row.split("\t", 2)
    forms = (
        text.upper(),
        text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)}),
        f"({text})?",
        text[:1] + "\u200b" + text[1:],
        "\u202e" + text,
        text.replace("e", "e\u0301"),
        f"{text} zzq{number}x",
    )
    return "\t".join((user, forms[number % len(forms)] if number % 3 == 0 else text, rest))


@pytest.mark.parametrize(("crowd", "rare"), [("table", "suppress"), ("stream", "drop-terms")])
@pytest.mark.parametrize(
    "how",
    [
        ("--unit", "session", "--session-gap", "1h", "--session-scope", "all"),
        ("--mode", "paper"),
        ("--hold-policy", "merge", "--max-hold", "1h"),
        ("--time-precision", "1d", "--pseudonym-period", "record"),
    ],
)
def test_however_texts_are_spelled_and_mixed_nothing_leaves_that_too_few_share(
    querymix: Command, made_up_rows: list[str], tmp_path: Path, how: tuple[str, ...], rare: str, crowd: str
) -> None:
    rows = [spelled(row, number) for number, row in enumerate(made_up_rows)]
    log, out = tmp_path / "log.tsv", tmp_path / "out.tsv"
    log.write_text("AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n" + "".join(f"{row}\n" for row in rows), "utf-8")
    table = table_of(tmp_path / "words.crowd", pairs(rows))
    where = ("--crowd", table) if crowd == "table" else ("--crowd", "stream", "--crowd-window", "4000d")
    ran(querymix, log, out, *where, "--crowd-users", str(USERS), "--rare", rare, *how)
    plain, texts = counted(pairs(rows)), texts_in(out)
    assert texts
    assert [text for text in texts if not shared(text, plain, USERS)] == []


def test_what_is_too_long_is_suppressed_and_needs_no_crowd(
    querymix: Command, made_up_log: Path, tmp_path: Path
) -> None:
    summary = ran(querymix, made_up_log, tmp_path / "out.tsv", "--most-words", "2", "--most-characters", "14")
    texts = texts_in(tmp_path / "out.tsv")
    assert texts
    assert all(len(text.split()) <= 2 and len(text) <= 14 for text in texts)
    assert summary["suppressed_as_long"] > 0
    assert summary["suppressed_as_rare"] == 0


def test_under_release_a_crowd_is_named_as_without_effect(
    querymix: Command, made_up_log: Path, table: Path, tmp_path: Path
) -> None:
    result = querymix("run", made_up_log, "-o", tmp_path / "out", *BASE, "--crowd", table, "--rare", "release")
    summary = json.loads(result.stdout)
    assert (summary["suppressed_as_rare"], summary["findings"]) == (0, ["no_effect"])
    assert any("--crowd has no effect with --rare release" in warning for warning in summary["warnings"])


def test_the_reasons_stand_under_what_is_suppressed_and_what_to_do_is_said(
    querymix: Command, made_up_log: Path, table: Path, tmp_path: Path
) -> None:
    options = ("--crowd", table, "--crowd-users", "20", "--most-characters", "25", "--crowd-items", "queries")
    shown = querymix("run", made_up_log, "-o", tmp_path / "out", *BASE[:-1], *options)
    assert shown.exit_code == 3
    assert "  as rare" in shown.stdout
    assert "  as long" in shown.stdout
    assert "records were released: most are suppressed as rare: too few users share what they say." in shown.stderr
    terms = ("--crowd", table, "--crowd-users", str(USERS), "--crowd-items", "terms")
    much = ran(querymix, made_up_log, tmp_path / "out", *terms)
    assert much["suppressed_as_rare"] > much["in"] / 2
    assert much["findings"] == ["much_rare"]


def test_check_says_how_much_is_rare_and_how_much_too_long(querymix: Command, made_up_log: Path, table: Path) -> None:
    options = ("--crowd", table, "--crowd-users", "8", "--crowd-items", "terms", "--most-words", "4")
    found = json.loads(querymix("check", made_up_log, *BASE, *options).stdout)
    assert found["suppressed_as_rare"] > 0
    assert found["suppressed_as_long"] > 0
    assert "much_rare" in found["findings"]
    shown = querymix("check", made_up_log, *BASE[:-1], *options).stdout
    assert f"{found['suppressed_as_rare']:,} too rare, {found['suppressed_as_long']:,} too long" in shown
    assert "too few users for its categories" not in shown


# --- the library lets out what a run does


def seeded(releasing: Releasing) -> None:
    releasing.pools.draw, releasing.cells._draw = seeded_draw(1), seeded_draw(2)


@pytest.mark.parametrize(
    "chosen",
    [{"rare": "suppress"}, {"rare": "drop-terms", "crowd_items": "queries"}, {"most_words": 2, "crowd_items": "terms"}],
)
def test_the_library_and_a_run_let_out_the_same_for_the_same_draws(
    made_up_rows: list[str], table: Path, small_bundle: Path, tmp_path: Path, chosen: dict[str, Any]
) -> None:
    log: list[dict[str, Any]] = []
    for row in made_up_rows[:1500]:
        user, query, time, rank, _ = row.split("\t")
        log.append({"user": user, "query": query, "time": f"{time.replace(' ', 'T')}Z", "rank": int(rank)})
    log.sort(key=lambda row: str(row["time"]))
    (tmp_path / "log").write_text("".join(json.dumps(row) + "\n" for row in log))
    both = {"k": 3, "crowd": str(table), "crowd_users": USERS, "pseudonym_period": "none", **chosen}
    more = {"format": "json", "order": "input", "output": str(tmp_path / "out"), "knowledge": small_bundle}
    settings = load(RunSettings, {**both, **more})
    with ExitStack() as owned:
        run = make_run(
            [Input(str(tmp_path / "log"))], Form("json"), open_bundle(settings), settings, owned, lambda: None
        ).run
        seeded(run._releasing)
        summary = asyncio.run(run())
    there = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    it = Anonymizer(knowledge=small_bundle, **both)
    seeded(it._releasing)
    here = it.push_many(log[:700])
    again = Anonymizer.restore(it.snapshot())
    assert again.account == it.account
    here += it.push_many(log[700:]) + it.flush()
    assert here == there
    figures = it.account.figures()
    assert figures["suppressed_as_rare"] + figures["suppressed_as_long"] > 0
    assert figures.items() - {("lost", 0), ("waiting", 0)} <= summary.items()


def test_the_library_takes_a_table_by_its_path(table: Path, small_bundle: Path) -> None:
    rows = [{"user": "7", "query": "zqx-secret", "time": 1.0}]
    assert list(querymix.anonymize(rows, 2, crowd=table, knowledge=small_bundle)) == []


# --- what contradicts itself


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--crowd", "TABLE", "--crowd-users", "4"), "holds what at least 5 users had: give --crowd-users 5 or more"),
        (("--crowd", "/nowhere"), "cannot read the crowd table /nowhere: No such file or directory. Make one with"),
        (("--crowd", "LOG"), "is no crowd table. Make one with 'querymix crowd build"),
        (("--urls", "crowd"), "--urls crowd asks how many users share what leaves, and there is nobody to ask: give"),
        (("--preset", "threshold"), "--preset threshold asks how many users share what leaves, and there is nobody"),
        (("--generalize", "language=lang"), "--generalize asks how many users share what leaves, and there is nobody"),
        (("--crowd-users", "1"), "--crowd-users (QUERYMIX_CROWD_USERS): give 2 or more"),
        (("--most-words", "0"), "--most-words (QUERYMIX_MOST_WORDS): give 1 or more"),
    ],
)
@pytest.mark.parametrize("command", ["run", "check"])
def test_what_contradicts_itself_is_refused_with_the_way_out(
    querymix: Command,
    made_up_log: Path,
    made_up_rows: list[str],
    tmp_path: Path,
    command: str,
    options: tuple[str, ...],
    message: str,
) -> None:
    if "crowd" in options or "--generalize" in options:
        options = ("--format", "aol", *options)
    names = {"LOG": made_up_log, "TABLE": table_of(tmp_path / "five.crowd", pairs(made_up_rows[:50]), least=5)}
    output = ("-o", tmp_path / "out") if command == "run" else ()
    result = querymix(command, made_up_log, *output, *(names.get(option, option) for option in options))
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["-o", "--refused", "--profiles"])
def test_the_crowd_table_is_never_written_to(
    querymix: Command, made_up_log: Path, table: Path, tmp_path: Path, option: str
) -> None:
    before = table.read_bytes()
    output = () if option == "-o" else ("-o", tmp_path / "out")
    result = querymix("run", made_up_log, *output, option, table, "--crowd", table)
    assert result.exit_code == 2
    assert "the crowd table" in result.stderr
    assert table.read_bytes() == before


def test_a_crowd_of_nobody_is_no_default_and_options_that_need_one_have_no_effect(
    querymix: Command, made_up_log: Path, tmp_path: Path
) -> None:
    result = querymix("run", made_up_log, "-o", tmp_path / "out", *BASE, "--rare", "suppress", "--crowd-users", "9")
    assert json.loads(result.stdout)["findings"][:2] == ["no_effect", "no_effect"]
    with pytest.raises(ConfigError, match="crowd table"):
        Anonymizer(crowd="/nowhere")


def test_rules_are_made_of_what_is_asked_for(table: Path) -> None:
    def kinds(**chosen: Any) -> list[type]:
        settings = load(RunSettings, {"output": "-", **chosen})
        return [type(rule) for rule in screening_rules(settings, open_crowd(settings))]

    assert kinds() == []
    assert kinds(crowd="stream") == []
    assert kinds(crowd="stream", most_words=3) == kinds(most_words=3) == kinds(most_characters=3) == [TooLong]
    assert kinds(crowd=table) == [RareTexts]
    assert kinds(crowd=table, most_words=3) == [TooLong, RareTexts]
    assert kinds(crowd=table, rare="release") == []
    stream = load(RunSettings, {"output": "-", "crowd": "stream"})
    crowd = counted([])
    (rule,) = crowd_rules(stream, crowd, crowd.add)
    assert isinstance(rule, RareTexts)


# --- days


def test_the_next_day_may_have_another_table_and_an_old_one_is_told_of(
    querymix: Command, made_up_rows: list[str], table: Path, tmp_path: Path
) -> None:
    days = [made_up_rows[:2000], made_up_rows[2000:]]
    ended = []
    for number, rows in enumerate(days):
        log = tmp_path / f"day{number}.tsv"
        log.write_text("".join(f"{row}\n" for row in rows))
        last = date(2005, 6, 1) if number else date(2006, 5, 31)
        table_of(table, pairs(made_up_rows[number * 100 :]), last=last)
        state = ("--state", tmp_path / "state", "--crowd", table, "--crowd-users", "4")
        ended.append(ran(querymix, log, tmp_path / f"out{number}", *state))
    one, two = ended
    assert two["in"] == len(made_up_rows)
    assert one["suppressed_as_rare"] < two["suppressed_as_rare"]
    assert two["this_run"]["suppressed_as_rare"] == two["suppressed_as_rare"] - one["suppressed_as_rare"]
    assert "old_crowd" not in one["findings"]
    assert "old_crowd" in two["findings"]
    assert "other_crowd" not in two["findings"]
    assert "unscreened" not in two["findings"], "the rules are the same"


def test_queries_that_wait_from_before_a_rule_are_told_to_leave_as_they_are(
    querymix: Command, made_up_rows: list[str], table: Path, tmp_path: Path
) -> None:
    for number, rule in enumerate(((), ("--crowd", table, "--crowd-users", str(USERS)))):
        log = tmp_path / f"day{number}.tsv"
        log.write_text("".join(f"{row}\n" for row in made_up_rows[number * 2000 : number * 2000 + 2000]))
        summary = ran(querymix, log, tmp_path / f"out{number}", "--state", tmp_path / "state", *rule)
        assert ("unscreened" in summary["findings"]) == bool(number)
