"""Codes that a word beside them gives away: of patients, insurances, accounts, licences, devices.

Rules:
- A code is a word with a digit that follows its context word ("mrn", "policy", "serial"), at most four fillers between
  ("number", "is", "#"), or stands right before it. It has six characters or more; three do after "number", "id" or "#".
- Years, small numbers, quantities and what a law or a decree is numbered by are no codes.

Source: 45 CFR 164.514(b)(2)(i)(H) to (M) and (R).
"""

import re
from typing import Final

from service.core.identifiers.numbers import only_digits
from service.core.identifiers.recognizers.base import Recognizer
from service.core.identifiers.spans import Finds, Identifier, word_set
from service.core.identifiers.tokens import QueryText

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
YEAR: Final = re.compile(
    r"(?:19|20)\d\d(?:[-/](?:\d\d|(?:19|20)\d\d))?|\d{1,3}(?:st|nd|rd|th)|1040\w*|w-?[249]|i-\d{1,3}\w?"
)
UNIT: Final = re.compile(
    r"\d{1,6}(?:gb|mb|kb|mhz|ghz|mm|cm|ml|mg|ft|lb|lbs|oz|hp|cc|k|yr|year|day|hour|min|am|pm|s|x\d*)"
)
STRONG: Final = frozenset({"medical", "device"})
MARKED: Final = re.compile(r"#|\b(?:number|numbers|no|num|nbr|id|is|code)\b")


def find(query: QueryText, finds: Finds) -> None:
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
            finds.append(Identifier(kind, *query.span(place, last)))
        elif at and telling(words[at - 1], kind, marked=False):
            finds.append(Identifier(kind, *query.span(at - 1, at - 1)))
        elif at > 1 and words[at - 1] in ("my", "is") and telling(words[at - 2], kind, marked=False):
            finds.append(Identifier(kind, *query.span(at - 2, at - 2)))


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


RECOGNIZER: Final = Recognizer(find, digits=3)
