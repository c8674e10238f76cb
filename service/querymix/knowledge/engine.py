"""The native path over a bundle (service/native): what most queries need, in compiled code.

Rules:
- Where it is not used (querymix.native_path) there is no engine, and plain Python does the same.
- All that it knows comes from here: places in the bundle, and the words that the gate of identifiers asks for.
- It borrows the bundle's memory, and lets go of it when the bundle is closed.
"""

from mmap import mmap
from typing import Any, NamedTuple, Protocol, cast

from querymix.core.classify import Engine
from querymix.core.identifiers.detector import CUES, NAME_TAGS, TOLD
from querymix.core.identifiers.recognizers.seed_phrase import FEWEST, PLACES, SAID
from querymix.core.identifiers.recognizers.street.ended import BEFORE_NUMBERS, ENDINGS
from querymix.core.knowledge import CATEGORIES
from querymix.core.packed_weights import FIELDS_STRUCT
from querymix.core.records import Classification
from querymix.knowledge.bundle import Borrower, Bundle, Places
from querymix.native_path import module


class _Engine(Engine, Borrower, Protocol):
    """What `querymix.native` has."""


class _Gate(NamedTuple):
    """What the gate asks for (`suspicious` of querymix.core.identifiers.detector)."""

    name_tags: int
    fewest: int
    said: int
    told: list[str]
    cues: list[str]
    seeds: list[str]
    before_numbers: list[str]
    endings: list[str]


def make_engine(bundle: Bundle, confidence: float) -> Engine | None:
    """Return an engine over a bundle, None where there is no native path.

    `confidence` is the least share (0 to 1) of the winning category. Raises ConfigError where the module cannot be
    loaded here or is older than its sources.
    """
    native = module()
    if native is None:
        return None
    return bundle.lend(lambda content, places: engine_over(native, content, places, bundle.bias, confidence))


def engine_over(native: Any, content: bytes | mmap, places: Places, bias: int, confidence: float) -> _Engine:
    """Return an engine of the module `native` over a bundle's content; `bias` is packed.

    Raises ValueError where the places lead out of the content.
    """
    fields = list(FIELDS_STRUCT.unpack(bias.to_bytes(FIELDS_STRUCT.size, "little")))
    gate = _Gate(NAME_TAGS, FEWEST, SAID, list(TOLD), list(CUES), list(PLACES), list(BEFORE_NUMBERS), list(ENDINGS))
    return cast(_Engine, native.Engine(content, places, fields, confidence, gate, list(CATEGORIES), Classification))
