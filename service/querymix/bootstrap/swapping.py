"""The parts that put surrogates into queries, out of settings; what makes them up is loaded where it is asked for."""

from typing import TYPE_CHECKING

from querymix.core.draw import system_draw
from querymix.core.errors import ConfigError
from querymix.settings import MethodSettings
from querymix.settings.rare import STREAM
from querymix.stages.swapping import Swapping

if TYPE_CHECKING:
    from querymix.core.surrogates import Surrogates


def make_surrogates(settings: MethodSettings) -> "Surrogates | None":
    """Return what stands for identifiers, if anything does; it draws from the operating system's generator.

    Raises ConfigError with `--crowd stream`, whose rules would count the made-up words as rare ones.
    """
    if settings.surrogates == "off":
        return None
    if settings.crowd == STREAM:
        raise ConfigError(
            "--surrogates on cannot be given with --crowd stream, by which a made-up name is as rare as a real one: "
            "give a table ('querymix crowd build' makes one), or leave it out"
        )
    from querymix.core.surrogates import Surrogates  # noqa: PLC0415 - most runs swap nothing

    return Surrogates(system_draw())


def make_swapping(settings: MethodSettings, surrogates: "Surrogates | None") -> Swapping | None:
    """Return what puts surrogates into the queries of one stream; None where there are none."""
    return None if surrogates is None else Swapping(surrogates, settings.dedupe or 0.0)
