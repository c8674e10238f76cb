"""Telephones are found in national and international forms. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("who called 217-555-0142", "who called"),
    ("(217) 555-0142 ext 12", ""),
    ("217.555.0142 fax", "fax"),
    ("+1 217 555 0142", ""),
    ("2175550142", ""),
    ("phone 555-0142", "phone"),
    ("call(212)555-0147", "call"),
    ("tel:217-555-0142", "tel:"),
    ("tel217-555-0142", ""),
    ("1-217-555-0142", ""),
    ("217\u2212555\u22120142 plumber", "plumber"),
    ("+44 20 7946 0958", ""),
    ("+49 (0)30 / 123456", ""),
    ("+33 6 12 34 56 78", ""),
    ("0033 6 12 34 56 78", ""),
    ("00 44 20 7946 0958", ""),
    ("+91-98765-43210", ""),
    ("+86 139 1284 5670", ""),
    ("06 12 34 56 78", ""),
    ("01 42 68 53 00 qui est ce", "qui est ce"),
    ("01.42.68.53.00", ""),
    ("020 7123 4567 who called", "who called"),
    ("(020) 7123 4567", ""),
    ("0171 1234567", ""),
    ("030/1234567", ""),
    ("0412 345 678", ""),
    ("03-1234-5678", ""),
    ("079 123 45 67", ""),
    ("06-12345678", ""),
    ("(11) 91234-5678", ""),
    ("8 (912) 345-67-89", ""),
    ("139 1284 5670", ""),
    ("98765 43210", ""),
    ("612 345 678", ""),
    ("phone 91 123 45 67", "phone"),
    ("whatsapp 55 1234 5678", "whatsapp"),
    ("2\u200b1\u200b7\u200b5\u200b5\u200b5\u200b0\u200b1\u200b4\u200b2", ""),
    ("+1 (217) 555-0142 x5", ""),
    ("tel=%2B12175550142", "tel="),
    ("2\ufe0f\u20e3175550142", ""),
    ("217 555 0142 24 hours", "24 hours"),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "phone" in kinds


STAYS = """
800 600 4000 btu air conditioner; 1 800 flowers; area code 217; 01.02.2003; 2003-05-06; 0306406152; 50x50x5000; 12
34 56 lottery numbers 05 12 23 34 45; 1990 1991 1992; 1000000000; 007 games; 10 20 30 40; 0.25 x 0.75; 1914-1918
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
