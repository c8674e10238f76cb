"""Codes that were sent to one person: "your verification code is 730264", "g-482913 is your google code".

Rules:
- A code has four to eight figures, also in two groups, or is a mix of letters and figures. It stands beside a word that
  says that it was sent ("verification code", "otp", "your code"), with a few small words between at most.
- A code that many share stays: of errors, areas, products and laws.

Source: the services' own messages; the usual length of RFC 4226 and RFC 6238 (six to eight figures).
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.seen import see
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

_CODE: Final = (
    r"(?<![\w.$/#-])(?:[a-z]{1,3}-)?(?:(?!(?:19|20)\d\d(?!\d))\d{4,8}(?! \d{4}(?!\d))|\d{4} \d{4}|\d{3}[ -]\d{3,4}|"
    r"\d{2} \d{2} \d{2}|(?:\d ){5}\d|"
    r"(?=[a-z]*\d)(?=\d*[a-z])(?!\d+(?:st|nd|rd|th|gb|mb)\b)[a-z0-9]{5,10})(?![\w]|[.,]\d| ?%|-\d)"
)
_SENT: Final = (
    r"(?:(?:verif\w{2,12}|verificacao|one[ -]?time|two[ -]?factor|2[ -]?factor|2fa|mfa|2sv|otp|sms|text message|"
    r"security|authenticat\w{2,5}|authenticator|authorization|log[ -]?in|sign[ -]?in|log[ -]?on|access|passcode|"
    r"confirmation|"
    r"activation|registration|recovery|backup|unlock|reset|steam guard|whatsapp|telegram|google|facebook|"
    r"instagram|discord|paypal|"
    r"apple id|amazon|microsoft|snapchat|tiktok|twitter|uber|tinder|signal|viber|einmal|bestatigungs|sicherheits|"
    r"aktivierungs|verificatie|confirmacion|seguridad|seguranca|securite|sicurezza|verifica)"
    r"[ -]?(?:pass)?(?:code|pin|password|passwort|codigo|kod|token|number)s?|otp|one[ -]?time (?:passcode|password|"
    r"pin)|(?:codigo|code|codice|cod) (?:de |di )?(?:verific\w{2,8}|confirmac\w{2,6}|verifica|seguridad|"
    r"securite|sicurezza|"
    r"seguranca|acceso|acesso|acces)|(?:your|my|ihr|dein|votre|tu|su|seu|tuo|tua|uw|jouw|din|twoj) "
    r"(?:[a-z]{2,12} ){0,2}(?:code|codigo|codice|kod|pin|tan)|mobile tan|mtan)"
)
AFTER: Final = expression(
    rf"(?<![\w-]){_SENT}(?: (?:is|was|ist|lautet|est|es|e|number|no|here|to use|for [a-z]{{2,15}}|from [a-z]{{2,15}}))"
    rf"{{0,3}}(?:\s*[:=#,([\"'-]\s*|\s+)({_CODE})"
)
BEFORE: Final = expression(rf"({_CODE})(?: [a-z]{{1,12}}(?:'s)?){{0,4}}? {_SENT}(?!\w)")
ASKED: Final = expression(
    rf"(?:enter|use|type) (?:the |this |my )?(?:code|pin) ({_CODE})"
    rf"|(?<![\w-])(?:code|enter|use|type) ({_CODE}) (?:to|and) "
    r"(?:verify|log|sign|confirm|authenticate|reset|activate|unlock)(?!\w)"
)
_ELSEWHERE: Final = (
    "\u9a8c\u8bc1\u7801", "\u9a57\u8b49\u78bc", "\u6821\u9a8c\u7801",  # Chinese
    "\u8a8d\u8a3c\u30b3\u30fc\u30c9", "\u78ba\u8a8d\u30b3\u30fc\u30c9", "\uc778\uc99d\ubc88\ud638",  # Japanese, Korean
    "\u043a\u043e\u0434 \u043f\u043e\u0434\u0442\u0432\u0435\u0440\u0436\u0434\u0435\u043d\u0438\u044f",
)  # fmt: skip
ELSEWHERE: Final = expression(
    rf"(?:{'|'.join(see(word).text for word in _ELSEWHERE)})"
    r"\W{0,3}(?:[\u662f\u4e3a\u306f]\W{0,3})?(\d{4,8})(?!\d)"
)
"""The words for "verification code" in other scripts, as they are seen (seen.py)."""
PREFIXED: Final = expression(r"(?<![\w-])(?:g-\d{6}|fb-\d{5,6})(?!\w)")
SHORT: Final = expression(r"\d{4}")
TOLD: Final = expression(
    r"(?<!\w)(?:is|was|ist|lautet|es|est|your|my|ihr|dein|tu|su|votre|enter|use|to|otp|verif\w+)(?!\w)|[:=]"
)
"""What four figures need beside them: "security code 1099" is a form."""
WORDS: Final = word_set(
    "code codes otp pin tan mtan passcode codigo codice kod cod token password 2fa number verificationcode loginpin "
    "bestatigungscode sicherheitscode aktivierungscode einmalcode verificatiecode einmalpasswort passcodes "
    "verify log login sign confirm authenticate reset activate unlock"
)
SHARED: Final = word_set(
    "error fehler area postal zip zipcode dialing country airport promo coupon discount voucher cheat cheats hex color "
    "colour icd icd10 cpt hcpcs ndc dtc obd diagnostic trouble building penal tax tariff product model sort swift bic "
    "product item stock course class source sample ascii unicode http https status exit return sic naics"
)
"""Words beside which a code is one that many share."""


def find(query: QueryText, finds: Findings) -> None:
    """Add codes that were sent to one person."""
    text = query.spaced
    if "-" in text:
        finds.extend(Identifier("secret", *match.span()) for match in PREFIXED.finditer(text))
    if query.says(SHARED):
        return
    for pattern in (AFTER, BEFORE, ASKED):
        for match in pattern.finditer(text):
            group = match.lastindex or 1
            if not SHORT.fullmatch(match[group]) or TOLD.search(match[0]):
                finds.append(Identifier("secret", *match.span(group)))


def find_elsewhere(query: QueryText, finds: Findings) -> None:
    """Add codes behind the words for them in other scripts."""
    if not query.text.isascii():
        finds.extend(Identifier("secret", *match.span(1)) for match in ELSEWHERE.finditer(query.text))


RECOGNIZER: Final = Recognizer(find, digits=2, words=WORDS)
IN_OTHER_SCRIPTS: Final = Recognizer(find_elsewhere, digits=4)
