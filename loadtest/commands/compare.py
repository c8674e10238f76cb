"""`python -m loadtest compare`: two reports side by side."""

import json
from pathlib import Path
from typing import Any

import click
from querymix.commands.common import print_json, reporting
from querymix.core.errors import ConfigError
from rich.console import Console

from loadtest.commands.showing import show
from loadtest.measure.load_report import FORMAT
from loadtest.measure.tables import compared, side_by_side


@click.command(short_help="Show two reports of load tests side by side, with ratios.")
@click.argument("first", type=click.Path(path_type=Path, exists=True))
@click.argument("second", type=click.Path(path_type=Path, exists=True))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@reporting
def compare(first: Path, second: Path, as_json: bool) -> None:
    """Show the figures of SECOND beside those of FIRST, and as multiples of them.

    Each is a report.json, or the folder that holds it. Exit codes: 0 done; 2 a file is no report.
    """
    one, other = read(first), read(second)
    if as_json:
        figures = compared(one, other).items()
        print_json({name: dict(zip(("first", "second", "ratio"), row, strict=True)) for name, row in figures})
        return
    for name, report in (("first", one), ("second", other)):
        options = report["options"]
        click.echo(f"{name}: {report['scenario']['name']}, {report['began']}, {options['workers']} workers")
    show([side_by_side(one, other)], Console(highlight=False))


def read(path: Path) -> dict[str, Any]:
    """Return a report. Raises ConfigError where the file holds none."""
    file = path / "report.json" if path.is_dir() else path
    try:
        report = json.loads(file.read_bytes())
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}") from None
    except (ValueError, RecursionError):
        report = None
    if not isinstance(report, dict) or "scenario" not in report or "total" not in report:
        raise ConfigError(f"{file} is no report of python -m loadtest run")
    if report.get("format") != FORMAT:
        raise ConfigError(f"{file} is a report of another version (format {report.get('format')}, not {FORMAT})")
    return report
