"""A text is seen as a reader sees it, and every character leads back to where it came from."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.identifiers.seen import fold, see

SEEN = [
    ("plain words", "plain words"),
    ("jo%40example.com", "jo@example.com"),
    ("jo%2540example.com", "jo@example.com"),
    ("jo%252540example.com", "jo@example.com"),
    ("%C3%A9t%C3%A9", "ete"),
    ("%E9t%E9", "ete"),
    ("caf\udce9", "cafe"),
    ("100% sure", "100% sure"),
    ("jennifer+brown+phone", "jennifer brown phone"),
    ("tel+%2B12175550142", "tel +12175550142"),
    ("+12175550142", "+12175550142"),
    ("tel_+12175550142", "tel_+12175550142"),
    ("tel/+12175550142 [+12175550142]", "tel/+12175550142 [+12175550142]"),
    ("c++", "c++"),
    ("jo+news@example.com", "jo+news@example.com"),
    ("jo&#64;example&period;com", "jo@example.com"),
    ("smith &amp; brown", "smith & brown"),
    ("at&t", "at&t"),
    ("jo\\u0040example.com", "jo@example.com"),
    ("jennifer 20brown 20phone", "jennifer brown phone"),
    ("jennifer 20brown 2c 20jo", "jennifer brown, jo"),
    ("20th century fox", "20th century fox"),
    ("map of 20th street", "map of 20th street"),
    ("mail jo 40example.com", "mail jo@example.com"),
    ("jose\u0301", "jose"),
    ("\u00c6r\u00f8 stra\u00dfe", "AEro strasse"),
    ("\u0130stanbul", "Istanbul"),
    ("\u212aelly \u017fmith", "Kelly smith"),
    ("jen\u200bni\u00adfer\ufeff", "jennifer"),
    ("\u202ejo\u202c", "jo"),
    ("\uff21\uff22 \uff12\uff11", "AB 21"),
    ("\u0662\u0661\u0669", "219"),
    ("2\ufe0f\u20e31\ufe0f\u20e3", "21"),
    ("\u2460\u2461", "12"),
    ("\U0001f170\U0001f171", "AB"),
    ("\U0001d423\U0001d428", "jo"),
    ("\ufb01ne", "fine"),
    ("brown\u2019s \u201cjo\u201d \u2026", "brown's \"jo\" ..."),
    ("brown`s", "brown's"),
    ("219\u221209\u20139999", "219-09-9999"),
    ("a\u00a0b\u3000c", "a b c"),
    ("j\u043e br\u043ewn", "jo brown"),
    ("\u0434\u043e\u043c brown", "\u0434\u043e\u043c brown"),
    ("\u7535\u8bdd139\u5f52", "\u7535\u8bdd 139 \u5f52"),
    ("\u0442\u0435\u043b89", "\u0442\u0435\u043b 89"),
    ("a\x00b\x7fc", "a b c"),
    ("a\tb\r\nc\vd\fe\x1cf", "a b c d e f"),
    ("a  b \u2009\u00a0 c", "a b c"),
    ("n\u00ba5 n\u00b05 \u21165 3\u00aa", "no5 n\u00b05 n\u00b05 3a"),
    ("\u00bfcalle mayor 5? \u00a1no!", "?calle mayor 5? !no!"),
    ("\U0001f600jo\U0001f44d\U0001f3fd brown\u2605", " jo brown "),
    ("berlin\u2192bonn 41\u00b0", "berlin>bonn 41\u00b0"),
    ("mu\u00a8ller", "muller"),
    ("M\u00c3\u00bcller \u00c3\u0178 d\u00e2\u20ac\u2122ell\u00c3\u00b2", "Muller ss d'ello"),
    ("m\u00e3\u00bcller ren\u00e3\u00a9", "muller rene"),
    ("12\u00c2\u00a034 \u00e2\u20ac\u201c 5\u00e2\u0080\u0093", "12 34 - 5-"),
    ("n\u00c3\u0192\u00c2\u00a9e n%C3%83%C2%A9e", "nee nee"),
    ("\u00d0\u00b8\u00d0\u00b2\u00d0\u00b0\u00d0\u00bd", "\u0438\u0432\u0430\u043d"),
    ("\u00ef\u00bb\u00bfjo", "jo"),
    ("\u00abCAF\u00c9\u00bb irm\u00e3\u2026", '"CAFE" irma...'),
    ("\u201emanh\u00e3\u201d \u00bbSpa\u00df\u00ab", '"manha" "Spass"'),
    ("S\u00c3O JO\u00c3O \u00c5 vin\u00e2", "SAO JOAO A vina"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "seen"), SEEN)
def test_a_text_is_seen_as_a_reader_sees_it(text: str, seen: str) -> None:
    assert see(text).text == seen


@pytest.mark.parametrize(
    ("text", "shown", "original"),
    [
        ("mail jo%40example.com now", "jo@example.com", "jo%40example.com"),
        ("jose\u0301 x", "jose", "jose\u0301"),
        ("\u200bjen\u200bnifer", "jennifer", "\u200bjen\u200bnifer"),
        ("\u7535\u8bdd139\u5f52", "139", "139"),
        ("a \ufb01ne b", "fine", "\ufb01ne"),
        ("%C3%A9t%C3%A9 b", "ete", "%C3%A9t%C3%A9"),
        ("jennifer 20brown", "brown", "brown"),
        ("jo&#64;x", "jo@", "jo&#64;"),
    ],
)
def test_what_is_seen_leads_back_to_the_original(text: str, shown: str, original: str) -> None:
    seen = see(text)
    at = seen.text.index(shown)
    start, end = seen.span(at, at + len(shown))
    assert text[start:end] == original


PIECES = st.sampled_from(
    ["a", "B", " ", "7", "%40", "%2540", "%C3%A9", "%E9", "+", "&#64;", "&amp;", " 20x", "\u0301", "\u200b", "\u4e2d",
     "\u043e", "\ufb01", "\u2026", "\udce9", "`", "\\u0040", "@", "\U0001d423", "\u0130", "\x00"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=40))
def test_places_of_the_original_are_inside_it_and_in_order(text: str) -> None:
    seen = see(text)
    spans = [seen.span(at, at + 1) for at in range(len(seen.text))]
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert all(first[0] <= second[0] and first[1] <= second[1] for first, second in pairwise(spans))


@given(st.text(st.sampled_from("abc XYZ 0189.,'-@/:"), max_size=40))
def test_plain_text_is_what_it_seems(text: str) -> None:
    seen = see(text)
    assert " 20" in text or "  " in text or (seen.text, seen.moved) == (text, False)


@given(st.characters())
def test_a_character_folds_to_what_folds_no_further(char: str) -> None:
    folded = fold(char)
    assert "".join(part if part.isascii() else fold(part) for part in folded) == folded


@pytest.mark.parametrize(
    "unit", ["%", "%40", "%25", "&#", "&a;", "+", " 20x", "\u0301", "\u200b", "\u4e2d1", "\u043e", "@+", "\u04348"]
)
def test_a_long_text_is_seen_in_time_that_grows_with_it(unit: str) -> None:
    assert see(unit * (200_000 // len(unit))) is not None


@pytest.mark.parametrize("filler", ["soccer ", "%20", "\u0301", "\u04348"])
def test_what_stands_behind_a_very_long_text_is_seen_too(filler: str) -> None:
    assert see(filler * 30_000 + " jo%40example.com").text.endswith("jo@example.com")
