"""Passwords, access tokens and keys: bare, in a URL, or after a word that says what they are.

Rules:
- Whatever stands between "://" and the "@" of a URL goes, user and password, also where the password holds "/" or "@".
- The value of a parameter whose name ends in "token", "secret", "password" and the like goes; a weaker name ("key",
  "code", "sig", "state") counts in a URL or a form only.
- Issuers' own prefixes are enough, in any case: logs are often in lower case.
- A run of 20 characters or more with capitals, small letters and digits in turn is a key.

Source: the issuers' documentation of their prefixes; RFC 3986 (user information), RFC 7519 (JWT), RFC 7468 (PEM).
"""

import re
from typing import Final

from service.core.identifiers.recognizers.base import Recognizer
from service.core.identifiers.spans import Finds, Identifier
from service.core.identifiers.tokens import QueryText

USER_INFO: Final = re.compile(r"[a-z][a-z0-9+.-]{1,30}:/{1,3}([^\s/?#@]*(?:@[^\s/?#@]*)*@)")
CUT_PASSWORD: Final = re.compile(
    r"[a-z][a-z0-9+.-]{1,30}:/{1,3}([^\s/?#@:]*:(?!\d{1,5}(?:[/?#]|$))[^\s@]*[/?#][^\s@]*@)"
)
REMOTE: Final = re.compile(r"(?<!\S)(git@[\w.-]{3,60}:\S{3,200})")

PREFIXED: Final = re.compile(
    r"(?<![a-z0-9])(?:"
    r"(?:akia|asia|agpa|aida|aroa|aipa|anpa|anva|abia|acca)(?=[a-z]{0,15}[0-9])[a-z0-9]{16}"  # AWS
    r"|gh[pousr]_[a-z0-9]{10,255}|github_pat_\w{10,255}|gl(?:pat|ptt|rt|dt|cbt|ft|soat|imt|agent|oas)-[\w.-]{10,255}"
    r"|xox[a-z]-[a-z0-9-]{8,255}|xapp-\d-[\w-]{10,255}|xoxe\.[\w.-]{10,255}"  # Slack
    r"|aiza[\w-]{30,45}|ya29\.[\w.-]{10,512}|gocspx-[\w-]{10,60}|1//0[\w-]{20,200}"  # Google
    r"|(?:sk|pk|rk|ak|tk)_(?:live|test|prod)_\w{8,255}|whsec_[\w+/=]{10,255}"  # Stripe and the like
    r"|sk-(?:[a-z]{2,8}-){0,2}(?=[\w-]*\d)[\w-]{16,255}|sess-[a-z0-9]{20,255}"  # OpenAI, Anthropic
    r"|(?:hf|npm|gsk|r8|figd|dckr_pat|shp(?:at|ca|pa|ss)|dop_v1|doo_v1|lin_api|ntn|secret|glsa|pscale_\w{2,8}|rubygems|"
    r"sntry[su]|pplx|xai|fal|tvly|dapi|nrak|phc|sbp|ops|pat|key|tok|token|api)[_-](?=[a-z_-]*\d)[a-z0-9_-]{16,255}"
    r"|(?:hvs|hvb|s|sg|at|atatt3\w{0,4}|atbb)\.(?=[\w.-]*\d)[\w.-]{22,255}|(?:atatt3|atbb)[\w=-]{20,255}"
    r"|pypi-[\w-]{16,255}|nvapi-[\w-]{20,255}|tskey-[\w-]{10,255}|pmak-[\w-]{20,100}|key-[0-9a-f]{32}"
    r"|(?:ac|sk)[0-9a-f]{32}|eaac[a-z0-9]{20,255}|sq0[a-z]{3}-[\w-]{20,60}|amzn\.mws\.[\w-]{20,60}|akcp\w{10,80}"
    r"|age-secret-key-1[a-z0-9]{20,80}|\d{8,10}:aa[\w-]{30,40}"
    r"|eyj[\w-]{8,2000}(?:\.[\w-]{0,4000}){0,4}"  # JWT, JWE
    r"|[mno][\w-]{23,25}\.(?=[\w-]*\d)[\w-]{6}\.[\w-]{27,40}"  # Discord
    r"|ssh-(?:rsa|dss|ed25519) [\w+/=]{16,4000}"
    r")(?![a-z0-9])"
)
WEBHOOK: Final = re.compile(
    r"(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks|[\w-]+\.webhook\.office\.com|"
    r"api\.telegram\.org)/(\S{8,400})"
)
PEM: Final = re.compile(r"-{2,5} ?begin [a-z0-9 ]{0,30}(?:private key|certificate|secret)[a-z ]{0,10}-{2,5}.*", re.S)

