"""`querymix run` from the command line to the files: what went in is what came out, is held, or is counted."""

import gzip
import json
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from typing import Any, NamedTuple

import pytest
from click.testing import Result
from querymix.bootstrap.parts import make_classifier
from querymix.core.knowledge import CATEGORIES
from querymix.core.records import OTHER, UNCLASSIFIED, Classification
from querymix.knowledge.bundle import DEFAULT, Bundle
from querymix.settings import KnowledgeSettings

from tests.keys import OTHER_KEY, key_file

Command = Callable[..., Result]
Spawn = Callable[..., "Popen[bytes]"]
Profiles = Counter[tuple[str, int]]

PARTS = ("released", "held", "suppressed", "unclassified", "empty", "refused")


class Row(NamedTuple):
    """One line of the AOL form."""

    user: str
    query: str
    time: str
    rank: str
    url: str


class Outcome(NamedTuple):
    """What one run left behind."""

    summary: dict[str, Any]
    header: str
    rows: list[Row]
    profiles: Profiles
    held: Profiles
    """Of the pools' state, as the checkpoint keeps it."""


def read(lines: list[str]) -> list[Row]:
    return [Row(*line.split("\t")) for line in lines]


def run(querymix: Command, folder: Path, *args: str | Path, code: int = 0) -> Outcome:
    """Run over files with profiles and a checkpoint; each row is a query of its own, and held without a bound."""
    out, db, state = folder / "out.tsv", folder / "profiles.db", folder / "state"
    given = ["--click-wait", "0", "--hold-policy", "wait", *args]
    result = querymix("run", *given, "-o", out, "--profiles", db, "--checkpoint", state, "--json", "--quiet")
    warned = "lets sessions be put together again" in result.stderr
    summary = json.loads(result.stdout)
    said = ("query" in args) + len(summary["warnings"])
    assert (result.exit_code, warned, result.stderr.count("\n")) == (code, "query" in args, said)
    text = out.read_text()
    assert text.endswith("\n")
    header, *lines = text[:-1].split("\n")
    return Outcome(summary, header, read(lines), profiles_in(db), held_in(state))


def profiles_in(db: Path) -> Profiles:
    with sqlite3.connect(db) as file:
        return Counter({(u.decode(), c): n for u, c, n in file.execute("SELECT user, category, count FROM profile")})


def held_in(state: Path) -> Profiles:
    with sqlite3.connect(state / "checkpoint.sqlite") as file:
        ((text,),) = file.execute("SELECT state FROM batch")
    pools = json.loads(text)["anonymizing"]["pools"].values()
    return Counter((user, origin) for pool in pools for user, origin, _ in pool["users"])


def known(profiles: Profiles) -> Profiles:
    """Return profiles without what has no category, which enters none."""
    return Counter({key: n for key, n in profiles.items() if key[1] != UNCLASSIFIED})


@pytest.fixture
def topic_of(small_bundle: Path) -> Callable[[str], Classification]:
    """Return what the classifier says, put together apart from the command."""
    bundle = Bundle(small_bundle)
    return make_classifier(KnowledgeSettings(), bundle)


@pytest.mark.parametrize("mode", ["distinct", "paper"])
@pytest.mark.parametrize("k", [2, 5, 20])
def test_a_run_keeps_every_promise(
    querymix: Command,
    made_up_log: Path,
    made_up_rows: list[str],
    topic_of: Callable[[str], Classification],
    tmp_path: Path,
    k: int,
    mode: str,
) -> None:
    """Counts add up, no own query comes back, and released plus held profiles are those of the classified log."""
    found = run(querymix, tmp_path, made_up_log, "--k", str(k), "--mode", mode)
    summary = found.summary
    assert sum(summary[part] for part in PARTS) == summary["in"] == len(made_up_rows)
    assert summary["released"] == len(found.rows) > 0
    assert summary["suppressed"] > 0
    assert summary["unclassified"] == 0 < summary["unclassified_pooled"]
    assert found.header == "AnonID\tQuery\tQueryTime\tItemRank\tClickURL"

    asked = read(made_up_rows)
    topics = [topic_of(row.query) for row in asked]
    came = Counter(
        (row.user, topic.category) for row, topic in zip(asked, topics, strict=True) if topic.category != UNCLASSIFIED
    )
    assert known(found.profiles + found.held) == came
    assert summary["held"] == found.held.total()
    assert summary["classified"] == came.total()

    # The rank is the row's number, so each released query can be told from all others, equal ones included.
    numbers = [int(row.rank) for row in found.rows]
    assert len(set(numbers)) == len(numbers)
    own = sum(row.user == asked[number].user for row, number in zip(found.rows, numbers, strict=True))
    assert own == summary["own_query_returned"]
    assert not (own and mode == "distinct")
    assert own or mode == "distinct" or k > 5
    shown: Profiles = Counter()
    for row, number in zip(found.rows, numbers, strict=True):
        assert row.query == topics[number].text
        assert row.url.count("/") <= 2
        shown[row.user, topics[number].category] += 1
    assert found.profiles == known(shown)
    times = [row.time for row in found.rows]
    assert times == sorted(times)
    for pool in summary["categories"].values():
        assert pool["k"] == k or mode == "paper"
        assert pool["released"] == 0 or pool["effective_anonymity"]["minimum"] >= 1


