"""What an identifier is, and how overlapping finds become one.

Rules:
- A find is a kind and a character span; it never holds text, so no repr, log line or error can show any.
- Finds that overlap become one span, named by the kind that comes first in `KINDS`: no part of either remains.
- A find that ends inside a word goes to the word's end, so that no part of an identifier remains.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

KINDS: Final[tuple[str, ...]] = (
    "secret", "email", "url", "us_ssn", "ae_id", "ar_cuil", "au_medicare", "au_tfn", "be_nn", "br_cnpj", "br_cpf",
    "ca_sin", "ch_ahv", "cl_rut", "cn_resident_id", "cz_rc", "de_rvnr", "dk_cpr", "es_dni", "es_nie", "fr_nir",
    "gb_nino", "hk_hkid", "ie_pps", "in_aadhaar", "in_pan", "it_fiscal_code", "mx_curp", "mx_rfc", "my_nric",
    "nl_bsn", "no_fnr", "nz_nhi", "pl_pesel", "pt_nif", "sg_nric", "th_pin", "za_id", "card", "vehicle", "device",
    "ip", "phone", "medical", "plan", "account", "licence", "plate", "photo", "location", "address", "zip", "date",
    "age", "name", "username", "code",
)  # fmt: skip
"""The identifiers of 45 CFR 164.514(b)(2)(i) as they show in queries, the most telling first, and `secret`: passwords,
tokens, keys, links that are keys, seed phrases and one-time codes. Fax numbers are `phone`, certificate numbers
`licence`, IBANs and wallets `account`, accounts at a service and home folders `username`, exact coordinates and codes
of places `location`, postcodes of letters `zip`; a country's numbers of persons begin with the country; a city is cut
with the street (`address`) or ZIP code (`zip`) beside it."""

SEVERAL: Final = {"ssn": frozenset(kind for kind in KINDS if kind[2:3] == "_")}
"""Names for several kinds: `ssn` was the kind of all countries' numbers of persons up to version 0.2."""

RANK: Final = {kind: rank for rank, kind in enumerate(KINDS)}

OWN_MARKS: Final = {"email": ".+-_%'", "secret": "+-_%~", "username": "_"}
"""Marks that are as good as letters inside an identifier of a kind."""


class Identifier(NamedTuple):
    """One find: `text[start:end]` is an identifier of this kind."""

    kind: str
    start: int
    end: int


Findings = list[Identifier]
"""Where the recognizers put what they find."""


def merged(finds: Iterable[Identifier]) -> list[Identifier]:
    """Return the finds sorted and disjoint, overlapping ones united under the kind of the better rank."""
    result: list[Identifier] = []
    for kind, start, end in sorted(finds, key=lambda one: one[1:]):
        if result and start < result[-1].end:
            last = result.pop()
            result.append(Identifier(min(last.kind, kind, key=RANK.__getitem__), last.start, max(last.end, end)))
        else:
            result.append(Identifier(kind, start, end))
    return result


MASK: Final = "|"
"""What stands for a character of a find: no letter, digit or space, nor a mark that identifiers hold."""


def masked(text: str, finds: Iterable[Identifier]) -> str:
    """Return `text` with `MASK` for each character of the finds."""
    parts: list[str] = []
    at = 0
    for _, start, end in merged(finds):
        parts += (text[at:start], MASK * (end - start))
        at = end
    return "".join([*parts, text[at:]])


def whole(find: Identifier, text: str) -> Identifier:
    """Return a find with the rest of the words that it begins or ends in."""
    kind, start, end = find
    marks = OWN_MARKS.get(kind, "")
    while start > 0 and _inside(text[start - 1], text[start], marks):
        start -= 1
    while end < len(text) and _inside(text[end], text[end - 1], marks):
        end += 1
    while end > find.end and text[end - 1] in marks:
        end -= 1  # "write to jo@example.com."
    return find if (start, end) == find[1:] else Identifier(kind, start, end)


def _inside(char: str, inner: str, marks: str) -> bool:
    """Return whether `char` belongs to the same word as `inner`, the find's own character beside it."""
    return (char.isalnum() or char in marks) and (inner.isalnum() or inner in marks)


def word_set(text: str) -> frozenset[str]:
    """Return the set of the words in `text`, which is easier to read than a list of literals."""
    return frozenset(text.split())


def kinds_but(names: Iterable[str]) -> tuple[str, ...]:
    """Return `KINDS` without those that are named, or that a name of `SEVERAL` stands for.

    Raises ValueError for a name that is neither.
    """
    left = list(KINDS)
    for name in names:
        kinds = SEVERAL.get(name, {name})
        if not kinds <= RANK.keys():
            raise ValueError(f"{name!r} is no kind of identifier; those are {', '.join((*KINDS, *SEVERAL))}")
        left = [kind for kind in left if kind not in kinds]
    return tuple(left)


def cut(text: str, finds: Sequence[Identifier]) -> str:
    """Return `text` without the spans of `finds` (sorted and disjoint), single spaces between what is left."""
    if not finds:
        return text
    parts = []
    at = 0
    for _, start, end in finds:
        parts.append(text[at:start])
        at = end
    parts.append(text[at:])
    return " ".join(" ".join(parts).split())
