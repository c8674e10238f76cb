"""Checks of numbers that several recognizers share.

Source: ISO/IEC 7812 (Luhn), ISO 2108 (ISBN), GS1 General Specifications (UPC, EAN).
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.spans import word_set

YEARS: Final = expression(r"(?<!\d)(?:19|20)\d{2}(?!\d)(?:\D|$)")
NO_CODE: Final = word_set(
    "isbn issn upc ean asin sku part parts model toner ink cartridge battery driver drivers laptop item error "
    "firmware patent resistor transistor datasheet sequence pi digits million billion trillion divided times plus "
    "factorial rs232 nsn lyrics barcode adapter charger hex gtin doi arxiv pmid oclc lccn unix epoch timestamp "
    "ndc nct fru lotto lottery powerball megamillions keno sudoku "
    "cartouche cartouches cartucho cartuchos cartuccia cartucce tinteiro tinteiros druckerpatrone tintenpatrone "
    "artikelnummer artikelnr modellnummer teilenummer ersatzteil ersatzteile ersatzteilnummer ricambio ricambi "
    "recambio recambios repuesto repuestos onderdeel onderdelen onderdeelnummer artikelcode"
)
"""Words beside which a code is a product's, a document's, an error's or arithmetic."""
ID_WORDS: Final = word_set(
    "aadhaar aadhar uidai sin social insurance nir insee pan tax nhs tfn medicare national id identity"
)
"""Words beside which a number in the form of a country's numbers of persons is one, whatever the country."""

_TIMESTAMP: Final = expression(
    r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?"
)
_THING: Final = expression(
    r"(?:^|[^\w])(?:p/n|pn|part|model|sku|item|catalog|cat|upc|ean|isbn|asin|style|stock|product|toner|error|bug|kb|"
    r"(?:executive|presidential|administrative|court|sort|mail) order|public law|pub\.? ?l\.?|p\.? ?l\.?|law|act|"
    r"(?:penal|civil|criminal|labor|vehicle|tax|probate|family|error|safety|building|business|government|hs|hts) code|"
    r"section|sec|statute|statutes|ordinance|regulation|resolution|proposition|prop|rule|article|title|chapter|directive|"
    r"u\.?s\.?c\.?|c\.?f\.?r\.?|usca|h\.? ?r\.?|house bill|senate bill|hb|sb|version|release|build|firmware|"
    r"psalms?|verse|hymn|opus|episode|chapter|page|pages|volume|vol|issue|patent|standard|iso|ansi|astm|din|ieee|rfc|cas|"
    r"gesetz|artikel|paragraph|artikelnummer|artikelnr|loi|decret|arrete|ordonnance|norme|nf en|"
    r"ley|real decreto|decreto|articulo|norma|legge|decreto legislativo|d\.?lgs|dpr|articolo|uni en|codice tributo|"
    r"decreto-lei|portaria|artigo|nbr|besluit|nen|nen-en|din en|isin|wkn|taric|siren|siret|"
    r"(?:ersatz)?teile?|piece(?: detachee)?|pieza|peca|ricambio|recambio|repuesto|onderdeel|katalog|catalogue|catalogo|"
    r"catalogus|model[elo]|typ|oem|gtin|art|"
    r"codigo de barras|codes?[ -]barres|codice a barre|strichcode|streepjescode|lottozahlen|loto|loteria|lotto)"
    r"\.?(?:(?: ?(?:number|numbers|no|nos|nr|num|nbr|id|code|nummer|numero|n|n\xb0)\.?)? ?[#:]? ?)$"
)
_UNIT: Final = expression(
    r" ?(?:btus?|watts?|volts?|amps?|mah|lumens?|rpm|psi|dpi|ppi|bps|kbps|mbps|hz|[kmg]hz|[kmg]b|miles?|mi|km|kms|feet|"
    r"ft|foot|inch|inches|cm|mm|meters?|metres?|yards?|acres?|hectares?|sq|square|lbs?|pounds?|kg|kgs|kilos?|grams?|"
    r"mg|mcg|oz|ounces?|tons?|gallons?|gal|liters?|litres?|ml|cc|hp|calories|kcal|degrees?|dollars?|usd|eur|euros?|gbp|"
    r"yen|cents?|percent|%|people|persons?|years?|months?|weeks?|days?|hours?|hrs?|minutes?|seconds?|times|pieces?|pcs|"
    r"pages|words|steps|jobs|million|billion|trillion|thousand|seats?|piece|pixels?|px|"
    r"stuck|stueck|jahren?|tagen?|stunden|wochen|monaten?|prozent|personen|einwohner|franken|chf|kwh|kw|ps|grad|millionen|"
    r"ans|jours?|heures?|mois|semaines?|personnes|habitants|degres|pieces|pourcent|milliards?|millions|"
    r"anos?|dias?|horas?|meses|semanas?|personas|pessoas|habitantes|grados|graus|pesos|reais|cv|mil|millones|milhoes|"
    r"anni|giorni|ore|mesi|settimane|persone|abitanti|gradi|mila|milioni|"
    r"jaar|dagen|uur|weken|maanden|inwoners|graden|pk|miljoen|duizend|stuks)(?![a-z0-9])"
)
_RUN: Final = expression("[0-9]+")
_POWERS: Final = frozenset(str((1 << bits) - less) for bits in (30, 31, 32, 33, 53, 63, 64) for less in (0, 1))
LIMITS: Final = _POWERS | word_set("299792458 314159265 3141592653 31415926535 271828182 2718281828 1618033988")
"""The largest whole numbers of computers, how many there are, and the first figures of well-known constants."""


