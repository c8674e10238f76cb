"""The recognizers: one file for each kind of identifier, with its pattern, its context words and its check.

To add one:
1. Write `recognizers/KIND.py`, as `vehicle.py` is: a pattern over `query.text` (lower case, normalized), a validator
   where the kind has a checksum, context words where it needs them, and last
   `RECOGNIZER = Recognizer(by_form(...), digits=...)` with what a query must have to be looked at (base.py).
   A kind with more to it brings a `find` of its own; one with several forms is a folder (street/). A country's number
   of persons is a row in a table of `national/`.
2. Add it to `ALL` below; a new kind goes into `spans.KINDS` too.
3. Write `tests/querymix/core/identifiers/test_KIND.py`: what is found, whole, and the look-alikes that stay.
4. Give made-up ones to `service/querymix_lab/evaluation/made_up.py`, so that `querymix study identifiers` measures it.
Bound every repetition and anchor it at a word's start, so that time is linear. Small lists of words stand in the file,
large ones in ../data or the knowledge base.
"""

from typing import Final

from querymix.core.identifiers.recognizers import (
    address,
    age,
    bank_account,
    card,
    code,
    context,
    coordinates,
    credential,
    date,
    device,
    document,
    email,
    home_folder,
    iban,
    ip,
    key_link,
    national,
    one_time_code,
    page,
    phone,
    photo,
    place_code,
    plate,
    postcode,
    postcode_abroad,
    secret,
    seed_phrase,
    street,
    us_ssn,
    username,
    vehicle,
    wallet,
    zipcode,
)
from querymix.core.identifiers.recognizers.base import Recognizer

__all__ = ["ALL", "Recognizer"]

ALL: Final[tuple[Recognizer, ...]] = (
    credential.IN_URLS, credential.SAID_SO, secret.RECOGNIZER, key_link.RECOGNIZER, one_time_code.RECOGNIZER,
    one_time_code.IN_OTHER_SCRIPTS,
    seed_phrase.RECOGNIZER, email.WRITTEN, email.SPELLED_OUT, email.SPELLED_WITH_MARKS, page.RECOGNIZER,
    home_folder.RECOGNIZER, username.SAID, username.FORMED,
    us_ssn.RECOGNIZER, card.RECOGNIZER, iban.RECOGNIZER, bank_account.RECOGNIZER, wallet.RECOGNIZER,
    vehicle.RECOGNIZER, vehicle.SAID,
    device.RECOGNIZER, device.DOTTED, device.IN_PAIRS, ip.SIX, ip.FOUR, phone.RECOGNIZER, phone.SAID,
    context.RECOGNIZER, context.NUMBERED, document.RECOGNIZER, context.OF_COURTS,
    plate.RECOGNIZER, plate.SAID, plate.OF_CARS, plate.BARE, plate.INDIAN_ONES, photo.RECOGNIZER,
    coordinates.RECOGNIZER, place_code.LINKED, place_code.SQUARE, place_code.IN_GRIDS, place_code.HASHED,
    address.RECOGNIZER, street.RECOGNIZER, zipcode.RECOGNIZER, postcode.RECOGNIZER, postcode.IN_DUTCH,
    postcode_abroad.BEHIND_A_WORD, postcode_abroad.BESIDE_TOWNS, postcode_abroad.BESIDE_SMALL_TOWNS,
    postcode_abroad.DASHED_ONES, date.BESIDE_LIFE, date.BEHIND_A_STAR, date.BESIDE_NAME,
    age.RECOGNIZER, age.SPELLED_OUT, national.RECOGNIZER, national.PATIENTS, code.RECOGNIZER,
)  # fmt: skip
