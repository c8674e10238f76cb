"""Identifiers that their own form, a checksum or a word beside them gives away; no knowledge base is asked.

Rules:
- A form alone is enough where nothing else has it: e-mail, IP and MAC address, 3-3-4 telephone, 3-2-4 SSN, a number
  that passes Luhn under a card prefix, a VIN that passes its check digit, a parcel number, nine digits or more.
- Seven digits are a telephone only beside a word such as "phone"; nine are an SSN only beside "ssn", else a `code`.
- Not identifiers: years, prices, product models and part numbers after such a word ("toner", "isbn"), ISBN and UPC by
  checksum, round numbers, runs like 123456789, versions, documentation and router addresses, toll-free words.
- Every repetition is bounded and anchored at a word's start, so time is linear in the text's length.

Source: spec/streaming.md, "HIPAA Safe Harbor identifiers"; ISO/IEC 7812 (Luhn, prefixes), SSA (areas 001-665 and
667-899, group 01-99, serial 0001-9999; IRS: ITIN areas 900-999), NANP, 49 CFR 565 (VIN), RFC 4291 and 5321.
"""

import re
from ipaddress import AddressValueError, IPv6Address
from typing import Final

from service.core.identifiers.spans import Found, Identifier, word_set
from service.core.identifiers.tokens import Query

EMAIL: Final = re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64} ?@ ?[\w-]{1,63}(?: ?\. ?[\w-]{1,63}){0,4}")
SPELLED: Final = re.compile(
    r"(?<![\w.+-])([\w.+-]{1,64}(?: (?:dot|underscore|dash) [\w-]{1,40}){0,3}) (?:at|\(at\)|\[at\]) "
    r"((?:[\w-]{1,63}(?: ?(?:\bdot\b|\(dot\)|\[dot\]|\.) ?))[\w-]{1,63}(?: ?(?:\bdot\b|\.) ?[a-z]{2,4})?)(?!\w)"
)
MAIL_HOST: Final = re.compile(
    r"(?:g ?mail|googlemail|yahoo|ymail|hot ?mail|outlook|live|msn|aol|comcast|verizon|earthlink|sbcglobal|bellsouth|"
    r"att|cox|charter|juno|netzero|mac|icloud|me|mail|gmx|rocketmail|excite|netscape|prodigy|roadrunner|proton ?mail)\b"
)
TOP_LEVEL: Final = re.compile(r"(?:com|net|org|edu|gov|mil|biz|info|name|us|uk|ca|de|fr|it|es|au|nz|in|io|me|tv)$")
NO_MAILBOX: Final = word_set(
    "jobs job work works working career careers shop shopping buy buying look looking sale sales store stores clothes "
    "prices price games play online available sold found free deals coupons coupon credit books music flights login "
    "sign log is are was up in on meet search find what how the and email mail address account accounts"
)

OCTET: Final = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
IPV4: Final = re.compile(rf"(?<![\w.:-])(?:{OCTET}\.){{3}}{OCTET}(?::\d{{1,5}}|/\d{{1,2}})?(?![\w-]|\.\d)")
IPV6: Final = re.compile(r"(?<![\w:.])[0-9a-f:]{4,39}(?:(?:\d{1,3}\.){3}\d{1,3})?(?:/\d{1,3})?(?![\w:])")
COMMON_IP: Final = re.compile(
    r"(?:0\.0\.0\.0|127\.\d+\.\d+\.\d+|255\.\d+\.\d+\.\d+|192\.168\.[0128]{1,2}\.(?:0|1|2|100|101|254|255)|"
    r"10\.0\.[01]\.(?:0|1|138|2)|172\.16\.0\.[01]|8\.8\.(?:8\.8|4\.4)|1\.[01]\.[01]\.1|4\.2\.2\.[12]|9\.9\.9\.9)(?![\d.])"
)
IP_WORDS: Final = word_set(
    "ip ips address ping whois trace traceroute tracert lookup look host server proxy locate location where owner "
    "reverse blacklist dns block ban hacked track find geolocate who"
)
MAC: Final = re.compile(r"(?<![\w:-])[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}(?![\w:-])")

