"""A knowledge base in memory, for tests; tests/contracts/test_knowledge.py holds it to the port."""

from functools import cache

from querymix.core.knowledge import UNKNOWN, Term
from querymix.knowledge.bundle import DEFAULT, Bundle

_default = cache(Bundle)


class Known(dict[str, Term]):
    """The terms that a test names, and the word lists of the default bundle."""

    def __missing__(self, term: str) -> Term:
        return UNKNOWN

    def words(self, name: str, /) -> frozenset[str]:
        """Return the list of that name. Raises ConfigError where there is none."""
        return _default(DEFAULT).words(name)