STRONG: Final = (
    r"[\w.-]{0,40}?(?:token|secret|passw(?:or)?d|password|passphrase|passcode|pwd|apikey|api[_-]key|accesskey|"
    r"access[_-]key(?:[_-]?id)?|secret[_-]?key|private[_-]?key|auth[_-]key|session[_-]?id|sessid|jsessionid|phpsessid|"
    r"aspsessionid[a-z]*|credentials?|signature|client[_-]secret|authorization)"
)
WEAK: Final = (
    r"(?:[\w-]{0,30}[_-])?(?:key|sig|sign|hmac|auth|sid|cfid|cftoken|session|sess|jwt|code|otp|nonce|state|ticket|sas|"
    r"hash|pass|pw|pin|uuid|guid|gclid|fbclid|msclkid|dclid|cid|login_hint|se|st|skoid|x-amz-[a-z-]+|x-goog-[a-z-]+)"
)
PARAMETER: Final = re.compile(
    rf"(?:(?<![\w.-])({STRONG})[\"']?(?: ?= ?| ?: | ?:(?!//))|(?<=[?&;#])({WEAK})=|(;)j?session(?:id)?=)"
    r"[\"']?((?:bearer |basic |token |digest )?[^\s&\"'<>]+)"
)
SAID: Final = re.compile(
    r"(?<![\w-])(?:passw(?:or)?d|passcode|passphrase|pwd|api key|access key|secret key|access token|auth token)s?"
    r" (?:is|was)? ?((?=[^\s]*[a-z])(?=[^\s]*\d)[^\s]{6,128})(?!\S)"
    r"|(?<![\w-])(?:my|your|his|her|the) (?:password|passcode|passphrase|pin|pin code) (?:is|was) (\S{4,64})"
    r"|(?<![\w-])(?:bearer|basic) ((?=[\w+/=.~-]*\d)[\w+/=.~-]{12,4000})"
)
HARMLESS_VALUE: Final = re.compile(
    r"(?:true|false|null|none|yes|no|on|off|default|admin|password|reset|recovery|generator|manager|required|invalid|"
    r"incorrect|expired|[a-z]{1,3}|<.*|\{.*|\$.*|\*+|x{3,}|\.{2,})"
)
MIXED: Final = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z0-9_/-]*[A-Z])[A-Za-z0-9_-]{20,4000}={0,2}(?![A-Za-z0-9])")
CHANGES: Final = re.compile(r"[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|\d(?=[A-Za-z])")
SIGNS: Final = ("_", "-", "=", ":", ".")


def find(query: QueryText, finds: Finds) -> None:
    """Add secrets."""
    text = query.text
    if "akia" in text or (len(text) >= 16 and not query.plain):
        finds.extend(Identifier("secret", *match.span()) for match in PREFIXED.finditer(text))
    if query.plain:
        return
    if "/" in text or "@" in text:
        _in_urls(text, finds)
    if "=" in text or ":" in text:
        _parameters(text, finds)
    if query.digits or "my " in text:
        finds.extend(Identifier("secret", *match.span(match.lastindex or 0)) for match in SAID.finditer(text))
    if "begin " in text:
        finds.extend(Identifier("secret", *match.span()) for match in PEM.finditer(text))
    if query.digits >= 2 and len(text) >= 20 and query.cased != text:
        for match in MIXED.finditer(query.cased):
            if len(CHANGES.findall(match[0])) >= 6 and any(char.isdigit() for char in match[0]):
                finds.append(Identifier("secret", *match.span()))


def _in_urls(text: str, finds: Finds) -> None:
    """Add user information and the secret paths of webhooks."""
    for pattern in (USER_INFO, CUT_PASSWORD, REMOTE) if "@" in text else ():
        finds.extend(Identifier("secret", *match.span(1)) for match in pattern.finditer(text))
    finds.extend(Identifier("secret", *match.span(1)) for match in WEBHOOK.finditer(text))


def _parameters(text: str, finds: Finds) -> None:
    """Add the values of parameters that hold a secret."""
    for match in PARAMETER.finditer(text):
        value = match[4]
        if HARMLESS_VALUE.fullmatch(value) or (match[1] and ": " in match[0] and value.isalpha() and len(value) < 8):
            continue
        finds.append(Identifier("secret", *match.span(4)))


RECOGNIZER: Final = Recognizer(find, plain=True)
