"""Accounts at a service: "snapchat jane_doe75", "my skype is janedoe", "janedoe#4821", "u/jane_75", "@janedoe75".

Rules:
- Beside the name of a service goes what looks like an account: letters with an underscore, a dot or figures after them,
  whose letters are no word ("janedoe75", not "web3"). A sign such as "@" or ":", "username", or "my" before and "is"
  between the two makes an account of any text that nobody knows as a word.
- Without a service goes what has the form of one: "name#1234" (Discord, Battle.net), "u/name" (Reddit), and "@name"
  with figures, an underscore or a given name in it.
- What the knowledge base knows stays: "instagram nba", "instagram login", "@nasa", "blink182 myspace".

Source: the services' rules for the names of accounts.
"""

import re
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText
from querymix.core.knowledge import FIRST_NAME

SERVICES: Final = word_set(
    "instagram insta snapchat discord skype twitter tiktok telegram kik icq aim msn myspace facebook gamertag psn "
    "playstation xbox steam twitch youtube reddit github gitlab venmo cashapp paypal onlyfans tumblr pinterest "
    "linkedin wechat weixin viber whatsapp messenger roblox minecraft fortnite battlenet xanga livejournal "
    "friendster bebo ebay "
    "screenname username usernames handle signal mastodon bluesky threads vk odnoklassniki qq kakao zalo spotify "
    "soundcloud flickr deviantart wattpad quora okcupid tinder bumble grindr fetlife chaturbate zelle ig snap yahoo"
)
"""Services, and words for an account at any of them."""
SPOKEN: Final = frozenset({("screen", "name"), ("screen", "names"), ("cash", "app"), ("user", "name")})
"""Such words that are written apart."""
UNSURE: Final = word_set("ig snap handle signal threads steam yahoo messenger spotify")
"""Words among them that say much else too: they need a sign or a word between."""
SAYS: Final = word_set(
    "username usernames screenname name id handle tag gamertag nick nickname user account profile acct "
    "seller buyer member player"
)
"""What stands between a service and the name of an account."""
FILLERS: Final = word_set("is was are me on at @ - my his her the called named est es ist")
SURE_SAYS: Final = word_set("username usernames screenname handle gamertag nickname")
"""Those that say it alone; the others do beside "my" and the like, or a sign."""
MOST: Final = 4
"""Words between the two."""
OWNERS: Final = word_set("my his her your our their add")
ACCOUNT: Final = expression(r"[@$]?(?=[\d_.-]*[a-z])[a-z0-9_](?:[\w.-]{1,34}[\w])")
FIGURES: Final = expression(r"@?[a-z]{3,30}?\d{1,6}|@?\d{1,4}[a-z]{4,30}")
FILE: Final = expression(
    r"\.(?:com?|net|org|edu|gov|tv|gg|io|me|fm|ly|uk|us|ca|de|fr|js|ts|py|rb|go|exe|apk|ipa|dll|php|html?|json|jar|zip|pdf|mp\d|"
    r"app|dev|jpe?g|png|gif|txt|xml|cfg|ini|log|dmg|msi)$"
)
VERB_END: Final = expression(r"\w(?:ing|ed|ly|able|n't|nt)$")
GAMES: Final = frozenset({"riot", "valorant", "lol"})
TAGGED: Final = expression(r"(?<![\w./#-])(\w[\w.]{1,31})#(\d{4,6}|[a-z\d]{3,5}(?<=\w{3}))(?![\w-])")
REDDIT: Final = expression(r"(?<![^\W_]|[./-])/?u/([\w-]{3,20})(?![\w/])")
AT: Final = expression(r"(?<![a-z0-9./@-])@([a-z_][\w.]{2,29}\w)(?![\w@/(-]|\.\w)")


