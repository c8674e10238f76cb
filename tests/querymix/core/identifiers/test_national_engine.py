"""Numbers of persons in all groups, between all borders, beside other words; and harmless numbers. All is made up."""

import random
import re
from collections.abc import Iterator
from typing import Final

import pytest
from querymix.core.identifiers.recognizers.national import ENGINE, SCHEMES
from querymix.core.identifiers.recognizers.national.scheme import Scheme

from tests.querymix.core.identifiers.kit import kept, released
from tests.querymix.core.identifiers.national_numbers import DIGITS, KINDS, LETTERS, examples
from tests.querymix.core.identifiers.national_numbers import rows as rows_of

GROUP: Final = re.compile(r"[^\W_]+")
BORDERS: Final = (
    ("", ""), ("(", ")"), ("[", "]"), ('"', '"'), ("'", "'"), ("\u201c", "\u201d"), ("\u00ab", "\u00bb"), (":", ""),
    (": ", ","), ("=", ";"), ("", "."), ("", "?"), ("", "!"), (", ", ", "), ("_", ""), ("- ", ""), ("\u2022 ", ""),
    ("|", "|"), ("\t", "\n"), ("<", ">"), ("{", "}"),
)  # fmt: skip
NEIGHBOURS: Final = (
    "pizza",
    "jennifer brown",
    "77",
    "jo@example.com",
    "berlin 2024",
    "212-555-0147",
    "weather in texas",
)


def rest(text: str, number: str) -> bool:
    """Return whether any group with a digit of a number is still in what is left of a text."""
    left = set(GROUP.findall(kept(text)[0].lower()))
    return any(len(group) > 1 and not group.isalpha() and group in left for group in GROUP.findall(number.lower()))


def in_groups(one: Scheme) -> Iterator[str]:
    """Yield the first example that fits a row in all of the row's groups, "~" as each mark that it stands for."""
    codes = [re.sub(r"[^a-z0-9]", "", text.lower()) for text in reversed(examples(one.kind)) if text.isascii()]
    code = next((code for code in codes if one in ENGINE.of(code)), None)
    if code is None:
        return
    for groups in one.groups:
        parts = re.split("([^0-9]+)", groups.removesuffix("!"))
        if sum(map(int, parts[::2])) != len(code):
            continue
        for mark in " .-/" if "~" in groups else " ":
            at, made = 0, ""
            for size, gap in zip(parts[::2], [*parts[1::2], ""], strict=True):
                made += code[at : at + int(size)] + gap.replace("~", mark)
                at += int(size)
            yield made


@pytest.mark.parametrize("row", [row for row in SCHEMES if row.groups], ids=lambda row: f"{row.kind}-{row.places[0]}")
def test_a_number_goes_whole_in_each_of_its_groups_beside_its_word(row: Scheme) -> None:
    assert [number for number in in_groups(row) if rest(f"{row.words[0]} {number} pizza", number)] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_mark_but_a_letter_or_a_digit_is_a_border(kind: str) -> None:
    number, word = examples(kind)[-1], rows_of(kind)[0].words[0]
    assert [pair for pair in BORDERS if rest(f"{word} {pair[0]}{number}{pair[1]}", number)] == []
    assert [pair for pair in BORDERS if rest(f"{pair[0]}{number}{pair[1]} {word}", number)] == []


@pytest.mark.parametrize("kind", KINDS)
def test_what_stands_beside_a_number_hides_it_not(kind: str) -> None:
    number, word = examples(kind)[-1], rows_of(kind)[0].words[0]
    for other in NEIGHBOURS:
        assert not rest(f"{other} {word} {number}", number)
        assert not rest(f"{word} {number} {other}", number)
        assert not rest(f"{word}: {number}, {other}", number)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Steuer-ID 36 574 261 809 beantragen", "steuer-id beantragen"),
        ("meine steueridentifikationsnummer lautet 36574261809", "meine steueridentifikationsnummer lautet"),
        ("n.i.f. 501 964 843", "n.i.f."),
        ("numero de securite sociale 2 95 10 99 126 111 93", "numero de securite sociale"),
        ("num\u00e9ro de s\u00e9cu 2 95 10 99 126 111 93", "num\u00e9ro de s\u00e9cu"),
        ("codice fiscale rss mra 85t10 a562s online", "codice fiscale online"),
        ("rssmra85tmla562x", ""),
        ("\u0441\u043d\u0438\u043b\u0441 112-233-445 95", "\u0441\u043d\u0438\u043b\u0441"),
        ("\u0438\u043d\u043d 500100732259", "\u0438\u043d\u043d"),
        ("\u03b1\u03c6\u03bc 094259216", "\u03b1\u03c6\u03bc"),
        ("kimlik no 17291716060", "kimlik no"),
        ("rodn\u00e9 \u010d\u00edslo 710319/2745 v\u00fdznam", "rodn\u00e9 \u010d\u00edslo v\u00fdznam"),
        ("hetu 131052-308T", "hetu"),
        ("131052+308T", ""),
        ("steuernummer nr 181/815/08155", "steuernummer nr"),
        ("nr 36574261809", "nr"),
        ("bsn 111222333 en 123456782", "bsn en"),
        ("carte d'identit\u00e9 591-1917064-58", "carte d'identit\u00e9"),
        ("nif 12345678z, x1234567l", "nif , "),
        ("\u0443\u043d\u043f ma1953684", "\u0443\u043d\u043f"),
    ],
)
def test_a_number_goes_beside_words_of_its_own_languages_as_they_are_typed(text: str, left: str) -> None:
    assert " ".join(kept(text)[0].lower().split()) == " ".join(left.split())


