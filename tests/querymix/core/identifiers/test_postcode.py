"""Postcodes of letters and digits are found whole; quantities, models and first halves stay. All data is made up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.identifiers.recognizers.postcode import AREAS

from tests.querymix.core.identifiers.kit import goes, lines, released

GOES = r"""
sw1a 1aa => 1aa
SW1A1AA => 1AA
m1 1ae => 1ae
ec1v 9lb pubs => 9lb
w1a 0ax => 0ax
cr26xh => 6xh
dn55 1pt => 1pt
b33 8th => 8th
houses for sale ls6 3hq => 3hq
ls6-3hq => 3hq
postcode e1 6an => 6an
e1 6an => 6an
sat nav w1d 3qf => 3qf
bt7 1nn belfast => 1nn
je2 3ng jersey => 3ng
flat 2, 14 high st, ng1 5fs => 5fs
n1 9gu estate agents => 9gu
weather g12 8qq => 8qq
bf1 2at => 2at
k1a0b1 => 0b1
K1A-0B1 => 0B1
m5v 3l9 toronto => 3l9
v6b 4y8 pizza => 4y8
t2p 2m5 => 2m5
h2x 1y4 montreal => 1y4
d02 x285 => x285
D02X285 => X285
postcode 1012 ab amsterdam => 1012
"""


@pytest.mark.parametrize("line", lines(GOES))
def test_nothing_of_it_is_left(line: str) -> None:
    text, parts = goes(line)
    left, kinds = released(text)
    assert [part for part in parts if part in left] == []
    assert kinds


STAYS = r"""
b12 5mg tablets
m25 7pm traffic
m25 traffic
sw1a
ls6 pubs
e46 2dr
m6 4dr coupe
n3 3br house for rent
np600xx review
ss316ln pipe
galaxy s21 5g 8gb
k1a
s9 8gb
m1 8gb ram
e5 2nd edition
a1 6th form
s22 8gb price
d02
h0h 0h0
y94fm
b97fm.com
l5 4th gen
g4 3rd gen
m3 2nd hand
w5 5th
canon sd700is
x32sv
n334aa specifications
cv-z253la
p95dc
dd603ss
a131on
nw 3000
e10 fuel
bmw e46 3er
audi a4 2tb
ps5 1tb
m4 2ed
bs 5839
chess e4 5nf3
cr2032 3v battery
ct scan
np 3tb
h7 55w bulb
t5 6ft tube
rh 4th ave
r2d2 c3po
b2b c2c
4x4
se 2nd gen iphone
ip68 1m
hp 15s 8gb
co2 5lb tank
mp3 4gb
e85 2gal
s10 1tb
sr20 det
w10 64bit
ford f1 50th
"""


@pytest.mark.parametrize("text", lines(STAYS))
def test_a_look_alike_stays(text: str) -> None:
    assert released(text) == (text, [])


LAST = "abdefghjlnpqrstuwxyz"


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(AREAS)),
    st.integers(1, 99),
    st.integers(0, 9),
    st.text(LAST, min_size=2, max_size=2),
    st.booleans(),
)
def test_every_british_code_goes_beside_a_word_for_it(
    area: str, district: int, sector: int, unit: str, caps: bool
) -> None:
    code = f"{area}{district} {sector}{unit}"
    assert released(f"postcode {code.upper() if caps else code} x") == ("postcode x", ["zip"])


@settings(max_examples=60, deadline=None)
@given(
    st.from_regex(
        "[abceghjklmnprstvxy][1-9][abceghjklmnprstvwxyz][ -]?[1-9][abceghjklmnprstvwxyz][1-9]", fullmatch=True
    )
)
def test_every_canadian_code_goes(code: str) -> None:
    assert released(f"{code} x") == ("x", ["zip"])


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(AREAS)),
    st.integers(1, 99),
    st.integers(1, 9),
    st.sampled_from(["mg", "ml", "pm", "km", "cm"]),
)
def test_a_second_half_with_a_letter_that_is_never_used_stays(area: str, district: int, number: int, unit: str) -> None:
    text = f"{area}{district} {number}{unit} x"
    assert released(text) == (text, [])
