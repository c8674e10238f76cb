"""The native path over a bundle (service/native): what most queries need, in compiled code.

Rules:
- Where it is not used (querymix.native_path) there is no engine, and plain Python does the same.
- All that it knows comes from here: places in the bundle, and the words that the gate of identifiers asks for.
- It borrows the bundle's memory, and lets go of it when the bundle is closed.
"""

from mmap import mmap
from typing import Any, NamedTuple, Protocol, cast

from querymix.core.classify import Engine
from querymix.core.identifiers.gate import CUES, NAME_TAGS, TOLD, WITHOUT_FIGURES, lists
from querymix.core.identifiers.names.roles import FREQUENT
from querymix.core.identifiers.recognizers.seed_phrase import FEWEST, PLACES, SAID
from querymix.core.identifiers.recognizers.street.ended import BEFORE_NUMBERS, ENDINGS
from querymix.core.knowledge import CATEGORIES, Knowledge
from querymix.core.packed_weights import FIELDS_STRUCT
from querymix.core.records import Classification
from querymix.knowledge.bundle import Borrower, Bundle, Places
from querymix.native_path import module


class _Engine(Engine, Borrower, Protocol):
    """What `querymix.native` has."""


class Gate(NamedTuple):
    """What the first look at queries asks for (querymix.core.identifiers.gate). Line ends part the last three."""

    name_tags: int
    fewest: int
    said: int
    told: list[str]
    cues: list[str]
    seeds: list[str]
    before_numbers: list[str]
    private: list[str]
    without_figures: list[str]
    asking: list[str]
    endings: list[str]
    given: str
    family: str
    no_family: str


def make_engine(bundle: Bundle, confidence: float) -> Engine | None:
    """Return an engine over a bundle, None where there is no native path.

    `confidence` is the least share (0 to 1) of the winning category. Raises ConfigError where the module cannot be
    loaded here or is older than its sources.
    """
    native = module()
    if native is None:
        return None
    gate = make_gate(bundle)
    return bundle.lend(lambda content, places: engine_over(native, content, places, gate, bundle.bias, confidence))


def make_gate(knowledge: Knowledge) -> Gate:
    """Return what the first look at queries asks for, the lists of a knowledge base among it."""
    core, private, asking = lists(knowledge)
    words = knowledge.words
    family, no_family = words("family-sure") | FREQUENT, words("family-possible") | private | words("name-cues")
    return Gate(
        NAME_TAGS, FEWEST, SAID, [*TOLD, *core], [*CUES, *core], list(PLACES), list(BEFORE_NUMBERS), list(private),
        list(WITHOUT_FIGURES), list(asking), list(ENDINGS), *map("\n".join, (words("given-sure"), family, no_family)),
    )  # fmt: skip


def engine_over(
    native: Any, content: bytes | mmap, places: Places, gate: Gate, bias: int, confidence: float
) -> _Engine:
    """Return an engine of the module `native` over a bundle's content; `bias` is packed.

    Raises ValueError where the places lead out of the content.
    """
    fields = list(FIELDS_STRUCT.unpack(bias.to_bytes(FIELDS_STRUCT.size, "little")))
    return cast(_Engine, native.Engine(content, places, fields, confidence, gate, list(CATEGORIES), Classification))