def test_a_query_with_clicks_leaves_whole_and_counts_once(
    querymix: Command,
    made_up_log: Path,
    made_up_rows: list[str],
    topic_of: Callable[[str], Classification],
    tmp_path: Path,
) -> None:
    found = run(querymix, tmp_path, made_up_log, "--k", "5", "--click-wait", "1s")
    summary, asked = found.summary, read(made_up_rows)
    assert sum(summary[part] for part in PARTS) == summary["in"] == len(made_up_rows)
    assert summary["released"] == len(found.rows)
    queries = {(row.user, row.query, row.time): topic_of(row.query).category for row in asked}
    came = Counter((user, category) for (user, _, _), category in queries.items() if category != UNCLASSIFIED)
    assert found.profiles + known(found.held) == came
    places: dict[tuple[str, str, str], list[int]] = {}
    for place, row in enumerate(found.rows):
        owner = asked[int(row.rank)]
        places.setdefault((owner.user, owner.query, owner.time), []).append(place)
        assert row.user != owner.user
    assert any(len(at) > 1 for at in places.values())
    sizes = Counter((row.user, row.query, row.time) for row in asked)
    for query, at in places.items():
        assert at == list(range(at[0], at[0] + sizes[query]))
        assert len({found.rows[place].user for place in at}) == 1


def test_the_summary_has_the_promised_keys(querymix: Command, made_up_log: Path, tmp_path: Path) -> None:
    summary = run(querymix, tmp_path, made_up_log).summary
    assert summary.keys() >= {
        *PARTS, "in", "classified", "own_query_returned", "logs_per_second", "categories", "stages", "knowledge",
    }  # fmt: skip
    assert summary["categories"].keys() <= {*CATEGORIES, "Unclassified"}
    assert summary["stages"].keys() == {"read", "classify", "pool", "profile", "write", "advise"}


def test_people_get_tables(querymix: Command, made_up_log: Path, tmp_path: Path) -> None:
    result = querymix("run", made_up_log, "-o", tmp_path / "out.tsv", "--k", "3")
    assert result.exit_code == 0
    for words in ("4,000 records", "released", "own query returned", "Sports", "effective anonymity", "peak memory"):
        assert words in result.stdout


def test_a_query_of_nothing_but_an_identifier_is_nowhere_in_the_output(querymix: Command, tmp_path: Path) -> None:
    log = tmp_path / "log.tsv"
    rows = [f"{n}\tjoe{n}@example.com\t2006-03-01 00:00:0{n}\t\t" for n in range(9)]
    rows += [f"{n}\tsoccer joe{n}@example.com\t2006-03-01 00:00:0{n}\t\t" for n in range(9)]
    log.write_text("\n".join(rows) + "\n")
    result = querymix("run", log, "-o", tmp_path / "out.tsv", "--k", "2", "--reserve", "0", "--json")
    summary = json.loads(result.stdout)
    assert (summary["suppressed"], summary["released"], summary["held"]) == (9, 7, 2)
    assert summary["identifiers_removed"] == {"email": 18}
    released = (tmp_path / "out.tsv").read_text()
    assert "example" not in released
    assert released.count("\tsoccer\t") == 7


