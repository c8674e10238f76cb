"""Passwords and tokens by their place: in a URL, in a parameter, or after a word that says what they are.

Rules:
- Whatever stands between "://" and the "@" of a URL goes, user and password, also where the password holds "/" or "@".
- The value of a parameter whose name ends in "token", "secret", "password" and the like goes; a weaker name ("key",
  "code", "sig", "state") counts in a URL or a form only.

Source: RFC 3986 (user information), RFC 6750 (bearer tokens), the services' documentation of signed URLs.
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

USER_INFO: Final = expression(r"[a-z][a-z0-9+.-]{1,30}:/{1,3}([^\s/?#@]*(?:@[^\s/?#@]*)*@)")
CUT_PASSWORD: Final = expression(
    r"[a-z][a-z0-9+.-]{1,30}:/{1,3}([^\s/?#@:]{0,500}:(?!\d{1,5}(?:[/?#]|$))(?=[^\s@/?#]{0,500}[/?#])[^\s@]{1,500}+@)"
)
"""Bounded, since one may begin at each "//" of another."""
REMOTE: Final = expression(r"(?<!\S)(git@[\w.-]{3,60}:\S{3,200})")

WEBHOOK: Final = expression(
    r"(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks|(?<![\w-])[\w-]+\.webhook\.office\.com|"
    r"api\.telegram\.org)/(\S{8,400})"
)

STRONG: Final = (
    r"[\w.-]{0,40}?(?:token|secret|passw(?:or)?d|password|passphrase|passcode|pwd|apikey|api[_-]key|accesskey|"
    r"account[_-]?key|shared[_-]?key|access[_-]key(?:[_-]?id)?|secret[_-]?key|private[_-]?key|auth[_-]key|session[_-]?id|sessid|jsessionid|phpsessid|"
    r"aspsessionid[a-z]*|credentials?|signature|client[_-]secret|authorization|"
    r"passwort|kennwort|contrasena|senha|wachtwoord|mot de passe|mdp)"
)
WEAK: Final = (
    r"(?:[\w-]{0,30}[_-])?(?:key|sig|sign|hmac|auth|sid|cfid|cftoken|session|sess|jwt|code|otp|nonce|state|ticket|sas|"
    r"hash|pass|pw|pin|uuid|guid|gclid|fbclid|msclkid|dclid|cid|login_hint|se|st|skoid|x-amz-[a-z-]+|x-goog-[a-z-]+)"
)
PARAMETER: Final = expression(
    rf"(?:(?<![\w.-])({STRONG})[\"']?(?: ?= ?| ?: | ?:(?!//))|(?<=[?&;#])({WEAK})=|(;)j?session(?:id)?=)"
    r"[\"']?((?:bearer |basic |token |digest )?[^\s&\"'<>]+)"
)
SAID: Final = expression(
    r"(?<![\w-])(?:passw(?:or)?d|passcode|passphrase|pwd|api key|access key|secret key|access token|auth token|"
    r"passwort|kennwort|contrasena|senha|wachtwoord|mot de passe|mdp|pass|pw)s?"
    r" (?:is|was)? ?((?=[^\s]*[a-z])(?=[^\s]*\d)[^\s]{6,128})(?!\S)"
    r"|(?<![\w-])(?:my|your|his|her|the) (?:password|passcode|passphrase|pin|pin code) (?:is|was) (\S{4,64})"
    r"|(?<!\S)(?:-u|--user|--password|-p) ?=? ?([^\s:]{1,60}:\S{2,60})"
    r"|(?<![\w-])(?:bearer|basic) ((?=[\w+/=.~-]*\d)[\w+/=.~-]{12,4000})"
)
HARMLESS_VALUE: Final = expression(
    r"(?:true|false|null|none|yes|no|on|off|default|admin|password|reset|recovery|generator|manager|required|invalid|"
    r"incorrect|expired|[a-z]{1,3}|<.*|\{.*|\$.*|\*+|x{3,}|\.{2,})"
)
WORDS: Final = word_set(
    "password passwords passwd passcode passphrase pwd pin key keys token tokens bearer basic authorization u -u user "
    "passwort kennwort contrasena senha wachtwoord passe mdp pass pw --user curl wget"
)
"""What `SAID` needs one of."""


def in_urls(query: QueryText, finds: Findings) -> None:
    """Add user information, parameters, and the secret paths of webhooks."""
    text = query.text
    for pattern in (USER_INFO, CUT_PASSWORD, REMOTE) if "@" in text else ():
        finds.extend(Identifier("secret", *match.span(1)) for match in pattern.finditer(text))
    if "/" in text:
        finds.extend(Identifier("secret", *match.span(1)) for match in WEBHOOK.finditer(text))
    if "=" in text or ":" in text:
        _parameters(text, finds)


def said(query: QueryText, finds: Findings) -> None:
    """Add what a word says to be a password."""
    finds.extend(Identifier("secret", *match.span(match.lastindex or 0)) for match in SAID.finditer(query.text))


def _parameters(text: str, finds: Findings) -> None:
    """Add the values of parameters that hold a secret."""
    for match in PARAMETER.finditer(text):
        value = match[4]
        if HARMLESS_VALUE.fullmatch(value) or (match[1] and ": " in match[0] and value.isalpha() and len(value) < 8):
            continue
        finds.append(Identifier("secret", *match.span(4)))


IN_URLS: Final[Recognizer] = Recognizer(in_urls, marks="@/=:")
SAID_SO: Final[Recognizer] = Recognizer(said, words=WORDS)
