"""The profiles that a local run adds to, and those that runs have left in a file."""

from contextlib import ExitStack
from pathlib import Path

from querymix.core.errors import ConfigError
from querymix.local.at_once import at_once
from querymix.ports import ProfileStore
from querymix.stores.sqlite import SqliteProfiles


def open_profiles(path: Path | None, owned: ExitStack, *, at_end: bool) -> SqliteProfiles | None:
    """Open the profiles that a run adds to, None where it is given no file. `owned` closes them."""
    if path is None:
        return None
    profiles = SqliteProfiles(path, at_end=at_end)
    owned.callback(lambda: at_once(profiles.close()))
    return profiles


def finish(profiles: SqliteProfiles | None) -> None:
    """Add what a run has counted to its profiles, if it has any."""
    if profiles is not None:
        at_once(profiles.finish())


def open_existing_profiles(path: Path) -> ProfileStore:
    """Open the profiles that runs have left in a file. Raises ConfigError where there is none."""
    if not path.is_file():
        raise ConfigError(f"there are no profiles in {path}: 'querymix run ... --profiles {path}' makes them")
    return SqliteProfiles(path)
