"""Countries' numbers in one table: found as people type them, checked as python-stdnum does. All data is made up."""

import random
from collections.abc import Callable
from typing import Final

import pytest
from querymix.core.identifiers.numbers import gs1
from querymix.core.identifiers.recognizers import countries
from stdnum.ar import cuit
from stdnum.au import tfn
from stdnum.be import nn
from stdnum.ch import ssn
from stdnum.cl import rut
from stdnum.cz import rc
from stdnum.dk import cpr
from stdnum.ie import pps
from stdnum.mx import rfc
from stdnum.my import nric
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.pt import nif
from stdnum.th import pin
from stdnum.za import idnr

from tests.querymix.core.identifiers.kit import kept

TYPED: Final = [
    ("ae_id", "784-1980-1234567-1"), ("ar_cuil", "20-26756539-3"), ("ar_cuil", "20 26756539 3"),
    ("au_medicare", "2123 45670 1"), ("au_medicare", "2123-45670-1"), ("au_tfn", "123 456 782"),
    ("be_nn", "85.07.30-033.28"), ("be_nn", "85 07 30 033 28"), ("ch_ahv", "756.4829.1736.02"),
    ("ch_ahv", "756 4829 1736 02"), ("cl_rut", "14.738.265-0"), ("cl_rut", "14738265-0"), ("cl_rut", "9.482.671-3"),
    ("cl_rut", "9 482 671-3"), ("cz_rc", "710319/2745"), ("de_rvnr", "65 170839 J 003"), ("de_rvnr", "65170839j003"),
    ("dk_cpr", "211062-5629"), ("dk_cpr", "211062 5629"), ("hk_hkid", "a123456(3)"), ("hk_hkid", "Z683365(5)"),
    ("hk_hkid", "AB987654(3)"), ("hk_hkid", "a1234563"), ("hk_hkid", "G123456A"), ("ie_pps", "6433435F"),
    ("ie_pps", "1234567fa"), ("mx_rfc", "mqpl840217h53"), ("mx_rfc", "MQPL-840217-H53"), ("my_nric", "770305 02 1234"),
    ("my_nric", "770305-02-1234"), ("nl_bsn", "1112.22.333"), ("no_fnr", "151086 95088"), ("nz_nhi", "zac5361"),
    ("pl_pesel", "440514 01359"), ("sg_nric", "s7482913i"), ("sg_nric", "T1234567J"), ("sg_nric", "F1234567N"),
    ("sg_nric", "G1234567X"), ("sg_nric", "M1234567K"),
    ("th_pin", "1 2345 45678 78 1"), ("th_pin", "1-2345-45678-78-1"),
    ("plan", "1EG4-TE5-MK73"), ("plan", "1eg4te5mk73"), ("za_id", "750330 5044 089"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "number"), TYPED)
def test_a_number_is_found_whole_as_it_is_typed(kind: str, number: str) -> None:
    left, kinds = kept(number)
    assert (left, kinds) in (("", [kind]), ("", ["phone"]), ("", ["code"]))
    if kind not in {"nz_nhi", "au_tfn"}:  # other things have these forms too
        assert kept(f"what is {number} pizza")[0] == "what is pizza"
        assert kept(f"id_{number}\t")[0] in {"id_", ""}


@pytest.mark.parametrize(
    ("kind", "text", "left"),
    [
        ("au_tfn", "my tfn 123 456 789", "my tfn"),
        ("nl_bsn", "bsn 111 222 334", "bsn"),
        ("pt_nif", "nif 501 442 601", "nif"),
        ("nz_nhi", "nhi zac5362", "nhi"),
        ("nz_nhi", "nhi zbn77vl", "nhi"),
        ("hk_hkid", "hkid ab9876544", "hkid"),
        ("sg_nric", "nric s7482913a", "nric"),
        ("ie_pps", "pps 6433435oa", "pps"),
        ("au_medicare", "medicare 2123 45671 1", "medicare"),
        ("code", "dni 20.123.456", "dni"),
        ("code", "national insurance qq123456c", "national insurance"),
    ],
)
def test_beside_its_word_a_mistyped_number_goes_too(kind: str, text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert kind in kinds or kinds[0] in {"plan", "code"}


@pytest.mark.parametrize(
    "text",
    [
        "gb123456a steel grade", "kernel 5.15.0-91", "s7482913a pizza", "a1234564 pizza", "rtx3080 price",
        "zac5361 pizza", "756.4829.1736.03", "mqpl841317h53", "710319/2746 pizza", "6433435g pizza", "part s7482913i",
        "1.234.567 people", "2005-2006 season", "151086 95087 x", "3-540-97985-6",
    ],
)  # fmt: skip
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])


