"""The laboratory's commands, by what is typed after `querymix`; the command line of the product reads `COMMANDS`.

A command says which packages it cannot do without where it imports them late, so that the help lists it with what to
install. One that does part of its work without them says so when it comes to the other part.
"""

from collections.abc import Mapping
from typing import Final

from querymix.commands.lazy import Place

_ATTACKS: Final = ("numpy", "scipy", "sklearn")

STUDIES: Final[Mapping[str, Place]] = {
    "run": Place("querymix_lab.commands.study_run", "run", (*_ATTACKS, "matplotlib")),
    "utility": Place("querymix_lab.commands.study_utility", "utility", ("numpy", "rapidfuzz", "scipy")),
    "protocol": Place("querymix_lab.commands.study_protocol", "protocol", ("numpy", "scipy")),
    "classifier": Place("querymix_lab.commands.study_classifier", "classifier"),
    "identifiers": Place("querymix_lab.commands.study_identifiers", "identifiers"),
    "linguistics": Place("querymix_lab.commands.study_identifiers", "linguistics", ("spacy",)),
    "recommendations": Place(
        "querymix_lab.commands.study_identifiers", "recommendations", ("names", "symspellpy", "wordsegment")
    ),
}
COMMANDS: Final[Mapping[str, Place]] = {
    "batch": Place("querymix_lab.commands.batch", "batch"),
    "compare": Place("querymix_lab.commands.compare", "compare", _ATTACKS),
    "attack": Place("querymix_lab.commands.attack", "attack", _ATTACKS),
    "match": Place("querymix_lab.commands.attack", "match"),
    "study": Place("querymix_lab.commands.study", "study"),
    "knowledge build": Place("querymix_lab.commands.knowledge", "build"),
    "knowledge learn": Place("querymix_lab.commands.knowledge", "learn"),
    "knowledge teach": Place(
        "querymix_lab.commands.knowledge", "teach", ("numpy", "safetensors", "scipy", "tokenizers")
    ),
}