def test_unclassified_queries_get_a_pool_but_no_profile(
    querymix: Command,
    made_up_log: Path,
    made_up_rows: list[str],
    topic_of: Callable[[str], Classification],
    tmp_path: Path,
) -> None:
    found = run(querymix, tmp_path, made_up_log, "--k", "3")
    pool = found.summary["categories"]["Unclassified"]
    asked = [topic_of(row.query) for row in read(made_up_rows)]
    unclassified = sum(topic.category == UNCLASSIFIED and bool(topic.text) for topic in asked)
    assert found.summary["empty"] == sum(not topic.text and not topic.removed for topic in asked) > 0
    assert pool["released"] > 0
    assert pool["released"] + pool["held"] == found.summary["unclassified_pooled"] == unclassified
    assert found.summary["unclassified"] == 0
    assert sum(found.summary[part] for part in PARTS) == len(made_up_rows)
    assert all(category >= 0 for _, category in found.profiles)
    assert known(found.profiles + found.held).total() == found.summary["classified"]


def test_unclassified_queries_are_dropped_where_that_is_asked_for(
    querymix: Command, made_up_log: Path, made_up_rows: list[str], tmp_path: Path
) -> None:
    found = run(querymix, tmp_path, made_up_log, "--k", "3", "--unclassified", "drop")
    assert found.summary["unclassified"] > 0 == found.summary["unclassified_pooled"]
    assert "Unclassified" not in found.summary["categories"]
    assert sum(found.summary[part] for part in PARTS) == len(made_up_rows)


@pytest.mark.parametrize("policy", ["suppress", "merge"])
def test_hold_policies_bound_what_is_held_and_lose_nothing(
    querymix: Command, made_up_log: Path, made_up_rows: list[str], tmp_path: Path, policy: str
) -> None:
    given = ("--k", "20", "--max-hold", "2d", "--hold-policy", policy, "--unclassified", "drop")
    found = run(querymix, tmp_path, made_up_log, *given, code=3 if policy == "suppress" else 0)
    summary = found.summary
    assert summary["findings"] == (["little_released"] if policy == "suppress" else [])
    assert sum(summary[part] for part in PARTS) == len(made_up_rows)
    pools = summary["categories"]
    if policy == "merge":
        merged = sum(pool["merged"] for pool in pools.values())
        assert pools["Other"]["released"] + pools["Other"]["held"] == merged > 0
        assert found.profiles.total() == summary["released"], "evidence keeps the category that a query came from"
        assert all(category != OTHER for _, category in found.profiles + found.held)
        assert found.profiles.total() + found.held.total() == summary["classified"]
    else:
        assert sum(pool["suppressed"] for pool in pools.values()) > 0


def test_the_released_time_is_the_triggers_or_by_choice_the_querys_own(
    querymix: Command, made_up_log: Path, made_up_rows: list[str], tmp_path: Path
) -> None:
    asked = read(made_up_rows)
    for policy in ("trigger", "query"):
        folder = tmp_path / policy
        folder.mkdir()
        rows = run(querymix, folder, made_up_log, "--k", "5", "--time-policy", policy).rows
        own = [row.time == asked[int(row.rank)].time for row in rows]
        assert all(row.time >= asked[int(row.rank)].time for row in rows)
        assert all(own) if policy == "query" else not all(own)
        times = [row.time for row in rows]
        assert times == sorted(times), "a line's place would tell when it was set off"


@pytest.mark.parametrize("policy", ["trigger", "query"])
def test_released_times_are_cut_to_a_grid_and_the_lines_of_a_cell_shuffled(
    querymix: Command, made_up_log: Path, made_up_rows: list[str], tmp_path: Path, policy: str
) -> None:
    asked = read(made_up_rows)
    args = ("--k", "5", "--time-policy", policy, "--time-precision", "6h")
    rows = run(querymix, tmp_path, made_up_log, *args).rows
    times = [row.time for row in rows]
    assert times == sorted(times)
    assert {time[11:] for time in times} == {"00:00:00", "06:00:00", "12:00:00", "18:00:00"}
    own = [asked[int(row.rank)].time[:13] >= row.time[:13] for row in rows]
    assert all(own) if policy == "query" else not all(own)


