"""What the classifier knows of one term, and the port through which it asks.

Rules:
- A term is one to `LONGEST_UNIT` lower-case words joined by single spaces.
- An unknown term is answered by `UNKNOWN`, never by an exception, so that the hot path has no branch for it.
- A term that is not known as it was typed is answered as its folded form is (querymix.core.text.folded).
- The sixteen first-level categories of the Open Directory are numbered by their place in `CATEGORIES`.

Source: Pàmies-Estrems et al. 2016, section 3.3.1 (entropies, recommendations, categories).
"""

from typing import Final, NamedTuple, Protocol
from zlib import crc32

CATEGORIES: Final = (
    "Adult", "Arts", "Business", "Computers", "Games", "Health", "Home", "Kids and Teens", "News", "Recreation",
    "Reference", "Regional", "Science", "Shopping", "Society", "Sports",
)  # fmt: skip
"""The first level of the Open Directory, in alphabetical order; `World` (non-English sites) is left out."""
CATEGORY_NUMBERS: Final = {name: number for number, name in enumerate(CATEGORIES)}
"""Each category's place in `CATEGORIES`, by its name."""

LONGEST_UNIT: Final = 4
"""Words in the longest unit that a knowledge base may hold."""

# Tags of a term. Several may hold at once: "rose" is a noun, an adjective and a first name.
NOUN: Final = 1
ADJECTIVE: Final = 2
STOP: Final = 4
"""A function word ("the", "of", "how"). It may be a unit of its own only in the grammar of the paper's classifier, and
only where it has tag log-odds (querymix.core.grammar)."""
COMMON: Final = 8
"""An ordinary dictionary word, apart from any use as a name."""
FIRST_NAME: Final = 16
SURNAME: Final = 32
HONORIFIC: Final = 64
"""Says that a person's name may stand beside it: "mr", "attorney", "obituary"."""
STREET: Final = 128
"""Ends a street's name: "street", "ave", "blvd"."""
CITY: Final = 256
STATE: Final = 512
"""A state of the USA, by name or by two letters."""
PLACE: Final = 1024
"""Any other place whose name is no identifier: a country, a region, a continent."""
FAMOUS: Final = 2048
"""A person, band, brand or work that very many people search for: a topic, not an identifier."""
FLAGS: Final = (1 << 12) - 1
"""All of the above. The twelve bits above them hold the word's tag log-odds (querymix.core.grammar)."""
PREFILTER_BITS: Final = 63
"""Bits of the prefilter of longer terms, so that it fits a signed 64-bit number."""


class Term(NamedTuple):
    """One term of the knowledge base.

    The last three fields are the prefilter of longer terms: a cheap test by which a longer term need not be looked up
    where no known one with weights can stand. Only single words have `bit` and `first_bits`.
    """

    tags: int = 0
    """The tags above, or-ed. A term with tag log-odds has one of them, so that tags are 0 where nothing is known."""
    references: int = 0
    """How many documents hold the term; 0 where that is not known."""
    category: int = -1
    """Place in `CATEGORIES` of the term's category, -1 where it has none."""
    path: str = ""
    """The category's whole path, such as "Sports/Soccer"; empty where there is none."""
    weights: int = 0
    """One weight a category, packed into one integer (querymix.core.packed_weights); 0 where there are none."""
    recommendation: str = ""
    """The right spelling where the term is a wrong one, else empty."""
    span: int = 1
    """Words in the longest known term that begins with this word (only on single words)."""
    bit: int = 0
    """The word's own bit, see `prefilter_bit`."""
    later_bits: int = 0
    """The bits of all later words of the terms with weights that begin with this word, or-ed."""
    first_bits: int = 0
    """The bits of the first words of all terms with weights in which this word comes later, or-ed."""


UNKNOWN: Final = Term(bit=(1 << PREFILTER_BITS) - 1, first_bits=(1 << PREFILTER_BITS) - 1)
"""It passes every prefilter: an unknown word may stand in a longer term that is known."""


def prefilter_bit(word: str) -> int:
    """Return the one of `PREFILTER_BITS` bits that stands for a word; several words share it."""
    return 1 << crc32(word.encode("utf-8", "surrogatepass")) % PREFILTER_BITS


class Knowledge(Protocol):
    """A knowledge base: a mapping from every possible term to what is known of it, and named lists of words."""

    def __getitem__(self, term: str, /) -> Term:
        """Return what is known of `term`, or `UNKNOWN`."""
        ...

    def words(self, name: str, /) -> frozenset[str]:
        """Return the list called `name`: a recognizer asks for it once, when it is made.

        An entry is lower case; one of several words has single spaces between them.
        Raises ConfigError where the base has no such list.
        """
        ...
