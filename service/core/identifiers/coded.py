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

from service.core.identifiers.patterns import only_digits
from service.core.identifiers.spans import Found, Identifier, word_set
from service.core.identifiers.tokens import Query

PHOTO: Final = re.compile(
    r"(?<!\w)(?:img|dsc|dscn|dscf|pict|mvc|photo|pic|image|scan|fingerprint|retina|iris|voiceprint|face)"
    r"(?:[_ -]|_scan_| scan | id | no | number | #){0,2}#?(\d{3,14}\w{0,4})"
    r"(?:\.(?:jpe?g|png|gif|bmp|tiff?|avi|mov))?(?!\w)"
)
PHOTO_FILE: Final = re.compile(r"(?<![\w.-])[\w-]{3,60}\.(?:jpe?g|png|gif|bmp|tiff?)(?!\w)")

MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:r?uary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
MONTH_DAY: Final = r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
DATE: Final = re.compile(
    rf"(?<![\w/.-])(?:\d{{1,2}}([-/. ])\d{{1,2}}\1(?:\d{{4}}|\d{{2}})|\d{{4}}([-/.])\d{{1,2}}\2\d{{1,2}}"
    rf"|{MONTH} ?\d{{1,2}}(?:st|nd|rd|th)?(?:,? ?(?:of )?(?:\d{{4}}|'?\d{{2}}))?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?[ -](?:of )?{MONTH}(?:[ ,-]{{1,2}}(?:\d{{4}}|'?\d{{2}}))?"
    rf"|\d{{1,2}}/\d{{1,2}}|(?:19|20)\d{{2}}{MONTH_DAY}|{MONTH_DAY}(?:19|20)\d{{2}})(?![\w/]|[-.]\d)"
)
LIFE_WORDS: Final = word_set(
    "born dob d.o.b birth birthdate birthdates birthday bday b-day died death deceased dod obit obituary obituaries "
    "passed married divorced admitted admission discharged discharge baptized buried burial wedding"
)
PUBLIC_LIFE: Final = word_set(
    "famous celebrity celebrities people horoscope horoscopes zodiac astrology history president king queen star stars"
)
AGE: Final = re.compile(
    r"\b(?:aged?|turn(?:s|ed|ing)?|i am|i'm|im|she is|he is|who is)(?: of)? (9\d|1[01]\d)\b"
    r"(?! ?%| percent| degrees| (?!and|with|y)\w+s\b)"
    r"|(?<![\w.$-])(9\d|1[01]\d) ?-?(?:y/o|yo|yr old|yrs old|y\.o\.)(?!\w)"
    r"|(?<![\w.$-])(9\d|1[01]\d)[ -](?:years?|yrs?|yr)[ -]?(?:old|of age)(?!\w)"
    r"(?!-? (?:house|home|building|barn|church|tree|oak|wine|whiskey|whisky|scotch|bottle|tortoise|turtle|piano|violin|"
    r"book|bible|coin|painting|clock|company|school|bridge|car|quilt|cookbook|recipe|photo|mystery|rum|brandy|law)s?\b)"
)

CODE: Final = re.compile(r"#?([a-z0-9](?:[\w-]{1,33}[a-z0-9]))")
FILLERS: Final = word_set("number numbers no nos num nbr id ids is was for code my the its our card # - acct account")
MARKERS: Final = word_set("number numbers no num nbr id ids is code # account")
CONTEXTS: Final[dict[str, str]] = {
    word: kind
    for kind, words in {
        "medical": "mrn,medical record,medical records,health record,health records,patient,chart,hospital number,"
        "hospital id,lab result,accession,prescription,rx,specimen",
        "plan": "member,members,subscriber,policy,medicaid,medicare,hicn,mbi,health plan,insurance,beneficiary,group,"
        "claim,blue cross,bcbs,aetna,cigna,humana,kaiser,unitedhealthcare",
        "licence": "license,licence,licenses,licences,dl,certificate,cert,permit,passport,dea,npi,visa,green card,"
        "greencard,alien,student,employee,badge,bar,registration,credential,voter,naturalization",
        "device": "serial,s/n,sn,imei,meid,esn,udid,iccid,device,pacemaker,implant,mac address,asset,service tag,"
        "android",
        "account": "account,accounts,acct,a/c,iban,routing,checking,savings,loan,customer,bank,swift,order,invoice,"
        "confirmation,tracking,reservation,case,docket,transaction,ticket,booking,membership,frequent flyer,rewards,"
        "ein,tax id,parcel",
        "code": "user id,userid,id,pin,reference,ref,locator,inmate,offender",
    }.items()
    for word in words.split(",")
}
"""What is said before a code, and the kind that the code then is."""
CONTEXT_WORDS: Final = frozenset(word for phrase in CONTEXTS for word in phrase.split())
HIGH_AGE: Final = re.compile(r"(?<![0-9])(?:9|1[01])[0-9](?![0-9])")
AGE_WORDS: Final = word_set("old age aged yo y/o y.o turning turns turned turn am i'm im is of")
PICTURE_WORDS: Final = word_set("photo pic image scan fingerprint retina iris voiceprint face")
PICTURES: Final = ("img", "dsc", "pict", "mvc", "photo", "pic", "image", "scan")
PLATE_WORDS: Final = word_set("plate plates tag tags")
YEAR: Final = re.compile(
    r"(?:19|20)\d\d(?:[-/](?:\d\d|(?:19|20)\d\d))?|\d{1,3}(?:st|nd|rd|th)|1040\w*|w-?[249]|i-\d{1,3}\w?"
)
UNIT: Final = re.compile(
    r"\d{1,6}(?:gb|mb|kb|mhz|ghz|mm|cm|ml|mg|ft|lb|lbs|oz|hp|cc|k|yr|year|day|hour|min|am|pm|s|x\d*)"
)
STRONG: Final = frozenset({"medical", "device"})
MARKED: Final = re.compile(r"#|\b(?:number|numbers|no|num|nbr|id|is|code)\b")
PLATE_STOP: Final = word_set("the is my on in tx ca ny fl for of and car tag no id")