Check = Callable[[str], bool]
ORACLES: Final[dict[str, tuple[str, Check, Check]]] = {
    # kind: a form ("#" any digit, "D" a day of 1 to 28, "M" a month, "@" a letter), our check, the oracle's
    "ar_cuil": ("20#########", countries.ar_cuil, cuit.is_valid),
    "au_tfn": ("#########", countries.au_tfn, tfn.is_valid),
    "be_nn": ("##MD#####", countries.be_nn, nn.is_valid),
    "ch_ahv": ("756##########", gs1, ssn.is_valid),
    "cl_rut": ("########", countries.cl_rut, rut.is_valid),
    "cz_rc": ("7#MD####", countries.cz_rc, rc.is_valid),
    "dk_cpr": ("DM######", countries.dk_cpr, lambda code: cpr.is_valid(code) and cpr.checksum(code) == 0),
    "ie_pps": ("#######@", countries.ie_pps, pps.is_valid),
    "mx_rfc": ("mqpl##MDh53", countries.mx_rfc, rfc.is_valid),
    "my_nric": ("##MD######", countries.my_nric, nric.is_valid),
    "nl_bsn": ("#########", countries.nl_bsn, bsn.is_valid),
    "no_fnr": ("DM#######", countries.no_fnr, fodselsnummer.is_valid),
    "pl_pesel": ("##MD#####", countries.pl_pesel, pesel.is_valid),
    "pt_nif": ("#########", countries.pt_nif, nif.is_valid),
    "th_pin": ("#############", countries.th_pin, pin.is_valid),
    "za_id": ("##MD#######", countries.za_id, idnr.is_valid),
}
LAST: Final = {"cl_rut": "0123456789k", "ie_pps": "abcdefghijklmnopqrstuvw"}


@pytest.mark.parametrize("kind", ORACLES)
def test_what_the_oracle_says_is_right_is_right_here_with_every_last_character(kind: str) -> None:
    form, checks, oracle = ORACLES[kind]
    draw = random.Random(19)
    right = 0
    for _ in range(2_000):
        code = "".join(
            {"#": str(draw.randint(0, 9)), "D": f"{draw.randint(1, 28):02}", "M": f"{draw.randint(1, 12):02}"}.get(
                place, draw.choice("abcdefghijklmnopqrstuvw") if place == "@" else place
            )
            for place in form
        )
        if oracle(code.upper()):
            right += 1
            ends = [code[:-1] + last for last in LAST.get(kind, "0123456789")]
            assert checks(code)
            assert [end for end in ends if checks(end)] == [end for end in ends if oracle(end.upper())]
    assert right >= 10


@pytest.mark.parametrize(
    ("checks", "code"),
    [
        (countries.sg_nric, "s1234567d"), (countries.hk_hkid, "a1234563"), (countries.hk_hkid, "ab9876543"),
        (countries.nz_nhi, "zac5361"), (countries.au_medicare, "2123456701"), (countries.de_rvnr, "15070649c103"),
    ],
)  # fmt: skip
def test_a_check_without_an_oracle_takes_one_last_character_of_all(checks: Check, code: str) -> None:
    place = 8 if code == "2123456701" else len(code) - 1
    ends = "0123456789a" if code[place].isdigit() and checks is countries.hk_hkid else "0123456789"
    ends = ends if code[place].isdigit() else "abcdefghijklmnopqrstuvwxyz"
    assert [end for end in ends if checks(code[:place] + end + code[place + 1 :])] == [code[place]]


def test_every_row_is_tried_and_its_number_is_typed_in_a_test() -> None:
    assert {row.kind for row in countries.SCHEMES} - {"pt_nif"} == {kind for kind, _ in TYPED} - {"nz_nhi"}
