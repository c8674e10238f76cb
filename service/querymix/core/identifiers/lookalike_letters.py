"""Characters that stand for ASCII ones without being a compatibility form of them, and letters that look Latin.

Source: Unicode UTS #39 (confusables), the lower-case and upper-case letters of Cyrillic, Greek and Armenian in it.
"""

# ruff: noqa: RUF001 - the letters that look like others are what this file is about

from typing import Final


def _pairs(text: str, places: str) -> dict[str, str]:
    """Return a mapping from the characters of `text` to those of `places`."""
    return dict(zip(text.replace(" ", ""), places.replace(" ", ""), strict=True))


LATIN_LOOKALIKES: Final = (
    _pairs("аеорсухіјѕһԁԛԝѵӏкмтнвгпигӕ АВЕЗКМНОРСТУХІЈЅҮԌԚԜѴӀ", "aeopcyxijshdqwvlkmthbrnuræ ABE3KMHOPCTYXIJSYGQWVI")
    | _pairs("αοινκρτυχγηωβεμ ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳ", "aoivkptuxynwbeu ABEZHIKMNOPTYXCj")
    | _pairs("օոսհցզյաքեգ ՕՏՍԼ", "onuhgqjwpeq OSUL")
)
"""Letters of other scripts and the Latin ones they look like."""

LATIN_OTHERS: Final = {
    "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L",
    "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ı": "i", "ħ": "h", "Ħ": "H", "ŧ": "t", "Ŧ": "T",
    "ŋ": "n", "ɑ": "a", "ɡ": "g", "ɩ": "i", "ʀ": "r", "ʙ": "b", "ɢ": "g", "ʜ": "h", "ɪ": "i", "ʟ": "l", "ɴ": "n",
    "ʏ": "y", "ᴀ": "a", "ᴄ": "c", "ᴅ": "d", "ᴇ": "e", "ᴊ": "j", "ᴋ": "k", "ᴍ": "m", "ᴏ": "o", "ᴘ": "p", "ᴛ": "t",
    "ᴜ": "u", "ᴠ": "v", "ᴡ": "w", "ᴢ": "z", "ꜰ": "f", "ꜱ": "s", "ƒ": "f", "ƙ": "k", "ƥ": "p", "ƴ": "y", "ɓ": "b",
    "ɗ": "d", "ɛ": "e", "ɨ": "i", "ɾ": "r", "ʂ": "s", "ʋ": "v", "ʐ": "z", "ɔ": "o", "ǝ": "e", "ə": "e", "Ə": "E",
}  # fmt: skip
"""Latin letters that have no decomposition, as they are typed without them."""

ASCII_MARKS: Final = (
    dict.fromkeys(
        "\u2018\u2019\u201a\u201b\u2032\u2035\u02b9\u02bb\u02bc\u02bd\u02c8\u00b4\u0060\u055a\u05f3\ua78c", "'"
    )
    | dict.fromkeys(
        "\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u2039\u203a\u02ba\u05f4\u300c\u300d\u300e\u300f", '"'
    )
    | dict.fromkeys(
        "\u2212\u2043\u02d7\u2796\u05be\u2011\u30a0\u2e3a\u2e3b\u02c9\u00af\u2500\u2501\u23af\u2022\u25cf\u25e6", "-"
    )
    | dict.fromkeys("\u3002\uff61\u2024\u0701\u0702\u00b7\u2219\u22c5\u30fb\uff65\u2027\ua4f8", ".")
    | dict.fromkeys("\u2044\u2215\u29f8\u2571\u27cb\u1735", "/")
    | dict.fromkeys("\u29f5\u2216\u29f9\uff3c", "\\")
    | dict.fromkeys("\u2236\ua789\u02d0\u0589\u05c3\u0703\u0704\u1365", ":")
    | dict.fromkeys("\u060c\u3001\uff64\u201a", ",")
    | dict.fromkeys("\u066a\uff05", "%")
    | dict.fromkeys("\u2795\u02d6", "+")
    | dict.fromkeys("\u223c\u02dc\u301c", "~")
    | dict.fromkeys("\u2223\u01c0\u2758\u23d0", "|")
    | dict.fromkeys("\u3010\u3014\u3016\u27e8\u2329\u3008\u300a", "(")
    | dict.fromkeys("\u3011\u3015\u3017\u27e9\u232a\u3009\u300b", ")")
    | {"\u24d0": "a", "\u2800": " ", "\u1680": " ", "\u180e": "", "\u00b6": " "}
    | dict.fromkeys("\u115f\u1160\u3164\uffa0\u17b4\u17b5", "")
    | {chr(0x1F1E6 + number): chr(ord("A") + number) for number in range(26)}
    | {chr(first + number): chr(ord("A") + number) for first in (0x1F150, 0x1F170) for number in range(26)}
    | {chr(0x2776 + number): str(number + 1) for number in range(9)}
    | {chr(0x24F5 + number): str(number + 1) for number in range(9)}
)
"""Marks, invisible letters, and letters and digits in circles and squares."""
