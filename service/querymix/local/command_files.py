"""Which files a command reads and writes, by its options, and whether they go together."""

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from querymix.codecs.recognize import Form
from querymix.core.draw import Draw
from querymix.core.errors import ConfigError
from querymix.knowledge.bundle import DEFAULT
from querymix.local.checkpoint import FILE
from querymix.local.columnar import table_of
from querymix.local.file_identity import STREAMS, Use, check_apart, database, descriptor_of
from querymix.local.output import PARTIAL, STANDARD_OUTPUT, Lines, Output
from querymix.local.packing import is_table, packing_of
from querymix.local.reading import STANDARD_INPUT, Input
from querymix.local.sorted_output import SUFFIX, SortedOutput
from querymix.local.split_output import SplitOutput, common_name, files_there, is_split, may_be
from querymix.settings import FileSettings, OutputSettings, RunSettings
from querymix.settings.rare import STREAM


def open_inputs(names: Sequence[str], settings: RunSettings, owned: ExitStack) -> list[Input]:
    """Open all inputs before anything is written; `owned` closes them.

    Raises ConfigError where one cannot be read, or where the options do not go with it.
    """
    standard = [name for name in names if name == STANDARD_INPUT or descriptor_of(name) == 0]
    if standard and len(names) > 1:
        raise ConfigError("standard input (-) cannot be merged with other inputs: give it alone")
    sources: list[Input] = []
    seen = set()
    for name in names:
        source = Input(name)
        sources.append(source)
        owned.callback(source.close)
        if source.regular and source.inode in seen:
            raise ConfigError(f"{name} is given twice: its queries would be counted twice")
        seen.add(source.inode)
    piped = [source.name for source in sources if not source.regular]
    if len(sources) > 1 and piped:
        raise ConfigError(f"{piped[0]} is no file and cannot be put in time order with others: give it alone")
    if settings.state and settings.checkpoint:
        raise ConfigError("--checkpoint is another way to give --state: give one of them")
    if settings.folder and (settings.output == STANDARD_OUTPUT or not is_file(settings.output)):
        raise ConfigError("--state needs a file as its output: a pipe cannot be written a second time after a kill")
    return sources


def check_files(names: Sequence[str], settings: OutputSettings, settings_file: Path | None) -> None:
    """Raise ConfigError where an output of a command is one of its other files."""
    crowd = settings.crowd if isinstance(settings, RunSettings) and settings.crowd != STREAM else None
    reads = [Use("the input", 0 if name == STANDARD_INPUT else name) for name in names]
    reads += [
        Use(what, str(path))
        for what, path in (
            ("the settings file", settings_file),
            ("the pseudonym key", settings.pseudonym_key_file),
            ("the knowledge bundle", settings.knowledge or DEFAULT),
            ("the crowd table", crowd),
        )
        if path
    ]
    to_stdout = settings.output == STANDARD_OUTPUT
    packing_of(settings.output)
    if settings.refused and packing_of(settings.refused):
        raise ConfigError(f"the file of refused records is not packed: name {settings.refused} otherwise")
    writes = list[Use]()
    if refused := refused_name(settings):
        writes.append(Use("the file of refused records", refused))
    if settings.profiles:
        writes += database("the profiles", settings.profiles)
    if isinstance(settings, RunSettings) and settings.folder:
        writes += database("the state", settings.folder / FILE)
    if isinstance(settings, RunSettings) and is_split(settings.output):
        for use in reads + writes:
            if isinstance(use.name, str) and may_be(settings.output, use.name):
                raise ConfigError(f"one of the outputs {settings.output} may be {use.what}: name other outputs")
    writes = _outputs(settings) + writes
    check_apart(reads, writes, printed=[Use("standard error", 2)] if to_stdout else STREAMS)


def _outputs(settings: OutputSettings) -> list[Use]:
    if settings.output == STANDARD_OUTPUT:
        return [Use("the output", 1)]
    split = is_split(settings.output)
    if not isinstance(settings, RunSettings):
        if split or is_table(settings.output):
            raise ConfigError("only querymix run writes several files, or one of columns: name a plain output")
        return [Use("the output", settings.output)]
    names = files_there(settings.output) if split else [settings.output]
    writes = [Use("the output", name) for name in names]
    if not split and is_file(settings.output):
        part = f"{os.path.realpath(settings.output)}{PARTIAL}"
        writes.append(Use("the unfinished output", part))
    if settings.time_policy == "query":
        writes.append(Use("the unsorted output", f"{common_name(settings.output)}{SUFFIX}"))
    return writes


def is_file(name: str) -> bool:
    """Say whether an output is a file, or will be one, and no pipe, device or open descriptor."""
    path = Path(name)
    return descriptor_of(name) is None and (path.is_file() or not path.exists())


def refused_name(settings: FileSettings) -> str | None:
    """Return the name of the file of refused records; beside a pipe or a device there is none of its own."""
    output = Path(settings.output)
    if settings.refused or settings.output == STANDARD_OUTPUT or (output.exists() and not output.is_file()):
        return settings.refused
    return f"{common_name(settings.output)}.refused"


def is_sorted(settings: RunSettings, sources: Sequence[Input]) -> bool:
    """Say whether the whole output is to be sorted by its times: files end, and a pipe's reader waits for no end."""
    to_file = settings.output != STANDARD_OUTPUT and is_file(settings.output)
    return settings.time_policy == "query" and sources[0].regular and to_file


def make_lines(settings: RunSettings, sources: Sequence[Input], form: Form, draw: Draw) -> Callable[..., Lines]:
    """Return what makes the output, of `keep`, `add`, `others` and `done` (querymix.local.runner).

    Without a state a file over files is written beside its place: a reader never sees a part of it.
    """
    name, beside = settings.output, sources[0].regular and not settings.folder
    split = is_split(name)
    in_order = is_sorted(settings, sources)
    table = table_of(form) if is_table(name) else None
    if split and in_order and settings.folder:
        raise ConfigError("--time-policy query sorts each output as a whole: with --state give outputs without { }")

    def make(keep: Any, *, add: bool, others: bool, done: bool) -> Lines:
        files = None
        there = files_there(name) if split else [name] if is_file(name) and Path(name).exists() else []
        if others and any(Path(file).stat().st_size for file in there):
            raise ConfigError(
                f"{there[0]} is there already, and the columns of this log are others, or stand in another order: "
                "name another output for it"
            )
        if split:
            own_time = settings.time_policy == "query"
            files = SplitOutput(
                name,
                own_time=own_time,
                precision=settings.time_precision,
                keep=keep,
                add=add,
                beside=beside,
                done=done,
                table=table,
            )
            if not in_order:
                return files
        base, length = keep or (0, None)
        if in_order:
            return SortedOutput(
                common_name(name), draw, settings.time_precision, keep=length, add=add, done=done, beside=beside,
                split=files, table=table,
            )  # fmt: skip
        return Output(name, keep=length, base=base, add=add, done=done, beside=beside, table=table)

    return make
