"""The table of numbers of persons against python-stdnum: checks, chances, documented examples. All data is made up."""

import random
import re
from collections.abc import Callable
from math import sqrt
from typing import Final

import pytest
from querymix.core.identifiers import KINDS as ALL_KINDS
from querymix.core.identifiers.recognizers.national import ENGINE, SCHEMES
from querymix.core.identifiers.recognizers.national.scheme import Scheme, scheme

from tests.querymix.core.identifiers.kit import kept
from tests.querymix.core.identifiers.national_numbers import (
    DIGITS,
    KINDS,
    LETTERS,
    MODULES,
    OWN,
    drawn,
    examples,
    oracle,
)
from tests.querymix.core.identifiers.national_numbers import rows as rows_of

COUNT: Final = 5_000


def right(kind: str, code: str) -> bool:
    """Return whether one of a kind's rows takes a compact number."""
    return any(one.kind == kind and (one.checks is None or one.checks(code)) for one in ENGINE.of(code))


@pytest.mark.parametrize("row", SCHEMES, ids=lambda row: f"{row.kind}-{row.places[0]}")
def test_the_share_of_random_strings_that_pass_is_what_the_table_says(row: Scheme) -> None:
    draw = random.Random(11)
    checks = row.checks
    seen = (
        1.0
        if checks is None
        else max(sum(checks(drawn(one, draw)) for _ in range(COUNT)) for one in row.places) / COUNT
    )
    assert seen <= row.chance + 4 * sqrt(row.chance / COUNT)
    assert row.chance <= 0.0005 or seen >= row.chance - 4 * sqrt(row.chance / COUNT)


@pytest.mark.parametrize("row", SCHEMES, ids=lambda row: f"{row.kind}-{row.places[0]}")
def test_a_row_is_of_a_known_kind_has_words_and_its_groups_fit_its_shapes(row: Scheme) -> None:
    assert row.kind in ALL_KINDS
    assert row.words
    sizes = {len(places) for places in row.places}
    assert {sum(map(int, re.findall("[0-9]+", groups))) for groups in row.groups} <= sizes


def test_what_is_no_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="'q9' is no shape"):
        scheme("xx_none", "q9", None, 1)


WIDER: Final = {
    "at_tin": "the oracle knows the tax offices of one year",
    "be_bis": "the oracle leaves out the birthdays that are to come",
    "be_nn": "the oracle leaves out the birthdays that are to come",
    "dk_cpr": "the oracle leaves out the birthdays that are to come",
    "fr_nir": "the number without its key counts too",
    "gb_upn": "the oracle knows the authorities of one year",
    "se_pnr": "numbers of those who are not in the register have a day plus 60",
    # the rest of the world
    "ar_cuil": "two numbers more tell a person",
    "cr_cpf": "its parts may be without their noughts",
    "cr_cr": "it has no check",
    "id_nik": "the oracle knows the places of one year",
    "id_npwp": "the oracle knows the places of one year",
    "in_aadhaar": "the numbers that stand for it count too",
    "mx_rfc": "a 29 February always passes",
    "mx_curp": "an X stands for who is neither man nor woman",
}
"""Kinds of which more counts here than the oracle says, and why."""
TYPED: Final[dict[str, Callable[[str], str]]] = {
    "fi_hetu": lambda code: code if code[6:7].isalpha() and len(code) == 11 else f"{code[:6]}-{code[6:]}",
    # the rest of the world
}
"""How the oracle wants a compact number, where it needs its marks."""


def alike(code: str, draw: random.Random) -> str:
    """Return a compact number with one or two signs changed: its rarer parts, such as a date, mostly stay right."""
    signs = list(code)
    for _ in range(draw.randint(1, 2)):
        at = draw.randrange(len(code))
        signs[at] = draw.choice(DIGITS if signs[at].isdigit() else LETTERS)
    signs[-1] = draw.choice(DIGITS if signs[-1].isdigit() else LETTERS)
    return "".join(signs)


