"""Identifiers that a word beside them gives away: codes, plates, photographs, dates of a life, ages.

Rules:
- A code is a word with a digit that follows its context word ("mrn", "policy", "serial"), at most four fillers between
  ("number", "is", "#"), or stands right before it. It has six characters or more; three do after "number", "id" or "#".
- Years, small numbers and quantities are no codes.
- A date is an identifier only beside a word of a person's life ("born", "dob", "died"), unless the query asks about the
  famous; its year goes with it. `date` also falls beside a name (see Detector). Years alone stay.
- Ages over 89 count where they are a person's ("aged 94", "94 year old"), not a house's.

Source: 45 CFR 164.514(b)(2)(i)(B) to (R).
"""

import re
from typing import Final

from service.core.identifiers.patterns import Found, only_digits
from service.core.identifiers.spans import Identifier

PHOTO: Final = re.compile(
    r"(?<!\w)(?:img|dsc|dscn|dscf|pict|mvc|photo|pic|image|scan|fingerprint|retina|iris|voiceprint|face)"
    r"(?:[_ -]|_scan_| scan | id | no | number | #){0,2}#?(\d{3,14}\w{0,4})(?:\.(?:jpe?g|png|gif|bmp|tiff?|avi|mov))?(?!\w)"
)
PHOTO_FILE: Final = re.compile(r"(?<![\w.-])[\w-]{0,40}\d{3,14}[\w-]{0,12}\.(?:jpe?g|png|gif|bmp|tiff?)(?!\w)")

MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:r?uary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
DATE: Final = re.compile(
    rf"(?<![\w/.-])(?:\d{{1,2}}([-/. ])\d{{1,2}}\1(?:\d{{4}}|\d{{2}})|\d{{4}}([-/.])\d{{1,2}}\2\d{{1,2}}"
    rf"|{MONTH} ?\d{{1,2}}(?:st|nd|rd|th)?(?:,? ?(?:of )?(?:\d{{4}}|'?\d{{2}}))?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?[ -](?:of )?{MONTH}(?:[ ,-]{{1,2}}(?:\d{{4}}|'?\d{{2}}))?"
    rf"|\d{{1,2}}/\d{{1,2}}|(?:19|20)\d{{2}}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:19|20)\d{{2}})(?![\w/]|[-.]\d)"
)
LIFE_WORD: Final = re.compile(
    r"\b(?:born|dob|d\.o\.b\.?|birth|birthdate|birthday|bday|b-day|birthdates|died|death|deceased|dod|obit|obituary|obituaries|passed away|"
    r"married|divorced|admitted|admission|discharged|discharge|baptized|buried|burial|wedding)\b"
)
PUBLIC_LIFE: Final = re.compile(
    r"\b(?:famous|celebrit(?:y|ies)|people born|born on|horoscope|zodiac|astrology|sign|history|president|king|queen|stars?)\b"
)
AGE: Final = re.compile(
    r"\b(?:aged?|turn(?:s|ed|ing)?|i am|i'm|im|she is|he is|who is)(?: of)? (9\d|1[01]\d)\b(?! ?%| percent| degrees| (?!and|with|y)\w+s\b)"
    r"|(?<![\w.$-])(9\d|1[01]\d) ?-?(?:y/o|yo|yr old|yrs old|y\.o\.)(?!\w)"
    r"|(?<![\w.$-])(9\d|1[01]\d)[ -](?:years?|yrs?|yr)[ -]?(?:old|of age)(?!\w)"
    r"(?!-? (?:house|home|building|barn|church|tree|oak|wine|whiskey|whisky|scotch|bottle|tortoise|turtle|piano|violin|"
    r"book|bible|coin|painting|clock|company|school|bridge|car|quilt|cookbook|recipe|photo|mystery|rum|brandy|law)s?\b)"
)

