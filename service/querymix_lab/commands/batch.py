"""`querymix batch`: an offline method over a whole log."""

from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import Any

import click
from querymix.bootstrap.parts import open_bundle
from querymix.codecs.recognize import Form
from querymix.commands.common import PARTIAL, flush, print_json, reporting
from querymix.commands.options import options
from querymix.commands.progress import loudness, say, speaking, tell_options
from querymix.consoles import Console
from querymix.local.command_files import check_files, refused_name
from querymix.local.output import STANDARD_OUTPUT
from querymix.local.reading import Input
from querymix.local.refused import as_lines
from querymix.local.summary import USER_IDS, peak_memory, report_console
from querymix.local.unread_inputs import unread_remark
from querymix.local.verdict import Finding
from querymix.settings import load
from querymix.settings.policy import PolicySettings
from querymix.signals import catch
from rich.table import Table

from querymix_lab.atomic_file import AtomicFile
from querymix_lab.batch.base import KINDS, REASONS, Log, Outcome
from querymix_lab.batch.methods import METHODS
from querymix_lab.batch.verdict import judge
from querymix_lab.bootstrap import add_profiles, make_draw, prepare_profiles, read_batch_log, released_bytes
from querymix_lab.commands.batch_options import flag, idle, refuse_unused
from querymix_lab.commands.showing import progress
from querymix_lab.settings import BatchSettings

_METHODS = "\n\n".join(
    f"{name}: {method.title} ({', '.join(map(flag, method.uses))}). {method.guarantee}"
    for name, method in METHODS.items()
)


@click.command(short_help="Anonymize a whole log offline, by one of several methods.", epilog=_METHODS)
@click.argument("method", type=click.Choice(list(METHODS)))
@click.argument("log", metavar="LOG")
@options(BatchSettings, short={"output": "-o"})
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON object.")
@speaking
@reporting
def batch(method: str, log: str, settings: Path | None, as_json: bool, **given: Any) -> None:
    """Anonymize a whole log offline: LOG is a file, plain or packed, or - for standard input.

    \b
    querymix batch odp log.tsv.gz -o released.tsv --k 5
    querymix batch odp log.jsonl -o released.jsonl --fields user=uid,query=q,time=ts --profiles profiles.db

    The output is there only when it is whole. An option that METHOD has no use for is refused. Exit codes: 0 done; 1 a
    disk or a database failed, give the same command again; 2 an option or a file is wrong; 3 done, but the log could
    not be read to its end, more than 5 % of its lines were refused, or less than 1 % released; 130 interrupted.
    """
    start = perf_counter()
    chosen, findings = _options(method, given, settings)
    tell_options(chosen)
    catch(_interrupt)
    run = METHODS[method].load()  # before anything is read: an extra may be missing
    with ExitStack() as owned:
        source = Input(log)
        owned.callback(source.close)
        check_files([log], chosen, settings)
        out = AtomicFile(chosen.output, owned)
        refused = refused_name(chosen)
        refused_file = AtomicFile(refused, owned, private=True) if refused else None
        profiles = prepare_profiles(chosen, owned)
        bundle = open_bundle(chosen)
        bar = owned.enter_context(progress(percent=True))
        task = bar.add_task("reading", total=source.size or None)
        parts = read_batch_log(source, chosen, bundle, lambda: bar.update(task, completed=source.position))
        bar.update(task, description=method, total=1.0, completed=0.0)
        outcome = run(parts.log, chosen, make_draw(chosen), lambda done: bar.update(task, completed=done))
        out.write(released_bytes(outcome, parts.codec, source))
        if refused_file:
            refused_file.write(as_lines(parts.refusals))
        add_profiles(outcome, profiles)
    findings += judge(outcome.account.figures())
    figures = _figures(method, parts.log, outcome, perf_counter() - start) | {
        "knowledge": bundle.version,
        "user_ids": "pseudonyms" if chosen.pseudonym_key_file or parts.form.format == "access" else "as they came",
        "warnings": [finding.text for finding in findings],
        "findings": [finding.code for finding in findings],
    }
    to_stderr = chosen.output == STANDARD_OUTPUT
    if as_json:
        print_json(figures, to_stderr=to_stderr)
    elif loudness() != "quiet":
        _show(figures, outcome, report_console(to_stderr=to_stderr))
    flush()
    _end(source, parts.form, findings)


def _options(method: str, given: dict[str, Any], file: Path | None) -> tuple[BatchSettings, list[Finding]]:
    """Return the options, and what to say of those without a use. Raises ConfigError where one is refused."""
    named = {name for name, value in given.items() if value is not None}
    refuse_unused(method, named)
    chosen = load(BatchSettings, given, file)
    findings = idle(method, chosen, named, load(PolicySettings, {}, file))  # not run: a preset needs no crowd
    if "profiles" not in METHODS[method].also:
        chosen = chosen.model_copy(update={"profiles": None})
    return chosen, findings


def _end(source: Input, form: Form, findings: list[Finding]) -> None:
    """Tell what there is to tell, and end with exit code 3 where it is serious."""
    for finding in findings:
        say(f"warning: {finding.text}")
    if unread := unread_remark(source, form):
        say(unread)
    if unread or any(finding.serious for finding in findings):
        raise SystemExit(PARTIAL)


def _figures(method: str, log: Log, outcome: Outcome, seconds: float) -> dict[str, Any]:
    sizes = list(map(len, outcome.groups))
    return {
        "method": method,
        **outcome.account.figures(),
        "clusters": len(sizes),
        "smallest_cluster": min(sizes, default=0),
        "largest_cluster": max(sizes, default=0),
        **outcome.figures,
        "guarantee": METHODS[method].guarantee,
        "notes": list(outcome.notes),
        "identifiers_removed": dict(log.identifiers_removed),
        "seconds": round(seconds, 3),
        "peak_memory_bytes": peak_memory(),
    }


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _show(figures: dict[str, Any], outcome: Outcome, console: Console) -> None:
    total = figures["in"]
    parts = {*KINDS, *REASONS}
    console.print(
        f"[bold]{total:,}[/] lines in {figures['seconds']:.1f} s, {figures['peak_memory_bytes'] / 2**20:.0f} MiB"
    )
    head = Table.grid(padding=(0, 3))
    for name, count in outcome.account.figures().items():
        if name != "in":
            label = f"  {name}" if name in parts else name
            head.add_row(label.replace("_", " "), f"{count:,} ({100 * count / total:.1f} %)" if total else f"{count:,}")
    if outcome.groups:
        sizes = f"{figures['smallest_cluster']} to {figures['largest_cluster']} users"
        head.add_row("clusters", f"{figures['clusters']:,} of {sizes}")
    for name, value in outcome.figures.items():
        head.add_row(name.replace("_", " "), f"{value:,.4g}")
    removed = ", ".join(f"{kind} {count:,}" for kind, count in figures["identifiers_removed"].items())
    head.add_row("identifiers cut from", removed or "none")
    head.add_row("user ids", USER_IDS[figures["user_ids"]])
    console.print(head)
    console.print(figures["guarantee"])
    for note in outcome.notes:
        console.print(f"Note: {note}.")
