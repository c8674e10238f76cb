"""`querymix crowd build`, `add` and `drop`: from logs to day parts, and from these to a crowd table."""

import tempfile
from contextlib import ExitStack
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any, Final

import click
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn

from querymix.bootstrap.crowd import Logs
from querymix.commands.bars import Progress
from querymix.commands.common import PARTIAL, reporting
from querymix.commands.options import options, path_option
from querymix.commands.progress import loudness, say, speaking, tell_options
from querymix.core.errors import ConfigError, TransientError, reason
from querymix.core.generalize import fields_of
from querymix.crowd.counting import Counting, Tick
from querymix.crowd.window import Window, destroy
from querymix.crowd.writing import Heading, write_rows
from querymix.local.file_identity import Use, check_apart
from querymix.local.forms import form_remark
from querymix.local.unread_inputs import unread_remark
from querymix.settings import CrowdSettings, PartsSettings, load
from querymix.settings.values import show_seconds
from querymix.signals import catch

_DAY: Final = 86_400


@click.command(short_help="Make a crowd table out of logs, or of day parts.")
@click.argument("logs", nargs=-1, metavar="[LOG]...")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="File to write the table to.")
@options(CrowdSettings)
@speaking
@reporting
def build(logs: tuple[str, ...], output: Path, settings: Path | None, **given: Any) -> None:
    """Count which items enough users share, and write the table that a run's --crowd reads.

    \b
    querymix crowd build log*.tsv.gz -o crowd.table
    querymix crowd build today.csv --parts parts -o crowd.table --fields user=uid,query=q,time=ts

    Exit codes: 0 done; 1 a disk failed or is full; 2 an option or a file is wrong, or nothing was common; 3 done, but
    more lines were refused than --max-refused, or a log was not read to its end; 130 interrupted.
    """
    chosen = load(CrowdSettings, given, settings)
    if not logs and chosen.parts is None:
        raise ConfigError("nothing to count: name logs, or --parts FOLDER")
    tell_options(chosen)
    if (output.exists() and not output.is_file()) or str(output) == "-":
        raise ConfigError(f"{output} is no file, and a table is one: name a file with -o")
    if not output.absolute().parent.is_dir():
        raise ConfigError(f"{output}: there is no folder {output.parent}: make it, or name another file")
    read_too = [Use("the settings file", str(settings))] if settings else []
    read_too += [Use("the log", 0 if name == "-" else name) for name in logs]
    check_apart(read_too, [Use("the table", str(output))])
    if chosen.parts is not None and output.resolve().parent == chosen.parts.resolve():
        raise ConfigError(f"{output} would lie in the folder of the parts, which is removed with them: name another")
    with ExitStack() as owned:
        read = Logs(logs, chosen, owned)
        tick = _begin(read, chosen, owned)
        folder, kept = chosen.parts, True
        if folder is None:
            prefix, beside = f".{output.name}.", output.absolute().parent
            folder, kept = Path(owned.enter_context(tempfile.TemporaryDirectory(prefix=prefix, dir=beside))), False
        window = Window(folder, chosen.generalize if logs else chosen.generalize or None, kept=kept, new=bool(logs))
        owned.callback(window.close)
        counting = owned.enter_context(Counting(window))
        if logs:
            _add(read, counting, window, tick)
        header = _write(output, window, counting, chosen, tick)
    if loudness() != "quiet":
        say(f"{output}: {header['items']:,} items of {header['first']} to {header['last']}")
    _end(read, chosen)


