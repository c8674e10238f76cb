"""What all options share: where they are read from."""

import os
import re
from pathlib import Path
from typing import Any, ClassVar, Final

from pydantic import BaseModel, ConfigDict, SecretStr, model_validator

from querymix.core.errors import ConfigError

PREFIX: Final = "QUERYMIX_"
SHORTEST_TOKEN: Final = 32
"""Characters: 128 bits where they are hexadecimal."""
_FEWEST_KINDS: Final = 8
"""Different characters in a token; one drawn at random has more."""


class Settings(BaseModel):
    """Reads options from what was given, and the environment; `load` puts a settings file under both."""

    # A class is checked through when it is first used: a command uses one of dozens.
    model_config = ConfigDict(
        extra="forbid", hide_input_in_errors=True, frozen=True, validate_default=True, defer_build=True
    )
    from_environment: ClassVar[bool] = True
    complete: ClassVar[bool] = True
    """Whether what a preset needs must be there; else the settings are only told, and nothing runs by them."""

    @model_validator(mode="before")
    @classmethod
    def _with_environment(cls, given: Any) -> Any:
        """Return what was given, and of the environment what was not; small letters do there, too."""
        if not cls.from_environment or not isinstance(given, dict):
            return given
        found = {name.upper(): value for name, value in os.environ.items()}
        return {
            name: found[known] for name in cls.model_fields if (known := f"{PREFIX}{name.upper()}") in found
        } | given


def read_secret(path: Path | None, option: str) -> SecretStr | None:
    """Return the content of a secret's file without its line end, None where none is named.

    Raises ConfigError where it cannot be read, is empty or has several lines. The file's name is not shown: it may be
    the secret itself, where somebody took the option for that.
    """
    if path is None:
        return None
    try:
        secret = path.read_bytes().decode("utf-8-sig").rstrip("\r\n")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise ConfigError(f"{option}: cannot read the file: {why}. Give the name of a file with the secret") from None
    if not secret.strip():
        raise ConfigError(f"{option}: the file is empty")
    if len(secret.splitlines()) > 1:
        raise ConfigError(f"{option}: the file has several lines, and a secret is one")
    return SecretStr(secret)


def read_token(path: Path | None, option: str) -> SecretStr | None:
    """Return a token that opens a page, None where no file is named.

    Raises ConfigError as `read_secret` does, and where the token could be guessed or is none that a header can carry.
    """
    secret = read_secret(path, option)
    if secret is None:
        return None
    token = secret.get_secret_value()
    if not re.fullmatch("[!-~]*", token):
        why = "holds a blank or a letter that a header cannot carry"
    elif len(token) < SHORTEST_TOKEN:
        why = f"has {len(token)} characters and needs {SHORTEST_TOKEN}"
    elif len(set(token)) < _FEWEST_KINDS:
        why = "repeats itself"
    else:
        return secret
    raise ConfigError(f"{option}: the token {why}: make one with '(umask 077 && openssl rand -hex 32 >FILE)'")