PHONE: Final = re.compile(
    r"(?<![\w.$/-])(?:\+ ?1|001|011 ?1|1)?[ .-]{0,2}(?:\( ?\d{3} ?\)|\[\d{3}\]|\d{3})[ ./-]{1,3}\d{3}[ .-]{1,3}\d{4}"
    r"(?: ?(?:x|ext|ext\.|extension) ?\d{1,6})?(?!\d|[-.]\d)"
    r"|(?<![\w.$/-])(?:\+ ?1|001|1)?[ .-]?\(\d{3}\) ?\d{3}[ .-]{0,2}\d{4}(?: ?(?:x|ext|ext\.) ?\d{1,6})?(?!\d)"
    r"|(?<![\w.$/-])(?:(?:\+1|001|1)[ .-]?)?[2-9]\d{2}[ .-]?[2-9]\d{2}[ .-]?\d{4}"
    r"(?: ?(?:x|ext|ext\.|extension) ?\d{1,6})?(?!\w|[-.]\d)"
)
ABROAD: Final = re.compile(r"(?<![\w+])(?:\+|00|011 )[1-9]\d{0,2}[ .-]?\(?\d{1,5}\)?(?:[ .-]?\d{2,4}){2,4}(?!\w)")
LOCAL_PHONE: Final = re.compile(r"(?<![\w.$/-])[2-9]\d{2}[ .-]?\d{4}(?![\w]|[-.]\d)")
PHONE_WORDS: Final = word_set(
    "phone telephone tel cell cellphone mobile fax call called calling caller pager number numbers reverse text "
    "voicemail landline ph"
)

SSN: Final = re.compile(r"(?<![\w.$-])(?!000|666)\d{3}([-. ])(?!00)\d{2}\1(?!0000)\d{4}(?![\w]|[-.]\d)")
SSN_WORDS: Final = word_set("ssn ss social socials itin ssns")
BARE_NINE: Final = re.compile(r"(?<![\w.$-])(?!000|666)\d{3}(?!00)\d{2}(?!0000)\d{4}(?![\w]|[-.]\d)")
CARD: Final = re.compile(
    r"(?<![\w.$-])(?:\d{13,19}|\d{4}([ -.])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5}"
    r"|\d{4} ?- ?\d{4} ?- ?\d{4} ?- ?\d{4})(?!\w|[-.]\d)"
)
CARD_PREFIX: Final = re.compile(r"4|5[0-9]|2[2-7]|3[045678]|6")
VIN: Final = re.compile(r"(?<![\w-])(?=[a-z]{0,16}\d)(?=\d{0,16}[a-z])[0-9a-hj-npr-z]{17}(?![\w-])")
VIN_WORDS: Final = word_set("vin vehicle chassis carfax title")
VIN_VALUE: Final = dict(
    zip("0123456789abcdefghjklmnprstuvwxyz", map(int, "012345678912345678123457923456789"), strict=True)
)
VIN_WEIGHT: Final = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)

PARCEL: Final = re.compile(
    r"(?<!\w)1z[ -]?[0-9a-z]{3}[ -]?[0-9a-z]{3}[ -]?[0-9a-z]{2}[ -]?[0-9a-z]{4}[ -]?[0-9a-z]{4}(?!\w)"
)
UUID: Final = re.compile(r"(?<![\w-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\w-])")
RUN_OF_NINE: Final = re.compile(r"[0-9]{9}")
YEARS: Final = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)(?:\D|$)")
SWITCH: Final = re.compile(r"\d(?=[a-z])|[a-z](?=\d)")
LONG: Final = re.compile(r"(?<![\w.,$])\d{9,40}(?![\w]|[.,]\d)")
GROUPS: Final = re.compile(r"(?<![\w.,$/-])\d{2,12}(?:[- ]\d{2,12}){1,7}(?![\w/-]|[.,]\d)")
MIX: Final = re.compile(r"(?<![\w-])(?=[\w-]{10,41}(?![\w-]))[a-z0-9](?:-?[a-z0-9]){9,40}(?![\w-])")
NO_CODE: Final = word_set(
    "isbn issn upc ean asin sku part parts model toner ink cartridge battery driver drivers laptop item error "
    "firmware patent resistor transistor datasheet sequence pi digits million billion trillion divided times plus "
    "factorial rs232 nsn lyrics barcode adapter charger hex"
)
"""Words beside which a code is a product's, an error's or arithmetic."""
URL: Final = re.compile(
    r"(?<![\w@.-])(?:https?://|www\.)?(?:[\w-]{1,63}\.){1,4}[a-z]{2,6}(?::\d{1,5})?/[^\s]{1,200}"
    r"|(?<![\w@-])(?:https?://|www\.)?[\w-]{2,63}\.(?:blogspot|livejournal|wordpress|tripod|tumblr|typepad|deviantart|"
    r"xanga|weebly|webs|angelfire|freewebs|multiply|hi5|vox|wixsite|github|neocities)\.(?:com|net|org|io)(?!\w)(?:/\S{0,200})?"
)
URL_HINT: Final = re.compile(
    r"\.(?:blogspot|livejournal|wordpress|tripod|tumblr|typepad|deviantart|xanga|weebly|webs|angelfire|freewebs|"
    r"multiply|hi5|vox|wixsite|github|neocities)\.(?:com|net|org|io)"
)
USER_DOMAIN: Final = re.compile(r"(?:blogspot|livejournal|tripod|tumblr|wordpress)\.com/")
PERSONAL_HOST: Final = re.compile(
    r"(?:^|//|\.|@)(?:myspace|facebook|geocities|angelfire|tripod|xanga|friendster|linkedin|twitter|instagram|flickr|"
    r"livejournal|hi5|bebo|tagged|orkut|multiply|classmates|blackplanet|migente|photobucket|webshots|picturetrail|"
    r"freewebs|piczo|tumblr|pinterest|snapchat|tiktok|youtube|last|soundcloud|deviantart|github|about|vk|"
    r"members\.aol|hometown\.aol|pages\.prodigy|home\.comcast|home\.earthlink|plus\.google|profiles\.yahoo|360\.yahoo|"
    r"x|t|medium|patreon|venmo|ancestry|caringbridge|theknot|match|okcupid|reddit|quora|steamcommunity|goodreads|"
    r"[\w-]+\.blogspot|blogger|weebly|webs)\.(?:com|net|org|fm|me|io|tv|co)/"
)
PERSONAL_PATH: Final = re.compile(
    r"/~[\w.-]|/(?:users?|u|people|person|profiles?|members?|homepages?|personal|faculty|students?|resume|cv)/[\w.~%-]{2,}"
    r"|[?&](?:user|uid|id|friendid|profile|member|u)=[\w.-]{2,}"
)
IMPERSONAL: Final = re.compile(
    r"/(?:login|signup|home|index|search|about|help|music|video|videos|watch|browse|apps|download|downloads|events|"
    r"groups|pages|jobs|company|news|games|layouts|policies|terms|privacy|explore|trending|channel|developers|"
    r"wiki|r|hashtag|topic|topics|settings|marketplace|tv|movies|films|maps|images|support)?(?:\.\w{2,5})?(?:[/?#]\S*)?$"
)


