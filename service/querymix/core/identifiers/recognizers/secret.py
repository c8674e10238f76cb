"""Access tokens and keys, by their form alone.

Rules:
- Issuers' own prefixes are enough, in any case: records are often in lower case.
- A run of 20 characters or more with capitals, small letters and digits in turn is a key.

Source: the issuers' documentation of their prefixes; RFC 7519 (JWT), RFC 7468 (PEM).
"""

import re
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tokens import QueryText

PREFIXED: Final = expression(
    r"(?<![a-z0-9])(?:"
    r"(?:akia|asia|agpa|aida|aroa|aipa|anpa|anva|abia|acca)(?=[a-z]{0,15}[0-9])[a-z0-9]{16}"  # AWS
    r"|gh[pousr]_[a-z0-9]{10,255}|github_pat_\w{10,255}|gl(?:pat|ptt|rt|dt|cbt|ft|soat|imt|agent|oas)-[\w.-]{10,255}"
    r"|xox[a-z]-[a-z0-9-]{8,255}|xapp-\d-[\w-]{10,255}|xoxe\.[\w.-]{10,255}"  # Slack
    r"|aiza[\w-]{30,45}|ya29\.[\w.-]{10,512}|gocspx-[\w-]{10,60}|1//0[\w-]{20,200}"  # Google
    r"|(?:sk|pk|rk|ak|tk)_(?:live|test|prod)_\w{8,255}|whsec_[\w+/=]{10,255}"  # Stripe and the like
    r"|sk-(?:[a-z]{2,8}-){0,2}(?=[\w-]{0,254}\d)[\w-]{16,255}|sess-[a-z0-9]{20,255}"  # OpenAI, Anthropic
    r"|(?:hf|npm|gsk|r8|figd|dckr_pat|shp(?:at|ca|pa|ss)|dop_v1|doo_v1|lin_api|ntn|secret|glsa|pscale_\w{2,8}|rubygems|"
    r"sntry[su]|pplx|xai|fal|tvly|dapi|nrak|phc|sbp|ops|pat|key|tok|token|api)[_-](?:(?=[a-z_-]{0,254}\d)[a-z0-9_-]{16,255}|[a-z]{30,255})"
    r"|(?:hvs|hvb|s|sg|at|atatt3\w{0,4}|atbb)\.(?=[\w.-]{0,254}\d)[\w.-]{22,255}|(?:atatt3|atbb)[\w=-]{20,255}"
    r"|pypi-[\w-]{16,255}|nvapi-[\w-]{20,255}|tskey-[\w-]{10,255}|pmak-[\w-]{20,100}|key-[0-9a-f]{32}"
    r"|(?:ac|sk)[0-9a-f]{32}|eaac[a-z0-9]{20,255}|sq0[a-z]{3}-[\w-]{20,60}|amzn\.mws\.[\w-]{20,60}|akcp\w{10,80}"
    r"|age-secret-key-1[a-z0-9]{20,80}|\d{8,10}:aa[\w-]{30,40}"
    r"|eyj[\w-]{8,2000}(?:\.[\w-]{0,4000}){0,4}"  # JWT, JWE
    r"|mfa\.[\w-]{20,100}|[mno][\w-]{23,25}\.(?=[\w-]{0,5}\d)[\w-]{6}\.[\w-]{27,40}"  # Discord
    r"|ssh-(?:rsa|dss|ed25519) [\w+/=]{16,4000}"
    r")(?![a-z0-9])"
)
PEM: Final = expression(r"-{2,5} ?begin [a-z0-9 ]{0,30}(?:private key|certificate|secret)[a-z ]{0,10}-{2,5}.*", re.S)

MIXED: Final = expression(r"(?<![A-Za-z0-9])(?=[A-Za-z0-9_/-]{0,500}[A-Z])[A-Za-z0-9_-]{20,4000}={0,2}(?![A-Za-z0-9])")
TAILED: Final = expression(
    r"(?<![a-z0-9])[a-z][a-z0-9]{0,11}(?:[_~$.-][a-z0-9]{1,16}){0,3}[_~$-]"
    r"(?:(?=[a-z0-9]*\d[a-z]*\d[a-z]*\d[a-z]*\d)(?=\d*[a-z])[a-z0-9]{16,255}|(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{24,255})"
    r"(?![a-z0-9])"
)
"""A vendor's mark and a random text after it: "shippo_live_...", "rnd_..."."""
KEY_OF_FORTY: Final = expression(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])")
CHANGES: Final = expression(r"[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|\d(?=[A-Za-z])")


def find(query: QueryText, finds: Findings) -> None:
    """Add tokens and keys."""
    text = query.text
    finds.extend(Identifier("secret", *match.span()) for match in PREFIXED.finditer(text))
    if query.digits and query.longest >= 20:
        finds.extend(Identifier("secret", *match.span()) for match in TAILED.finditer(text))
    if "begin " in text:
        finds.extend(Identifier("secret", *match.span()) for match in PEM.finditer(text))
    if query.digits and query.longest >= 20 and query.cased != text:
        for pattern, fewest in ((MIXED, 6), (KEY_OF_FORTY, 10)):
            for match in pattern.finditer(query.cased):
                digits = sum(char.isdigit() for char in match[0])
                if len(CHANGES.findall(match[0])) >= fewest and digits >= 1 + (len(match[0]) < 30):
                    finds.append(Identifier("secret", *match.span()))


RECOGNIZER: Final[Recognizer] = Recognizer(find, stretch=14, marks="0_-.")
