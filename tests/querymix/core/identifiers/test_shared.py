"""Codes that many share stay: publications, genes, patents, products, moments. All data is made up or public."""

import pytest
from querymix.core.identifiers.shared import a_moment, masked_forms, of_a_product

from tests.querymix.core.identifiers.kit import kept

STAYS = """
10.1038/s41586-020-2649-2; doi 10.1145/3368089.3409742; https://doi.org/10.1016/j.cell.2020.02.058;
10.1016/s0140-6736(20)30183-5; 10.1103/physrevlett.116.061102 pdf; chr7:140453136; chr7:140453136-140453137;
chrx:153,296,777; grch38 chr1:155205634; nm_000546.5; nc_000007.14:g.140753336a>t; ensg00000141510 expression;
mn908947.3; pmc7095418; ep1234567b1; us10123456b2 patent; wo2019123456a1; cve-2021-44228; rfc 2616; 978-3-16-148410-0;
3-540-97985-6; issn 2049-3630; error 0x80070005; stm32f407vgt6 pinout; corsair cmk16gx4m2b3200c16;
siemens 6es7212-1af40-0xb0; intel bx80684i78700k; crucial ct16g4sfd8266 vs ct16g4sfra32a; seagate st340015a;
western digital wd40ezrz-00gxcb0; samsung m393a2k43bb1-crc; whirlpool w10295370a filter; toyota 90915-yzzd1;
volkswagen 06a115561b; honda 15400-plm-a02; rtx 3080 10g-p5-3897-kr; mc34063adr2g567 datasheet; digikey 296-6501-5-nd;
stm32g431cbu6 nucleo; esp32-s3-wroom-1-n16r8; loc105378949; kb4012212;
replacement for 6ra7018-6dv62-0; fru 00hw023456; 1718064000 to date; convert 1718064000 utc;
what date is 1672531199;
1609459200000 in date; 1718064000 in human time; from_unixtime(1700000000); date -d @1700000000; 192.0.2.1 example;
198.51.100.1 documentation; 203.0.113.5 rfc 5737; 2001:db8::1 documentation
"""
GOES = [
    ("ab12cd34ef56", ""),
    ("corsair order cmk16gx4m2b3200c16", "corsair order"),
    ("hp serial number ab12cd34ef56", "hp serial number"),
    ("xbox gift card code ab12cd34ef56gh", "xbox gift card code"),
    ("samsung d41d8cd98f00b204e9800998ecf8427e", "samsung"),
    ("intel 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "intel"),
    ("toyota 1hgcm82633a004352", "toyota"),
    ("apple 2125550147", "apple"),
    ("bosch 123837465019", "bosch"),
    ("datasheet for order 112-3456789-1234567", "datasheet for order"),
    ("corsair " + "and so on " * 8 + "ab12cd34ef56", "corsair " + "and so on " * 7 + "and so on"),
    ("call 1718064000", "call"),
    ("1718064000 call back time", "call back time"),
    ("1718064000", ""),
    ("2125550147 date", "date"),
    ("192.0.2.1", ""),
    ("198.51.100.7 blocked", "blocked"),
    ("81.2.69.142 example", "example"),
    ("10.1038/ssn 219-09-9999", "10.1038/ssn"),
    ("chr7:140453136 212-555-0147", "chr7:140453136"),
    ("jt527718b", ""),
    ("medical record xc766159", "medical record"),
    ("stm32x219-09-9999", ""),
]


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_code_that_many_share_stays(text: str) -> None:
    assert kept(text) == (text, [])


@pytest.mark.parametrize(("text", "left"), GOES)
def test_in_doubt_a_code_goes(text: str, left: str) -> None:
    assert kept(text)[0] == left


def test_a_shared_form_is_masked_in_its_place() -> None:
    assert masked_forms("see 10.1038/x now") == "see ||||||||| now"
    assert masked_forms("chr 7 of 10") == "chr 7 of 10"


def test_a_product_number_is_a_short_mix_beside_a_word_for_products() -> None:
    assert of_a_product("intel bx80684i78700k", 6, 20)
    assert of_a_product("linear technology ltc3780eg", 18, 27)
    assert not of_a_product("intel 123456789012", 6, 18)
    assert not of_a_product("intel " + "x1" * 13, 6, 32)
    assert not of_a_product("bx80684i78700k", 0, 14)


@pytest.mark.parametrize(
    ("digits", "moment"),
    [
        ("1718064000", True),
        ("1609459200000", True),
        ("1609459200000000", True),
        ("2125550147", False),
        ("17180640", False),
    ],
)
def test_a_moment_has_ten_digits_or_thousandths_and_begins_with_one(digits: str, moment: bool) -> None:
    assert a_moment(digits) is moment


def test_shared_forms_are_masked_in_time_that_grows_with_the_text() -> None:
    for unit in ("10.1038/", "chr7:1", "nm_", "us1234567", "10.", "1"):
        assert len(masked_forms(unit * 30_000)) == len(unit) * 30_000