def _write(output: Path, window: Window, counting: Counting, chosen: CrowdSettings, tick: Tick) -> dict[str, Any]:
    """Write the table, and return its header. Raises ConfigError where there is nothing to write."""
    there = window.days()
    days = [day for day in there if (chosen.first_day or day) <= day <= (chosen.last_day or day)]
    if not days:
        if not there:
            raise ConfigError("there are no records to count: name logs that have some")
        raise ConfigError(
            f"no record is of the days --first-day to --last-day: there are records of {there[0]} to {there[-1]}"
        )
    established = int(chosen.established // _DAY)
    rows = counting.counts(days, chosen.crowd_users, chosen.group_users, established, tick)
    heading = Heading(
        chosen.crowd_users, days[0], days[-1], chosen.established,
        least_group=chosen.group_users, ladders=window.ladders,
    )  # fmt: skip
    first = next(rows, None)
    if first is not None:
        try:
            return write_rows(output, chain([first], rows), window.keys.items, heading)
        except OSError as error:
            raise TransientError(
                f"cannot write {output}: {reason(error)}. Make room there, and give the same command again."
            ) from None
    span = (days[-1] - there[0]).days + 1
    if established and span <= established + 1:
        raise ConfigError(
            f"nobody is established: the records span {span} days, and --established is "
            f"{show_seconds(chosen.established)}. Add earlier days, or give a shorter --established."
        )
    raise ConfigError(
        f"no item has {chosen.crowd_users:,} users that count: add more days, or give a smaller --crowd-users or a "
        "shorter --established."
    )


@click.command(short_help="Add logs to the day parts of a window.")
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@options(PartsSettings)
@speaking
@reporting
def add(logs: tuple[str, ...], settings: Path | None, **given: Any) -> None:
    """Add the pairs of item and user of logs to the day parts in --parts. To add a log twice changes nothing.

    \b
    querymix crowd add today.tsv.gz --parts parts

    Exit codes: as of 'querymix crowd build'.
    """
    chosen = load(PartsSettings, given, settings)
    if chosen.parts is None:
        raise ConfigError("name the folder of the parts: --parts FOLDER")
    tell_options(chosen)
    with ExitStack() as owned:
        read = Logs(logs, chosen, owned)
        tick = _begin(read, chosen, owned)
        window = Window(chosen.parts, chosen.generalize, new=True)
        owned.callback(window.close)
        _add(read, owned.enter_context(Counting(window)), window, tick)
        days = window.days()
    if loudness() != "quiet":
        span = f", {days[0]} to {days[-1]}" if days else ""
        say(f"{chosen.parts}: {len(days):,} days{span}")
    _end(read, chosen)


@click.command(short_help="Drop old day parts, or all of them and their key.")
@path_option("parts", help="Folder of the day parts.")
@click.option("--before", metavar="DAY", help="Drop the days before this one (UTC), such as 2026-11-01.")
@click.option("--all", "everything", is_flag=True, help="Drop all parts and destroy their key.")
@reporting
def drop(parts: Path, before: str | None, everything: bool) -> None:
    """Drop the parts of days that are not to be kept any more. With the last part the window's key is destroyed.

    \b
    querymix crowd drop --parts parts --before 2026-11-01
    querymix crowd drop --parts parts --all
    """
    if (before is None) != everything:
        raise ConfigError("give --before DAY, or --all")
    if before is None:
        destroy(parts)
        return
    try:
        day = date.fromisoformat(before)
    except ValueError:
        raise ConfigError("--before: give a day such as 2026-11-01") from None
    with ExitStack() as owned:
        window = Window(parts)
        owned.callback(window.close)
        days = window.days()
        if any(one >= day for one in days):
            owned.enter_context(Counting(window)).drop(day)
            return
    destroy(parts)


def _begin(read: Logs, chosen: PartsSettings, owned: ExitStack) -> Tick:
    """Say how the logs are read, show progress, and end in order at a signal."""
    for source, form in zip(read.sources, read.forms, strict=True):
        if said := form_remark(form, source.name, fields_of(chosen.generalize)):
            say(said)
    bar = owned.enter_context(Progress(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()))
    task = bar.add_task("reading", total=1.0)

    def stop(_: int, __: object) -> None:
        raise KeyboardInterrupt

    catch(stop)
    return lambda doing, share: bar.update(task, description=doing, completed=share)


def _add(read: Logs, counting: Counting, window: Window, tick: Tick) -> None:
    read.count(counting, window, tick)
    read.check_any(window)
    counting.keep(tick)


def _end(read: Logs, chosen: PartsSettings) -> None:
    """Say what could not be read; exit code 3 where that is a warning."""
    inputs = zip(read.sources, read.forms, strict=True)
    warnings = [remark for source, form in inputs if (remark := unread_remark(source, form))]
    refused = sum(read.refused.values())
    if refused > chosen.max_refused * (refused + read.records):
        reasons = "; ".join(f"{reason}: {count:,}" for reason, count in read.refused.most_common(3))
        warnings.append(f"{refused:,} of {refused + read.records:,} records were refused ({reasons})")
    for warning in warnings:
        say(f"warning: {warning}")
    if warnings:
        raise SystemExit(PARTIAL)
