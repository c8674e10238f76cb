"""querymix turns a web search engine's query log into one that can be released. As a library: docs/library.md.

Nothing is imported before it is asked for: the command line and other modules begin here too.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from querymix.api import Anonymizer, anonymize, classify
    from querymix.core.account import Account
    from querymix.core.errors import ConfigError, QuerymixError, RecordError, TransientError
    from querymix.core.records import Classification

    __version__: str

__all__ = [
    "Account", "Anonymizer", "Classification", "ConfigError", "QuerymixError", "RecordError", "TransientError",
    "__version__", "anonymize", "classify",
]  # fmt: skip

_HOMES: Final = {
    "querymix.api": {"Anonymizer", "anonymize", "classify"},
    "querymix.core.account": {"Account"},
    "querymix.core.errors": {"ConfigError", "QuerymixError", "RecordError", "TransientError"},
    "querymix.core.records": {"Classification"},
}

if not TYPE_CHECKING:  # else every misspelt name would have a type

    def __getattr__(name):
        if name == "__version__":
            return import_module("importlib.metadata").version("querymix")
        for home, names in _HOMES.items():
            if name in names:
                return getattr(import_module(home), name)
        raise AttributeError(f"module 'querymix' has no attribute {name!r}")

    def __dir__():
        return __all__