def by_word(query: Query, found: Found, *, named: bool = False) -> None:
    """Add to `found` what a word in the query gives away; `named` tells that it holds a person's name."""
    text, vocabulary = query.text, query.vocabulary
    if query.digits >= 3:
        if not vocabulary.isdisjoint(CONTEXT_WORDS):
            codes(query, found)
        if (
            "." in text
            or not vocabulary.isdisjoint(PICTURE_WORDS)
            or any(word.startswith(PICTURES) for word in query.words)
        ):
            found.extend(Identifier("photo", *match.span()) for match in PHOTO.finditer(text))
            found.extend(
                Identifier("photo", *match.span())
                for match in PHOTO_FILE.finditer(text)
                if len(only_digits(match[0])) >= 3
            )
    if not vocabulary.isdisjoint(PLATE_WORDS):
        plates(query, found)
    if (named or not vocabulary.isdisjoint(LIFE_WORDS)) and vocabulary.isdisjoint(PUBLIC_LIFE):
        found.extend(Identifier("date", *match.span()) for match in DATE.finditer(text))
    if not vocabulary.isdisjoint(AGE_WORDS) and HIGH_AGE.search(text):
        for match in AGE.finditer(text):
            group = match.lastindex or 1
            found.append(Identifier("age", match.start(group), match.end(group) if group == 1 else match.end()))


def codes(query: Query, found: Found) -> None:
    """Add codes after, or right before, a word that says what they are."""
    words = query.words
    for at, word in enumerate(words):
        if word not in CONTEXT_WORDS:
            continue
        kind = CONTEXTS.get(" ".join(words[at : at + 2]))
        after = at + 2
        if kind is None:
            kind, after = CONTEXTS.get(word), at + 1
        if kind is None:
            continue
        marked = False
        for place in range(after, min(after + 5, len(words))):
            if words[place] not in FILLERS:
                break
            marked = marked or words[place] in MARKERS
        else:
            place = len(words)
        if place < len(words) and telling(words[place], kind, marked=marked):
            last = place
            while (
                last + 1 < len(words) and last < place + 4 and words[last + 1].isdigit() and len(words[last + 1]) >= 2
            ):
                last += 1
            found.append(Identifier(kind, *query.span(place, last)))
        elif at and telling(words[at - 1], kind, marked=False):
            found.append(Identifier(kind, *query.span(at - 1, at - 1)))
        elif at > 1 and words[at - 1] in ("my", "is") and telling(words[at - 2], kind, marked=False):
            found.append(Identifier(kind, *query.span(at - 2, at - 2)))


def telling(code: str, kind: str, *, marked: bool) -> bool:
    """Return whether `code` beside a word of `kind` tells one person apart, `marked` as a number or not."""
    digits = len(only_digits(code))
    if digits < 3 or not CODE.fullmatch(code):
        return False
    if YEAR.fullmatch(code) or UNIT.fullmatch(code):
        return False
    if marked:
        return digits >= 3 and len(code) >= 4
    return digits >= (4 if kind in STRONG else 5) and len(code) >= (5 if kind in STRONG else 6)


def plates(query: Query, found: Found) -> None:
    """Add plates: up to three short groups of letters and digits beside a word for plate."""
    words = query.words
    size = len(words)
    for at, word in enumerate(words):
        if word not in PLATE_WORDS:
            continue
        first = at + 1
        while first < size and first < at + 4 and words[first] in FILLERS:
            first += 1
        last = first
        while last < size and last < first + 3 and plate_group(words, last):
            last += 1
        if not plate(found, query, first, last):
            last = at - (1 if at and words[at - 1] in ("license", "licence", "number") else 0)
            first = last
            while first > 0 and first > last - 3 and plate_group(words, first - 1):
                first -= 1
            plate(found, query, first, last)


def plate_group(words: list[str], at: int) -> bool:
    """Return whether the token can be part of a plate: short, with a digit or beside one that has."""
    word = words[at]
    if not only_digits(word):
        beside = "".join(words[max(0, at - 1) : at + 2])
        return len(word) <= 3 and word.isalpha() and word not in PLATE_STOP and bool(only_digits(beside))
    return len(word) <= 9 and all(char.isalnum() or char in "-\u2022" for char in word)


def plate(found: Found, query: Query, first: int, last: int) -> bool:
    """Add tokens `first` to `last` (not included) if together they make a plate; return whether they do."""
    code = "".join(query.words[first:last])
    letters = sum(char.isalpha() for char in code)
    digits = len(only_digits(code))
    if not (4 <= len(code) <= 10 and digits >= 1 and (letters >= 1 or digits >= 4)) or YEAR.fullmatch(code):
        return False
    found.append(Identifier("plate", *query.span(first, last - 1)))
    return True