HARMLESS: Final = """
hausnummer 12 bedeutung; via rail 2024 fares; rue mcclanahan 1990; strasse der romanik 66; route 66 1950;
iphone 15 pro max 256; windows 11 24h2; din en iso 9001 2015; 15 november 2023 feiertag; 1.234.567 einwohner;
preis 1.299,00 euro; 12 345 678 habitants; article 1382 code civil; loi 2016-1691; ley 39/2015; legge 104/1992;
decreto legislativo 81/2008; bgb 823; dsgvo 2016/679; lei 13709/2018; wet 2018 144; kb5034441; rtx 4090 24gb;
galaxy s24 ultra 512; canon mg5750; hp cf217a toner 2018; bosch gsr 18v-55; ikea 403.092.12; lego 75192; m8x40 din 912;
205/55 r16 91v; 10w40 1l; 5 000 000 euro in dollar; 1789-1799; 1914-1918 1939-1945; 1924 1936 1964;
2011 1913; 24/7 365; 4 4 2 formation;
ean 4006381333931; isbn 978-3-16-148410-0; isbn 3-16-148410-0; 0 800 nummer; teil 1k0 407 151; nokia 3310 2017;
bmw 11 42 7 953 129 filter; pantone 19 4052 2020; rgb 255 255 255; 1920 1080 144hz; 192 168 kbps;
error 0x80070057; numero 10 maradona 1986; top 100 2023; a4 210 297; psalm 23 1-6; ley 26.844 argentina;
tva 20 2024; iva 21 2024; mwst 19 2023; btw 21 procent 2024; nif formato 9 digitos; bsn 9 cijfers; pesel 11 cyfr;
steuer id 11 stellen; cpr kursus 2024; dni caducado 2019; nie renovar 2023; uid 0 root; tin roof 1989; pps 2024 25;
cc 1500 125; kt 88 tubes 1957; spi 2024 bus; cf 105 2019; rc car 1 10 4wd; dic 2023 31; vat 20 2024; eid 2024 april 10;
cns 2023; nip tuck 2003; taj mahal 1653; nir 700 1100 nm; avs 5 2022; afm 2023; sofi 2023 q4; ide 3.5 to 2.5 1990
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in HARMLESS.split(";")])
def test_a_harmless_number_stays_in_every_language(text: str) -> None:
    assert kept(text) == (text, [])


def made_up(draw: random.Random) -> Iterator[str]:
    """Yield harmless queries with numbers of many kinds."""

    def digits(count: int) -> str:
        return "".join([draw.choice(DIGITS) for _ in range(count)])

    def letters(count: int) -> str:
        return "".join([draw.choice(LETTERS) for _ in range(count)])

    year = draw.randint(1950, 2025)
    yield f"part number {digits(8)}"
    yield f"part no {digits(3)}-{digits(4)}-{digits(2)}"
    yield f"oem {digits(3)} {digits(3)} {digits(3)} filter"
    yield f"bosch {letters(1)}{digits(7)}{letters(1)} ersatzteil"
    yield f"hp {letters(2)}{digits(4)}{letters(1)} toner"
    yield f"skf {digits(4)}-{digits(1)}rs"
    yield f"${digits(3)},{digits(3)}.{digits(2)} mortgage"
    yield f"preis {digits(2)}.{digits(3)},{digits(2)} euro"
    yield f"{draw.randint(1, 99)}.{digits(3)}.{digits(3)} einwohner"
    yield f"directive {year}/{digits(3)}/ec"
    yield f"{year} {year + 1} {year + 2} kalender"
    yield f"{draw.randint(1, 28):02}.{draw.randint(1, 12):02}.{year} feiertag"
    yield f"kb{digits(7)}"
    yield f"rtx {digits(4)} vs rx {digits(4)}"
    yield f"reifen {digits(3)}/{digits(2)} r{digits(2)} {digits(2)}v"
    yield f"{digits(3)} x {digits(3)} x {digits(2)} karton"
    yield f"{digits(2)} {digits(3)} {digits(3)} km"
    yield f"rgb {digits(3)} {digits(3)} {digits(3)}"
    yield f"datasheet {letters(2)}{digits(6)}"
    yield f"windows build {digits(5)}.{digits(4)}"


def test_of_harmless_numbers_one_in_a_hundred_is_taken_for_a_persons_at_most() -> None:
    draw = random.Random(14)
    texts = [text for _ in range(60) for text in made_up(draw)]
    national = frozenset(KINDS)
    taken = [text for text in texts if not national.isdisjoint(kept(text)[1])]
    assert len(taken) <= len(texts) / 100, taken[:10]


def test_the_first_look_lets_no_number_with_its_word_pass() -> None:
    for kind in ("de_idnr", "es_nie", "it_fiscal_code", "fr_nir", "gb_nino", "nl_bsn", "pt_nif", "pl_pesel"):
        assert kind in released(examples(kind)[-1])[1] or released(examples(kind)[-1])[0] == ""


def test_a_long_row_of_numbers_is_read_in_time_that_grows_with_it() -> None:
    assert kept("36 574 261 809, " * 2_000)[0].strip(" ,") == ""
    assert kept("nie x-1234567-l 12345678z " * 2_000)[1].count("es_nie") == 2_000
    assert kept("1" + " 23" * 9_000)[0].startswith("1 23")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("pesel44051401359", "pl_pesel"), ("bsn123456782", "nl_bsn"), ("bsn:123456782", "nl_bsn"),
        ("nif123456789", "pt_nif"), ("steuer-id12345678911", "de_idnr"), ("steuerid12345678911", "de_idnr"),
        ("my ninoab123456c", "gb_nino"), ("rut14738265-0", "cl_rut"), ("dni12345678", "ar_dni"),
    ],
)  # fmt: skip
def test_a_number_goes_right_behind_its_word(text: str, kind: str) -> None:
    left, kinds = kept(text)
    assert (re.sub("[^0-9]", "", left), kinds) == ("", [kind])


@pytest.mark.parametrize("text", ["dinosaur1", "nit12500", "pan1234", "panther1234x", "sin2005", "pps2024"])
def test_a_word_with_few_digits_behind_it_stays(text: str) -> None:
    assert kept(text) == (text, [])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("+49 30 8325270012", "phone"), ("tel 52998224725", "phone"), ("handynummer 500100732259", "phone"),
        ("4539578763621486", "card"), ("4539 5787 6362 1486", "card"), ("378282246310005", "card"),
        ("ES9121000418450200051332", "account"), ("imei 490154203237518", "device"),
    ],
)  # fmt: skip
def test_what_says_what_it_is_is_no_persons_number(text: str, kind: str) -> None:
    assert kept(text)[1] == [kind]


@pytest.mark.parametrize(
    "text",
    ["wxtbk1234e pizza", "hp12ab1234c pizza", "1-1234-1234 pizza", "b-12345674 pizza",
     "770305 02 1234 pizza", "123456/78/1 pizza", "181/815/08155 pizza"],
)  # fmt: skip
def test_a_form_that_chance_passes_more_than_once_in_a_hundred_needs_its_word_or_to_be_alone(text: str) -> None:
    assert kept(text) == (text, [])


def test_a_countrys_code_may_stand_before_a_number_that_is_alone() -> None:
    assert kept("nz 49-098-576")[1] == ["nz_ird"]
    assert kept("pizza 49-098-576")[1] == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("1112.22.333 toeslagen", "toeslagen"),
        ("1112.22.334 toeslagen", "1112.22.334 toeslagen"),
        ("1112 22 333 onderdelen", "1112 22 333 onderdelen"),
        ("model 1112.22.333", "model 1112.22.333"),
    ],
)
def test_a_dutch_number_counts_anywhere_in_its_own_groups_where_its_check_is_right(text: str, left: str) -> None:
    assert kept(text)[0] == left


@pytest.mark.parametrize("text", ["CL 12531909-2", "NZ 49-098-576", "SV 0614-050707-104-8", "UY 21 140634 001 1"])
def test_the_country_s_code_goes_with_a_number_that_is_the_rest_of_the_query(text: str) -> None:
    assert kept(text)[0] == ""
    assert kept(f"no {text[3:]}")[0].startswith("no")