def test_a_line_leaves_a_pipe_once_its_cell_is_over_and_the_rest_when_the_run_is_stopped(spawn: Spawn) -> None:
    process = spawn("run", "-", "-o", "-", "--k", "2", "--reserve", "0", "--json", "--time-precision", "1m")
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    for number in range(100):
        process.stdin.write(f"{number % 7}\tsoccer\t2006-03-01 00:{number // 30:02d}:30\t{number}\t\n".encode())
        process.stdin.flush()
    # More than the first cell has, and no more than both always have: how many are held depends on the draws.
    times = [process.stdout.readline().decode().split("\t")[2][14:] for _ in range(36)]
    assert times == sorted(times)
    assert set(times) == {"00:00", "01:00"}
    process.send_signal(signal.SIGINT)
    # Not by `communicate`, which leaves out what `readline` has read ahead.
    rest, err = process.stdout.read(), process.stderr.read()
    summary = json.loads(err)
    assert process.wait() == 130
    assert summary["in"] == 100 == summary["released"] + summary["held"]
    assert summary["released"] == 36 + rest.count(b"\n")


def test_pseudonyms_are_stable_and_no_user_id_is_left(querymix: Command, tmp_path: Path) -> None:
    key, other = key_file(tmp_path / "key"), key_file(tmp_path / "other", OTHER_KEY)
    log = tmp_path / "log.tsv"
    rows = [f"user-{n % 40}\tsoccer\t2006-03-01 00:{n // 60:02d}:{n % 60:02d}\t{n}\t" for n in range(400)]
    log.write_text("\n".join(rows) + "\n")
    users = []
    for number, name in enumerate((key, key, other)):
        out, db = tmp_path / f"out{number}.tsv", tmp_path / f"profiles{number}.db"
        args = ("run", log, "-o", out, "--profiles", db, "--k", "3", "--pseudonym-key-file", name)
        result = querymix(*args, "--order", "input")
        assert result.exit_code == 0
        assert "user-" not in out.read_text() + result.output
        assert b"user-" not in db.read_bytes()
        seen = Counter(line.split("\t")[0] for line in out.read_text().splitlines())
        assert Counter({user: n for (user, _), n in profiles_in(db).items()}) == seen
        assert all(user.isdecimal() for user in seen)
        users.append(set(seen))
    assert users[0] & users[1]
    assert len(users[0] | users[1]) <= 40
    assert not users[0] & users[2]
    result = querymix(
        "profiles", "show", "user-1", "--profiles", tmp_path / "profiles0.db", "--pseudonym-key-file", key
    )
    assert result.exit_code == 0
    assert "Sports" in result.stdout


def test_json_lines_keep_their_own_names_and_lose_what_is_unknown(querymix: Command, tmp_path: Path) -> None:
    log, out = tmp_path / "log.jsonl", tmp_path / "out.jsonl"
    logs = [
        {"ip": "10.0.0.1", "uid": n % 9, "q": "soccer", "ts": 1141171200 + n, "pos": n, "lang": f"l{n}", "ua": "x"}
        for n in range(90)
    ]
    log.write_text("\n".join(map(json.dumps, logs)) + "\n")
    fields = "user=uid,query=q,time=ts,rank=pos"
    args = ("run", log, "-o", out, "--format", "json", "--fields", fields, "--k", "4", "--reserve", "0", "--json")
    summary = json.loads(querymix(*args, "--safe-fields", "lang").stdout)
    released = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(released) == summary["released"] > 60
    for found in released:
        assert list(found) == ["uid", "q", "ts", "pos", "lang"]
        assert found["lang"] == f"l{found['pos']}", "a safe field travels with its query"
        assert found["uid"] != str(found["pos"] % 9), "users leave as texts"
    assert Counter(found["uid"] for found in released) <= Counter(str(n % 9) for n in range(90))
    assert querymix(*args).exit_code == 0
    assert "lang" not in out.read_text()


def test_several_inputs_and_gzip_are_one_log_in_order_of_time(
    querymix: Command, made_up_rows: list[str], tmp_path: Path
) -> None:
    parts: list[str | Path] = []
    for number in range(3):
        path = tmp_path / f"part{number}.tsv.gz"
        lines = ["AnonID\tQuery\tQueryTime\tItemRank\tClickURL", *made_up_rows[number::3]]
        data = ("\n".join(lines) + "\n").encode()
        path.write_bytes(gzip.compress(data) if number else data)  # a name does not make a file gzip
        parts.append(path)
    found = run(querymix, tmp_path, *parts, "--k", "5")
    assert found.summary["in"] == len(made_up_rows)
    assert sum(found.summary[part] for part in PARTS) == len(made_up_rows)
    times = [row.time for row in found.rows]
    assert times == sorted(times)
    assert not any("AnonID" in row.user for row in found.rows)


