"""What all options share: where they are read from."""

from pathlib import Path
from typing import Final

from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from querymix.core.errors import ConfigError

PREFIX: Final = "QUERYMIX_"


class Settings(BaseSettings):
    """Reads options from what was given, the environment and a settings file."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", hide_input_in_errors=True, frozen=True)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What was given, then the environment; `load` puts the file under both."""
        return init_settings, env_settings


def read_secret(path: Path | None, option: str) -> str | None:
    """Return the content of a secret's file, None where none is named.

    Raises ConfigError where it cannot be read or is empty.
    """
    if path is None:
        return None
    try:
        secret = path.read_bytes().decode("utf-8-sig").strip()
    except (OSError, ValueError) as error:
        raise ConfigError(f"{option}: cannot read {path}: {getattr(error, 'strerror', 'it is no text')}") from None
    if not secret:
        raise ConfigError(f"{option}: {path} is empty")
    return secret
