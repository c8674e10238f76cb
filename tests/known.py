"""Small knowledge bases for tests of the product, which do without the laboratory's compiler.

tests/contracts/test_knowledge.py holds `Known` to the port. `linked` does what
the compiler does last; tests/querymix_lab/knowledge/test_compiling.py holds both against each other.
"""

from collections.abc import Mapping, Sequence

from querymix.core.knowledge import CATEGORY_NUMBERS, UNKNOWN, Term, prefilter_bit
from querymix.core.packed_weights import CATEGORY_ONLY, pack
from querymix.core.text import folded
from querymix.knowledge.bundle import DEFAULT, Bundle

_DEFAULT = Bundle(DEFAULT)


class Known(dict[str, Term]):
    """The terms that a test names, and the word lists of the default bundle."""

    def __missing__(self, term: str) -> Term:
        return self.get(folded(term), UNKNOWN)

    def words(self, name: str, /) -> frozenset[str]:
        """Return the package's own list of that name."""
        return _DEFAULT.words(name)


def word_lists() -> Mapping[str, frozenset[str]]:
    """Return the package's own word lists."""
    return _DEFAULT.word_lists


def term(path: str = "", weights: Sequence[int] = (), **fields: int | str) -> Term:
    """Return a term with a category's path, with weights (one a category), or with both."""
    category = CATEGORY_NUMBERS[path.partition("/")[0]] if path else -1
    packed = pack(weights) if weights else CATEGORY_ONLY[category] if path else 0
    return Term(category=category, path=path, weights=packed, **fields)  # type: ignore[arg-type]  # by their names


def linked(terms: Mapping[str, Term]) -> dict[str, Term]:
    """Return the terms in alphabetical order, each word with what it must know of the longer terms it stands in."""
    firsts = {name.partition(" ")[0] for name in terms if " " in name}
    found = {
        name: terms.get(name, Term())._replace(bit=0 if " " in name else prefilter_bit(name))
        for name in sorted(firsts | terms.keys())
    }
    for name, known in terms.items():
        first, *rest = name.split(" ")
        found[first] = found[first]._replace(span=max(found[first].span, 1 + len(rest)))
        for word in rest if known.weights else ():
            found[first] = found[first]._replace(later_bits=found[first].later_bits | prefilter_bit(word))
            if word in found:
                found[word] = found[word]._replace(first_bits=found[word].first_bits | prefilter_bit(first))
    return found
