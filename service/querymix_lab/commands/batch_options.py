"""Which options of `querymix batch` a method has a use for: others are refused, or told where a file names them.

Rules:
- An option of the command line that the method has no use for is refused before anything is read.
- One settings file and one environment serve all commands: what stands there without a use is told and no more, but
  a preset such as `strict`, which promises more than a batch method does.
"""

from collections.abc import Collection

from querymix.core.errors import ConfigError
from querymix.local.verdict import Finding, without_effect
from querymix.settings import MethodSettings, RunSettings
from querymix.settings.presets import DEFAULT

from querymix_lab.batch.methods import METHODS, PROFILED, unused
from querymix_lab.settings import BatchSettings


def flag(name: str) -> str:
    """Return an option as it is given on the command line."""
    return f"--{name.replace('_', '-')}"


def refuse_unused(method: str, named: Collection[str]) -> None:
    """Raise ConfigError where options were named on the command line that a method has no use for."""
    idle_names = unused(method, named)
    if not idle_names:
        return
    used = METHODS[method]
    if set(idle_names) <= PROFILED and "profiles" in used.also:
        raise ConfigError(
            f"{', '.join(map(flag, idle_names))}: the categories change nothing in {method} but the profiles. Give "
            "--profiles, or leave it out."
        )
    raise ConfigError(
        f"{method} has no use for {', '.join(map(flag, idle_names))}: leave it out. Beside the options of every method "
        f"it has {', '.join(map(flag, (*used.uses, *used.also)))}."
    )


def idle(method: str, chosen: BatchSettings, named: Collection[str], stream: RunSettings) -> list[Finding]:
    """Return what to say of options of the environment and the settings file without a use.

    `chosen` are all options, `named` those of the command line; `stream` are those that the same environment and file
    give to a stream. Raises ConfigError where the preset of these is not the default.
    """
    if stream.preset != DEFAULT:
        raise ConfigError(
            f"preset = {stream.preset!r}, which the environment or the settings file names, is for the stream: batch "
            "methods have no such rules. Unset QUERYMIX_PRESET or name another file with --settings."
        )
    elsewhere = chosen.model_fields_set - set(named)
    of_method = {name for name in unused(method, chosen.model_fields_set) if name in elsewhere}
    of_stream = stream.model_fields_set & (MethodSettings.model_fields.keys() - BatchSettings.model_fields.keys())
    why = f"in {method}: the environment or the settings file names it."
    return without_effect(dict.fromkeys(sorted(of_method | of_stream), why), ())
