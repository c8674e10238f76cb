"""A knowledge base in memory, for tests that need a small one."""

from functools import cache

from querymix.core.knowledge import UNKNOWN, Term
from querymix_lab.knowledge.word_lists import word_lists

_word_lists = cache(word_lists)


class Known(dict[str, Term]):
    """The terms that a test names, and the package's own word lists."""

    def __missing__(self, term: str) -> Term:
        return UNKNOWN

    def words(self, name: str, /) -> frozenset[str]:
        """Return the package's own list of that name."""
        return _word_lists()[name]