def luhn(digits: str) -> bool:
    """Return whether a string of ASCII digits passes the Luhn check."""
    total = sum(map(int, digits[-1::-2]))
    return not (total + sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])) % 10


def vin_checks(code: str) -> bool:
    """Return whether a lower-case 17-character VIN carries its own check digit."""
    rest = sum(VIN_VALUE[char] * weight for char, weight in zip(code, VIN_WEIGHT, strict=True)) % 11
    return code[8] == ("x" if rest == 10 else str(rest))


def product_code(digits: str) -> bool:
    """Return whether the digits are an ISBN-10, ISBN-13, or UPC that passes its check: a product, not a person."""
    if len(digits) == 10 and digits[0] in "01":
        return sum(int(digit) * weight for digit, weight in zip(digits, range(10, 0, -1), strict=True)) % 11 == 0
    if len(digits) == 13 and digits.startswith(("978", "979")):
        return sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(digits)) % 10 == 0
    return False


def only_digits(text: str) -> str:
    """Return the ASCII digits of `text`."""
    return "".join(char for char in text if "0" <= char <= "9")


def plain_number(digits: str) -> bool:
    """Return whether the digits are a round amount or a run on the keyboard, not a code."""
    return (
        digits.endswith("000000")
        or len(set(digits)) == 1
        or digits in "01234567890123456789"
        or digits in "98765432109876543210"
    )


def by_form(query: Query, found: Found) -> None:
    """Add to `found` what shows by its form alone."""
    text, digits = query.text, query.digits
    if "@" in text:
        mail(text, found)
    if (" dot " in text or "." in text or "dot)" in text) and (" at " in text or "at)" in text or "at]" in text):
        spelled_mail(text, found)
    if "." in text and ("/" in text or URL_HINT.search(text)):
        pages(text, found)
    if digits < 4:
        if text.count(":") >= 2:
            coloned(text, found)
        return
    if text.count(":") >= 2:
        coloned(text, found)
    if text.count(".") >= 3:
        addresses(query, found)
    if digits >= 7:
        telephones(query, found)
    if digits >= 9:
        nines(query, found)
    if digits >= 5:
        mixes(query, found)


def mail(text: str, found: Found) -> None:
    """Add addresses with an at-sign."""
    for match in EMAIL.finditer(text):
        if " " in match[0] and not (TOP_LEVEL.search(match[0]) and "." in match[0]):
            continue
        found.append(Identifier("email", *match.span()))


def spelled_mail(text: str, found: Found) -> None:
    """Add addresses spelled out: "jo dot doe at example dot com"."""
    for match in SPELLED.finditer(text):
        local, host = match[1], match[2]
        if not TOP_LEVEL.search(host) or local in NO_MAILBOX:
            continue
        if MAIL_HOST.match(host) or " dot " in host or "(dot)" in host or " dot " in local or not local.isalpha():
            found.append(Identifier("email", *match.span()))


