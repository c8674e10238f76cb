"""The recognizers: one file for each kind of identifier, with its pattern, its context words and its check.

To add one:
1. Write `recognizers/KIND.py`, as `es_dni.py` is: a pattern over `query.text` (lower case, normalized), a validator
   where the kind has a checksum, context words where it needs them, and last
   `RECOGNIZER = Recognizer(by_form(...), digits=...)` with what a query must have to be looked at (base.py).
   A kind with more to it brings a `find` of its own.
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
    br_cnpj,
    br_cpf,
    ca_sin,
    card,
    cn_resident_id,
    code,
    context,
    coordinates,
    countries,
    credential,
    date,
    device,
    email,
    es_dni,
    es_nie,
    fr_nir,
    gb_nino,
    home_folder,
    iban,
    in_aadhaar,
    in_pan,
    ip,
    it_fiscal_code,
    key_link,
    mx_curp,
    one_time_code,
    page,
    phone,
    photo,
    place_code,
    plate,
    postcode,
    secret,
    seed_phrase,
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
    seed_phrase.RECOGNIZER, email.WRITTEN, email.SPELLED_OUT, page.RECOGNIZER, home_folder.RECOGNIZER,
    username.SAID, username.FORMED,
    us_ssn.RECOGNIZER, br_cnpj.RECOGNIZER, br_cpf.RECOGNIZER, ca_sin.RECOGNIZER, cn_resident_id.RECOGNIZER,
    es_dni.RECOGNIZER, es_nie.RECOGNIZER, fr_nir.RECOGNIZER, gb_nino.RECOGNIZER, in_aadhaar.RECOGNIZER,
    in_pan.RECOGNIZER, countries.RECOGNIZER, countries.PATIENTS, countries.PATIENT_ALONE, it_fiscal_code.RECOGNIZER,
    mx_curp.RECOGNIZER, card.RECOGNIZER, iban.RECOGNIZER, wallet.RECOGNIZER, vehicle.RECOGNIZER, vehicle.SAID,
    device.RECOGNIZER, device.IN_PAIRS, ip.RECOGNIZER, phone.RECOGNIZER, context.RECOGNIZER, plate.RECOGNIZER,
    photo.RECOGNIZER,
    coordinates.RECOGNIZER, place_code.LINKED, place_code.SQUARE, place_code.IN_GRIDS, place_code.HASHED,
    address.RECOGNIZER, zipcode.RECOGNIZER, postcode.RECOGNIZER, postcode.IN_DUTCH, date.BESIDE_LIFE, date.BESIDE_NAME,
    age.RECOGNIZER, age.SPELLED_OUT, code.RECOGNIZER,
)  # fmt: skip
