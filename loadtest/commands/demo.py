"""`python -m loadtest demo`: the whole method on a made-up log."""

import subprocess
from pathlib import Path

import click

from loadtest.demo import demo as run_demo


@click.command()
@click.option("--folder", type=click.Path(path_type=Path), default=Path("demo"), show_default=True)
def demo(folder: Path) -> None:
    """Show the whole method on a made-up log, with no servers."""
    try:
        run_demo(folder)
    except subprocess.CalledProcessError as error:
        raise SystemExit(error.returncode) from None
