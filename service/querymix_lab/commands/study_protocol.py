"""`querymix study protocol`: the client-side protocol of the thesis, simulated."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from querymix.commands.common import print_json, reporting
from querymix.commands.options import options
from querymix.commands.progress import loudness, speaking, tell_options
from querymix.consoles import Console
from querymix.core.errors import ConfigError
from querymix.settings import load

from querymix_lab.atomic_file import AtomicFile
from querymix_lab.bootstrap import read_log
from querymix_lab.commands.showing import progress, table
from querymix_lab.settings import ProtocolSettings


@click.command(short_help="Simulate the client-side protocol, beside the thesis' figures.")
@click.argument("log", required=False, type=click.Path(exists=True, dir_okay=False))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="HTML file for the report with plots."
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON object.")
@options(ProtocolSettings)
@speaking
@reporting
def protocol(log: str | None, output: Path | None, as_json: bool, settings: Path | None, **given: Any) -> None:
    """Simulate users who submit each other's queries, and put what comes out beside the thesis' values (chapter 4).

    \b
    querymix study protocol --largest 100000
    querymix study protocol log.tsv.gz -o protocol.html

    Without LOG the made-up queries alone are simulated: tables 4.1, 4.4 and 4.5. LOG gives real queries for tables 4.2
    and 4.3 and figure 4.2. The same seed gives the same figures; seconds and memory differ.
    """
    from querymix_lab.protocol import protocol_report  # noqa: PLC0415 - numpy is an extra, and slow to import
    from querymix_lab.protocol.experiments import Plan  # noqa: PLC0415

    chosen = load(ProtocolSettings, given, settings)
    tell_options(chosen)
    if output and log and output.exists() and output.samefile(log):
        raise ConfigError(f"-o {output} is the log itself")
    with ExitStack() as owned:
        page = AtomicFile(str(output), owned) if output else None
        profiles = _profiles(log, chosen, owned) if log else []
        plan = Plan(
            chosen.tests, chosen.seed, chosen.zeta, chosen.exponent, queries=chosen.queries, largest=chosen.largest,
            profiles=profiles,
        )  # fmt: skip
        bar = owned.enter_context(progress())
        task = bar.add_task("", total=protocol_report.steps(plan))
        found = protocol_report.run(plan, lambda name: bar.update(task, description=name), lambda: bar.advance(task))
        if page:
            page.write(protocol_report.page(plan, found).encode())
    if as_json:
        print_json(found)
    else:
        console = Console(highlight=False)
        for section in protocol_report.sections(plan, found):
            console.print(table(section.columns, section.rows, title=section.title, title_justify="left"))
            console.print(f"{section.note}\n")
    if output and loudness() != "quiet":
        Console(stderr=True, markup=False).print(f"Open {output}")


def _profiles(log: str, chosen: ProtocolSettings, owned: ExitStack) -> list[list[int]]:
    """Return each user's queries, in their order, as numbers of texts."""
    users: dict[str, list[int]] = {}
    texts: dict[str, int] = {}
    for query in read_log(log, chosen, owned):
        users.setdefault(query.user, []).append(texts.setdefault(query.text, len(texts)))
    return list(users.values())
