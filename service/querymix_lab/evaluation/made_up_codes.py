"""Held-out queries for the patterned kinds: other forms, templates and look-alikes than the recognizers were tuned on.

Every identifier is drawn from a seed by its own generator here (checksums included); nothing is real. One row in three
is wrapped as logs have it: form-encoded, with letters of another script or an underscore right beside it, with tabs,
typographic marks or an invisible character inside, or in capitals.
"""

import random
import string
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import quote, quote_plus

from querymix.core.identifiers.recognizers.vehicle import VALUE, WEIGHT

from querymix_lab.evaluation.identifiers import HARMLESS, Row
from querymix_lab.evaluation.made_up_data import in_turn, queries, templates

AROUND: Final[list[str]] = templates("codes")["around"]

SEED_PHRASES: Final = (
    "shrug will slight rifle finish auto meat heavy prefer degree ridge topic",
    "grant pioneer fever announce agent pact master intact crash erase umbrella tower",
    "napkin action buyer hawk other expect club song leaf nasty cupboard frog chalk truck trend actual picture food",
    "ability live front vivid scene immense genre finish drip town escape goat dose witness about machine "
    "crunch damp local disorder barely panel stamp ten",
)
"""Made-up phrases of BIP 39 with right checksums."""

HARMLESS_QUERIES: Final = queries("held-out-codes")


