"""Which options of a worker may change while it runs, and how a change is told.

Rules:
- What is not named here needs a restart: an option that is added is not changed by a running worker unless it is ready.
- Values of rules are shown. Of what is secret or names a secret's file only the option is.
"""

from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from querymix.core.errors import ConfigError
from querymix.settings.service import WorkerSettings
from querymix.settings.values import show_seconds, takes_seconds

RULES: Final = frozenset(
    {
        "click_wait", "crowd_items", "crowd_users", "crowd_window", "dedupe", "delta", "draw", "established",
        "group_policy", "group_users", "hold_policy", "k", "max_hold", "mode", "preset", "rare", "reserve",
        "session_gap", "session_most", "session_scope", "time_policy", "time_precision", "unclassified", "unit",
    }
)  # fmt: skip
OF_STREAM: Final = frozenset({"crowd_items", "crowd_users", "crowd_window", "group_policy", "group_users", "rare"})
"""Rules of a crowd: anonymizers follow those with `--crowd stream`, and nobody follows those over a table."""
KAFKA_FILES: Final = ("ssl_cafile", "ssl_certfile", "ssl_keyfile", "sasl_password_file")
TOKEN_FILES: Final = ("profiles_token_file", "metrics_token_file")
FILES: Final = (*KAFKA_FILES, "mongodb_uri_file", *TOKEN_FILES)
"""Options that name a file whose content is read again."""
KAFKA: Final = frozenset({*KAFKA_FILES, "sasl_username"})
"""What a connection to Kafka is made with."""

Seen = Mapping[str, bytes]
"""A hash of what stands in each file, by the option that names it."""


def look(settings: WorkerSettings, file: Path | None) -> Seen:
    """Return what the files hold that are read again; empty where one cannot be read."""
    return {name: _hash(path) for name, path in _named(settings, file).items()}


def read_with(read: Callable[[], WorkerSettings], file: Path | None) -> tuple[WorkerSettings, Seen]:
    """Return the settings that `read` gives, and what the files held: of `file` before, so that no change is missed."""
    before = {} if file is None else {"settings": _hash(file)}
    settings = read()
    return settings, {**look(settings, None), **before}


def refuse_pipes(settings: WorkerSettings, file: Path | None) -> None:
    """Raise ConfigError where a file can be read only once, as a shell's <(command): a second reading may never end."""
    for name, path in _named(settings, file).items():
        if path.exists() and not path.is_file():
            raise ConfigError(f"{_flags([name])}: {path} is no regular file and is not read twice: restart the worker")


def _named(settings: WorkerSettings, file: Path | None) -> dict[str, Path]:
    named = {"settings": file} | {name: getattr(settings, name) for name in FILES}
    return {name: path for name, path in named.items() if path is not None}


def _hash(path: Path) -> bytes:
    try:
        return blake2b(path.read_bytes()).digest() if path.is_file() else b""
    except OSError:
        return b""


def changed(old: WorkerSettings, new: WorkerSettings, before: Seen, now: Seen) -> frozenset[str]:
    """Return the options that are others now, by their value or by what stands in the file that they name.

    Raises ConfigError where one cannot change while a worker runs.
    """
    names = {name for name in WorkerSettings.model_fields if getattr(old, name) != getattr(new, name)}
    fixed = names - (RULES if new.crowd == "stream" else RULES - OF_STREAM) - KAFKA - set(FILES)
    fixed |= {name for name in TOKEN_FILES if (getattr(old, name) is None) != (getattr(new, name) is None)}
    if fixed:
        raise ConfigError(f"{_flags(fixed)}: a running worker cannot change that. Take it back, or restart the worker")
    return frozenset(names | {name for name in FILES if before.get(name) != now.get(name)})


def told(old: WorkerSettings, new: WorkerSettings, names: Iterable[str]) -> str:
    """Say what has changed: rules with their values, secrets by their option alone."""
    rules = [
        f"{_flags([name])} {_shown(old, name)} -> {_shown(new, name)}" for name in sorted(RULES.intersection(names))
    ]
    others = sorted(set(names) - RULES)
    return "; ".join([*rules, *([f"{_flags(others)} read again"] if others else [])])


def _flags(names: Iterable[str]) -> str:
    return ", ".join(f"--{name.replace('_', '-')}" for name in sorted(names))


def _shown(settings: WorkerSettings, name: str) -> str:
    value: Any = getattr(settings, name)
    if value is None:
        return "none"
    return show_seconds(value) if takes_seconds(WorkerSettings.model_fields[name]) else str(value)
