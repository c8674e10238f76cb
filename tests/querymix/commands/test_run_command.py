"""`querymix run`: where its options come from, and what its help promises. What it does is tested in tests/e2e."""

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from querymix import cli
from querymix.commands import bars
from querymix.local.output import Output

Command = Callable[..., Result]
Spawn = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.tsv"
    path.write_text("".join(f"{n}\tsoccer\t2006-03-01 00:00:{n:02d}\t\t\n" for n in range(30)))
    return path


def k_of(result: Result) -> int:
    assert result.exit_code == 0
    return int(json.loads(result.stdout)["categories"]["Sports"]["k"])


def test_the_default_is_the_safe_choice(querymix: Command, log: Path, tmp_path: Path) -> None:
    result = querymix("run", log, "-o", tmp_path / "out", "--json")
    assert k_of(result) == 20
    assert json.loads(result.stdout)["released"] <= 30 - 20, "k + X users have to be there, and X is chance"
    result = querymix("run", log, "-o", tmp_path / "out", "--json", "--reserve", "0")
    assert json.loads(result.stdout)["released"] == 30 - 20


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(
    querymix: Command, log: Path, tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("k = 3\n")
    args = ("run", log, "-o", tmp_path / "out", "--json", "--settings", file)
    assert k_of(querymix(*args)) == 3
    assert k_of(querymix(*args, QUERYMIX_K="4")) == 4
    assert k_of(querymix(*args, "--k", "5", QUERYMIX_K="4")) == 5


def test_where_json_goes_to_standard_error_no_line_of_progress_stands_before_it(
    querymix: Command, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bars, "EVERY", 1e-4)  # else a run must last ten seconds to tell a line
    assert "released" in json.loads(querymix("run", log, "-o", "-", "--json").stderr)


def test_a_settings_file_with_an_unknown_key_is_refused(querymix: Command, log: Path, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("kay = 3\n")
    result = querymix("run", log, "-o", tmp_path / "out", "--settings", file)
    assert result.exit_code == 2
    assert "unknown key 'kay'" in result.stderr


GONE = "a run has one process, which is nearly as fast as several were. Leave it out: what is released is the same"


@pytest.mark.parametrize("given", [("--processes", "2"), ("--processes=0",)])
def test_an_option_that_is_gone_says_so_and_that_nothing_is_lost_without_it(
    querymix: Command, log: Path, tmp_path: Path, given: tuple[str, ...]
) -> None:
    result = querymix("run", log, "-o", tmp_path / "out", *given)
    assert result.exit_code == 2
    assert f"Error: --processes is gone: {GONE}" in result.stderr
    assert not (tmp_path / "out").exists()
    assert "--processes" not in querymix("run", "--help").stdout


@pytest.mark.parametrize("command", ["schema", "policy"])
def test_so_does_each_command_that_takes_the_options_of_a_run(querymix: Command, command: str) -> None:
    result = querymix(command, "--processes", "2")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Error: --processes is gone: {GONE}" in result.stderr


@pytest.mark.parametrize("place", ["environment", "file"])
def test_one_that_the_laboratory_has_is_told_and_no_more_where_both_read_it(
    querymix: Command, log: Path, tmp_path: Path, place: str
) -> None:
    (tmp_path / "settings.toml").write_text("processes = 4\n" if place == "file" else "")
    variables = {"QUERYMIX_PROCESSES": "4"} if place == "environment" else {}
    args = ("-o", tmp_path / "out", "--json", "--settings", tmp_path / "settings.toml", "--k", "3")
    result = querymix("run", log, *args, **variables)
    summary = json.loads(result.stdout)
    assert (result.exit_code, summary["findings"]) == (0, ["no_effect"])
    assert any(f"--processes has no effect any more: {GONE}" in text for text in summary["warnings"])
    assert json.loads(querymix("run", log, "-o", tmp_path / "out", "--json", "--k", "3").stdout)["findings"] == []


def test_a_run_without_an_input_says_what_is_missing(querymix: Command) -> None:
    result = querymix("run")
    assert result.exit_code == 2
    assert "INPUT" in result.stderr


def test_the_help_shows_every_option_of_a_run_and_marks_the_weaker_ones(querymix: Command) -> None:
    text = querymix("run", "--help").stdout
    for option in (
        "--format", "--k", "--delta", "--mode", "--max-hold", "--hold-policy", "--time-policy", "--unclassified",
        "--pseudonym-key-file", "--json", "--checkpoint", "--profiles", "--knowledge", "--order", "--output",
    ):  # fmt: skip
        assert option in text
    assert text.count("WEAKER") >= 5
    assert "Exit codes" in text


def test_the_files_that_hold_raw_queries_are_for_their_owner_only(
    querymix: Command, log: Path, tmp_path: Path
) -> None:  # fmt: skip
    state = tmp_path / "state"
    assert querymix("run", log, "-o", tmp_path / "out", "--checkpoint", state).exit_code == 0
    for path in (state, *state.iterdir(), tmp_path / "out.refused"):
        assert path.stat().st_mode & 0o077 == 0


def test_the_summary_on_the_screen_holds_no_query_and_no_user(querymix: Command, tmp_path: Path) -> None:
    log = tmp_path / "log.tsv"
    log.write_text("".join(f"someone{n}\tcheap shoes zyxw\t2006-03-01 00:00:{n:02d}\t\t\n" for n in range(30)))
    for args in ((), ("--json",)):
        result = querymix("run", log, "-o", tmp_path / "out", "--k", "2", "--reserve", "0", *args)
        assert result.exit_code == 0
        assert "shoes" not in result.output
        assert "someone" not in result.output


def test_an_input_that_is_given_twice_is_refused(querymix: Command, log: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.tsv"
    again.symlink_to(log)
    for other in (log, again):
        result = querymix("run", log, other, "-o", tmp_path / "out.tsv")
        assert result.exit_code == 2
        assert "twice" in result.stderr
    result = querymix("run", tmp_path / "missing.tsv", log, "-o", tmp_path / "out.tsv")
    assert result.exit_code == 2
    assert "missing.tsv" in result.stderr


def test_safe_fields_are_refused_where_the_log_has_no_fields(querymix: Command, log: Path, tmp_path: Path) -> None:
    result = querymix("run", log, "-o", tmp_path / "out.tsv", "--safe-fields", "lang")
    assert result.exit_code == 2
    assert "--format json" in result.stderr


def rows(users: int, records: int = 300, user: str = "") -> str:
    """Return records of so many users, a third of them of `user` where there is one."""
    return "".join(
        f"{user if user and n % 3 == 0 else n % users}\tsoccer\t2006-03-01 00:{n // 60:02d}:{n % 60:02d}\t{n}\t\n"
        for n in range(records)
    )


@pytest.mark.parametrize(
    ("text", "options", "code", "finding"),
    [
        (rows(100), (), 0, None),
        (rows(1), (), 0, "little_released"),
        (rows(1, 1_200), (), 3, "little_released"),
        (rows(15, 1_200), (), 3, "little_released"),
        (rows(100, 1_200), ("--established", "1d"), 3, "little_released"),
        (rows(100, 1_200), ("--k", "1000"), 3, "little_released"),
        (rows(100, user="null"), (), 0, "placeholder_user"),
        (rows(100, user="zqxwv"), (), 0, "one_user"),
        (rows(100), ("--delta", "1.5"), 3, "no_effect"),
        (rows(100), ("--max-hold", "1d", "--hold-policy", "wait"), 3, "no_effect"),
        (rows(100) + "no record\n" * 20, (), 3, "refused"),
        (rows(100) + "no record\n" * 20, ("--max-refused", "10%"), 0, None),
        (rows(100) + "no record\n" * 3, (), 0, None),
        (rows(100) + "no record\n", ("--max-refused", "0%"), 3, "refused"),
    ],
)
def test_near_total_losses_and_options_without_effect_are_said_and_the_output_is_whole(
    querymix: Command, tmp_path: Path, text: str, options: tuple[str, ...], code: int, finding: str | None
) -> None:
    log, out, profiles = tmp_path / "log.tsv", tmp_path / "out.tsv", tmp_path / "profiles.db"
    log.write_text(text)
    result = querymix("run", log, "-o", out, "--profiles", profiles, "--json", *options)
    summary = json.loads(result.stdout)
    assert result.exit_code == code
    assert summary["findings"] == ([finding] if finding else [])
    assert result.stderr.splitlines() == [f"querymix: warning: {warning}" for warning in summary["warnings"]]
    assert out.read_text().count("\n") == summary["released"], "exit code 3 leaves nothing undone"
    exported = querymix("profiles", "export", "--profiles", profiles).stdout.splitlines()
    assert sum(json.loads(line)["total"] for line in exported) == summary["released"]
    assert "zqxwv" not in result.output


def test_an_option_without_effect_in_the_environment_warns_since_it_may_be_meant_for_another_command(
    querymix: Command, tmp_path: Path
) -> None:
    log = tmp_path / "log.tsv"
    log.write_text(rows(100))
    result = querymix("run", log, "-o", tmp_path / "out.tsv", QUERYMIX_DELTA="1.5")
    assert result.exit_code == 0
    assert "--delta has no effect" in result.stderr


def test_warnings_are_in_the_one_object_where_the_summary_goes_to_standard_error(spawn: Spawn) -> None:
    process = spawn("run", "-", "-o", "-", "--json", "--order", "time")
    _, said = process.communicate(rows(15).encode())
    assert process.returncode == 3
    assert json.loads(said)["findings"] == ["no_effect", "little_released"]


def test_a_signal_that_comes_when_all_is_written_interrupts_nothing(
    querymix: Command, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = Output.finish

    def interrupted(self: Output) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        finish(self)

    monkeypatch.setattr(Output, "finish", interrupted)
    result = querymix("run", log, "-o", tmp_path / "out", "--k", "5", "--profiles", tmp_path / "p.db", "--json")
    assert (result.exit_code, "interrupted" in result.stderr) == (0, False)
    released = json.loads(result.stdout)["released"]
    assert len((tmp_path / "out").read_text().splitlines()) == released
    exported = querymix("profiles", "export", "--profiles", tmp_path / "p.db").stdout.splitlines()
    assert sum(json.loads(row)["total"] for row in exported) == released, "else the same command counted them later"


def test_an_interruption_while_the_last_output_is_flushed_changes_no_exit_code(
    querymix: Command, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "flush", interrupted)
    assert querymix("run", log, "-o", tmp_path / "out").exit_code == 0


def test_a_field_that_no_record_has_is_told_at_the_end(querymix: Command, tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    fields: tuple[dict[str, str | None], ...] = ({"app": "web"}, {"app": None, "town": "212-555-0147"}, {})
    lines = [
        json.dumps({"user": str(n), "query": "soccer", "time": 1141171200 + n, **fields[n % 3]}) for n in range(300)
    ]
    log.write_text("\n".join(lines))
    result = querymix("run", log, "-o", tmp_path / "out", "--json", "--safe-fields", "ap,app,town")
    said = "--safe-fields names 'ap', of which no record has a value: see that the name is right"
    summary = json.loads(result.stdout)
    assert [text for text in summary["warnings"] if "names" in text] == [said]
    assert summary["identifiers_removed"] == {"phone": 100}
    assert (result.exit_code, summary["findings"]) == (0, ["no_effect"])
    assert "555" not in (tmp_path / "out").read_text()
