"""Codes that were sent to one person are found; codes that many share stay. All data is made up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.querymix.core.identifiers.kit import goes, lines, released

GOES = r"""
g-482913 is your google verification code => 482913
your verification code is 730264 => 730264
verification code 730264 => 730264
verification code: 730264 => 730264
730264 is your verification code => 730264
730 264 is your verification code => 264
730-264 is your instagram code => 264
use 730264 as your login code => 730264
your otp is 730264 => 730264
otp 730264 => 730264
730264 is your otp => 730264
your code is 7302 => 7302
your one time password is 730264 => 730264
whatsapp code 730-264 => 264
your whatsapp code: 730-264 => 264
your amazon security code is 730264 => 730264
fb-48291 is your facebook confirmation code => 48291
facebook code 48291735 => 48291735
steam guard code 7k3pq => 7k3pq
login code 730264 telegram => 730264
2fa code 730264 => 730264
two factor code 730264 => 730264
authentication code 730264 => 730264
sms code 730264 => 730264
verification pin 7302 => 7302
codigo de verificacion 730264 => 730264
código de verificación: 730264 => 730264
code de verification 730264 => 730264
ihr code lautet 730264 => 730264
sicherheitscode 730264 => 730264
bestätigungscode: 730264 => 730264
your paypal code is 730264 do not share => 730264
enter code 730264 to verify => 730264
use code 730264 to verify your account => 730264
access code 730264 => 730264
my verification code 730264 not working => 730264
your uber code is 7302 => 7302
apple id verification code 730264 => 730264
730264 verification code => 730264
your verification code is x7k3pq => x7k3pq
your code: 730264 => 730264
google verification code 730264 => 730264
"""


@pytest.mark.parametrize("line", lines(GOES))
def test_nothing_of_it_is_left(line: str) -> None:
    text, parts = goes(line)
    left, kinds = released(text)
    assert [part for part in parts if part in left] == []
    assert kinds


STAYS = r"""
google verification code not received
error code 1603 is what
error code 0x80070002
area code 2125
promo code save20
penal code 1203
building code 2019
verification code 2022
icd 10 code 25000
cpt code 99213
code 99213
what is code p0440
vehicle code 22350
color code 730264
otp meaning
one time password 2fa
security code on card
3 digit security code
whatsapp verification code hack
discount code 2020
your code is bad
country code 0044
steam guard code not working
dtc code 123456
http status code 4040
sort code 20 00 00
login code for club penguin 2008
how to get google verification code
google classroom code
cheat code 99999
access code 2007 database
security code 1099
tan 45
swift code abcd12
"""


@pytest.mark.parametrize("text", lines(STAYS))
def test_a_look_alike_stays(text: str) -> None:
    assert released(text) == (text, [])


MESSAGES = ("your verification code is {}", "{} is your login code", "otp {}", "whatsapp code: {}", "security code {}")


@settings(max_examples=60, deadline=None)
@given(st.integers(210_000, 99_999_999), st.sampled_from(MESSAGES))
def test_six_to_eight_figures_that_were_sent_go(code: int, message: str) -> None:
    left, kinds = released(message.format(code))
    assert str(code) not in left
    assert kinds == ["secret"]


@settings(max_examples=30, deadline=None)
@given(
    st.integers(2100, 99_999), st.sampled_from(["error code {}", "area code {}", "promo code {}", "building code {}"])
)
def test_a_code_that_many_share_stays(code: int, text: str) -> None:
    assert released(text.format(code)) == (text.format(code), [])
