"""`querymix policy`: what settings do to each field of a record, for a privacy officer, and what would change."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import click
from rich.progress import TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from querymix.commands.bars import Progress
from querymix.commands.common import PARTIAL, echo, print_json, reporting
from querymix.commands.options import options
from querymix.commands.progress import say, speaking
from querymix.consoles import Console
from querymix.core.errors import ConfigError
from querymix.settings import (
    MethodSettings,
    TopicSettings,
    WorkerSettings,
    load,
)
from querymix.settings.policy import TITLES, PolicySettings, ServicePolicySettings, policy_of
from querymix.settings.presets import PRESETS, text_of, told
from querymix.terminal import visible

Form = Literal["table", "markdown", "json"]
Rows = Sequence[Sequence[str]]
_WIDE: Final = 150
"""Columns of a terminal from which on a field is a row; in narrower ones a stage is."""


@click.command(short_help="Say what settings do to each field of a record, and what would change.")
@click.argument("log", required=False)
@options(PolicySettings, short={"output": "-o"})
@click.option("--service", is_flag=True, help="Tell of a worker: the settings file and the environment are a worker's.")
@click.option("--list", "listed", is_flag=True, help="List the presets.")
@click.option("--toml", is_flag=True, help="Print the preset as a settings file to start from.")
@click.option("--compare", "pair", nargs=2, metavar="A B", help="Presets or settings files: what LOG comes to by each.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@speaking
@reporting
def policy(
    log: str | None,
    settings: Path | None,
    service: bool,
    listed: bool,
    toml: bool,
    pair: tuple[str, str] | None,
    markdown: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Say what settings do to each field of a record, stage by stage, which weaker choices are in force, and what is
    stored where. Nothing is read or written, but for --compare, which runs over LOG in memory.

    \b
    querymix policy --preset strict
    querymix policy --settings querymix.toml --markdown
    querymix policy --compare default strict log.tsv.gz

    Exit codes: 0 told; 1 a disk failed; 2 an option or the file is wrong; 3 told, but LOG was not read whole; 130
    interrupted.
    """
    if markdown and as_json:
        raise ConfigError("--markdown and --json are two forms: give one of them")
    form: Form = "markdown" if markdown else "json" if as_json else "table"
    if pair is None and log is not None:
        raise ConfigError("a log is compared by two sets of settings: give --compare A B, such as default strict")
    if listed:
        _show(form, [("presets", ("preset", "what it is for"), [(name, told(name)) for name in PRESETS])])
    elif pair is not None:
        _compare(pair, log, settings, given, form)
    else:
        chosen, topics = _loaded(given, settings, service=service)
        if toml:
            echo(text_of(chosen.preset).rstrip())
        else:
            _tell(chosen, topics, form)


def _loaded(
    given: Mapping[str, Any], file: Path | None, *, service: bool
) -> tuple[MethodSettings, TopicSettings | None]:
    """Return the settings of a run, or of a worker with those of its topics."""
    if not service:
        return load(PolicySettings, given, file), None
    named = {name: value for name, value in given.items() if value is not None}
    if strange := sorted(named.keys() - WorkerSettings.model_fields.keys()):
        flag = strange[0].replace("_", "-")
        raise ConfigError(f"--{flag} is no option of a worker: leave it out, or leave --service out")
    return load(ServicePolicySettings, named, file), load(TopicSettings, {}, file)


def _tell(chosen: MethodSettings, topics: TopicSettings | None, form: Form) -> None:
    found = policy_of(chosen, topics)
    if form == "json":
        print_json(
            {
                "preset": chosen.preset,
                "fields": [row._asdict() for row in found.rows],
                "warnings": [warned._asdict() for warned in found.warnings],
                "notes": found.notes,
                "kept": [kept._asdict() for kept in found.kept],
            }
        )
        return
    weaker = [(warned.text,) for warned in found.warnings] or [("None of the weaker choices is in force.",)]
    parts: list[tuple[str, Sequence[str], Rows]] = [
        ("What becomes of each field", ("field", *TITLES), found.rows),
        ("Weaker choices in force", ("warning",), weaker),
        ("What is stored", ("what", "where", "how long"), found.kept),
    ]
    if form == "table" and Console().width < _WIDE:
        by_stage = [
            (row.field if not place else "", title, row[1 + place])
            for row in found.rows
            for place, title in enumerate(TITLES)
            if row[1 + place] != row[place]
        ]
        parts[0] = ("What becomes of each field", ("field", "stage", "what is done"), by_stage)
    if found.notes:
        parts.insert(1, ("What else is to be known", ("note",), [(note,) for note in found.notes]))
    _show(form, parts)


