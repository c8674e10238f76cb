"""Identifiers whatever parts their groups, stands around them, or stands right beside them. All data is made up.

The tests are tables: recognizer by separator, by border and by neighbour. What is left of a text must hold no group of
two digits or more of an identifier.
"""

import re
from collections.abc import Sequence
from typing import Final

import pytest
from querymix.core.identifiers import Detector, cut

from tests.querymix.core.identifiers.kit import base, kept

SPACES: Final = (" ", "  ", "\t", "\n", "\r\n", "\v", "\f", "\u00a0", "\u2009", "\u202f", "\u3000", "\u2028", "\u0085")
DASHES: Final = ("-", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2212", "\uff0d", "\u00ad")
"""The last one is invisible: nothing parts the groups."""
BETWEEN: Final = (*SPACES, *DASHES, ".", "/", "_", "\u00b7", "\u2022", " - ")
ODD: Final = ("|", ":", ";", "~", "*", "=", "+", "\\", "--", "..")

GROUPED: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "4111+1111+1111+1111": ("", (*BETWEEN, *ODD, ", ", ") (")),
    "411111+1111111111": ("", (" ", "-", "\t")),
    "3782+822463+10005": ("", BETWEEN),
    "219+09+9999": ("", (*BETWEEN, *ODD)),
    "212+555+0147": ("", (*BETWEEN, *ODD)),
    "1+212+555+0147": ("", BETWEEN),
    "+44+20+7946+0958": ("", BETWEEN),
    "06+12+34+56+78": ("", BETWEEN),
    "0171+5550147": ("", BETWEEN),
    "de89+3704+0044+0532+0130+00": ("", (*SPACES, *DASHES, ".", "_")),
    "ab+12+34+56+c": ("", (*SPACES, *DASHES, ".", "_")),
    "2+95+10+99+126+111+93": ("", (*SPACES, *DASHES, ".")),
    "529+982+247+25": ("", (*SPACES, *DASHES, ".")),
    "2341+2341+2346": ("aadhaar ", (*SPACES, *DASHES, ".", "_")),
    "046+454+286": ("sin ", (*SPACES, *DASHES, ".", "_")),
    "12345678+z": ("", (*SPACES, *DASHES)),
    "1hgcm+82633+a004352": ("vin ", (*SPACES, *DASHES)),
    "1z+999+aa1+01+2345+6784": ("", (*SPACES, *DASHES)),
    "00+1b+44+11+3a+b7": ("", (*DASHES[:5], ":")),
    "35+209900+176148+1": ("imei ", (*SPACES, *DASHES)),
    "123+4567": ("mrn ", (*SPACES, *DASHES, "_")),
    "12+24+1951": ("born ", (*SPACES, *DASHES[:5], ".", "/", "_")),
    "po+box+4411": ("", SPACES),
    "abc+1234": ("license plate ", (*SPACES, *DASHES)),
}
"""Identifiers in groups ("+" between them; a first one stays), what has to stand before them, what may part them."""

CODES: Final = (
    "4111111111111111", "4111-1111-1111-1111", "219-09-9999", "212-555-0147", "2125550147", "+442079460958",
    "06 12 34 56 78", "0612345678", "de89370400440532013000", "de89 3704 0044 0532 0130 00", "529.982.247-25",
    "11.222.333/0001-81", "12345678z", "x1234567l", "rssmra85t10a562s", "11010519491231002x", "hegg560427mvzrrl04",
    "ab 12 34 56 c", "2 95 10 99 126 111 93", "203.0.113.77", "2a02:8108:4740:5a2c::1f", "00:1b:44:11:3a:b7",
    "1hgcm82633a004352", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "0x52908400098527886e0f7030069857d2e4169ee7",
    "1z999aa10123456784", "123837465019", "ab12cd34ef56", "112-3456789-1234567", "d41d8cd98f00b204e9800998ecf8427e",
    "jane75@example.com",
)  # fmt: skip
LEFT: Final = (
    "_", "\t", "\n", "(", "[", "{", "<", '"', "'", "`", "\u201c", "\u00ab", "=", ":", "#", "@", "/", "|", ";", ",", ".",
    "...", "-", "\u2013", "\u2022", "*", "~", "&", "?", "!", "^", "\u7535", "\u30c6", "\uc804", "\u0442\u0435\u043b",
    "\u0631\u0642\u0645", "card_", "x=", "no:", "mac:", "nr.", "tel-", "tel/", "no#", "id(", "a|", "a;", "ab,", "hi!",
    "a&", "a*", "a~", "a'",
)  # fmt: skip
RIGHT: Final = (
    "_", "\t", "\n", ")", "]", "}", ">", '"', "'", "`", "\u201d", "\u00bb", "=", ":", "#", "/", "|", ";", ",", ".",
    "...", "-", "\u2013", "*", "~", "&", "?", "!", "^", "\u5f52", "\uc740", "\u0434\u043e\u043c", "_old", "=x", ":note",
    ".pdf", "/home", "#x", ",jo", "|w", ";jo", "(jo)", "&w", "'s",
)  # fmt: skip
BESIDE: Final = (" ", "\t", "\n", ", ", ",", ";", " / ", " - ", "|", " and ", " & ", "_")
NEIGHBOURS: Final = (
    "4111 1111 1111 1111", "4111111111111111", "219-09-9999", "212-555-0147", "2125550147", "+442079460958",
    "06 12 34 56 78", "de89370400440532013000", "12345678z", "203.0.113.77", "jane75@example.com", "123837465019",
    "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
)  # fmt: skip
DETECTOR: Final = Detector(base())
GROUP: Final = re.compile(r"[^\W_]+")


