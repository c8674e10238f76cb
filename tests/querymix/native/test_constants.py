"""What Python and Rust both write down is the same."""

import re
from pathlib import Path
from typing import Final

from querymix.codecs import aol, frames
from querymix.codecs import base as lines
from querymix.codecs.spelling import NULL
from querymix.core import gathering, guesses, knowledge, packed_weights, pool, pools, terms, unknown, word_pieces
from querymix.core.identifiers import tokens
from querymix.core.identifiers.names import roles
from querymix.core.records import Query, Release
from querymix.knowledge import layout
from querymix.local import thinned

SOURCE: Final = Path(guesses.__file__).parents[2] / "native" / "src"
RELEASE: Final = Release._fields
IN_PYTHON: Final = {
    "aol.rs": {
        "LONGEST_LINE": lines.LONGEST_LINE,
        "LONGEST_FIELD": lines.LONGEST_FIELD,
        "FIELDS": aol.HEADER.count("\t") + 1,
    },
    "bundle.rs": {
        "RECORD": layout.RECORD.size,
        "OWN_WEIGHTS": layout.OWN_WEIGHTS,
        "CATEGORY_WEIGHTS": layout.CATEGORY_WEIGHTS,
        "LATER_BITS": layout.LATER_BITS,
        "FIRST_BITS": layout.FIRST_BITS,
        "PREFILTER_BITS": knowledge.PREFILTER_BITS,
        "STOP": knowledge.STOP,
        "COMMON": knowledge.COMMON,
        "OWN": packed_weights._OWN,
        "OTHER": packed_weights._OTHER,
    },
    "decide.rs": {"LONGEST_UNIT": knowledge.LONGEST_UNIT},
    "each.rs": {"TEXT": Query._fields.index("text"), "URL": Query._fields.index("url")},
    "frames.rs": {"PLAIN": frames._RICH, "USER": RELEASE.index("user"), "ORIGIN": RELEASE.index("origin")},
    "frequent.rs": {
        "LONGEST": unknown.LONGEST,
        "MIN_CORRECTED": unknown.MIN_CORRECTED,
        "TOTAL": unknown._TOTAL,
        "MIN_COUNT": unknown.MIN_COUNT,
        "MIN_OF_TWO": unknown._MIN[2],
        "MIN_OF_THREE": unknown._MIN[3],
        "MIN_TARGET": unknown._MIN_TARGET,
        "EDIT": unknown.EDIT,
    },
    "gathering.rs": {"MAX_ROWS": gathering.MAX_ROWS, "ROWS": gathering.ROWS, "HEAD": gathering._HEAD},
    "unspaced.rs": {
        "MIN_UNSPACED": roles.MIN_UNSPACED,
        "LONGEST_REMEMBERED": roles.LONGEST_REMEMBERED,
        "COMMON_REFERENCES": roles.COMMON_REFERENCES,
        "RARE_REFERENCES": roles.RARE_REFERENCES,
        "HALF": roles.HALF,
        "FIRST_NAME": knowledge.FIRST_NAME,
        "SURNAME": knowledge.SURNAME,
        "STATE": knowledge.STATE,
        "PLACE": knowledge.PLACE,
        "FLAGS": knowledge.FLAGS,
    },
    "guesses.rs": {
        "SHORTEST_PART": guesses.SHORTEST_PART,
        "LONGEST": guesses.LONGEST,
        "SHORTEST_PIECE": word_pieces.SHORTEST,
        "LONGEST_PIECE": word_pieces.LONGEST,
    },
    "likeliest.rs": {
        "MIN_SEGMENTED": unknown.MIN_SEGMENTED,
        "MIN_OF_MANY": unknown.MIN_OF_MANY,
        "SEGMENTATION": unknown.SEGMENTATION,
        "OTHER_EDIT": unknown.OTHER_EDIT,
        "LONGEST_PIECE": unknown._LONGEST_PIECE,
        "IMPOSSIBLE": unknown._IMPOSSIBLE,
    },
    "packed.rs": {
        "FIELDS": packed_weights.FIELDS,
        "OFFSET": packed_weights.OFFSET,
        "LARGEST": packed_weights.LARGEST,
        "SCALE": packed_weights.SCALE,
    },
    "pairing.rs": {"ONE_QUERY": pool._ONE_QUERY},
    "periods.rs": {"FIELDS": len(RELEASE)},
    "pools.rs": {"MAX_TOGETHER": pools._MAX_TOGETHER},
    "queries.rs": {"AT": Query._fields.index("at"), "EXTRA": Query._fields.index("extra")},
    "records.rs": {"USER": RELEASE.index("user"), "POOL": RELEASE.index("pool")},
    "thinned.rs": {"LOOKS": thinned._LOOKS, "LOOKS_FOR_NEW": thinned._LOOKS_FOR_NEW},
    "words.rs": {"MAX_WORDS": terms.MAX_WORDS},
}
IN_RUST_ALONE: Final = {
    "bundle.rs": {"MOST_OF_A_RECORD"},
    "decide.rs": {"CLOSE", "UNCLASSIFIED"},
    "engine.rs": {"AT_ONCE"},
    "gate.rs": {"TOLD", "CUE", "SEED", "BEFORE_NUMBER", "PRIVATE", "WITHOUT_FIGURES", "ASKS"},
    "gathering.rs": {"READING", "KEY"},
    "json.rs": {"DEEPEST"},
    "queries.rs": {"USUAL"},
    "records.rs": {"HEAD", "M"},
    "twister.rs": {"SIZE", "FAR"},
    "words.rs": {"INSIDE", "END", "BETWEEN"},
}
_NUMBER: Final = re.compile(r"\bconst (\w+): \w+ = (-?\d[\d_.e-]*);")


