"""Long numbers and random mixes are codes, products and amounts are none. All data is made up."""

import pytest

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
boeing 747; canon a530; 1000000000; 123456789; 3.14159265358979; isbn 0306406152; 9780306406157; 036000291452; upc
885909950805; part number 97540-23a-00411; error 0x80070002; toner q2612a; 50x50x5000; 1920x1080x32; 20060301123000;
10-20-30-40-50; un55ku6300fx; catalog number 123456789; 123456789 miles; public law 111148203; 978-0-306-40615-7;
12345678901 dollars; model 123837465019; 1234567 89
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
