"""`querymix batch` over files."""

import gzip
import json
import os
import signal
import sqlite3
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
import sklearn  # noqa: F401 - what is tested needs it: without it the module is skipped
from querymix_lab.batch.methods import METHODS, unused
from querymix_lab.settings import BatchSettings

from loadtest.synthesize import HEADER
from tests.conftest import Command, Spawn
from tests.keys import key_file

MICROAGGREGATIONS = ("odp", "mdav", "semantic")


@pytest.fixture(scope="module")
def small_log(made_up_rows: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the first 500 rows: the command's parts are tried here, not the methods."""
    path = tmp_path_factory.mktemp("log") / "small.tsv"
    path.write_text("\n".join([HEADER, *made_up_rows[:500]]) + "\n")
    return path


def test_lists_that_no_method_looks_at_are_refused(querymix: Command, tmp_path: Path) -> None:
    log, out = tmp_path / "log.ndjson", tmp_path / "out.ndjson"
    log.write_text('{"user":1,"query":"soccer","time":1141197432,"clicks":[{"pos":1}]}\n')
    result = querymix("batch", "odp", log, "-o", out, "--k", "2", "--fields", "clicks=clicks,clicks.rank=pos")
    assert result.exit_code == 2
    assert "lists of results or clicks" in result.stderr
    assert not out.exists()


def test_a_crowd_is_not_asked_and_the_message_names_no_option_that_is_not_there(
    querymix: Command, small_log: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.tsv"
    result = querymix("batch", "odp", small_log, "-o", out, "--urls", "crowd")
    assert result.exit_code == 2
    assert "give --urls host" in result.stderr
    assert "--crowd FILE" not in result.stderr
    assert not out.exists()


@pytest.mark.parametrize("method", MICROAGGREGATIONS)
def test_every_user_leaves_with_the_queries_of_at_least_k(
    querymix: Command, small_log: Path, tmp_path: Path, method: str
) -> None:
    out = tmp_path / "out.tsv"
    result = querymix("batch", method, small_log, "-o", out, "--k", "4", "--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    lines = out.read_text().splitlines()
    assert lines[0] == HEADER
    users: dict[str, list[str]] = {}
    for line in lines[1:]:
        user, _, rest = line.partition("\t")
        users.setdefault(user, []).append(rest)
    assert min(Counter(map(tuple, users.values())).values()) >= 4
    assert figures["in"] == 500
    assert figures["written"] == len(lines) - 1
    sums = ("released", "held", "suppressed", "unclassified", "empty", "refused")
    assert sum(figures[name] for name in sums) == 500
    assert figures["smallest_cluster"] >= 4
    assert all(line.split("\t")[2].endswith(" 00:00:00") for line in lines[1:])


@pytest.mark.parametrize("method", MICROAGGREGATIONS)
def test_the_same_seed_gives_the_same_file(querymix: Command, small_log: Path, tmp_path: Path, method: str) -> None:
    files = [tmp_path / name for name in ("one.tsv", "two.tsv")]
    for file in files:
        assert querymix("batch", method, small_log, "-o", file, "--k", "4", "--seed", "7").exit_code == 0
    assert files[0].read_bytes() == files[1].read_bytes()


def test_without_a_seed_each_result_is_another(querymix: Command, small_log: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.tsv", "two.tsv")]
    for file in files:
        assert querymix("batch", "odp", small_log, "-o", file, "--k", "4").exit_code == 0
    assert files[0].read_bytes() != files[1].read_bytes()


def test_json_lines_leave_in_their_one_form(querymix: Command, tmp_path: Path) -> None:
    log, out = tmp_path / "log.jsonl", tmp_path / "out.jsonl"
    with log.open("w") as file:
        for user in range(6):
            for place, query in enumerate(("soccer", "football scores", "tennis")):
                made = {"uid": user, "q": query, "ts": 1141216496000 + place, "pos": 2, "secret": "x", "lang": "en"}
                file.write(json.dumps(made) + "\n")
    arguments = ("--format", "json", "--fields", "user=uid,query=q,time=ts,rank=pos", "--safe-fields", "lang")
    result = querymix("batch", "mdav", log, "-o", out, "--k", "3", *arguments)
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(lines) == 18
    for line in lines:
        assert list(line) == ["uid", "q", "ts", "pos", "lang"]
        assert isinstance(line["uid"], str)
        assert line["ts"] == 1141171200000, "of the day, in the form of the first lines"
        assert line["pos"] == 2


def test_the_profiles_are_those_of_the_released_log(querymix: Command, small_log: Path, tmp_path: Path) -> None:
    out, profiles = tmp_path / "out.tsv", tmp_path / "profiles.db"
    arguments = ("batch", "odp", small_log, "-o", out, "--k", "4", "--profiles", profiles, "--json")
    figures = json.loads(querymix(*arguments).stdout)
    with sqlite3.connect(profiles) as db:
        (total,) = db.execute("SELECT sum(count) FROM profile").fetchone()
    assert 0 < total <= figures["written"]
    querymix(*arguments)
    with sqlite3.connect(profiles) as db:
        assert db.execute("SELECT sum(count) FROM profile").fetchone()[0] > total


def test_users_leave_under_pseudonyms_where_a_key_is_given(querymix: Command, small_log: Path, tmp_path: Path) -> None:
    key, out = key_file(tmp_path / "key"), tmp_path / "out.tsv"
    assert querymix("batch", "odp", small_log, "-o", out, "--k", "4", "--pseudonym-key-file", key).exit_code == 0
    before = {line.split("\t")[0] for line in small_log.read_text().splitlines()[1:]}
    after = {line.split("\t")[0] for line in out.read_text().splitlines()[1:]}
    assert len(after) == len(before)
    assert not after & before


def test_identifiers_are_cut_as_the_stream_cuts_them(querymix: Command, tmp_path: Path) -> None:
    log, out = tmp_path / "log.tsv", tmp_path / "out.tsv"
    lines = [f"{user}\tsoccer of jennifer@example.com\t2006-03-01 07:17:12" for user in range(4)]
    lines += [f"{user}\tjennifer@example.com\t2006-03-01 07:17:13" for user in range(4)]
    log.write_text("\n".join(lines) + "\n")
    result = querymix("batch", "mdav", log, "-o", out, "--k", "2", "--json")
    assert "example.com" not in out.read_text()
    assert json.loads(result.stdout)["suppressed_by_identifiers"] == 4
    assert json.loads(result.stdout)["identifiers_removed"] == {"email": 8}
    assert json.loads(result.stdout)["user_ids"] == "as they came"


def test_fewer_users_than_k_are_refused_and_nothing_is_written(
    querymix: Command, small_log: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.tsv"
    out.write_text("what was there\n")
    result = querymix("batch", "odp", small_log, "-o", out, "--k", "100000")
    assert result.exit_code == 2
    assert "smaller --k" in result.output
    assert out.read_text() == "what was there\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out.tsv"]


def test_a_line_that_cannot_be_read_is_counted_and_told(querymix: Command, small_log: Path, tmp_path: Path) -> None:
    log, out = tmp_path / "log.tsv", tmp_path / "out.tsv"
    log.write_text(small_log.read_text() + "no log\n")
    result = querymix("batch", "odp", log, "-o", out, "--k", "4", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["refused"] == 1
    assert json.loads((tmp_path / "out.tsv.refused").read_text())["line"] == 502


def test_a_log_that_ends_too_early_is_done_as_far_as_it_goes(
    querymix: Command, small_log: Path, tmp_path: Path
) -> None:
    packed, out = tmp_path / "log.tsv.gz", tmp_path / "out.tsv"
    packed.write_bytes(gzip.compress(small_log.read_bytes() * 20)[:-200])
    result = querymix("batch", "odp", packed, "-o", out, "--k", "4")
    assert result.exit_code == 3, result.output
    assert "What could be read of it was processed" in result.output
    assert out.exists()


@pytest.mark.parametrize("content", ["", "\n", "not a log\nnot either\n", HEADER + "\n"])
def test_a_log_without_a_query_is_refused(querymix: Command, tmp_path: Path, content: str) -> None:
    log, out = tmp_path / "log.tsv", tmp_path / "out.tsv"
    log.write_text(content)
    result = querymix("batch", "mdav", log, "-o", out)
    assert result.exit_code == 2
    assert not out.exists()


def test_the_log_is_never_overwritten(querymix: Command, small_log: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.tsv"
    log.write_bytes(small_log.read_bytes())
    result = querymix("batch", "odp", log, "-o", log, "--k", "4")
    assert result.exit_code == 2
    assert log.read_bytes() == small_log.read_bytes()


def test_a_link_stays_one_and_its_file_is_written(querymix: Command, small_log: Path, tmp_path: Path) -> None:
    link, file = tmp_path / "link.tsv", tmp_path / "file.tsv"
    link.symlink_to(file)
    assert querymix("batch", "odp", small_log, "-o", link, "--k", "4").exit_code == 0
    assert link.is_symlink()
    assert file.read_text().startswith(HEADER)


def test_the_log_may_come_and_leave_by_pipes(spawn: Spawn, small_log: Path) -> None:
    process = spawn("batch", "odp", "-", "-o", "-", "--k", "4", "--json")
    out, err = process.communicate(small_log.read_bytes())
    assert process.returncode == 0, err
    assert out.decode().startswith(HEADER)
    assert json.loads(err)["written"] == len(out.splitlines()) - 1


def test_a_closed_pipe_ends_with_a_reason(spawn: Spawn, small_log: Path) -> None:
    process = spawn("batch", "odp", small_log, "-o", "-", "--k", "4")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate()
    assert process.returncode == 1
    assert b"Its reader has ended" in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_command_leaves_nothing(spawn: Spawn, tmp_path: Path, number: int) -> None:
    pipe, out = tmp_path / "pipe", tmp_path / "out.tsv"
    os.mkfifo(pipe)
    process = spawn("batch", "odp", pipe, "-o", out)
    with pipe.open("w") as writer:  # opens when the command has opened its end
        writer.write(f"{HEADER}\n")
        writer.flush()
        while not list(tmp_path.glob("out.tsv.*part")):
            assert process.poll() is None
            time.sleep(0.002)
        process.send_signal(number)
        process.wait()
    assert process.returncode == 130
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_missing_extra_is_told_before_anything_is_read(
    querymix: Command, small_log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    for name in [name for name in sys.modules if name.startswith("querymix_lab.batch.") and "base" not in name]:
        package, _, own = name.rpartition(".")
        if package in sys.modules:  # put back too: else later tests would find what is imported here under the name
            monkeypatch.setattr(sys.modules[package], own, sys.modules[name])
        monkeypatch.delitem(sys.modules, name)
    from click.testing import CliRunner  # noqa: PLC0415 - the fixture skips what is missing; here it must be told
    from querymix.cli import main  # noqa: PLC0415

    result = CliRunner().invoke(main, ["batch", "mdav", str(small_log), "-o", str(tmp_path / "out.tsv")])
    assert result.exit_code == 2
    assert "pip install 'querymix[lab]'" in result.output
    assert not list(tmp_path.iterdir())


def test_the_help_tells_each_method_with_its_guarantee(querymix: Command) -> None:
    text = " ".join(querymix("batch", "--help").output.split())
    for name, method in METHODS.items():
        assert f"{name}: {method.title}" in text
        assert method.guarantee in text


def test_the_summary_for_people_shows_no_query(querymix: Command, small_log: Path, tmp_path: Path) -> None:
    result = querymix("batch", "semantic", small_log, "-o", tmp_path / "out.tsv", "--k", "4")
    texts = {row.split("\t")[1] for row in small_log.read_text().splitlines()[1:]}
    assert "clusters" in result.output
    assert not any(text in result.output for text in texts if " " in text)


VALUES = {
    "knowledge": "no.bundle", "classifier": "paper", "confidence": "0.5", "keep_identifiers": "email", "format": "json",
    "fields": "user=uid",
    "longest_query": "100", "time_form": "plain", "category_column": "on", "safe_fields": "lang",
    "urls": "full", "k": "5",
    "pseudonym_key_file": "key",
    "output": "out.tsv", "profiles": "profiles.db", "refused": "refused", "levels": "2", "times": "query",
    "candidates": "3", "wordnet": "folder", "first": "3", "privacy_epsilon": "2", "privacy_delta": "0.1", "users": "3",
    "window": "1d", "seed": "1",
}  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_each_option_without_a_use_is_refused_before_anything_is_read(
    querymix: Command, tmp_path: Path, method: str
) -> None:
    every = BatchSettings.model_fields.keys()
    idle = unused(method, [*every])
    for option in every:
        name = f"--{option.replace('_', '-')}"
        result = querymix("batch", method, tmp_path / "no log", name, VALUES[option])
        told = f"{method} has no use for {name}" in result.output
        profiles = "but the profiles" in result.output
        assert result.exit_code == 2, option
        assert told == (option in idle), option
        assert profiles == (option in {"classifier", "confidence"} - set(idle) and option not in METHODS[method].also)


def test_what_the_settings_file_names_without_a_use_is_told_and_a_strict_preset_refused(
    querymix: Command, small_log: Path, tmp_path: Path
) -> None:
    settings, out = tmp_path / "settings.toml", tmp_path / "out.tsv"
    settings.write_text(f'max_hold = "5d"\nk = 4\nlevels = 2\nprofiles = "{tmp_path}/profiles.db"\n')
    result = querymix("batch", "clump", small_log, "-o", out, "--settings", settings, "--wordnet", "/nowhere")
    assert "no WordNet" in result.output
    result = querymix("batch", "odp", small_log, "-o", out, "--settings", settings, "--json")
    warnings = json.loads(result.stdout)["warnings"]
    assert [text.split()[0] for text in warnings] == ["--max-hold"]
    assert result.exit_code == 0
    for preset in ("strict", "threshold"):
        settings.write_text(f'preset = "{preset}"\n')
        result = querymix("batch", "odp", small_log, "-o", out, "--settings", settings)
        assert result.exit_code == 2
        assert "batch methods have no such rules" in " ".join(result.output.split())


def test_a_log_of_which_nothing_leaves_ends_with_exit_code_3_and_the_reason(querymix: Command, tmp_path: Path) -> None:
    log, out = tmp_path / "log.tsv", tmp_path / "out.tsv"
    log.write_text("".join(f"{user}\town words {user}\t2006-03-01 07:17:12\n" for user in range(150)))
    result = querymix("batch", "threshold", log, "-o", out)
    assert result.exit_code == 3
    assert "none of 150 lines were released" in result.output
    assert "own words" not in result.output
    assert out.read_text() == ""


def test_many_refused_lines_end_with_exit_code_3(querymix: Command, small_log: Path, tmp_path: Path) -> None:
    log, out = tmp_path / "log.tsv", tmp_path / "out.tsv"
    log.write_text(small_log.read_text() + "no log\n" * 100)
    result = querymix("batch", "odp", log, "-o", out, "--k", "4", "--json")
    assert result.exit_code == 3
    figures = json.loads(result.stdout)
    assert (figures["refused"], figures["findings"]) == (100, ["refused"])
    assert out.read_text()


def test_no_profile_grows_of_a_user_that_was_made_up(querymix: Command, tmp_path: Path) -> None:
    log, out, profiles = tmp_path / "log.tsv", tmp_path / "out.tsv", tmp_path / "profiles.db"
    log.write_text("".join(f"{user}\tsoccer\t2006-03-01 07:17:12\n" for user in range(300)))
    settings = tmp_path / "settings.toml"
    settings.write_text(f'profiles = "{profiles}"\nprivacy_epsilon = 50\nfirst = 1\n')
    result = querymix("batch", "korolova", log, "-o", out, "--settings", settings)
    assert "--profiles has no effect in korolova" in result.output
    assert out.read_text()
    assert not profiles.exists()
