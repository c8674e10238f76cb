"""`python -m loadtest run`: one load test, from its scenario to its report."""

import asyncio
import json
import logging
import os
import signal
import sys
from importlib.metadata import version
from math import inf
from pathlib import Path
from typing import Any, Final

import click
from querymix.commands.common import FAILED, INTERRUPTED, print_json, reporting
from querymix.commands.options import options
from querymix.core.errors import ConfigError
from querymix.own_files import write_own
from querymix.settings import PREFIX, GroupSettings
from querymix.settings import load as load_settings
from rich.console import Console

from loadtest.commands.showing import show, show_verdict
from loadtest.measure.calibration import share
from loadtest.measure.deployment import Deployment, Joined, Started
from loadtest.measure.load_report import build, failed
from loadtest.measure.page import page
from loadtest.measure.resource_usage import Processes, machine
from loadtest.measure.running import Measured, Run
from loadtest.measure.scenario import Scenario, Step, known, load
from loadtest.measure.tables import tables

REPORTS: Final = ("report.json", "report.html")


@click.command(short_help="Load test a deployment as a scenario says, and report.")
@click.argument("scenario")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, file_okay=False), default=None,
    help="Folder for report.json, report.html and the logs of the processes.  [default: loadtest-SCENARIO]",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object, not as tables.")
@click.option("--workers", type=click.IntRange(min=1), help="Workers to start, instead of the scenario's.")
@click.option("--seconds", type=click.FloatRange(min=1), help="Length of each step of the load, instead of its own.")
@click.option("--rate", type=click.FloatRange(min=1), help="Rate of the first step; the others change with it.")
@click.option("--drivers", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that send.")
@click.option("--join", is_flag=True, help="Drive the deployment at --broker, and start none.")
@click.option("--metrics", multiple=True, metavar="URL", help="With --join: a worker's page, such as http://host:6066.")
@options(GroupSettings)
@reporting
def run(
    scenario: str, output: Path | None, as_json: bool, workers: int | None, seconds: float | None, rate: float | None,
    drivers: int, join: bool, metrics: tuple[str, ...], settings: Path | None, **given: Any,
) -> None:  # fmt: skip
    """Load test a deployment as SCENARIO says: a TOML file, or one of those that come along (see below).

    Starts Kafka, a MongoDB-protocol server and workers on this machine, or joins a deployment (--join), sends records
    at the scenario's rates, reads what is released, and reports throughput, latency, lag, CPU, memory and the account.
    The guide is loadtest/README.md.

    Ctrl-C ends the load early; what was measured is reported. Exit codes: 0 done; 1 something failed, the account does
    not add up, or an expectation of the scenario was not met; 2 wrong usage; 130 interrupted.
    """
    plan = changed(load(scenario, {"service.workers": workers}), seconds, rate)
    folder = output or Path(f"loadtest-{plan.name}")
    processes = Processes()
    deployment: Deployment
    if join:
        if plan.event:
            raise ConfigError("--join: the scenario has events, which only happen to a deployment that is started")
        deployment = Joined(load_settings(GroupSettings, given, settings), metrics)
    else:
        if metrics or settings or any(value is not None for value in given.values()):
            raise ConfigError("--metrics, --settings and the options of the connection go with --join")
        deployment = Started(plan.service, folder, processes)
    folder.mkdir(parents=True, exist_ok=True)
    for name in REPORTS:
        (folder / name).unlink(missing_ok=True)  # that of another run would pass for this one's
    console = Console(stderr=True, highlight=False)
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)  # that a broker is away may be the scenario's doing
    about = machine()
    calibrated = plan.expect.widen and not join
    shares = [share(int(about["cores"]))] if calibrated else []
    found = asyncio.run(_run(plan, deployment, folder, processes, drivers, console))
    if not found.samples:
        raise SystemExit(INTERRUPTED)  # before anything was measured
    if calibrated and not found.interrupted:
        shares.append(share(int(about["cores"])))
    report = build(found, about, context(plan, deployment, drivers), min(shares, default=None))
    write(folder, report)
    if as_json:
        print_json(report)
    else:
        _tell(report, folder)
    if found.interrupted:
        raise SystemExit(INTERRUPTED)
    if failed(report):
        raise SystemExit(FAILED)


run.epilog = f"Scenarios that come along: {', '.join(known())}."


def _tell(report: dict[str, Any], folder: Path) -> None:
    """Print the verdict, the tables, and where all of it is."""
    terminal = Console(highlight=False)
    show_verdict(report["passed"], report["verdict"], terminal)
    show(tables(report), terminal)
    click.echo(f"{folder / 'report.html'}, {folder / 'report.json'}")


async def _run(
    plan: Scenario, deployment: Deployment, folder: Path, processes: Processes, drivers: int, console: Console
) -> Measured:
    """Run until the end or until it is told to stop; told a second time, leave everything at once."""
    stop = asyncio.Event()

    def interrupted() -> None:
        if stop.is_set():
            sys.exit(INTERRUPTED)  # servers and workers die with this process
        stop.set()
        console.print("stopping; what was measured is reported. Ctrl-C again leaves at once.")

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupted)
    return await Run(plan, deployment, folder, processes, drivers=drivers, stop=stop, say=console.print)()


def changed(plan: Scenario, seconds: float | None, rate: float | None) -> Scenario:
    """Return a scenario with other lengths or rates of its steps. Raises ConfigError where it has none."""
    if rate is not None and plan.knee is not None:
        plan = plan.model_copy(update={"knee": plan.knee.model_copy(update={"first": rate})})
    elif rate is not None:
        first = plan.load[0].rate if plan.load else None
        if first is None:
            raise ConfigError("--rate: the scenario has no step with a rate of its own")
        scale = rate / first
        steps = [
            step.model_copy(update={"rate": step.rate and step.rate * scale, "to": step.to and step.to * scale})
            for step in plan.load
        ]
        plan = plan.model_copy(update={"load": steps})
    if seconds is not None:
        plan = plan.model_copy(
            update={
                "load": [step.model_copy(update={"seconds": seconds, "logs": None}) for step in plan.load],
                "knee": plan.knee and plan.knee.model_copy(update={"seconds": seconds}),
            }
        )
    whole = sum(_length(step) for step in plan.load)
    for event in plan.event:
        if event.at >= whole:
            raise ConfigError(
                f"the event {event.do!r} at second {event.at:g} comes after the load's end at {whole:g} s"
            )
    return plan


def _length(step: Step) -> float:
    """Return the seconds of a step, without end where the knee decides."""
    if step.seconds is not None:
        return step.seconds
    if step.logs is None or step.rate is None:
        return inf
    return 2 * step.logs / (step.rate + (step.to or step.rate))


def context(plan: Scenario, deployment: Deployment, drivers: int) -> dict[str, Any]:
    """Return what a reader has to know of how it was run; values of the environment may be secrets and stay out."""
    return {
        "querymix": version("querymix"),
        "deployment": "started" if deployment.local else "joined",
        "workers": plan.service.workers if deployment.local else len(deployment.pages),
        "partitions": plan.service.partitions if deployment.local else None,
        "drivers": drivers,
        "environment": sorted(name for name in os.environ if name.startswith(PREFIX)),
    }


def write(folder: Path, report: dict[str, Any]) -> None:
    """Write report.json and report.html."""
    for name, text in zip(REPORTS, (json.dumps(report, indent=1), page(report)), strict=True):
        write_own(folder / name, text.encode())
