"""`compare` and `capacity` on the command line."""

import json
from pathlib import Path

import aiokafka  # noqa: F401 - what is tested here needs it, so without it the module is skipped
import faker  # noqa: F401
import pytest
from click.testing import CliRunner, Result

from loadtest.__main__ import main
from tests.loadtest.measure.kit import measured
from tests.loadtest.measure.test_load_report import report
from tests.optional import need


def call(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, list(map(str, arguments)))
    need("the Python package" not in result.output, result.output.strip())
    return result


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    (tmp_path / "report.json").write_text(json.dumps(report() | {"knee": {"rate": 5000, "tried": []}}))
    return tmp_path


def test_two_reports_stand_side_by_side(saved: Path) -> None:
    done = call("compare", saved, saved / "report.json")
    assert done.exit_code == 0
    assert [line.split()[-3:] for line in done.stdout.splitlines() if line.startswith("sent, records/s")] == [
        ["1,000", "1,000", "1.00"]
    ]
    rows = json.loads(call("compare", saved, saved, "--json").stdout)
    assert rows["taken in, records/s"] == {"first": 1000, "second": 1000, "ratio": 1}
    assert rows["classifiers, µs a record"] == {"first": None, "second": None, "ratio": None}


def test_what_is_no_report_is_named(saved: Path, tmp_path: Path) -> None:
    for name, content in (
        ("text", "hello"),
        ("list.json", "[]"),
        ("old.json", '{"scenario": {}, "total": {}, "format": 0}'),
    ):
        (tmp_path / name).write_text(content)
        done = call("compare", saved, tmp_path / name)
        assert done.exit_code == 2
        assert name in done.stderr
    (tmp_path / "empty").mkdir()
    assert "cannot read" in call("compare", saved, tmp_path / "empty").stderr
    assert call("compare", saved, tmp_path / "nothing").exit_code == 2


def test_capacity_says_what_each_rate_needs(saved: Path) -> None:
    done = call("capacity", "--rate", "40k", "--rate", "1M", "--hold", "1h", "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert [row["rate"] for row in found["sizes"]] == [40_000, 1_000_000]
    assert found["sizes"][0]["workers"] < found["sizes"][1]["workers"]
    shown = call("capacity", "--report", saved, "--check", saved)
    assert shown.exit_code == 0, shown.stderr
    assert "1,000,000 records/s" in shown.stdout
    assert "The model against what was measured" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rate", "many"], "--rate"),
        (["--rate", "0"], "rate and users"),
        (["--hold", "soon"], "--hold"),
        (["--usable", "2"], "--usable"),
        (["--users", "0"], "--users"),
    ],
)
def test_what_is_wrong_is_named_by_its_option(arguments: list[str], said: str) -> None:
    done = call("capacity", *arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.output


def test_a_check_needs_the_costs_of_its_machine(saved: Path) -> None:
    assert "--check goes with --report" in call("capacity", "--check", saved).stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.toml"], "cannot read the scenario nothing.toml"),
        (["worker-killed", "--seconds", "4"], "the event 'kill worker' at second 20 comes after the load's end"),
        (["worker-killed", "--join"], "--join: the scenario has events"),
        (["steady", "--broker", "kafka:9092"], "go with --join"),
        (["steady", "--metrics", "http://localhost:6066"], "go with --join"),
        (["steady", "--workers", "0"], "--workers"),
    ],
)
def test_wrong_usage_of_run_ends_with_2_before_anything_starts(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("run", *arguments)
    assert done.exit_code == 2
    assert said in done.stderr.replace("\n", " ")
    assert not list(tmp_path.glob("loadtest-*/report.json"))


def test_options_of_the_workers_that_are_unknown_or_the_load_tests_own_are_refused(tmp_path: Path) -> None:
    for option, said in (
        ("kk = 3", "is no option"),
        ('broker = "x"', "set by the load test"),
        ("k = 1", "service.options: --k"),
    ):
        plan = tmp_path / "plan.toml"
        plan.write_text(f"[[load]]\nrate = 5\nseconds = 3\n[service.options]\n{option}\n")
        done = call("run", plan, "-o", tmp_path / "out")
        assert done.exit_code == 2
        assert said in done.stderr.replace("\n", " ")


def test_the_help_names_the_scenarios_that_come_along() -> None:
    assert "worker-killed" in call("run", "--help").stdout


def test_a_report_of_an_interrupted_run_can_be_compared(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "short.json").write_text(json.dumps(report(measured(interrupted=True))))
    assert call("compare", tmp_path / "short.json", saved).exit_code == 0
