"""`python -m loadtest growth`: whether a record's cost and the memory stay the same, whatever the records and users."""

import tempfile
from pathlib import Path

import click
from querymix.commands.common import print_json, reporting
from querymix.core.errors import ConfigError
from rich.console import Console
from rich.progress import track

from loadtest.commands.showing import show
from loadtest.growth import Point, measure, sizes, table


@click.command(short_help="Show what a record costs, and the memory, over more and more records and users.")
@click.option("--logs", type=click.IntRange(min=1000), default=1_000_000, show_default=True, help="Records at most.")
@click.option("--users", type=click.IntRange(min=100), default=100_000, show_default=True, help="Users at most.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="HTML page with plots.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@reporting
def growth(logs: int, users: int, output: Path | None, as_json: bool) -> None:
    """Run `querymix run` over made-up logs that grow, first in records and then in users.

    Temporary files take about 200 bytes a record (TMPDIR says where).
    """
    if output is not None and not output.parent.is_dir():
        raise ConfigError(f"-o {output}: there is no folder {output.parent}")
    by_logs, by_users = sizes(logs, users)
    with tempfile.TemporaryDirectory() as folder:
        runs = measure([*by_logs, *by_users], Path(folder))
        console = Console(stderr=True)
        total = len(by_logs) + len(by_users)
        shown = track(runs, "runs", total=total, console=console, disable=not console.is_terminal)
        points = list(shown)
    groups = {"over the number of records": points[: len(by_logs)], "over the number of users": points[len(by_logs) :]}
    if as_json:
        print_json({name: [one._asdict() for one in some] for name, some in groups.items()})
    else:
        show([table(name, some) for name, some in groups.items()], Console(highlight=False))
    if output is not None:
        output.write_text(page(groups), encoding="utf-8")


def page(groups: dict[str, list[Point]]) -> str:
    """Return plots of cost and memory as one HTML page."""
    from querymix_lab.sweep import html  # noqa: PLC0415 - needs the extra `loadtest`
    from querymix_lab.sweep.plots import lines  # noqa: PLC0415

    parts = ["<h1>A log's cost and the memory</h1>"]
    for name, some in groups.items():
        x = name.rpartition(" ")[2]
        across = sizes_of(x, some)
        costs = [one.microseconds for one in some]
        memory = [one.memory_bytes / 2**20 for one in some]
        parts.append(lines(f"CPU {name}", x, "µs a record", {"run": list(zip(across, costs, strict=True))}))
        parts.append(lines(f"Memory {name}", x, "MiB", {"run": list(zip(across, memory, strict=True))}))
    return html.document("growth", parts, width="60em")


def sizes_of(name: str, points: list[Point]) -> list[float]:
    """Return what grows, "records" or "users", of each point."""
    return [float({"records": one.logs, "users": one.users}[name]) for one in points]
