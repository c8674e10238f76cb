"""Siblings of forms that are found: the same identifier with another mark, word, order or language beside it."""

import pytest

from tests.querymix.core.identifiers.kit import goes, lines, released

GOES = r"""
    219,09,9999 => 219 | 9999
    ssn 219, 09, 9999 => 219 | 9999
    212,555,0147 pizza => 555 | 0147
    austin tx 78701 4321 => 78701 | 4321
    00 1a 2b 3c 4d 5e => 2b | 5e
    mac 00 11 22 33 44 77 => 11 | 77
    mastodon @jane_doe@example.social => jane
    jane [ at ] example [ dot ] com => jane
    jane |at| example |dot| com => jane
    jane -at- example -dot- com => jane
    jane#at#example.com => jane
    enter 730264 to log in => 730264
    use 730 264 to verify your instagram => 730
    backup codes 7302 6412 => 7302 | 6412
    verification code(730264) => 730264
    il tuo codice 730264 => 730264
    mon snapchat est jzyzz75 => jzyzz75
    ebay seller id jzyzz_4455 => jzyzz
    oma ist 93 jahre alt => 93
    mujer de 94 anos neumonia => 94
    grand mere 95 ans => 95
    smb://nas/users/jzyzz/ => jzyzz
    /home/staff/jzyzz/thesis => jzyzz
    /nfs/home/jzyzz/thesis => jzyzz
    1012ab amsterdam => 1012
    kim min jun => min | jun
    lee ji eun phone number => ji eun
    chen li hua => li | hua
    kim min-jun => min
    zhang wei => zhang
    jennifer zhang => zhang
"""


@pytest.mark.parametrize("line", lines(GOES))
def test_it_goes_whole(line: str) -> None:
    text, parts = goes(line)
    left, _ = released(text)
    assert not [part for part in parts if part in left]


@pytest.mark.parametrize(
    "text",
    [
        "\u9a8c\u8bc1\u7801730264", "\u60a8\u7684\u9a8c\u8bc1\u7801\u662f730264",
        "\u8a8d\u8a3c\u30b3\u30fc\u30c9730264", "\uc778\uc99d\ubc88\ud638 730264",
        "\u043a\u043e\u0434 \u043f\u043e\u0434\u0442\u0432\u0435\u0440\u0436\u0434\u0435\u043d\u0438\u044f: 730264",
    ],
)  # fmt: skip
def test_a_code_that_was_sent_goes_in_other_scripts(text: str) -> None:
    left, kinds = released(text)
    assert "730264" not in left
    assert kinds == ["secret"]


@pytest.mark.parametrize("text", ["9C3XGV\u200b4C+XV", "9C3XGV4C\u200b+XV", "9C3XGV4C+\u2060XV"])
def test_a_plus_code_goes_with_something_invisible_inside(text: str) -> None:
    assert released(text) == ("", ["location"])


STAYS = r"""
    1,219,100
    120,50,2000
    300,200,1000
    800,600,4000
    10 20 30 40 50
    100 200 300 400
    100-200-300 rule
    00 11 22 33 44 55
    300 500 1000 word essay
    12 34 56 78 90 12
    bmw 11427566327
    stihl 11271600650 carburetor
    6es7214-1ag40-0xb0
    ss316ln
    fromtimestamp(1712345678)
    strtotime 1712345678
    austin tx weather 2019
    c# array[at]
    @types/node@18.0.0
    use 4 to 6 hooks
    enter 2020 to 2021 taxes
    guerre de 100 ans
    100 jahre bauhaus
    luo han guo
    feng shui
    tai chi chuan
    yang ming shipping
    wu tang clan
    kung fu
    /home/staff
"""


@pytest.mark.parametrize("text", lines(STAYS))
def test_a_look_alike_stays(text: str) -> None:
    assert released(text) == (text, [])


@pytest.mark.parametrize(
    "text", ["bmw order 11427566327", "bmw 13912845670", "acme 11427566327", "samsung 11427566327"]
)
def test_eleven_figures_go_beside_other_words(text: str) -> None:
    assert released(text)[1]
