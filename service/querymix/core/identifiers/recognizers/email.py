"""E-mail addresses, as they are and spelled out ("jo dot doe [at] example [dot] com").

Rules:
- An address needs a host with a top-level domain in letters, an address literal, or a mail provider's name; so "c@ts"
  and "node@18.0.0" are none. Spaces around at and dots need a usual top-level domain. Letters of all scripts count.
- A bracketed "at" makes any two sides an address that have a dot or a provider; a bare "at" needs a provider, a
  spelled-out dot, or a local part that is no word. What stands before it in "user:password@host" goes along.

Source: RFC 5321, RFC 6531 (other scripts).
"""

import re
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, merged, word_set
from querymix.core.identifiers.tokens import QueryText

LOCAL: Final = r"[\w%!#$^*~-][\w.+%'!#$^*~-]{0,63}"
EMAIL: Final = expression(
    rf"(?<!\w)(?:[^\s:/@&=?\"']{{1,64}}:)?(?:\"[^\"]{{1,64}}\"|{LOCAL}) ?@{{1,2}} ?"
    r"(\[[0-9a-f:.]{3,45}\]|[\w-]{1,63}(?: ?\. ?[\w-]{1,63}){0,4}(?:(?:, ?| )(?:com|net|org|edu)(?!\w))?)"
)
LOST_DOT: Final = expression(r"(?:, ?| )(?=(?:com|net|org|edu)$)")
NUMBERED_HOST: Final = expression(r"(?:\d{1,3}\.){3}\d{1,3}")
LETTERED_END: Final = expression(r"\.\s?(?:xn--[a-z0-9-]{2,59}|[^\W\d_]{2,24})$")
GLUED: Final = expression(
    r"\.\s?(?:com|net|org|edu|gov|mil|info|biz|us|uk|ca|de|fr|it|es|au|nz|in|io|me|nl|be|ch|at|se|no|dk|fi|pl|cz|ru|br|"
    r"mx|ar|cl|jp|cn|kr|za|ie|pt|eu)(?=[\d_-])"
)
"""A usual end that something is glued to: "jo@example.com212-555-0147"."""
FILE_END: Final = expression(r"\.(?:[jt]sx?|mjs|cjs|css|html?|json|md|txt|py|rb|java|class|jar|png|jpe?g|gif|svg|x+)$")
SPACED_OUT: Final = expression(r"(?<!\S)(?:\w ){2,40}$")
"""The rest of a local part whose letters stand apart: "j o d o e @ example.com"."""
LABEL: Final = word_set("mailto email e-mail mail to from cc bcc contact user login username address e id smtp mx")
_AT_NAMES: Final = "arrobas?|arobase?s?|chiocciol(?:a|ina)|apenstaart(?:je)?|klammeraffe"
"""The at-sign's names in other languages, which stand for nothing else."""
AT: Final = (
    rf"(?: ?[(\[{{<|] ?(?:at|a|aet|@|{_AT_NAMES}) ?[)\]}}>|] ?| (?:at|aet|chez|{_AT_NAMES}) | ?[_*#-]at[_*#-] ?| ?@ ?)"
)
AT_WORDS: Final = word_set(
    "at aet chez arroba arrobas arobase arobas arobases chiocciola chiocciolina apenstaart apenstaartje klammeraffe"
)
LETTERS_ONLY: Final = (AT_WORDS - {"at", "aet", "chez"}) | word_set(
    "dot d punto ponto punkt punt point underscore dash hyphen com net org me mail"
)
"""Without one of these words letters and spaces are no address: nothing tells a dot, nor a provider with its end."""
DOT: Final = (
    r"(?: ?[(\[{<|] ?(?:dot|d|\.|punto|ponto|punkt|punt|point) ?[)\]}>|] ?"
    r"| (?:dot|punto|ponto|punkt|punt|point) | ?[_*#-]dot[_*#-] ?|\.)"
)
SPELLED: Final = expression(
    rf"(?<![\w.+-])([\w+-]{{1,40}}(?:(?:{DOT}| (?:underscore|dash|hyphen) )[\w+-]{{1,40}}){{0,3}}){AT}"
    rf"([\w-]{{1,40}}(?:{DOT}[\w-]{{1,40}}){{0,3}}(?: ?(?:\. ?| dot )[a-z]{{2,4}}| (?:com|net|org))?)(?!\w)"
)
SPOKEN_DOT: Final = expression(r"\W(?:dot|d|punto|ponto|punkt|punt|point)\W|[_*#-]dot[_*#-]|[\[({<|]\.[\])}>|]")
BRACKETED: Final = expression(rf"[\[({{<|] ?(?:at|a|aet|@|{_AT_NAMES}) ?[\])}}>|]|[_*#-]at[_*#-]| (?:{_AT_NAMES}) ")
MAIL_HOST: Final = expression(
    r"(?:g ?mail|googlemail|yahoo|ymail|hot ?mail|outlook|live|msn|aol|comcast|verizon|earthlink|sbcglobal|bellsouth|"
    r"att|cox|charter|juno|netzero|mac|icloud|me|mail|gmx|rocketmail|excite|netscape|prodigy|roadrunner|proton ?mail|"
    r"web|orange|wanadoo|free|laposte|libero|sfr|hispavista|terra|uol|bol|sapo|ziggo|kpnmail|xs4all|telenet|yandex|qq|163|126|naver|hanmail|rediffmail|zoho|fastmail|tutanota)\b"
)
PROVIDER: Final = expression(
    r"(?:gmail|googlemail|yahoo|ymail|hotmail|outlook|aol|icloud|comcast|protonmail|msn)(?:com)?$"
)
TOP_LEVEL: Final = expression(
    r"(?:^|[\W_])(?:com|net|org|edu|gov|mil|biz|info|name|us|uk|ca|de|fr|it|es|au|nz|in|io|me|tv|nl|be|ch|at|se|no|dk|fi|"
    r"pl|cz|ru|ua|br|mx|ar|cl|co|jp|cn|kr|hk|tw|sg|my|ph|za|ie|pt|gr|tr|il|eu|ai|app|dev|email|mail)$"
)
BRACKETS: Final = frozenset("([{<|")
NO_MAILBOX: Final = word_set(
    "jobs job work works working career careers shop shopping buy buying look looking sale sales store stores clothes "
    "prices price games play online available sold found free deals coupons coupon credit books music flights login "
    "sign log is are was up in on meet search find what how the and email mail address account accounts good bad "
    "aim live arrive stay eat party lunch dinner hotel hotels tickets movies time times one two people"
)


