"""Links that are keys lose the key; the pages of such services stay. All data is made up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.querymix.core.identifiers.kit import goes, lines, released

GOES = r"""
https://example.com/reset-password/k7Qz91mX => k7Qz91mX
https://example.com/password/reset/k7qz91mx => k7qz91mx
https://example.com/reset?id=k7Qz91mX => k7Qz91mX
https://example.com/users/password/edit?reset_password_token=k7Qz91mX => k7Qz91mX
https://example.com/verify/k7Qz91mX => k7Qz91mX
https://example.com/verify-email/9f8e7d6c5b4a => 9f8e7d
https://example.com/confirm?c=9f8e7d6c5b => 9f8e7d
https://example.com/invite/AbCdEfGh => AbCdEfGh
example.com/invite/x9qk2mz => x9qk2mz
app.example.com/join/x9qk-2mz7 => 2mz7
https://example.com/unsubscribe/482913 => 482913
https://news.example.com/unsubscribe?u=48a2913bf&id=3b1c9 => 48a2913bf
https://example.com/optout?e=k7qz91mxab => k7qz91
https://example.com/magic-link/k7Qz91mX => k7Qz91mX
https://example.com/activate/4829135577 => 4829135577
https://example.com/accept-invitation/k7Qz91mX => k7Qz91mX
https://example.com/share/k7Qz91mX9 => k7Qz91mX9
https://us02web.zoom.us/j/84712093655?pwd=k7Qz91mX => 84712093655 | k7Qz
zoom.us/j/84712093655 => 84712093655
zoom.us/my/zqjane => zqjane
https://teams.microsoft.com/l/meetup-join/19%3ameeting_k7Qz91mX%40thread.v2/0 => k7Qz
https://teams.live.com/meet/9471882035512 => 9471882
https://meet.google.com/kxw-qfhr-pmz => qfhr
meet.google.com/kxw-qfhr-pmz?authuser=0 => qfhr
https://acme.webex.com/meet/zqjane => zqjane
https://chat.whatsapp.com/AbCdEfGhIjK3mNoPqRsTuV => AbCd
https://wa.me/12125550147 => 2125550147
https://discord.gg/x9Qk2mZ => x9Qk2mZ
https://discord.com/invite/x9Qk2mZ => x9Qk2mZ
discord.gg/xqzkvbn => xqzkvbn
https://t.me/joinchat/AAx9Qk2mZ => AAx9
https://t.me/+x9Qk2mZabc => x9Qk2
https://join.slack.com/t/acme/shared_invite/zt-x9qk2m-k7Qz => x9qk2m
https://docs.google.com/document/d/1x9Qk2mZabcD/edit => 1x9Qk2
https://docs.google.com/spreadsheets/d/1x9Qk2mZabcD/edit#gid=0 => 1x9Qk2
https://drive.google.com/file/d/1x9Qk2mZabcD/view?usp=sharing => 1x9Qk2
https://drive.google.com/drive/folders/1x9Qk2mZabcD => 1x9Qk2
https://drive.google.com/open?id=1x9Qk2mZabcD => 1x9Qk2
https://www.dropbox.com/s/x9qk2mzabc12345/file.pdf?dl=0 => x9qk2m
https://www.dropbox.com/scl/fi/x9qk2mzabc/a.pdf?rlkey=k7qz91 => x9qk2m | k7qz91
https://1drv.ms/w/s!Ak9bQz7 => Ak9bQz7
https://acme-my.sharepoint.com/:w:/g/personal/zqjane_acme_com/EQx9Qk2mZ => Qx9Qk2
https://www.icloud.com/iclouddrive/0x9Qk2mZabc#file => x9Qk2
https://photos.app.goo.gl/x9Qk2mZabc => x9Qk2
https://forms.gle/x9Qk2mZabc => x9Qk2
https://we.tl/t-x9Qk2mZabc => x9Qk2
https://mega.nz/file/x9Qk2mZa#k7Qz91mXabc => x9Qk2 | k7Qz
https://signal.group/#CjQKx9Qk2mZ => x9Qk2
https://example.com/rsvp/k7Qz91mX => k7Qz
https://trello.com/invite/b/x9Qk2mZa/k7qz91mx/board => k7qz91mx
https://example.com/login?key=k7Qz91mX9ab => k7Qz
https://example.com/a?code=4f9a8b7c6d => 4f9a8b
https://example.com/activate.php?u=zqjane&k=9f8e7d6c => 9f8e7d
"""


@pytest.mark.parametrize("line", lines(GOES))
def test_nothing_of_it_is_left(line: str) -> None:
    text, parts = goes(line)
    left, kinds = released(text)
    assert [part for part in parts if part in left] == []
    assert kinds


STAYS = r"""
https://example.com/reset/password
meet.google.com login
meet.google.com/new
meet.google.com/landing
zoom.us/download
zoom.us/join
example.com/forgot-password
example.com/login
example.com/account/login.php
example.com/unsubscribe
discord.gg/minecraft
discord.com/invite
docs.google.com
docs.google.com/forms
drive.google.com/drive/my-drive
dropbox.com/login
dropbox.com/s
example.com/verify/email
example.com/register/step2
example.com/join/us
example.com/invite/friends
example.com/how-to-reset-iphone-13
example.com/reset/iphone13
example.com/confirm/order/success
example.com/share/facebook
example.com/news/2019/05/accept-the-offer
example.com/reset/2019/05/12
whatsapp.com/download
icloud.com/photos
teams.microsoft.com
onedrive.com/login
example.com/blog/authentication-with-oauth
youtube.com/watch?v=dQw4w9WgXcQ
https://example.com/sign-in?lang=en
https://example.com/login?redirect=/home
https://example.com/login?next=%2Fdashboard
"""


@pytest.mark.parametrize("text", lines(STAYS))
def test_a_look_alike_stays(text: str) -> None:
    assert released(text) == (text, [])


LINKS = (
    "https://example.com/reset/{}",
    "https://example.com/invitation/accept?i={}",
    "chat.whatsapp.com/{}",
    "https://docs.example.com/share/{}?x=1",
    "drive.google.com/file/d/{}/view",
    "news.example.com/unsubscribe/{}",
)


@settings(max_examples=60, deadline=None)
@given(st.from_regex("[b-dj-z]{2}[0-9][A-Z][a-z]{2}[0-9][A-Za-z0-9]{2,20}", fullmatch=True), st.sampled_from(LINKS))
def test_a_key_of_letters_and_figures_goes_and_the_host_stays(key: str, link: str) -> None:
    left, kinds = released(link.format(key))
    assert key not in left
    assert set(kinds) == {"secret"}
    assert left.startswith(link.partition("/{}")[0].partition("?")[0])