class Codes:
    """Draws identifiers of the patterned kinds from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.makers: dict[str, Callable[[], str]] = {
            "vehicle": self.vin,
            "account": self.iban,
            "phone": self.phone,
            "email": self.email,
            "secret": self.secret,
            "ip": self.ip,
            "card": self.card,
            "device": self.mac,
            "us_ssn": self.ssn,
            "code": self.code,
            "gb_nino": self.nino,
            "cl_rut": self.rut,
            "sg_nric": self.nric,
            "mx_rfc": self.rfc,
            "location": self.location,
            "username": self.username,
            "zip": self.postcode,
        }

    def some(self, alphabet: str, size: int) -> str:
        """Return `size` characters of an alphabet."""
        return "".join(self.random.choice(alphabet) for _ in range(size))

    def location(self) -> str:
        """Draw a plus code, degrees with seconds, or coordinates anywhere."""
        sign = "23456789cfghjmpqrvwx"
        code = (
            f"{self.some('8c', 1)}{self.some('fgv', 1)}{self.some(sign, 6)}+{self.some('234', 1)}{self.some('cgq', 1)}"
        )
        place = self.random.uniform(-80, 80), self.random.uniform(-170, 170)
        angle = f"{self.random.randint(10, 80)}\u00b0{self.random.randint(10, 59)}'{self.random.randint(10, 59)}.5\""
        return self.random.choice((code, f"{place[0]:.6f},{place[1]:.6f}", f"{angle}n {angle}e"))

    def username(self) -> str:
        """Draw an account in the form of one: with a number after "#", or below "u/" or "@"."""
        name = f"zq{self.some(string.ascii_lowercase, 5)}_{self.digits(2)}"
        return self.random.choice((f"{name}#{self.digits(4)}", f"u/{name}", f"@{name}"))

    def postcode(self) -> str:
        """Draw a British or a Canadian postcode."""
        british = (
            f"{self.random.choice(('dn', 'ls', 'sw', 'eh'))}{self.digits(1)} {self.digits(1)}{self.some('aejnz', 2)}"
        )
        letters = self.some("abceghj", 3)
        canadian = f"{letters[0]}{self.digits(1)}{letters[1]} {self.digits(1)}{letters[2]}{self.digits(1)}"
        return self.random.choice((british, british.upper(), canadian))

    def digits(self, size: int) -> str:
        """Return `size` digits, no zero first."""
        return self.some("123456789", 1) + self.some(string.digits, size - 1)

    def vin(self) -> str:
        """Draw a VIN with a right check digit, in small or capital letters."""
        letters = "".join(VALUE)
        code = self.some("12345jw", 1) + self.some(letters, 16)
        rest = sum(VALUE[char] * weight for char, weight in zip(code, WEIGHT, strict=True)) % 11
        code = code[:8] + ("x" if rest == 10 else str(rest)) + code[9:]
        return self.random.choice((code, code.upper()))

    def iban(self) -> str:
        """Draw an IBAN of five countries, bare or in groups of four."""
        country, size = self.random.choice((("DE", 18), ("ES", 20), ("FR", 23), ("NL", 14), ("PL", 24)))
        account = self.some(string.ascii_uppercase, 4) + self.digits(10) if country == "NL" else self.digits(size)
        number = int("".join(str(int(char, 36)) for char in f"{account}{country}00"))
        code = f"{country}{98 - number % 97:02}{account}"
        grouped = " ".join(code[at : at + 4] for at in range(0, len(code), 4))
        return self.random.choice((code, code.lower(), grouped, grouped.lower()))

    def phone(self) -> str:
        """Draw a telephone number of eight countries."""
        form = self.random.choice(
            ("06 %% %% %% %%", "+33 6 %%%%%%%%", "0%%% %%%%%%%", "+49 %%% %%%%%%%", "07%%% %%%%%%", "(0%%) %%%% %%%%",
             "0%%-%%%%-%%%%", "+61 4%% %%% %%%", "+91 %%%%% %%%%%", "2%% 5%%-%%%%", "(3%%) 4%%-%%%%",
             "+55 11 9%%%%-%%%%")
        )  # fmt: skip
        return "".join(self.random.choice("123456789") if char == "%" else char for char in form)

    def email(self) -> str:
        """Draw an e-mail address, half of them spelled out."""
        user = self.some(string.ascii_lowercase, 6) + self.random.choice(
            ("", self.digits(2), "." + self.some("abc", 4))
        )
        host = f"{self.some(string.ascii_lowercase, 7)}.{self.random.choice(('com', 'org', 'de', 'co.uk', 'net'))}"
        at, dot = self.random.choice((("@", "."), ("@", "."), (" (at) ", "."), ("[at]", "[dot]"), (" at ", " dot ")))
        return f"{user}{at}{host}".replace(".", dot)

    def secret(self) -> str:
        """Draw a token under a prefix, a key that is nothing but random, or a seed phrase."""
        mixed = string.ascii_letters + string.digits
        form = self.random.choice(("ghp_36", "AKIA16", "sk_live_24", "xoxb-30", "AIza35", "glpat-20", "hf_34", "40"))
        size = int("".join(char for char in form if char.isdigit()))
        prefix = form.removesuffix(str(size))
        alphabet = string.ascii_uppercase + "234567" if prefix == "AKIA" else mixed
        token = prefix + self.some(alphabet, size - 1) + self.some("234567", 1)
        return self.random.choice((token, token, token, self.random.choice(SEED_PHRASES)))

    def ip(self) -> str:
        """Draw a public address of either kind, in one of its forms."""
        four = ".".join(str(self.random.randint(1, 254)) for _ in range(3))
        four = f"{self.random.choice((23, 64, 81, 93, 185, 203))}.{four}"
        six = "2a02:" + ":".join(self.some("123456789abcdef", 3) for _ in range(7))
        short = f"2a02:{self.some('123456789', 3)}::{self.some('123456789', 2)}"
        return self.random.choice((four, f"{four}:8443", f"::ffff:{four}", six, six.upper(), short))

    def card(self) -> str:
        """Draw a number that passes Luhn, bare or in groups."""
        body = self.random.choice("45") + self.digits(14)
        body = body.replace("50", "51", 1) if body.startswith("50") else body
        total = sum(sum(divmod(2 * int(digit), 10)) for digit in body[::2]) + sum(map(int, body[1::2]))
        number = body + str(-total % 10)
        mark = self.random.choice(("", " ", "-"))
        return mark.join(number[at : at + 4] for at in range(0, 16, 4))

    def mac(self) -> str:
        """Draw a MAC address."""
        mark = self.random.choice(":-")
        return mark.join(self.some("3456789abcdef", 2) for _ in range(6))

    def ssn(self) -> str:
        """Draw an SSN with one of three separators."""
        mark = self.random.choice("- .")
        return (
            f"{self.random.randint(101, 650)}{mark}{self.random.randint(11, 99)}{mark}{self.random.randint(1001, 9998)}"
        )

    def code(self) -> str:
        """Draw a parcel's number, a UUID or an order's number."""
        return self.random.choice(
            ("94" + self.digits(20), f"{self.digits(3)}-{self.digits(7)}-{self.digits(7)}",
             "-".join(self.some("123456789abcdef", size) for size in (8, 4, 4, 4, 12)), self.digits(14))
        )  # fmt: skip

    def nino(self) -> str:
        """Draw a National Insurance number, with or without spaces."""
        form = self.random.choice(("{}{}{}{}{}", "{} {} {} {} {}", "{}{} {}{}{}"))
        pairs = (self.digits(2) for _ in range(3))
        return form.format(self.some("abcehjlmprswxy", 1) + self.some("acehjlmprswxy", 1), *pairs, self.some("abcd", 1))

    def rut(self) -> str:
        """Draw a Chilean number with its check digit, with or without dots."""
        digits = str(self.random.randint(5_000_000, 25_000_000))
        rest = -sum(int(digit) * weight for digit, weight in zip(digits[::-1], (2, 3, 4, 5, 6, 7, 2, 3), strict=False))
        dotted = self.random.choice((digits, f"{int(digits):,}".replace(",", ".")))
        return f"{dotted}-{'0123456789k'[rest % 11]}"

    def nric(self) -> str:
        """Draw a Singapore number with its check letter."""
        digits = self.digits(7)
        rest = sum(int(digit) * weight for digit, weight in zip(digits, (2, 7, 6, 5, 4, 3, 2), strict=True))
        return f"s{digits}{'jzihgfedcba'[rest % 11]}"

    def rfc(self) -> str:
        """Draw a Mexican tax number: letters, a birthday, three more."""
        draw = self.random.randint
        birthday = f"{draw(40, 99)}{draw(1, 12):02}{draw(1, 28):02}"
        return f"{self.some(string.ascii_lowercase, 4)}{birthday}{self.some(string.ascii_lowercase, 1)}{self.digits(2)}"

    def row(self, kind: str) -> Row:
        """Return a query around an identifier, one in three wrapped as logs have it."""
        before, after = self.random.choice(AROUND).split("{}")
        made = self.makers[kind]()
        wrap = self.random.randrange(12)
        if wrap == 0:
            before, made, after = quote_plus(before), quote_plus(made), quote_plus(after)
        elif wrap == 1:
            before, made, after = quote(before), quote(made), quote(after)
        elif wrap == 2:
            before, after = "\u7f16\u53f7", "\u67e5\u8be2"
        elif wrap == 3 and "+" not in made:
            made = f"{made[:3]}\u200b{made[3:]}"
        elif wrap == 4 and "-" in made and kind != "secret":
            made = made.replace("-", "\u2011")
        elif wrap == 5:
            before, made = "ref_", made.replace(" ", "\t")
        return Row(f"{before}{made}{after}", kind, len(before), len(before) + len(made))


def held_out(seed: int, n: int) -> Iterator[Row]:
    """Yield `n` rows: every third a look-alike, the kinds in turn between. The same seed gives the same rows."""
    codes = Codes(seed)
    for kind in in_turn(list(codes.makers), n):
        yield codes.row(kind) if kind else Row(codes.random.choice(HARMLESS_QUERIES), HARMLESS)