def _compare(pair: tuple[str, str], log: str | None, file: Path | None, given: Mapping[str, Any], form: Form) -> None:
    from querymix.bootstrap.compared import compare  # noqa: PLC0415 - telling a policy needs no log and no bundle

    if log is None:
        raise ConfigError("--compare needs a log: querymix policy --compare A B LOG")
    if pair[0] == pair[1]:
        raise ConfigError("--compare needs two sets of settings, and both are the same")
    chosen = {name: _named(name, file, given) for name in pair}
    with Progress(TextColumn("{task.description}"), TimeElapsedColumn(), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        found = compare(log, chosen, lambda doing: bar.update(task, advance=1, description=doing))
    for remark in found["remarks"]:
        say(f"note: {remark}")
    if form == "json":
        print_json(found)
    else:
        one, other = (found["settings"][name] for name in pair)
        _show(form, [(f"What {Path(log).name} comes to", ("", *pair, "difference"), list(_differences(one, other)))])
    if found["unread"]:
        raise SystemExit(PARTIAL)


def _named(name: str, file: Path | None, given: Mapping[str, Any]) -> PolicySettings:
    """Return the settings of a preset, below those of `file`, or of another file; the command line wins in both."""
    if name in PRESETS:
        return load(PolicySettings, {**given, "preset": name}, file)
    if not Path(name).exists():
        raise ConfigError(f"{name} is neither a preset ({', '.join(PRESETS)}) nor a settings file that is there")
    return load(PolicySettings, given, Path(name))


def _differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterable[tuple[str, str, str, str]]:
    for name, left, right in _figures(one, other):
        if left or right or name == "released":
            yield name, f"{left:,}", f"{right:,}", f"{right - left:+,}"


def _figures(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterable[tuple[str, int, int]]:
    yield "records", one["records"], other["records"]
    for name in one["account"]:
        if name not in ("in", "waiting", "lost"):
            yield name.replace("_", " "), one["account"][name], other["account"][name]
    yield "distinct queries asked", one["queries"]["asked"], other["queries"]["asked"]
    yield "distinct queries released", one["queries"]["released"], other["queries"]["released"]
    for name in sorted({*one["fields"], *other["fields"]} - {"rows"}):
        yield f"released rows with {name}", one["fields"].get(name, 0), other["fields"].get(name, 0)
    yield "sessions of several queries", one["sessions"], other["sessions"]
    yield "ids", one["ids"], other["ids"]


def _show(form: Form, parts: Sequence[tuple[str, Sequence[str], Rows]]) -> None:
    """Print tables with their titles and heads."""
    if form == "json":
        print_json({title: [dict(zip(head, row, strict=True)) for row in rows] for title, head, rows in parts})
    for title, head, rows in parts if form == "markdown" else ():
        echo(f"## {title}\n")
        for row in (head, ["---"] * len(head), *rows):
            cells = (cell.replace("|", "\\|").replace("\n", " ") for cell in row)
            echo(f"| {' | '.join(cells)} |")
        echo()
    console = Console(highlight=False)
    for title, head, rows in parts if form == "table" else ():
        table = Table(title=_plain(title), title_justify="left", show_lines=len(head) > 1)
        for name in head:
            table.add_column(_plain(name))
        for row in rows:
            table.add_row(*map(_plain, row))
        console.print(table)


def _plain(text: str) -> Text:
    """Return a text without markup, which the name of a field or a file might hold."""
    return Text(visible(text), overflow="fold")
