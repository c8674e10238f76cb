"""IBANs are found by country, length and checksum, in any grouping. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("GB82 WEST 1234 5698 7654 32", ""),
    ("nl91abna0417164300", ""),
    ("FR14 2004 1010 0505 0001 3M02 606", ""),
    ("iban DE89 3704 0044 0532 0130 00", "iban"),
    ("DE89-3704-0044-0532-0130-00 wrong", "wrong"),
    ("ibanDE89370400440532013000", ""),
    ("iban de00 3704 0044 0532 0130 00", "iban"),
    ("send GB82WEST12345698765432 money", "send money"),
    ("IBAN: NO9386011117947.", "IBAN: ."),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert kinds


GROUPED = """
DE89 3704 0044 0532 0130 00; nl20 ingb 0001 2345 67; nl35ingb2345678901
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in GROUPED.split(";")])
def test_its_groups_are_no_telephone_and_no_card(text: str) -> None:
    """Else who keeps telephones would keep the account."""
    assert kept(text) == ("", ["account"])


STAYS = """
de luxe 89 37; gb 82 west coast 1234; at 48 hours 3200; no 15 bus 1234 timetable
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