def test_the_numbers_in_rust_are_those_in_python() -> None:
    for path in SOURCE.rglob("*.rs"):
        file = f"{path.parent.name}.rs" if path.name == "mod.rs" else path.name
        here_alone = IN_RUST_ALONE.get(file, set())
        found = {name: float(number) for name, number in _NUMBER.findall(path.read_text()) if name not in here_alone}
        assert found == IN_PYTHON.get(file, {}), file


def test_what_rust_names_as_its_twin_names_rust() -> None:
    for path in SOURCE.rglob("*.rs"):
        comment = "".join(line for line in path.read_text().splitlines(keepends=True) if line.startswith("//!"))
        for module in re.findall(r"querymix(?:\.\w+)+", comment):
            twin = SOURCE.parents[1] / f"{module.replace('.', '/')}.py"
            assert "service/native/src/" in twin.read_text(), (path.name, module)


def test_what_stands_for_no_value_is_what_does_in_python() -> None:
    assert {name.replace(r"\\", "\\") for name in _listed("aol.rs", "NULL")} | {""} == NULL


def test_the_links_and_the_parts_of_urls_are_those_in_python() -> None:
    assert _listed("guesses.rs", "LINKS") == list(guesses.LINKS)
    assert set(_listed("unknown.rs", "URL_PARTS")) == unknown._URL_PARTS


def test_what_is_elided_is_what_python_s_expression_elides() -> None:
    listed = _listed("unknown.rs", "ELIDED")
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = {*listed, *letters, *(a + b for a in letters for b in letters), *(word + "l" for word in listed)}
    words |= {word[:-2] + end for word in listed for end in ("gl", "ll")}
    assert {word for word in words if unknown.ELIDED.match(f"{word}'a")} == set(listed)


def test_what_the_gate_takes_as_elided_is_what_python_s_expression_does() -> None:
    listed = _listed("gate.rs", "ELIDED")
    assert sorted(listed, key=len, reverse=True) == listed
    assert {*listed} == {*tokens.ELIDED.pattern.removeprefix("(?:").partition(")")[0].split("|")}


def _listed(name: str, constant: str) -> list[str]:
    found = re.search(rf"const {constant}: [^=]*= \[(.*?)\];", next(SOURCE.rglob(name)).read_text(), re.DOTALL)
    assert found is not None
    return re.findall(r'b?"([^"]*)"', found[1])
