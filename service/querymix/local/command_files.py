"""Which files a command reads and writes, by its options, and whether they go together."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from querymix.core.errors import ConfigError
from querymix.knowledge.bundle import DEFAULT
from querymix.local.checkpoint import FILE
from querymix.local.file_identity import STREAMS, Use, check_apart, database, descriptor_of
from querymix.local.output import STANDARD_OUTPUT
from querymix.local.reading import STANDARD_INPUT, Input
from querymix.local.sorted_output import SUFFIX
from querymix.settings import FileSettings, OutputSettings, RunSettings


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
    if settings.checkpoint and (piped or settings.output == STANDARD_OUTPUT):
        raise ConfigError("--checkpoint needs files: a pipe cannot be read or written a second time after a kill")
    return sources


def check_files(names: Sequence[str], settings: OutputSettings, settings_file: Path | None) -> None:
    """Raise ConfigError where an output of a command is one of its other files."""
    reads = [Use("the input", 0 if name == STANDARD_INPUT else name) for name in names]
    reads += [
        Use(what, str(path))
        for what, path in (
            ("the settings file", settings_file),
            ("the pseudonym key", settings.pseudonym_key_file),
            ("the knowledge bundle", settings.knowledge or DEFAULT),
        )
        if path
    ]
    to_stdout = settings.output == STANDARD_OUTPUT
    writes = [Use("the output", 1 if to_stdout else settings.output)]
    if isinstance(settings, RunSettings) and settings.time_policy == "query" and not to_stdout:
        writes.append(Use("the unsorted output", f"{settings.output}{SUFFIX}"))
    if refused := refused_name(settings):
        writes.append(Use("the file of refused records", refused))
    if settings.profiles:
        writes += database("the profiles", settings.profiles)
    if isinstance(settings, RunSettings) and settings.checkpoint:
        writes += database("the checkpoint", settings.checkpoint / FILE)
    check_apart(reads, writes, printed=[Use("standard error", 2)] if to_stdout else STREAMS)


def refused_name(settings: FileSettings) -> str | None:
    """Return the name of the file of refused records; beside a pipe or a device there is none of its own."""
    output = Path(settings.output)
    if settings.refused or settings.output == STANDARD_OUTPUT or (output.exists() and not output.is_file()):
        return settings.refused
    return f"{settings.output}.refused"


def is_sorted(settings: RunSettings, sources: Sequence[Input]) -> bool:
    """Say whether the whole output is to be sorted by its times: files end, and a pipe's reader waits for no end."""
    output = Path(settings.output)
    to_file = settings.output != STANDARD_OUTPUT and (output.is_file() or not output.exists())
    return settings.time_policy == "query" and sources[0].regular and to_file and descriptor_of(str(output)) is None
