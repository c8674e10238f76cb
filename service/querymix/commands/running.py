"""What `querymix run` does (run.py has its options)."""

import gc
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Final, NoReturn

from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from querymix.bootstrap.parts import make_run, open_bundle
from querymix.codecs.recognize import Form
from querymix.commands.bars import Progress
from querymix.commands.common import INTERRUPTED, PARTIAL, echo, fail, flush, print_json
from querymix.commands.options import given_away
from querymix.commands.progress import loudness, say, tell_options
from querymix.core.generalize import fields_of
from querymix.local.at_once import at_once
from querymix.local.checkpoint import form_in
from querymix.local.command_files import check_files, is_file, open_inputs
from querymix.local.forms import form_of, form_remark
from querymix.local.output import PARTIAL as PARTIAL_FILE
from querymix.local.output import STANDARD_OUTPUT
from querymix.local.reading import Input
from querymix.local.runner import Run
from querymix.local.summary import report_console, show
from querymix.local.unread_inputs import passed_over, unread_remark
from querymix.local.verdict import contradictions, interrupted_remark, without_effect
from querymix.settings import RunSettings, gone, load
from querymix.settings.unread import unread
from querymix.signals import catch

_SELDOM: Final = 0.1
"""Seconds between two looks at how far a run has come."""


def run(inputs: tuple[str, ...], settings: Path | None, given: Mapping[str, Any], *, as_json: bool) -> None:
    """Anonymize the inputs by the options that were `given`, and those of the file `settings`."""
    gc.disable()  # the run makes no cycles, and looking for some would cost it a fifth of its time
    chosen = load(RunSettings, given, settings)
    for text in given_away(chosen):
        echo(f"querymix: warning: {text}", err=True)
    tell_options(chosen)
    to_stderr = chosen.output == STANDARD_OUTPUT
    with ExitStack() as owned:
        sources = open_inputs(inputs, chosen, owned)
        check_files(inputs, chosen, settings)
        form = form_of(sources, chosen, partial(form_in, chosen.folder) if chosen.folder else lambda: None)
        if said := form_remark(form, sources[0].name, [*chosen.safe_fields, *fields_of(chosen.generalize)]):
            say(said)
        following = _Following(sources, in_order=chosen.order == "time", lines=not (as_json and to_stderr))
        job = make_run(sources, form, bundle := open_bundle(chosen), chosen, owned, following.tick)
        following.job = job.run
        owned.enter_context(following.progress)
        seen = _stopping(job.run)
        if job.run.remark:
            say(job.run.remark)
        try:
            summary = at_once(job.run()) | {"knowledge": bundle.version}
        except KeyboardInterrupt:  # the second one
            _interrupted(chosen)
        named = {name for name, value in given.items() if value is not None}
        findings = without_effect(unread(chosen, piped=not sources[0].regular) | gone(settings), named)
        findings += [*contradictions(job.rules), *job.judge(summary)]
        summary["warnings"] += [finding.text for finding in findings]
        summary["findings"] = [finding.code for finding in findings]
        _report(summary, as_json=as_json, to_stderr=to_stderr)
        if not (interrupted := bool(seen) and not (sources[0].regular and job.run.whole)):  # else it came too late
            job.finish()
    unread_any = _tell(sources, form, job.run)
    if interrupted:
        if sources[0].regular:
            _interrupted(chosen)
        raise SystemExit(INTERRUPTED)  # how the reading of a pipe ends; what was released is counted
    if unread_any or any(finding.serious for finding in findings):
        raise SystemExit(PARTIAL)


def _tell(sources: Sequence[Input], form: Form, job: Run) -> bool:
    """Say how far a pipe was taken, and what was not read of the inputs; return whether one could not be."""
    if (taken := job.taken_of_pipe) is not None:
        say(f"the state has taken {taken:,} records of the pipe, headers apart: record {taken + 1:,} is next")
    remarks = [remark for source in sources if (remark := unread_remark(source, form))]
    passed = [] if loudness() == "quiet" else [passed_over(source, form) for source in sources]
    for text in filter(None, [*remarks, *passed]):
        say(text)
    return bool(remarks)


def _interrupted(chosen: RunSettings) -> NoReturn:
    """Say where what was released so far is, and end."""
    beside = chosen.folder is None and is_file(chosen.output)
    output = f"{chosen.output}{PARTIAL_FILE}" if beside else chosen.output
    fail(interrupted_remark(output, resumes=chosen.folder is not None), INTERRUPTED)


def _report(summary: dict[str, Any], *, as_json: bool, to_stderr: bool) -> None:
    """Print the figures, and the warnings where people look."""
    if as_json:
        print_json(summary, to_stderr=to_stderr)
    elif loudness() != "quiet":
        show(summary, report_console(to_stderr=to_stderr))
    flush()
    if not (as_json and to_stderr):  # what a machine reads there is one JSON object, with the warnings in it
        for warning in summary["warnings"]:
            say(f"warning: {warning}")


def _stopping(job: Run) -> list[int]:
    """End the run after the batch at hand at the first signal, at once at the second; return the signals seen."""
    seen: list[int] = []

    def stop(number: int, _: object) -> None:
        seen.append(number)
        if len(seen) > 1:
            raise KeyboardInterrupt
        job.stop()

    catch(stop)
    return seen


class _Following:
    """How far a run has come: its records are read first where they are put in time order.

    Without `lines` it is shown on a terminal only: elsewhere a program reads JSON there.
    """

    def __init__(self, sources: list[Input], *, in_order: bool, lines: bool) -> None:
        self.job: Run | None = None
        self._sources = sources
        self._size = sum(source.size for source in sources)
        self._reads_first = in_order and sources[0].regular
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
        bar = Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), look=self._look)
        self._task = bar.add_task("reading" if self._reads_first else "anonymizing", total=self._size or None)
        shown = self._size or loudness() == "verbose"  # a pipe's end is not known
        self._bar = bar if shown and (lines or not bar.disable) else None
        self._next_look = 0.0

    @property
    def progress(self) -> AbstractContextManager[Any]:
        """What shows it."""
        return self._bar or nullcontext()

    def tick(self) -> None:
        """Move a bar on, where it is time to."""
        if self._bar and not self._bar.disable and monotonic() >= self._next_look:
            self._next_look = monotonic() + _SELDOM
            self._look(self._bar)

    def _look(self, bar: RichProgress) -> None:
        done = self.job.decided if self.job else 0
        if not self._size:
            bar.update(self._task, completed=done)
            return
        read = sum(source.position for source in self._sources)
        if self._reads_first and read >= self._size:
            records = sum(source.queries + source.refused for source in self._sources)
            bar.update(self._task, description="anonymizing", completed=done, total=max(1, records))
        else:
            bar.update(self._task, completed=read)
