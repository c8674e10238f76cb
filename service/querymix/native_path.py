"""The native path (service/native, in Rust): what is done to each record, in compiled code.

Rules:
- Python is the definition, and does the same where the module `querymix.native` is not built, or where the environment
  says `QUERYMIX_NATIVE=off`. A module of Python that has a twin there asks `module()` which one is used.
- In a checkout a module that is older than its sources is refused: it may do as was done before.
"""

import os
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from querymix.core.errors import ConfigError, reason

SWITCH: Final = "QUERYMIX_NATIVE"
"""The environment variable that turns it off where it is `off`: to compare the two."""
SOURCES: Final = Path(__file__).parents[1] / "native"
"""Where a checkout has them; an installed package has none."""
_ADVICE: Final = f"`make native` builds it anew, {SWITCH}=off does without it."


def module() -> Any:
    """Return `querymix.native`, None where it is not used.

    Raises ConfigError, which says what to do, where it cannot be loaded here or is older than its sources.
    """
    if os.environ.get(SWITCH) == "off":
        return None
    try:
        return _built()
    except ImportError as error:
        raise ConfigError(f"The native path cannot be used here: {reason(error)}. {_ADVICE}") from None


@cache
def _built() -> Any:
    if find_spec("querymix.native") is None:
        return None
    native: Any = import_module("querymix.native")
    built = Path(native.__file__).stat().st_mtime_ns
    if any(path.stat().st_mtime_ns > built for path in [*SOURCES.glob("Cargo.*"), *SOURCES.glob("src/**/*.rs")]):
        raise ImportError(f"the native path ({native.__file__}) is older than its sources")
    return native
