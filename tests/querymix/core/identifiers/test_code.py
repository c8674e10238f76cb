"""Long numbers and random mixes are codes, products and amounts are none. All data is made up."""

import random

import pytest
from querymix.core.identifiers.numbers import article

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("track 1z999aa10123456784", "track"),
    ("123837465019 package", "package"),
    ("tracking 9400 1000 0000 0000 0000 00", "tracking"),
    ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", ""),
    ("112-3456789-1234567 sent", "sent"),
    ("8 4 1 0 9 2 7 3 5 6", ""),
    ("d41d8cd98f00b204e9800998ecf8427e", ""),
    ("ab12cd34ef56", ""),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "code" in kinds


STAYS = """
08001234567; 0900123456 kosten;
boeing 747; canon a530; 1000000000; 123456789; 3.14159265358979; isbn 0306406152; 9780306406157; 036000291452; upc
885909950805; part number 97540-23a-00411; error 0x80070002; toner q2612a; 50x50x5000; 1920x1080x32; 20060301123000;
10-20-30-40-50; un55ku6300fx; catalog number 123456789; 123456789 miles; public law 111148203; 978-0-306-40615-7;
12345678901 dollars; model 123837465019; 1234567 89
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])


ARTICLES = """
4006381333931; 3017620422003; 8410076472885; 8711000530085 prijs; 4006381333931 wo kaufen; 885909950805; 7610313412020;
1461916986656 price; 4006381333931 e 3017620422003; bestellnr. katalog 547-279-526; teilenr. 733-400-509 golf;
ricambio 357-670-368 fiat; 944637-001 cartouche; art. catalogo 511-532-231; reference 12345 leroy merlin;
référence 63093079; referencia x8-4386/92; modelo 123837465019
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in ARTICLES.split(";")])
def test_the_number_of_an_article_stays(text: str) -> None:
    assert kept(text) == (text, [])


@pytest.mark.parametrize(
    "text",
    [
        "4006381333930",  # its check digit is wrong
        "2006381333933",  # a shop's own number
        "kundennummer 4006381333931",
        "dhl 4006381333931",
        "whatsapp 4006381333931",
        "1503985170008",  # a person's number (Bosnia's) that is right
        "ma référence 63093079",
        "numero de referencia 63093079",
        "bestellnummer 63093079",
    ],
)
def test_what_is_no_articles_number_or_is_said_to_be_somebodys_goes(text: str) -> None:
    assert kept(text)[1]


def test_of_random_runs_of_digits_six_in_a_hundred_may_be_an_articles() -> None:
    draw = random.Random(5)
    for size in (12, 13):
        runs = ["".join(draw.choices("0123456789", k=size)) for _ in range(20_000)]
        assert 0.045 < sum(map(article, runs)) / len(runs) < 0.075