def pages(text: str, found: Found) -> None:
    """Add addresses of personal pages: a user's path on a host of many, or a user's subdomain."""
    for match in URL.finditer(text):
        url = match[0]
        subdomain = "/" not in url.partition("//")[2 if "://" in url else 0]
        hosted = PERSONAL_HOST.search(url) or USER_DOMAIN.search(url)
        if subdomain or PERSONAL_PATH.search(url) or (hosted and not IMPERSONAL.search(url.partition("//")[2] or url)):
            found.append(Identifier("url", *match.span()))


def coloned(text: str, found: Found) -> None:
    """Add IPv6 and MAC addresses."""
    for match in MAC.finditer(text):
        found.append(Identifier("device", *match.span()))
    for match in IPV6.finditer(text):
        address = match[0].partition("/")[0]
        if address.count(":") < 2 or len(address) < 6:
            continue
        try:
            IPv6Address(address)
        except AddressValueError:
            continue
        found.append(Identifier("ip", *match.span()))


def addresses(query: Query, found: Found) -> None:
    """Add IPv4 addresses, except those that every router or manual has, and versions."""
    for match in IPV4.finditer(query.text):
        if COMMON_IP.match(match[0]):
            continue
        parts = [int(part) for part in re.split(r"[.:/]", match[0])[:4]]
        if parts[0] < 20 and max(parts) < 50 and len(query.words) > 1 and query.vocabulary.isdisjoint(IP_WORDS):
            continue  # a version: "firefox 3.0.0.11"
        found.append(Identifier("ip", *match.span()))


def telephones(query: Query, found: Found) -> None:
    """Add telephone and fax numbers."""
    text, digits = query.text, query.digits
    harmless = not query.vocabulary.isdisjoint(NO_CODE)
    if digits >= 10:
        for match in PHONE.finditer(text):
            inner = only_digits(match[0])
            if not (inner == match[0] and (product_code(inner) or plain_number(inner) or harmless)):
                found.append(Identifier("phone", *match.span()))
    if digits >= 8 and ("+" in text or "00" in text or "011" in text):
        for match in ABROAD.finditer(text):
            if 8 <= len(only_digits(match[0])) <= 15 and not match[0].isdigit():
                found.append(Identifier("phone", *match.span()))
    if not query.vocabulary.isdisjoint(PHONE_WORDS):
        for match in LOCAL_PHONE.finditer(text):
            found.append(Identifier("phone", *match.span()))


def nines(query: Query, found: Found) -> None:
    """Add SSNs, cards, and other numbers of nine digits or more."""
    text = query.text
    run = RUN_OF_NINE.search(text) is not None
    harmless = not query.vocabulary.isdisjoint(NO_CODE)
    if not run:
        found.extend(Identifier("ssn", *match.span()) for match in SSN.finditer(text))
    elif not query.vocabulary.isdisjoint(SSN_WORDS):
        found.extend(Identifier("ssn", *match.span()) for match in BARE_NINE.finditer(text))
    if query.digits >= 13:
        for match in CARD.finditer(text):
            inner = only_digits(match[0])
            if CARD_PREFIX.match(inner) and luhn(inner) and not product_code(inner):
                found.append(Identifier("card", *match.span()))
            elif not harmless and inner != match[0] and not YEARS.search(match[0]):
                found.append(Identifier("code", *match.span()))
    if harmless:
        return
    if run:
        for match in LONG.finditer(text):
            if not plain_number(match[0]) and not product_code(match[0]):
                found.append(Identifier("code", *match.span()))
    if "-" in text:
        for match in GROUPS.finditer(text):
            if "-" in match[0] and len(only_digits(match[0])) >= 9 and not YEARS.search(match[0]):
                found.append(Identifier("code", *match.span()))


def mixes(query: Query, found: Found) -> None:
    """Add VINs, parcel numbers and other long mixes of letters and digits."""
    text = query.text
    if "1z" in text:
        found.extend(Identifier("code", *match.span()) for match in PARCEL.finditer(text))
    # Folded text is lower case, so `islower` says that there is a letter.
    if not any(len(word) >= 10 and word.islower() for word in query.words):
        return
    for match in VIN.finditer(text):
        if vin_checks(match[0]) or not query.vocabulary.isdisjoint(VIN_WORDS):
            found.append(Identifier("vehicle", *match.span()))
    if "-" in text:
        found.extend(Identifier("code", *match.span()) for match in UUID.finditer(text))
    if not query.vocabulary.isdisjoint(NO_CODE):
        return
    for match in MIX.finditer(text):
        code = match[0]
        count = len(only_digits(code))
        letters = sum(char.isalpha() for char in code)
        if (
            count >= 5
            and letters
            and not code.startswith("0x")
            and (letters <= 4 or len(SWITCH.findall(code)) > 3)
            and not YEARS.search(code)
        ):
            found.append(Identifier("code", *match.span()))
