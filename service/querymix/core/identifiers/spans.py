"""What an identifier is, and how overlapping finds become one.

Rules:
- A find is a kind and a character span; it never holds text, so no repr, log line or error can show any.
- Finds that overlap become one span, named by the kind that comes first in `KINDS`: no part of either remains.
- A find that ends inside a word goes to the word's end, so that no part of an identifier remains.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

KINDS: Final[tuple[str, ...]] = (
    "secret", "email", "url", "us_ssn",
    # the rest of the world
    "ae_id", "ar_cuil", "ar_dni", "au_medicare", "au_tfn", "bd_nid", "bo_ci", "br_cnpj", "br_cpf", "br_pis", "br_rg",
    "br_sus", "br_voter", "ca_ohip", "ca_phn", "ca_ramq", "ca_sin", "cl_rut", "cn_resident_id", "co_cc", "co_nit",
    "cr_cpf", "cr_cr", "cu_ni", "do_cedula", "dz_nif", "ec_ci", "eg_id", "eg_tn", "gh_card", "gh_tin", "gn_nifp",
    "gt_dpi", "gt_nit", "hk_hkid", "hn_dni", "id_nik", "id_npwp", "il_idnr", "in_aadhaar", "in_epic", "in_pan",
    "ir_code", "jm_trn", "jp_in", "ke_pin", "kr_rrn", "kw_civil", "kz_iin", "lk_nic", "ma_cin", "ma_ice", "mo_bir",
    "mu_nid", "mx_curp", "mx_rfc", "my_nric", "mz_nuit", "ng_nin", "ni_cedula", "nz_ird", "nz_nhi", "pa_cedula",
    "pe_cui", "pe_ruc", "ph_id", "pk_cnic", "py_ruc", "qa_qid", "rw_id", "sa_id", "sg_nric", "sn_ninea", "sv_dui",
    "sv_nit", "th_pin", "tn_cin", "tn_mf", "tw_id", "tz_nida", "ug_nin", "us_ptin", "uy_ci", "uy_rut", "uz_pinfl",
    "ve_cedula", "ve_rif", "vn_cccd", "vn_mst", "za_id", "za_tin", "zm_nrc",
    # Europe
    "ad_nrt", "al_nipt", "am_ssn", "at_tin", "at_uid", "at_vnr", "az_voen", "ba_jmbg", "be_bis", "be_eid", "be_nn",
    "bg_egn", "bg_pnf", "by_pin", "by_unp", "ch_ahv", "ch_uid", "cy_tic", "cz_dic", "cz_rc", "de_idnr", "de_kvnr",
    "de_rvnr", "de_stnr", "de_vat", "dk_cpr", "ee_ik", "es_dni", "es_nie", "es_nif", "es_nss", "es_vat", "fi_hetu",
    "fi_veronumero", "fo_ptal", "fo_vn", "fr_nif", "fr_nir", "gb_nhs", "gb_nino", "gb_upn", "gb_utr", "ge_pin",
    "gr_afm", "gr_amka", "hr_oib", "hu_adoazonosito", "hu_anum", "hu_taj", "ie_pps", "ie_vat", "is_kennitala",
    "it_fiscal_code", "it_iva", "li_peid", "lt_asmens", "lu_matricule", "lv_pk", "lv_pvn", "md_idnp", "me_jmbg",
    "me_pib", "mk_edb", "mk_embg", "mt_id", "mt_vat", "nl_bsn", "nl_btw", "nl_document", "nl_onderwijsnummer", "no_fnr",
    "pl_nip", "pl_pesel", "pt_cc", "pt_nif", "pt_niss", "ro_cnp", "ro_cui", "rs_jmbg", "rs_pib", "ru_inn", "ru_ogrn",
    "ru_snils", "se_pnr", "si_ddv", "si_emso", "sk_dph", "sk_rc", "sm_coe", "tr_tckn", "tr_vkn", "ua_rnokpp",
    "card", "vehicle", "device",
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


GROUPS: Final = frozenset({"phone", "card"})
"""As which groups of an IBAN are read."""


def united(finds: Findings, text: str) -> Findings:
    """Return the finds whole, sorted and disjoint; one of `GROUPS` inside of an account is a part of that."""
    if len(finds) == 1:
        return [whole(finds[0], text)]
    left: Findings = []
    begin = end = -1  # the account that goes on furthest
    for find in sorted(finds, key=lambda one: one[1:]):
        if find.kind == "account" and find.end > end:
            begin, end = find[1:]
        if find.kind not in GROUPS or not (begin < find.start and find.end <= end):
            left.append(whole(find, text))
    return merged(left)


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
            others = ", ".join(kind for kind in KINDS if kind not in SEVERAL["ssn"])
            raise ValueError(
                f"{name!r} is no kind of identifier; those are {others}; ssn for all numbers of persons, or one "
                "of them by its name in docs/national-numbers.md, such as de_idnr"
            )
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
