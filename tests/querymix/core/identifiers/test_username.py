"""Accounts at a service are found; services, works and functions of theirs stay. All data is made up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.querymix.core.identifiers.kit import goes, lines, released

GOES = r"""
skype id jane.doe_7 => doe_7
my snapchat is janedoe75 => janedoe75
snapchat username xy_99 => xy_99
u/throwaway_jane75 => jane75
/u/throwaway_jane75 => jane75
reddit u/janedoe_x => janedoe_x
discord janedoe#4821 => janedoe
janedoe#4821 => janedoe
instagram janedoe75 => janedoe75
instagram @janedoe => janedoe
@janedoe75 => janedoe75
@jane_doe => jane_doe
twitter @xqzjane => xqzjane
ig: janedoe75 => janedoe75
insta: zqjane => zqjane
venmo @jane-doe-75 => doe-75
venmo jane_doe75 => doe75
cashapp $janedoe75 => janedoe75
cash app $janedoe75 => janedoe75
kik me janedoe75 => janedoe75
add me on snapchat janedoe75 => janedoe75
my instagram is @zqjane => zqjane
my skype name is zqjane => zqjane
screen name zqjane99 => zqjane99
aol screen name zqjane => zqjane
aim zqjane99 => zqjane99
xbox gamertag xx_zqslayer_xx => zqslayer
gamertag zqslayer99 => zqslayer99
psn zqslayer_99 => zqslayer_99
psn id zqslayer99 => zqslayer99
telegram @zqjane_x => zqjane_x
steam id zqslayer99 => zqslayer99
tiktok @zqjane.x => zqjane.x
zqjane99 instagram => zqjane99
zqjane_99 on snapchat => zqjane_99
who is zqjane_99 on twitter => zqjane_99
battlenet zqslayer#21345 => zqslayer
riot id zqslayer#euw1 => zqslayer
jennifer82 myspace => jennifer82
facebook jennifer.zqbrown => zqbrown
linkedin.com/in/zqjane => zqjane
my telegram is zqjane => zqjane
roblox username zqjane99 => zqjane99
minecraft username zqjane_99 => zqjane_99
wechat id zqjane99 => zqjane99
youtube @zqjanevlogs => zqjanevlogs
twitch zqjane_tv9 => zqjane_tv9
"""


@pytest.mark.parametrize("line", lines(GOES))
def test_nothing_of_it_is_left(line: str) -> None:
    text, parts = goes(line)
    left, kinds = released(text)
    assert [part for part in parts if part in left] == []
    assert kinds


STAYS = r"""
instagram nba
skype download for mac
instagram login
twitter trends
facebook login
facebook account loschen
my facebook is in spanish
instagram account verwijderen
@work
instagram followers free
discord nitro
my facebook is hacked
my instagram is not working
my snapchat is glitching
my xbox is overheating
xbox 360
xbox 360 games
psn 2020
ps3
skype 8.0
discord.py
discord.js bot
twitch.tv
facebook.com
youtube mp3
youtube to mp4
minecraft 1.18
twitter web3
steam cs2
xbox halo3
facebook messenger
myspace layouts
myspace codes
screen name ideas
how to make a screen name
username generator
instagram username ideas
snapchat username search
@nasa
@nba twitter
c# 2008
apt#1204
unit #1204
f#
npm install @types/node@18.0.0
@angular/core
u/l cable
u-haul
r/askreddit
java.lang.Object@4b1c1ea0
c@ts musical
@media print
@override java
venmo fees
venmo limit
github log4j
windows id 10
whatsapp web
telegram x
ebay motors
blink182 myspace
ebay item number
aim 6.0
msn hotmail
yahoo mail
snap on tools
steam deck
tinder gold
handle bars
door handle
signal to noise
username password
what is my skype name
my yahoo is down
paypal fees
id card
ebay user agreement
facebook marketplace
instagram dm
twitter blue
how to find my xbox gamertag
xbox live gamertag generator
myspace music player
the handle is broken
facebook account disabled
facebook id verification
snapchat is down
youtube videos
"""


@pytest.mark.parametrize("text", lines(STAYS))
def test_a_look_alike_stays(text: str) -> None:
    assert released(text) == (text, [])


SAID = ("my snapchat is {}", "instagram @{}", "discord {}#4821", "skype id {}", "{} instagram", "kik {}")


@settings(max_examples=60, deadline=None)
@given(st.from_regex("zq[a-z]{4,8}_?[0-9]{1,3}", fullmatch=True), st.sampled_from(SAID))
def test_an_account_goes_and_its_service_stays(name: str, text: str) -> None:
    left, kinds = released(text.format(name))
    assert name not in left
    assert kinds == ["username"]
    assert left.split() == text.replace("@{}", "{}").replace("{}#4821", "{}").replace("{}", " ").split()