def said(query: QueryText, finds: Findings) -> None:
    """Add accounts beside a service's name."""
    query = query.joined()
    words = query.words
    size = len(words)
    for at, word in enumerate(words):
        apart = at > 0 and (words[at - 1], word) in SPOKEN
        if not apart and word not in SERVICES:
            continue
        end = at + 1
        while end < size and end - at <= MOST and (words[end] in SAYS or words[end] in FILLERS):
            end += 1
        between = words[at + 1 : end]
        if end < size:
            told = apart or not SURE_SAYS.isdisjoint([word, *between]) or _signed(query, end - 1, end)
            if at > 0 and words[at - 1] in OWNERS:
                told = told or "is" in between or not SAYS.isdisjoint(between)
            if _is_account(query, words[end], told=told, sure=word not in UNSURE or not SAYS.isdisjoint(between)):
                finds.append(Identifier("username", *query.span(end, end)))
                continue
        before = at - 1 - (at > 1 and words[at - 1] in ("on", "is", "my", "'s"))
        if before >= 0 and _is_account(query, words[before], told=False, sure=word not in UNSURE):
            finds.append(Identifier("username", *query.span(before, before)))


def _signed(query: QueryText, at: int, after: int) -> bool:
    """Return whether a colon or an equals sign stands between two words."""
    begin, end = query.span(at, at)[1], query.span(after, after)[0]
    return any(char in ":=" for char in query.text[begin:end])


def _is_account(query: QueryText, word: str, *, told: bool, sure: bool) -> bool:
    """Return whether a word beside a service is an account there; `told` tells that a word or sign says so."""
    if not ACCOUNT.fullmatch(word) or FILE.search(word) or word in SERVICES:
        return False
    name = word.lstrip("@$")
    if _known(query, name):
        return False
    if told or word[0] in "@$":
        return not (name.isalpha() and VERB_END.search(name)) and not _numbered_word(query, name)
    return sure and _looks_like_one(query, name)


def _looks_like_one(query: QueryText, name: str) -> bool:
    """Return whether a text looks like an account by itself."""
    if name.isalpha():
        return False
    if not name.isalnum():
        parts = [part.rstrip("0123456789") for part in re.split(r"[_.-]+", name)]
        letters = [part for part in parts if part]
        drawn = any(not _known(query, part) or query.knowledge[part].tags & FIRST_NAME for part in letters)
        return "-" not in name and bool(letters) and (drawn or ("_" in name and name[-1].isdigit()))
    return FIGURES.fullmatch(name) is not None and not _numbered_word(query, name)


def _numbered_word(query: QueryText, name: str) -> bool:
    """Return whether a text is a known word with figures at an end: "halo3", "win10", "4runner"."""
    letters = name.strip("0123456789")
    if letters == name or not letters.isalpha():
        return False
    term = query.knowledge[letters]
    return len(letters) < 4 or (bool(term.tags or term.references) and not term.tags & FIRST_NAME)


def _known(query: QueryText, word: str) -> bool:
    term = query.knowledge[word]
    return bool(term.tags or term.references or term.category >= 0)


def formed(query: QueryText, finds: Findings) -> None:
    """Add accounts that have the form of one."""
    text = query.text
    if "#" in text:
        finds.extend(Identifier("username", *one.span()) for one in TAGGED.finditer(text) if _is_tagged(query, one))
    if "u/" in text:
        for match in REDDIT.finditer(text):
            if not _known(query, match[1]):
                finds.append(Identifier("username", *match.span()))
    if "@" in text:
        for match in AT.finditer(text):
            name = match[1]
            if not _known(query, name) and (_looks_like_one(query, name) or query.says(SERVICES)):
                finds.append(Identifier("username", *match.span()))


def _is_tagged(query: QueryText, match: re.Match[str]) -> bool:
    """Return whether a text with "#" and a few figures after it is an account, and no flat or order."""
    name, tag = match.groups()
    if not tag.isdigit():
        return query.says(GAMES)
    strange = len(tag) > 3 and any(map(str.isalpha, name)) and not _known(query, name)
    return strange or query.says(SERVICES)


WORDS: Final = SERVICES | {"screen", "cash"}
SAID: Final = Recognizer(said, words=WORDS, plain=True)
FORMED: Final = Recognizer(formed, marks="#/@")
