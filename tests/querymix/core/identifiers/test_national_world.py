"""Numbers of persons outside Europe as they are typed, in their own scripts; worked examples; look-alikes that stay."""

import random
import string
from collections.abc import Callable
from typing import Final

import pytest
from querymix.core.identifiers.recognizers.national import africa_oceania, americas, asia
from stdnum import verhoeff
from stdnum.cn import ric
from stdnum.mu import nid

from tests.querymix.core.identifiers.kit import kept

TYPED: Final = [
    # North America
    ("sin 046 454 286", "sin"), ("numéro d'assurance sociale 046-454-286", "numéro d'assurance sociale"),
    ("nas 046454286", "nas"), ("phn 9698 658 215", "phn"), ("ohip 9131-778-053", "ohip"),
    ("ramq dybk 4756 0930", "ramq"), ("carte soleil DYBK47560930", "carte soleil"), ("ptin P01594846", "ptin"),
    ("medicare 1EG4-TE5-MK73", "medicare"), ("curp HEGG 560427 MVZRRL 04", "curp"), ("hegg560427mvzrrl04", ""),
    ("rfc GODE 561231 GR8", "rfc"), ("gode561231gr8 sat", "sat"), ("rfc mab-930714-8t4", "rfc"),
    # Latin America
    ("cpf 390.533.447-05 receita", "cpf receita"), ("390533447-05", ""), ("cnpj 12.ABC.345/01DE-35", "cnpj"),
    ("pis pasep 120.56412.54-5", "pis pasep"), ("título de eleitor 1436 9564 0795", "título de eleitor"),
    ("titulo eleitoral 143695640795", "titulo eleitoral"), ("cartão sus 952 5481 4542 1247", "cartão sus"),
    ("rg 24.678.131-4 sp", "rg sp"), ("cuil 20-26756539-3", "cuil"), ("20 26756539 3", ""),
    ("dni 20.123.456", "dni"), ("dni 20123456", "dni"), ("rut 14.738.265-0", "rut"), ("9.482.671-3", ""),
    ("rut 76086428-5", "rut"), ("nit 213.123.432-1", "nit"),
    ("cin bk123456", "cin"), ("cédula 79.482.613", "cédula"),
    ("cedula de ciudadania 1019482613", "cedula de ciudadania"), ("cédula 1-613-584", "cédula"),
    ("dimex 155812994816", "dimex"), ("carnet de identidad 91021027775", "carnet de identidad"),
    ("cedula 224-0002211-1", "cedula"), ("cedula 171430710-3", "cedula"), ("ruc 1714307103001", "ruc"),
    ("nit 576937-K", "nit"), ("dpi 7026 81539 0933", "dpi"), ("identidad 0801-1990-12345", "identidad"),
    ("cedula 576-010790-6266M", "cedula"), ("cip 8-123-4567", "cip"), ("dni 10117410-2", "dni"),
    ("ruc 10054148289 sunat", "ruc sunat"), ("ruc 999160-3", "ruc"), ("nit 0614-050707-104-8", "nit"),
    ("dui 00016297-5", "dui"), ("ci uruguay 1.234.567-2", "ci uruguay"), ("rif V-11470283-4", "rif"),
    ("cedula v-12.345.678", "cedula"), ("trn 123-456-790", "trn"),
    # South Asia
    ("aadhaar 2341 2341 2346", "aadhaar"), ("3675 9834 6015", ""), ("vid 2341 2341 2341 2341", "vid"),
    ("आधार नंबर 234123412346", "आधार नंबर"),
    ("pan card ABCPE1234F", "pan card"), ("acupa7085r", ""), ("voter id WKH1186253", "voter id"), ("wkh1186253", ""),
    ("ka05mh1234", ""), ("KA 05 MH 1234 challan", "challan"), ("dl-01-ab-1234", ""), ("22 BH 6403 F", ""),
    ("vehicle number dl 1c aa 1111", "vehicle number"), ("cnic 34201-0891231-8", "cnic"),
    ("شناختی کارڈ 34201-0891231-8",
     "شناختی کارڈ"),
    ("nic 752221762V", "nic"), ("nid 2696406437", "nid"),
    # East and South-East Asia
    ("身份证号11010519491231002X查询", "身份证号 查询"),
    ("我的身份证号码是110105194912310021", "我的身份证号码是"),
    ("香港身份證 A123456(3)", "香港身份證 )"), ("hkid ab987654(3)", "hkid )"),
    ("身分證字號 A123456789", "身分證字號"),
    ("マイナンバー 6214 9832 0257", "マイナンバー"),
    ("個人番号は621498320257です", "個人番号は です"),
    ("身份证\uff11\uff11\uff10\uff11\uff10\uff15\uff11\uff19\uff14\uff19\uff11\uff12\uff13\uff11\uff10\uff10\uff12\uff38",
     "身份证"),
    ("주민등록번호는 971013-9019902", "주민등록번호는"),
    ("주민번호 9710139019903", "주민번호"),
    ("บัตรประชาชน 1-2345-45678-78-1",
     "บัตรประชาชน"),
    ("เลขประจำตัวประชาชน๑๒"
     "๓๔๕๔๕๖๗๘๗๘๑",
     "เลขประจำตัวประชาชน"),
    ("mykad 770305-02-1234", "mykad"), ("770305 02 1234", ""), ("nric S7482913I", "nric"), ("fin g1122144l", "fin"),
    ("s 1234567 d", ""), ("no ktp 3171011708450001", "no ktp"), ("npwp 01.312.166.0-091.000", "npwp"),
    ("mã số thuế 0100233488", "mã số thuế"), ("mst 0314409058-002", "mst"),
    ("căn cước công dân 083042715724", "căn cước công dân"),
    ("can cuoc 083 042 715 724", "can cuoc"), ("philhealth 12-345678901-2", "philhealth"),
    # West and Central Asia
    ("תעודת זהות 3933742-3", "תעודת זהות"),
    ("teudat zehut 039337423", "teudat zehut"), ("784-1980-1234567-1", ""),
    ("رقم الهوية 1160717193", "رقم الهوية"),
    ("إقامة iqama ٢١٦٠٧١٧١٩١",
     "إقامة iqama"),
    ("کد ملی ۳۴۸۹۳۲۵۲۸۱", "کد ملی"),
    ("иин 530527585989", "иин"), ("civil id 274010279365", "civil id"),
    # Africa
    ("za id number 750330 5044 08 9", "za id number"), ("7503305044089", ""), ("sars 0001339050", "sars"),
    ("kra pin A004416331M", "kra pin"), ("ghana card GHA-123456789-0", "ghana card"),
    ("ghana tin P0000803561", "ghana tin"),
    ("الرقم القومي \u0662\u0664\u0660\u0660\u0668\u0662\u0666\u0662\u0663\u0665\u0662\u0665\u0668\u0667",
     "الرقم القومي"),
    ("الرقم الضريبي \u0663\u0663\u0661-\u0661\u0660\u0665-\u0662\u0666\u0668",
     "الرقم الضريبي"),
    ("nif 408 020 000 150 039", "nif"), ("ice 00 21 36 09 30 00 040", "ice"), ("nuit 400 005 834", "nuit"),
    ("matricule fiscal 1234567/M/A/E/001", "matricule fiscal"), ("matricule fiscal 1282182 w", "matricule fiscal"),
    ("ninea 30672212G2", "ninea"), ("nin 58612394701", "nin"), ("nrc 123456/78/1", "nrc"),
    # Oceania
    ("tfn 123 456 782", "tfn"), ("my tfn 123 456 789", "my tfn"), ("medicare 2123 45670 1", "medicare"),
    ("ird 49-098-576", "ird"), ("nz 49-098-576", ""), ("nhi zac5361", "nhi"), ("zac5361", ""), ("nhi zbn77vl", "nhi"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "left"), TYPED)