CODE: Final = r"(?=[\w-]{0,29}\d)[a-z0-9][\w-]{2,29}"
FILLER: Final = r"(?:(?:numbers?|nos?|num|nbr|id|ids|is|was|for|code|my|the|its|our|card|acct|account|#|:|=|-) ?){0,4}"
CONTEXTS: Final[tuple[tuple[str, str], ...]] = (
    (
        "medical",
        r"mrn|medical records?|health records?|patient|chart|med rec|hospital (?:number|id)|lab (?:result|order)|"
        r"accession|prescription|rx|specimen",
    ),
    (
        "plan",
        r"member|members|subscriber|policy|medicaid|medicare|hicn|mbi|health plan|insurance|beneficiary|group|claim|"
        r"blue cross|bcbs|aetna|cigna|humana|kaiser|unitedhealthcare",
    ),
    (
        "licence",
        r"licen[cs]es?|driver'?s? licen[cs]e|dl|certificate|cert|permit|passport|dea|npi|visa|green ?card|alien|"
        r"student|employee|badge|bar|registration|credential|voter|naturalization",
    ),
    (
        "device",
        r"serial|s/n|sn|imei|meid|esn|udid|iccid|device|pacemaker|implant|mac address|asset|service tag|android id",
    ),
    (
        "account",
        r"accounts?|acct|a/c|iban|routing|checking|savings|loan|customer|bank|swift|order|invoice|confirmation|"
        r"tracking|reservation|case|docket|transaction|ticket|booking|membership|frequent flyer|rewards|ein|tax id|parcel|claim",
    ),
    ("code", r"user ?id|userid|id|pin|reference|ref|booking|locator|inmate|booking|offender|doc"),
)
CONTEXT: Final = re.compile("|".join(rf"(?P<{kind}>\b(?:{words})(?!\w))" for kind, words in CONTEXTS))
AFTER: Final = re.compile(rf"[ '#:.=-]{{0,3}}(?:s )?{FILLER}({CODE})(?![\w])")
BEFORE: Final = re.compile(rf"({CODE}) (?:is my |my |for my )?$")
YEAR: Final = re.compile(r"(?:19|20)\d\d(?:[-/](?:\d\d|(?:19|20)\d\d))?|\d{1,3}(?:st|nd|rd|th)|1040\w*|w-?[249]|i-\d{1,3}\w?")
UNIT: Final = re.compile(r"\d{1,6}(?:gb|mb|kb|mhz|ghz|mm|cm|ml|mg|ft|lb|lbs|oz|hp|cc|k|yr|year|day|hour|min|am|pm|s|x\d*)")
STRONG: Final = frozenset({"medical", "device"})
MARKED: Final = re.compile(r"#|\b(?:number|numbers|no|num|nbr|id|is|code)\b")
PLATE_WORD: Final = re.compile(r"\b(?:licen[cs]e plates?|plates?|tag|tags|number plate|license tag|registration plate)\b")
PLATE_STOP: Final = frozenset("the is my on in tx ca ny fl for of and car tag no id".split())
PLATE: Final = re.compile(
    r"(?<![\w.$-])(?:(?=[a-z0-9 •-]{0,9}\d)(?:[a-z0-9]{1,4}[ •-]?[a-z0-9]{1,5}[ •-]?[a-z0-9]{0,4}))(?![\w-])"
)




def by_word(text: str, digits: int, found: Found, *, named: bool = False) -> None:
    """Add to `found` what a word in lower-case `text` gives away; `named` tells that it holds a person's name."""
    if digits >= 3:
        codes(text, found)
        for pattern in (PHOTO, PHOTO_FILE):
            for match in pattern.finditer(text):
                found.append(Identifier("photo", *match.span()))
    if digits and PLATE_WORD.search(text):
        plates(text, found)
    if (named or LIFE_WORD.search(text)) and not PUBLIC_LIFE.search(text):
        dates(text, found)
    if digits >= 2 and ("9" in text or "1" in text):
        for match in AGE.finditer(text):
            group = match.lastindex or 1
            found.append(Identifier("age", match.start(group), match.end() if group > 1 else match.end(group)))


def dates(text: str, found: Found) -> None:
    """Add every full date."""
    for match in DATE.finditer(text):
        found.append(Identifier("date", *match.span()))


def codes(text: str, found: Found) -> None:
    """Add codes after, or right before, a word that says what they are."""
    for match in CONTEXT.finditer(text):
        kind = match.lastgroup or "code"
        after = AFTER.match(text, match.end(), match.end() + 100)
        if after is not None:
            marked = MARKED.search(text, match.start(), after.start(1)) is not None
            if telling(after[1], kind, marked=marked):
                found.append(Identifier(kind, *after.span(1)))
                continue
        before = BEFORE.search(text, max(0, match.start() - 50), match.start())
        if before is not None and telling(before[1], kind, marked=False):
            found.append(Identifier(kind, *before.span(1)))


def telling(code: str, kind: str, *, marked: bool) -> bool:
    """Return whether `code` beside a word of `kind` tells one person apart, `marked` as a number or not."""
    digits = len(only_digits(code))
    if YEAR.fullmatch(code) or UNIT.fullmatch(code):
        return False
    if marked:
        return digits >= 3 and len(code) >= 4
    return digits >= (4 if kind in STRONG else 5) and len(code) >= (5 if kind in STRONG else 6)


def plates(text: str, found: Found) -> None:
    """Add plates: up to three short groups of letters and digits beside a word for plate."""
    for match in PLATE.finditer(text):
        groups = match[0].split()
        start = match.start()
        while groups and not only_digits(groups[0]) and (len(groups[0]) > 3 or groups[0] in PLATE_STOP):
            start += len(groups.pop(0)) + 1
        end = match.end()
        while groups and not only_digits(groups[-1]) and (len(groups[-1]) > 3 or groups[-1] in PLATE_STOP):
            end -= len(groups.pop()) + 1
        code = "".join(groups)
        if len(only_digits(code)) >= 2 and 5 <= len(code) <= 10 and not YEAR.fullmatch(code):
            found.append(Identifier("plate", start, end))
