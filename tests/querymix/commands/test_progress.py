"""How much a command says of itself: a line now and then where no terminal is, and nothing with --quiet."""

import time
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from querymix.cli import COMMANDS
from querymix.commands.bars import Progress, line_of
from querymix.commands.progress import loudness, speaking

Command = Callable[..., Result]


@click.command()
@speaking
def work() -> None:
    """Do something that takes a while."""
    click.echo(loudness())
    looks: list[float] = []
    with Progress(look=lambda bar: looks.extend(task.completed for task in bar.tasks), every=0.01) as bar:
        bar.add_task("counting", total=4, completed=1)  # in one step: a line may be told at any moment
        ends = time.monotonic() + 20  # a bound that is never reached
        while loudness() != "quiet" and len(looks) < 3 and time.monotonic() < ends:
            time.sleep(0.005)


def test_where_no_terminal_is_lines_tell_how_far_the_work_is() -> None:
    result = CliRunner().invoke(work, [])
    assert result.stdout == "normal\n"
    lines = result.stderr.splitlines()
    assert len(lines) >= 2
    assert all(line.startswith("querymix: counting: 25 % after ") for line in lines)


def test_quiet_says_nothing_and_verbose_is_told() -> None:
    assert (CliRunner().invoke(work, ["--quiet"]).stdout, CliRunner().invoke(work, ["-q"]).stderr) == ("quiet\n", "")
    assert CliRunner().invoke(work, ["-v"]).stdout == "verbose\n"
    both = CliRunner().invoke(work, ["-v", "-q"])
    assert both.exit_code == 2
    assert "contradict each other" in both.stderr


def test_a_bar_stays_as_the_work_has_ended() -> None:
    @click.command()
    def end() -> None:
        with Progress("{task.percentage:>3.0f} %", look=lambda bar: bar.update(bar.task_ids[0], completed=4)) as bar:
            bar.add_task("counting", total=4)

    shown = CliRunner().invoke(end, [], env={"FORCE_COLOR": "1", "TTY_COMPATIBLE": "1"}).stderr
    assert "100 %" in shown


def test_outside_of_a_command_the_loudness_is_normal() -> None:
    assert loudness() == "normal"


@pytest.mark.parametrize(
    ("total", "done", "counted", "shown"),
    [
        (None, 0, False, "x: after"),
        (None, 12_000, False, "x: 12,000 after"),
        (41.0, 12, True, "x: 12 of 41 after"),
        (1.0, 0.4, False, "x: 40 % after"),
    ],
)
def test_a_line_tells_a_share_a_number_of_steps_or_the_time_alone(
    total: float | None, done: float, counted: bool, shown: str
) -> None:
    bar = Progress()
    bar.add_task("x", total=total, completed=int(done) if done >= 1 else 0)
    bar.update(bar.task_ids[0], completed=done)
    assert line_of(bar.tasks[0], counted=counted).startswith(shown)


def test_a_step_without_a_name_is_work() -> None:
    bar = Progress()
    bar.add_task("", total=2)
    assert line_of(bar.tasks[0], counted=True).startswith("working: 0 of 2 after")


@pytest.mark.parametrize("command", [["run"], ["batch"], ["compare"], ["attack"], ["study", "run"]])
def test_commands_that_take_long_have_both_options(querymix: Command, command: list[str]) -> None:
    assert command[0] in COMMANDS
    text = querymix(*command, "--help").stdout
    assert "--quiet" in text
    assert "--verbose" in text


def test_a_quiet_run_leaves_out_its_summary_and_keeps_its_warnings(
    querymix: Command, made_up_log: Path, tmp_path: Path
) -> None:
    args = ("run", made_up_log, "-o", tmp_path / "out", "--k", "3", "--reserve", "0", "--delta", "1.5")
    quiet = querymix(*args, "--quiet")
    assert (quiet.exit_code, quiet.stdout) == (3, "")
    assert quiet.stderr.startswith("querymix: warning: --delta has no effect")
    assert querymix(*args, "--quiet", "--json").stdout.startswith("{"), "what was asked for is printed"


def test_a_verbose_run_says_which_options_were_named(querymix: Command, made_up_log: Path, tmp_path: Path) -> None:
    result = querymix("run", made_up_log, "-o", tmp_path / "out", "--k", "3", "-v", QUERYMIX_DEDUPE="1s")
    assert "options: dedupe = 1.0; k = 3; knowledge = " in result.stderr
