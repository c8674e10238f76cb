"""`python -m deploy.local`: start both servers in the foreground, or see what they need."""

import json
import signal
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType

import click

from deploy.local import jars
from deploy.local.kafka import LocalKafka, train
from deploy.local.process import ServerError
from deploy.local.requirements import requirements


@click.group(help=__doc__)
def main() -> None:
    """Group of the commands below."""


@main.command()
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), required=True, help="Where the data goes.")
@click.option("--brokers", type=click.Choice(["1", "3"]), default="1", show_default=True, help="Kafka brokers.")
@click.option("--json", "as_json", is_flag=True, help="Print the addresses as one JSON object.")
def up(folder: Path, brokers: str, as_json: bool) -> None:
    """Start Kafka and the MongoDB-protocol server, print their addresses, stay until Ctrl-C or SIGTERM."""
    from deploy.local.mongo import LocalMongo  # noqa: PLC0415 - `check` must work without pymongo

    over = threading.Event()

    def leave(signum: int, frame: FrameType | None) -> None:
        if over.is_set():
            sys.exit(130)  # asked twice: go now; the servers die with this process
        over.set()

    try:
        with LocalKafka(folder / "kafka", int(brokers)) as kafka, LocalMongo(folder / "mongo") as mongo:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, leave)
            if as_json:
                pids = [*kafka.pids, mongo.pid]
                facts = {"bootstrap": kafka.bootstrap, "uri": mongo.uri, "folder": str(folder), "pids": pids}
                click.echo(json.dumps(facts))
            else:
                click.echo(f"Kafka    {kafka.bootstrap}\nMongoDB  {mongo.uri}\nData     {folder}\nCtrl-C stops them.")
            sys.stdout.flush()
            over.wait()
    except ServerError as problem:
        raise click.ClickException(str(problem)) from problem


@main.command()
def prepare() -> None:
    """Fetch Kafka into the cache and make it start quicker. Done once for each machine; `up` works without."""
    try:
        quick = train()
    except ServerError as problem:
        raise click.ClickException(str(problem)) from problem
    click.echo("Kafka is ready." if quick else "Kafka is ready; this Java wrote no class archive, so starts stay slow.")


@main.command()
def lock() -> None:
    """Write the hashes of Kafka's jars into jars.sha256, after a change in pom.xml. Read the difference before use."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            jars.fetch(Path(folder))
        except ServerError as problem:
            raise click.ClickException(str(problem)) from problem
        jars.SUMS.write_text(jars.sums(Path(folder)))
    click.echo(f"{jars.SUMS} is written: git diff shows what changed.")


@main.command()
def check() -> None:
    """Say whether java, Maven and SecantusDB are there, and what to install. Exit 1 if something is missing."""
    needs = requirements()
    for need in needs:
        click.echo(f"{need.name:<11} {need.found or 'MISSING: ' + need.advice}")
    sys.exit(1 if any(need.found is None for need in needs) else 0)


if __name__ == "__main__":
    main()
