"""Writes docs/national-numbers.md from the tables of numbers of persons: `python -m docs.national_numbers`."""

from inspect import getclosurevars
from itertools import groupby
from pathlib import Path
from typing import Final

from querymix.core.identifiers.recognizers.national import SCHEMES
from querymix.core.identifiers.recognizers.national import checks_east as east
from querymix.core.identifiers.recognizers.national.patterns import ONE_CHECK, ONE_LETTER
from querymix.core.identifiers.recognizers.national.scheme import Scheme, telling

FILE: Final = Path(__file__).with_name("national-numbers.md")
HEAD: Final = """\
# Numbers of persons by country

Written by `python -m docs.national_numbers`, from `service/querymix/core/identifiers/recognizers/national`. Each kind
is a name for `--keep-identifiers`; `ssn` is all of them.

- **Form**: `d` a digit, `l` a letter, `x` either, each with its count; `d9` is nine digits.
- **Groups**: sizes with what stands between. `~` is a space, a dot, a dash or a slash; without it the marks are the
  number's own. One run without marks is always understood.
- **Check**: what the number's own rules say, in the words of the code.
- **Chance**: of random strings of the form, the share that passes the check (`< 0.05 %`: less than that).
- **Alone**: whether a right check is enough without a word. "anywhere": chance passes it once in a hundred at most, or
  its letters stand where few other things have them. "in its groups": other things are not written so, with marks of
  two kinds (`3.5.2-1`) or a bracket, or it is how a country writes them most (`8-1!`).
  "as the whole query": where nothing else stands in the query but a country's code,
  with nine digits or more, letters, or its own groups. A lone number in doubt goes: of nine random digits in threes
  about 60 % do. Beside one of its **words** a number goes whatever its check says. Accents may
  be left out, and the parts of a word may be parted or not (`steuer id`, `steuer-id`, `steuerid`).

One run of nine digits or more goes as a `code` too, whoever's it is. Not so an EAN of thirteen digits or a UPC of
twelve with a right check digit and a prefix that GS1 gives for articles (5.5 and 6.9 % of random digits), unless a
check that chance passes once in a hundred at most is right too, or a word says that it is somebody's.

| kind | form | groups | check | chance | alone | words |
|---|---|---|---|---|---|---|
"""


def form(places: str) -> str:
    """Return a shape with counts: "lddd" is "l1d3"."""
    return "".join(f"{sign}{len(list(run))}" for sign, run in groupby(places))


def alone(row: Scheme) -> str:
    """Return where a right check is enough."""
    if row.sure:
        return "anywhere"
    own = any("~" not in groups for groups in row.groups)
    letters = any("l" in places for places in row.places)
    whole = own or row.chance <= (ONE_LETTER if letters else ONE_CHECK)
    apart = ["in its groups"] if any(map(telling, row.groups)) else []
    return ", ".join(apart + (["as the whole query"] if whole else [])) or "never"


def check(row: Scheme) -> str:
    """Return what a row's check says of itself; behind a country's code, what the check of the rest says."""
    if row.checks is None:
        return "none"
    inner = getclosurevars(row.checks).nonlocals
    checks = inner.get("checks", east.emso if "regions" in inner else row.checks)
    said = str(checks.__doc__ or "").split("\n")[0].rstrip(".")
    return f"{inner['begin'].upper()}, then {said}" if "begin" in inner else said


def line(row: Scheme) -> str:
    """Return a row of the table."""
    chance = "< 0.05 %" if row.chance <= 0.0005 else f"{100 * row.chance:.2g} %" if row.chance < 1 else "100 %"
    cells = (
        row.kind,
        ", ".join(map(form, row.places)),
        ", ".join(f"`{groups}`" for groups in row.groups),
        check(row),
        chance,
        alone(row),
        ", ".join(row.words),
    )
    return f"| {' | '.join(cells)} |\n"


def page() -> str:
    """Return the page."""
    return HEAD + "".join(line(row) for row in sorted(SCHEMES, key=lambda row: row.kind))


if __name__ == "__main__":
    FILE.write_text(page(), "utf-8")
