"""Whether settings ask how many users share something, and the refusal where nobody can be asked.

Rule: who asks a crowd without one is refused, since what should be held back would leave as it is.
"""

from querymix.core.errors import ConfigError
from querymix.settings.base import Settings
from querymix.settings.method import MethodSettings, OutputSettings
from querymix.settings.presets import options_of


def screens_texts(settings: MethodSettings) -> bool:
    """Say whether texts that few share are kept back: also by a preset whose crowd is still to be named."""
    return (settings.crowd is not None or _preset_asks(settings)) and settings.rare != "release"


def drops_terms(settings: MethodSettings) -> bool:
    """Say whether rare terms are left out of texts, and so what holds them beside."""
    return screens_texts(settings) and settings.rare == "drop-terms"


def asks_crowd(settings: MethodSettings) -> bool:
    """Say whether anything is asked of the crowd."""
    return screens_texts(settings) or settings.urls == "crowd" or bool(settings.generalize)


def need_crowd(settings: Settings) -> None:
    """Raise ConfigError where settings ask a crowd, and there is none."""
    if isinstance(settings, MethodSettings):
        if settings.crowd is None and asks_crowd(settings):
            raise ConfigError(
                f"{_asking(settings)} asks how many users share what leaves, and there is nobody to ask: give --crowd "
                "FILE (make one with 'querymix crowd build LOG -o FILE'), or --crowd stream"
            )
    elif isinstance(settings, OutputSettings) and settings.urls == "crowd":
        raise ConfigError("--urls crowd asks a crowd, which only run and worker have: give --urls host")


def _asking(settings: MethodSettings) -> str:
    if _preset_asks(settings):
        return f"--preset {settings.preset}"
    return "--urls crowd" if settings.urls == "crowd" else "--generalize"


def _preset_asks(settings: MethodSettings) -> bool:
    return "crowd_users" in options_of(settings.preset)