def rest(text: str, codes: Sequence[str]) -> list[str]:
    """Return the groups with a digit of `codes` that are still in what is left of `text`."""
    left = cut(text, DETECTOR.find(text))
    groups = [group for code in codes for group in GROUP.findall(code) if len(group) > 1 and not group.isalpha()]
    return [group for group in groups if group in left]


@pytest.mark.parametrize("form", GROUPED)
def test_groups_may_be_parted_by_white_space_and_marks_of_every_kind(form: str) -> None:
    before, separators = GROUPED[form]
    groups = [form[:1] + form[1:].partition("+")[0], *form[1:].split("+")[1:]]
    failing = [
        (mark, after)
        for mark in separators
        for after in ("", " pizza")
        if rest(before + mark.join(groups) + after, groups)
    ]
    assert not failing


@pytest.mark.parametrize("code", CODES)
def test_every_mark_but_a_letter_or_a_digit_is_a_border(code: str) -> None:
    assert [mark for mark in LEFT if rest(mark + code, [code])] == []
    assert [mark for mark in RIGHT if rest(code + mark, [code])] == []


@pytest.mark.parametrize("one", NEIGHBOURS)
def test_of_two_identifiers_side_by_side_neither_hides_the_other(one: str) -> None:
    failing = [(mark, other) for mark in BESIDE for other in NEIGHBOURS if rest(f"{one}{mark}{other}", [one, other])]
    assert not failing


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("06 12 34 56 78 06 98 76 54 32", ""),
        ("06.12.34.56.78/06.98.76.54.32", "/"),
        ("06 12 34 56 78 06 98 76 54 32 01 23 45 67 89 pizza", "pizza"),
        ("jane.doe@example.com212-555-0147", ""),
        ("212-555-0147jane.doe@example.com", ""),
        ("'jane.doe@example.com'", "'"),
        ("jane.doe@example.com,jo@example.org", ","),
        ("jane.doe@example.com/jo@example.org", "/"),
        ("4111 1111 1111 1111 5105 1051 0510 5100", ""),
        ("4111 1111 1111 1111 5105 1051 0510 5100 4242 4242 4242 4242", ""),
        ("4111 1111 1111 1111 2027 12 pizza", "pizza"),
        ("4111111111111111|12|2027|123", ""),
        ("4111 1111 1111 1111 12/27 123", ""),
        ("4111-1111-1111-1111 123", ""),
        ("node:203.0.113.77 down", "node: down"),
        ("ip203.0.113.77 blocked", "blocked"),
        ("mycardis4111-1111-1111-1111", ""),
        ("creditcard4111111111111111", ""),
        ("socialsecurity219-09-9999", ""),
        ("mrn#1234567", "mrn#"),
        ("user_id_1234567", "user_id_"),
        ("020 7946 0958 0161 496 0000", ""),
        ("219-09-9999219-09-9998", ""),
        ("firefox 3.0.0.11", "firefox 3.0.0.11"),
        ("c#9 features", "c#9 features"),
        ("log_2024-01-15.txt", "log_2024-01-15.txt"),
        ("utf_8 codec", "utf_8 codec"),
        ("iso-8859-1 charset", "iso-8859-1 charset"),
        ("kernel 5.15.0-91", "kernel 5.15.0-91"),
        ("name\tphone\ttimetable", "name\tphone\ttimetable"),
        ("snake_case_2 name", "snake_case_2 name"),
        ("us_ssn_2 column", "us_ssn_2 column"),
    ],
)  # fmt: skip
def test_what_stands_beside_goes_only_with_what_it_belongs_to(text: str, left: str) -> None:
    assert kept(text)[0] == left


def test_a_long_row_of_identifiers_is_read_in_time_that_grows_with_it() -> None:
    assert kept("06 12 34 56 78 " * 3_000)[0] == ""
    assert kept("212-555-0147/718-555-0199_" * 2_000)[0].strip("/_ ").count("555") == 0