def test_the_order_of_the_input_is_kept_on_demand(
    querymix: Command, made_up_log: Path, made_up_rows: list[str], tmp_path: Path
) -> None:
    """A log that is sorted by user fills pools user by user: fewer logs leave than in order of time."""
    summaries = {}
    for order in ("time", "input"):
        folder = tmp_path / order
        folder.mkdir()
        found = run(querymix, folder, made_up_log, "--k", "5", "--order", order)
        summaries[order] = found.summary
        times = [row.time for row in found.rows]
        assert (times == sorted(times)) == (order == "time")
    same = ("in", "classified", "suppressed", "unclassified", "empty", "refused")
    assert [summaries["time"][name] for name in same] == [summaries["input"][name] for name in same]
    assert len(made_up_rows) == summaries["input"]["in"]


def test_profiles_grow_over_several_runs(querymix: Command, made_up_log: Path, tmp_path: Path) -> None:
    given = ("--k", "3", "--unclassified", "drop", "--click-wait", "0")
    first = run(querymix, tmp_path, made_up_log, *given)
    again = querymix("run", made_up_log, "-o", tmp_path / "two.tsv", "--profiles", tmp_path / "profiles.db", *given)
    assert again.exit_code == 0
    rows = (tmp_path / "two.tsv").read_text().splitlines()[1:]
    assert profiles_in(tmp_path / "profiles.db").total() == first.summary["released"] + len(rows)


def test_a_file_that_is_piped_in_gives_the_same_counts_as_the_file(
    spawn: Spawn, querymix: Command, made_up_log: Path, tmp_path: Path
) -> None:
    process = spawn("run", "-", "-o", "-", "--json", "--k", "5", "--mode", "paper", "--hold-policy", "wait")
    out, err = process.communicate(made_up_log.read_bytes())
    assert process.returncode == 0
    summary = json.loads(err)
    assert out.count(b"\n") == summary["released"] + 1
    same = ("in", "classified", "suppressed", "unclassified", "empty", "refused")
    found = run(querymix, tmp_path, made_up_log, "--k", "5", "--mode", "paper", "--order", "input").summary
    assert [summary[name] for name in same] == [found[name] for name in same]


def test_a_release_leaves_a_pipe_as_soon_as_it_is_set_off(spawn: Spawn) -> None:
    process = spawn("run", "-", "-o", "-", "--k", "2", "--reserve", "0", "--json", "--click-wait", "0")
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None

    def write(user: str, number: int) -> None:
        assert process.stdin is not None
        process.stdin.write(f"{user}\tsoccer\t2006-03-01 00:00:{number:02d}\t{number}\t\n".encode())
        process.stdin.flush()

    for number, user in enumerate("abc"):
        write(user, number)
    first = process.stdout.readline().decode().split("\t")
    assert first[0] in "abc"
    assert first[2] == "2006-03-01 00:00:02", "the third user's arrival lets it out"
    write("d", 3)
    second = process.stdout.readline().decode().split("\t")
    assert second[2] == "2006-03-01 00:00:03", "two of three users are left, so the next one lets out again"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    summary = json.loads(err)
    assert (summary["in"], summary["released"], summary["held"]) == (4, 2, 2)


@pytest.mark.skipif(not DEFAULT.is_file(), reason="the default bundle is not built")
def test_the_bundle_that_comes_along_serves_a_run(
    querymix: Command, made_up_log: Path, made_up_rows: list[str], tmp_path: Path
) -> None:
    found = run(querymix, tmp_path, made_up_log, "--knowledge", DEFAULT)
    assert sum(found.summary[part] for part in PARTS) == len(made_up_rows)
    assert found.summary["classified"] >= 0.6 * len(made_up_rows)
    asked = read(made_up_rows)
    assert all(row.user != asked[int(row.rank)].user for row in found.rows)
    assert (
        0
        < found.profiles.total()
        == found.summary["released"] - found.summary["categories"].get("Unclassified", {"released": 0})["released"]
    )