def test_a_number_goes_whole_as_it_is_typed(text: str, left: str) -> None:
    assert kept(text)[0].rstrip(" .,") == left


STAYS: Final = """
20260102; 2026-01-02; 02.01.2026; 1234567; 4 006 381 people; rfc 2616; rfc 791 1981; pan 1234 movie; sin city 2005;
iphone 15 pro 256; nit 1500 bed; rut 2000 deer; dui 2024 laws; ruc 2023 calendario; rif 2022 morocco; dni 2024 cita;
cedula 2024 requisitos; nik 1985 film; tfn 2024 form; ird 2024 25; epic 7 2018; medicare 2024; voter 2024 turnout;
hp 15 in 2008; up 20 in 2008; as 10 of 2005; or 12 to 2004; ap 12 in 2005; window 10 of 2019; mh370 2014; ka 2013;
iso 9001-1; iec 60601-1; en 50155-2; 2004-5 season; ra 7610-1; 1.234.567 people; population 20.123.456;
june 200512; july 199901; gb123456a steel grade; s7482913a pizza; a1234564 pizza; zac5362;
part number 12345678-5; part no 1234567-1; model a123456789; imo 9074729 ship; 1/2/2024; 8-1-1; 3-4455 bus;
nid 2024; nin 2023 album; civil id 2024; my number 1 song 1999; ice 2004; mf 5000 tractor; bvn 2024; trn 2024;
kra 2024; multa ruc 10000 soles; cedula 75000 pesos; cuanto cuesta la cedula 500000; nit 12500; cin 2024; cin ab 12;
123 456 789; 100 200 300; 10 20 30 40 50 60 70; 2004 2005 2006; 1111 2222 3333; nic 2023 wifi
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])


def test_a_mobiles_number_is_no_persons() -> None:
    assert kept("imei 490154203237518")[1] == ["device"]


Check = Callable[[str], bool]
WORKED: Final[list[tuple[Check, str]]] = [
    (americas.br_sus, "952548145421247"),
    (americas.sv_dui, "000162975"),  # RNPN's rule, counted out
    (americas.uy_ci, "12345672"),  # DNIC's rule, counted out
    (americas.br_pis, "12056412545"),
    (americas.gt_dpi, "7026815390933"),
    (asia.sg_nric, "s1234567d"),
    (asia.sg_nric, "g1234567x"),
    (asia.sg_nric, "m1234567k"),
    (asia.hk_hkid, "a1234563"),  # Immigration Department, the example of the card
    (asia.hk_hkid, "ab9876543"),
    (asia.tw_id, "a123456789"),
    (asia.ir_code, "0084575948"),
    (asia.kz_iin, "530527585989"),
    (africa_oceania.au_medicare, "2123456701"),
    (africa_oceania.nz_nhi, "zac5361"),  # HISO 10046
    (africa_oceania.nz_nhi, "zbn77vl"),
]
PLACE: Final[dict[Check, int]] = {americas.gt_dpi: 8, africa_oceania.au_medicare: 8}
"""Where the check digit stands, where it is not the last sign."""


@pytest.mark.parametrize(("checks", "code"), WORKED)
def test_of_a_worked_example_one_check_digit_of_all_is_right(checks: Check, code: str) -> None:
    at = PLACE.get(checks, len(code) - 1)
    signs = string.digits + "a" * (checks is asia.hk_hkid) if code[at].isdigit() else string.ascii_lowercase
    assert [sign for sign in signs if checks(code[:at] + sign + code[at + 1 :])] == [code[at]]


@pytest.mark.parametrize(
    ("checks", "code"),
    [
        (americas.br_voter, "143695640795"), (americas.hn_dni, "0801199012345"),
        (americas.ni_cedula, "5760107906266m"), (asia.kw_civil, "274010279365"), (asia.sa_id, "1160717193"),
        (africa_oceania.eg_id, "24008262352587"), (africa_oceania.tz_nida, "19900320141210000123"),
        (africa_oceania.rw_id, "1197880440220136"),
    ],
)  # fmt: skip
def test_a_number_that_the_oracle_has_not_is_right_and_with_an_impossible_part_it_is_not(
    checks: Check, code: str
) -> None:
    assert checks(code)
    assert not checks("9" * len(code[:-1]) + code[-1])


@pytest.mark.parametrize(
    ("form", "last", "checks", "oracle"),
    [
        ("############", "", asia.verhoeff, verhoeff.is_valid),
        ("11010519491231###", "0123456789x", asia.cn_resident_id,
         lambda code: ric.calc_check_digit(code) == code[-1].upper()),
        ("k280681######", string.digits + "abcdefg", africa_oceania.mu_nid, lambda code: nid.is_valid(code.upper())),
    ],
    ids=["verhoeff", "cn_resident_id", "mu_nid"],
)  # fmt: skip
def test_a_check_says_what_the_oracles_check_says(form: str, last: str, checks: Check, oracle: Check) -> None:
    draw = random.Random(15)
    codes = [
        "".join([draw.choice(string.digits) if sign == "#" else sign for sign in form])
        + draw.choice(last or string.digits)
        for _ in range(3_000)
    ]
    right = [code for code in codes if oracle(code)]
    assert [code for code in codes if checks(code)] == right
    assert len(right) > 100
