"""What the classifier knows of one term, and the port through which it asks.

Rules:
- A term is one to `LONGEST_UNIT` lower-case words joined by single spaces.
- An unknown term is answered by `UNKNOWN`, never by an exception, so that the hot path has no branch for it.
- The sixteen first-level categories of the Open Directory are numbered by their place in `CATEGORIES`.

Source: papers/streaming-profiles-2016.txt, section 3.3.1 (entropies, recommendations, categories).
"""

from typing import Final, NamedTuple, Protocol
from zlib import crc32

CATEGORIES: Final = (
    "Adult",
    "Arts",
    "Business",
    "Computers",
    "Games",
    "Health",
    "Home",
    "Kids and Teens",
    "News",
    "Recreation",
    "Reference",
    "Regional",
    "Science",
    "Shopping",
    "Society",
    "Sports",
)
"""The first level of the Open Directory, in alphabetical order; `World` (non-English sites) is left out."""

LONGEST_UNIT: Final = 4
"""Words in the longest unit that a knowledge base may hold."""

# Tags of a term. Several may hold at once: "rose" is a noun, an adjective and a first name.
NOUN: Final = 1
ADJECTIVE: Final = 2
STOP: Final = 4
"""A function word ("the", "of", "how"). It is no unit of its own where it has no leanings, nor where leanings are not
asked: outside the grammar of the paper's classifier (service.core.grammar)."""
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
"""All of the above. The bits above them, twelve more, say how the word leans (service.core.grammar)."""


class Term(NamedTuple):
    """One term of the knowledge base."""

    tags: int = 0
    """The tags above, or-ed. A term with leanings has one of them, so that tags are 0 where nothing is known."""
    references: int = 0
    """How many documents hold the term; 0 where that is not known."""
    category: int = -1
    """Place in `CATEGORIES` of the term's category, -1 where it has none."""
    path: str = ""
    """The category's whole path, such as "Sports/Soccer"; empty where there is none."""
    evidence: int = 0
    """One weight a category, packed into one integer (service.core.lanes); 0 where there is none."""
    recommendation: str = ""
    """The right spelling where the term is a wrong one, else empty."""
    span: int = 1
    """Words in the longest known term that begins with this word (only on single words)."""
    mark: int = 0
    """The word's own bit, see `mark` (only on single words)."""
    follow: int = 0
    """The marks of all later words of the terms with evidence that begin with this word, or-ed: where the next word's
    mark is not among them, no longer term need be looked up."""
    lead: int = 0
    """The marks of the first words of the terms with evidence in which this word comes later, or-ed (only on single
    words)."""


UNKNOWN: Final = Term(mark=(1 << 63) - 1, lead=(1 << 63) - 1)
"""It has every mark and may come after every word: an unknown word may stand in a longer term that is known."""


def mark(word: str) -> int:
    """Return the bit that stands for a word: one of 63, so that the or of several fits a signed 64-bit number."""
    return 1 << crc32(word.encode("utf-8", "surrogatepass")) % 63


class Knowledge(Protocol):
    """A knowledge base: a mapping from every possible term to what is known of it, and named lists of words."""

    def __getitem__(self, term: str, /) -> Term:
        """Return what is known of `term`, or `UNKNOWN`."""
        ...

    def words(self, name: str, /) -> frozenset[str]:
        """Return the list called `name`: a recognizer asks for it once, when it is made.

        An entry is lower case; one of several words has single spaces between them.
        Raises Misconfigured where the base has no such list.
        """
        ...