def of_a_thing(text: str, start: int, end: int) -> bool:
    """Return whether the number at `text[start:end]` is a product's, a law's or an amount, by what stands beside it."""
    return _THING.search(text, max(0, start - 40), start) is not None or _UNIT.match(text, end) is not None


def luhn(digits: str) -> bool:
    """Return whether a string of ASCII digits passes the Luhn check."""
    total = sum(map(int, digits[-1::-2]))
    return not (total + sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])) % 10


def mod11(digits: str, weights: Iterable[int]) -> str:
    """Return the check digit of Brazil's numbers: the weighted sum from 11 down, 10 and 11 as 0."""
    total = sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=True))
    return str(-total % 11 % 10)


def gs1(digits: str) -> bool:
    """Return whether the last of the digits is the check digit of a UPC, EAN or GTIN."""
    weighted = sum(int(digit) * (3, 1)[place % 2] for place, digit in enumerate(digits[-2::-1]))
    return (weighted + int(digits[-1])) % 10 == 0


def product_code(digits: str) -> bool:
    """Return whether the digits are an ISBN, or a UPC or EAN that passes its check: a product, not a person.

    Of twelve digits only those under 0 count, of thirteen those of books, periodicals and the USA: one number in ten
    passes the check by chance. Others count as one run of digits only (`article`), or beside a word such as "upc".
    """
    if len(digits) == 10 and digits[0] in "01":
        return sum(int(digit) * weight for digit, weight in zip(digits, range(10, 0, -1), strict=True)) % 11 == 0
    if len(digits) == 12 and digits[0] == "0":
        return gs1(digits)
    return len(digits) == 13 and digits.startswith(("977", "978", "979", "00")) and gs1(digits)


_ARTICLES: Final = (
    "000-019 030-039 060-139 300-380 383 385 387 389 390 400-440 450-471 474-489 490-499 500-509 520 521 528-531 535 "
    "539-549 560 569-579 590 594 599-601 603-609 611 613 615-632 640-649 680 681 690-709 729-746 750 754 755 759-771 "
    "773 775 777-780 784 786 789 790 800-850 858-860 865 867-881 883-885 888 890 893 894 896 899-919 930-950 955 958"
)


def _prefixes(ranges: str) -> frozenset[str]:
    """Return the prefixes of three digits of "300-380 383"."""
    ends = [one.partition("-") for one in ranges.split()]
    return frozenset(f"{one:03}" for low, _, high in ends for one in range(int(low), int(high or low) + 1))


ARTICLES: Final = _prefixes(_ARTICLES)
"""The first three digits that GS1 gives to its members for articles: none of shops' own numbers, coupons, books."""


BUYING: Final = word_set(
    "price prices buy prix acheter preis preise kaufen precio precios comprar preco precos prezzo prezzi comprare "
    "prijs prijzen kopen"
)


def article(digits: str, *, bought: bool = False) -> bool:
    """Return whether a run of digits is the number of an article: an EAN of thirteen digits or a UPC of twelve.

    Of random runs 6 in 100 pass; beside one of `BUYING` 10 in 100, since any prefix counts there.
    """
    return len(digits) in (12, 13) and (bought or digits.zfill(13)[:3] in ARTICLES) and gs1(digits)


def only_digits(text: str) -> str:
    """Return the ASCII digits of `text`."""
    return "".join(char for char in text if "0" <= char <= "9")


def timestamp(digits: str) -> bool:
    """Return whether twelve or fourteen digits are a date with a time of day."""
    return _TIMESTAMP.fullmatch(digits) is not None


def plain_groups(text: str) -> bool:
    """Return whether figures in three groups or more count in equal steps, or are all hundreds: "10 20 30 40 50"."""
    groups = [int(group) for group in _RUN.findall(text)]
    steps = {second - first for first, second in pairwise(groups)}
    return len(groups) > 2 and (len(steps) == 1 or not any(group % 100 for group in groups))


def plain_number(digits: str) -> bool:
    """Return whether the digits are a round amount, a run on the keyboard or a limit of computers, not a code.

    Ten figures downwards are a mobile number of India.
    """
    return (
        digits.endswith("000000")
        or len(set(digits)) == 1
        or digits in "01234567890123456789"
        or (digits in "98765432109876543210" and len(digits) != 10)
        or digits in LIMITS
    )