@pytest.mark.parametrize("kind", MODULES)
def test_the_oracle_and_the_table_say_the_same_of_random_numbers_and_of_such_like_the_documented_ones(
    kind: str,
) -> None:
    draw = random.Random(12)
    valid = oracle(kind).is_valid
    typed = TYPED.get(kind, str)
    known = [code for text in examples(kind) if text.isascii() and (code := re.sub(r"[^a-z0-9]", "", text.lower()))]
    count = 4_000 if kind in WIDER else 2_000  # more where a rare difference has to be met
    codes = [drawn(draw.choice(draw.choice(rows_of(kind)).places), draw) for _ in range(count // 2)]
    codes += [alike(draw.choice(known), draw) for _ in range(count)]
    shapes = {places for one in rows_of(kind) for places in one.places}
    codes = [code for code in codes if len(code) in {len(places) for places in shapes}]
    wrong = [code for code in codes if valid(typed(code).upper()) and fits(kind, code) and not right(kind, code)]
    more = [code for code in codes if not valid(typed(code).upper()) and right(kind, code)]
    assert wrong == []
    assert (more == []) is (kind not in WIDER)
    assert sum(valid(typed(code).upper()) for code in codes) >= 10


def fits(kind: str, code: str) -> bool:
    """Return whether a kind has the shape of a code."""
    return any(one.kind == kind for one in ENGINE.of(code))


@pytest.mark.parametrize("kind", OWN)
def test_a_made_up_number_of_a_kind_without_an_oracle_is_right(kind: str) -> None:
    assert [text for text in OWN[kind] if not right(kind, re.sub(r"[^a-z0-9]", "", text.lower()))] == []


UNTOLD: Final = {
    "cz_dic 25123891": "eight digits are anything",
    "de_vat DE 136,695 976": "a comma parts amounts",
    "fo_vn": "six digits are anything",
    "li_peid 1234567": "seven digits are anything",
    "me_pib": "eight digits are anything",
    "mk_edb 4030000375897": "it is an article's number too",
    "mk_edb 4020990116747": "it is an article's number too",
    "mk_edb \u041c\u041a 4020990116747": "it is an article's number too",
    "nl_document": "letters and digits without a check are products' too",
    "sm_coe": "two and six digits are anything",
    # the rest of the world
    "br_cnpj 12. ABC.345 /01DE\u201335": "spaces stand beside its marks",
    "ar_dni": "eight digits are anything, and with dots an amount",
    "bo_ci": "seven digits are anything",
    "co_cc": "eight digits are anything, and with dots an amount",
    "cr_cpf 1-613-584": "seven digits are anything",
    "gt_nit 39525503": "eight digits are anything",
    "gt_nit 7108-0": "five digits are anything",
    "il_idnr 39337423": "eight digits are anything",
    "nz_ird 49098576": "eight digits are anything",
    "nz_nhi ZBN77VL": "five letters and two digits are anything",
    "pa_cedula": "eight digits are a telephone number",
    "pe_cui 10117410": "eight digits are anything",
    "py_ruc 2660-3": "five digits are anything",
    "ma_cin": "two letters and six digits are anything",
    "tn_cin": "eight digits are anything",
    "py_ruc 9991603": "seven digits are anything",
    "py_ruc 999160-3": "seven digits are anything",
    "sn_ninea 306 7221": "seven digits are anything",
    "sn_ninea 3067221": "seven digits are anything",
    "tn_mf 121J": "three digits are anything",
    "tn_mf 1282182 W": "seven digits are anything",
}
"""Documented examples that are not found without a word, by kind or one by one, and why."""
UNSAID: Final = {
    "de_vat DE 136,695 976": "a comma parts amounts",
    "sm_coe 51": "two digits are an age or an amount",
    # the rest of the world
    "br_cnpj 12. ABC.345 /01DE\u201335": "spaces stand beside its marks",
    "gt_nit 7108-0": "five digits are an amount",
    "py_ruc 2660-3": "five digits are an amount",
    "tn_mf 121J": "three digits are an age or an amount",
}
"""Those that are not found beside their words either."""
GROUP: Final = re.compile(r"[^\W_]+")


def rest(text: str, number: str) -> bool:
    """Return whether any group with a digit of a number is still in what is left of a text."""
    left = set(GROUP.findall(kept(text)[0].lower()))
    return any(len(group) > 1 and not group.isalpha() and group in left for group in GROUP.findall(number.lower()))


@pytest.mark.parametrize("kind", KINDS)
def test_a_documented_number_is_found_bare_and_beside_each_of_its_words(kind: str) -> None:
    texts = examples(kind)
    for text in texts:
        told = not {kind, f"{kind} {text}"} & UNTOLD.keys()
        assert rest(text, text) is not told
    words = sorted({word for one in rows_of(kind) for word in one.words})
    unsaid = [text for text in texts if f"{kind} {text}" in UNSAID]
    turns = range(max(len(words), len(texts)))
    pairs = [(words[turn % len(words)], texts[turn % len(texts)]) for turn in turns]
    pairs = [pair for pair in pairs if pair[1] not in unsaid]
    assert [pair for word, text in pairs if rest(pair := f"{word} {text}", text)] == []
    assert [pair for word, text in pairs if rest(pair := f"{text} {word}", text)] == []
    for text in unsaid:
        assert any(rest(f"{word} {text}", text) for word in words)


def test_of_the_documented_numbers_nineteen_in_twenty_go_but_for_those_that_may_be_anything() -> None:
    every = [(kind, text) for kind in KINDS for text in examples(kind)]
    told = [pair for pair in every if pair[0] not in UNTOLD and "article" not in UNTOLD.get(" ".join(pair), "")]
    assert sum(rest(text, text) for _, text in told) <= len(told) / 20
    assert sum(rest(f"{rows_of(kind)[0].words[0]} {text}", text) for kind, text in every) <= len(every) / 20


@pytest.mark.parametrize("kind", [kind for kind in KINDS if any("l" not in row.places[0] for row in rows_of(kind))])
def test_a_mistyped_number_goes_beside_its_word(kind: str) -> None:
    draw = random.Random(13)
    words = [word for one in rows_of(kind) for word in one.words]
    for one in rows_of(kind):
        for places in one.places:
            number = drawn(places.replace("x", "d"), draw)
            assert not rest(f"{words[0]} {number}", number)
