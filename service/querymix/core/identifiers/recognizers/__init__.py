"""The recognizers: one file for each kind of identifier, with its pattern, its context words and its check.

To add one:
1. Write `recognizers/KIND.py`: patterns over `query.text` (lower case, normalized), a validator where the kind has a
   checksum, `def find(query: QueryText, finds: Finds) -> None`, which adds `Identifier(kind, start, end)`, and last
   `RECOGNIZER = Recognizer(find, digits=...)` with what a query must have to be looked at (base.py).
2. Add it to `ALL` below; a new kind goes into `spans.KINDS` too.
3. Write `tests/querymix/core/identifiers/test_KIND.py`: what is found, whole, and the look-alikes that stay.
4. Give made-up ones to `service/querymix_lab/evaluation/made_up.py`, so that `querymix study identifiers` measures it.
Bound every repetition and anchor it at a word's start, so that time is linear. Small lists of words stand in the file,
large ones in the knowledge base.
"""

from typing import Final

from querymix.core.identifiers.recognizers import (
    address,
    age,
    card,
    code,
    context,
    credential,
    date,
    device,
    email,
    iban,
    ip,
    national,
    page,
    phone,
    photo,
    plate,
    secret,
    ssn,
    vehicle,
    wallet,
    zipcode,
)
from querymix.core.identifiers.recognizers.base import Recognizer

__all__ = ["ALL", "Recognizer"]

ALL: Final[tuple[Recognizer, ...]] = (
    credential.IN_URLS,
    credential.SAID_SO,
    secret.RECOGNIZER,
    email.WRITTEN,
    email.SPELLED_OUT,
    page.RECOGNIZER,
    ssn.RECOGNIZER,
    national.RECOGNIZER,
    national.BESIDE_WORD,
    card.RECOGNIZER,
    iban.RECOGNIZER,
    wallet.RECOGNIZER,
    vehicle.RECOGNIZER,
    vehicle.SAID,
    device.RECOGNIZER,
    ip.RECOGNIZER,
    phone.RECOGNIZER,
    context.RECOGNIZER,
    plate.RECOGNIZER,
    photo.RECOGNIZER,
    address.RECOGNIZER,
    zipcode.RECOGNIZER,
    date.BESIDE_LIFE,
    date.BESIDE_NAME,
    age.RECOGNIZER,
    code.RECOGNIZER,
)