def written(query: QueryText, finds: Findings) -> None:
    """Add addresses with an at-sign. What is none may hide one: "mastodon @jo@example.social"."""
    at = 0
    secrets = merged(one for one in finds if one.kind == "secret")
    while match := EMAIL.search(query.text, at):
        at = match.start(1)
        while secrets and secrets[0].end < at:
            del secrets[0]
        if secrets and secrets[0].start < at:
            at = match.end()  # the user of a URL: the host may stay
        elif _is_address(match):
            at = match.end()
            finds.append(Identifier("email", _start(query.text, match), at))


def _is_address(match: re.Match[str]) -> bool:
    """Return whether what stands around an at-sign is an address."""
    host = LOST_DOT.sub(".", match[1])  # "jo@example,com", "jo@example com"
    if host[0] != "[" and not NUMBERED_HOST.fullmatch(host):
        lettered = LETTERED_END.search(host)
        if lettered and "." in host and FILE_END.search(host):
            return False
        if not lettered and not PROVIDER.match(host) and not GLUED.search(host):
            head = host.rpartition(".")[0]
            if not (head and (LETTERED_END.search(head) or PROVIDER.match(head))):
                return False  # neither "jo@example.com.5"
    if " " in match[0]:
        local = match[0].partition("@")[0].strip()
        return bool(TOP_LEVEL.search(host)) and "." in host and local not in NO_MAILBOX
    return True


def _start(text: str, match: re.Match[str]) -> int:
    """Return where an address begins: at letters that stand apart before it, after a label such as "mailto:"."""
    start = match.start()
    if match[0][1:2] in " @" and (apart := SPACED_OUT.search(text, max(0, start - 80), start)):
        return apart.start()
    label, colon, _ = match[0].partition(":")
    return start + len(label) + 1 if colon and "@" not in label and label in LABEL else start


def spelled(query: QueryText, finds: Findings) -> None:
    """Add addresses that are spelled out."""
    text = query.text
    if not (
        not AT_WORDS.isdisjoint(query.words)
        or "@" in query.marks
        or "-at-" in text
        or "_at_" in text
        or "*at*" in text
        or "#at#" in text
        or BRACKETS & query.marks
    ) or (query.plain and not query.says(LETTERS_ONLY)):
        return
    for match in SPELLED.finditer(text):
        local, host = match[1], match[2]
        middle = text[match.end(1) : match.start(2)]
        if middle.strip() == "@" and not SPOKEN_DOT.search(match[0]):
            continue  # an address as it is written
        as_options = SPOKEN_DOT.search(host) or SPOKEN_DOT.search(local)
        provider = MAIL_HOST.match(host)
        if BRACKETED.fullmatch(middle.strip() or middle if middle.strip()[:1] in "[({<|_*#-" else middle):
            if TOP_LEVEL.search(host) or PROVIDER.match(host):
                finds.append(Identifier("email", *match.span()))
            continue
        if local in NO_MAILBOX:
            continue
        if not TOP_LEVEL.search(host):
            if PROVIDER.match(host) and not local.isalpha():
                finds.append(Identifier("email", *match.span()))  # "jdoe82 at gmail"
        elif provider or as_options or not local.isalpha():
            finds.append(Identifier("email", *match.span()))


WRITTEN: Final[Recognizer] = Recognizer(written, marks="@")
SPELLED_OUT: Final[Recognizer] = Recognizer(spelled, words=AT_WORDS, plain=True)
SPELLED_WITH_MARKS: Final[Recognizer] = Recognizer(spelled, marks="@-_*#([{<|")
