"""The key that user ids are hashed under, read or drawn."""

import os
import stat
from pathlib import Path
from secrets import token_bytes

from querymix.codecs.recognize import Form
from querymix.core.errors import ConfigError
from querymix.core.pseudonyms import LONGEST_KEY, MAKE, Pseudonyms, key_of
from querymix.settings import ReleaseSettings


def read_pseudonyms(path: Path | None) -> Pseudonyms | None:
    """Read the pseudonym key, if there is one.

    Raises ConfigError where the file cannot be read, can be read by everybody, or the key is weak.
    """
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            status, system = os.fstat(file.fileno()), os.fstatvfs(file.fileno())
            content = file.read(LONGEST_KEY + 1)
    except OSError as error:
        raise ConfigError(f"cannot read the pseudonym key {path}: {error.strerror}") from None
    # What a container mounts for reading only is out of the others' reach, whatever its mode says. A group may read it,
    # since that is how Kubernetes gives a secret to a user who is not root.
    if stat.S_ISREG(status.st_mode) and status.st_mode & 0o007 and not system.f_flag & os.ST_RDONLY:
        raise ConfigError(f"the pseudonym key {path} can be read by every user of this machine: chmod 600 {path}")
    return Pseudonyms(key_of(content))


def make_pseudonyms(settings: ReleaseSettings, form: Form, *, kept: bool) -> Pseudonyms | None:
    """Return what replaces the user ids, if anything does; `kept`: users are to be known again in a later run.

    The addresses and cookies of an access log never leave as they are: without a key of the operator's, one is drawn
    for this run, and forgotten. Raises ConfigError where the key cannot be read, or is needed.
    """
    pseudonyms = read_pseudonyms(settings.pseudonym_key_file)
    if pseudonyms is not None or form.format != "access":
        return pseudonyms
    if kept:
        raise ConfigError(
            "the users of an access log leave as keyed hashes, and a later run needs the same key: give "
            f"--pseudonym-key-file FILE (make one with {MAKE})"
        )
    return Pseudonyms(token_bytes(32))
