"""The same identifier in the many forms that people, forms and programs write it in; and harmless look-alikes.

Each row is one form. What is left of the text is compared, so that no part of an identifier may stay.
"""

import pytest

from tests.querymix.core.identifiers.kit import kept


@pytest.mark.parametrize(
    "text",
    [
        # A dot that is a comma or a space, marks around "at" and "dot".
        "jo.doe@example,com", "jo.doe@example com", "jo @ example com", "jdoe at hotmail com",
        "jdoe*at*example*dot*com",
        "jdoe (a) example (d) com", "jdoe [at] example [ponto] com",
        # Encoded once more, in other ways, or half undone.
        "jo%u0040example.com", "jo%2540example.com", "jo\\x40example.com", "jo&commat;example.com",
    ],
)  # fmt: skip
def test_an_address_goes_whole_in_every_form(text: str) -> None:
    assert kept(text) == ("", ["email"])


@pytest.mark.parametrize("text", ["dinner at eight dot com", "look at example com", "ice cream, com port", "x*at*y"])
def test_what_only_reads_like_an_address_stays(text: str) -> None:
    assert kept(text) == (text, [])


@pytest.mark.parametrize(
    "number",
    [
        "(0)20 7946 0958", "03(1234)5678", "333 1234567", "01 234567890", "612 34 56 78", "12 345 67 89",
        "9876543210", "212-555-0147 #123", "212\u2022555\u20220147", "212\u2500555\u25000147",
        "212\u30fc555\u30fc0147",
    ],
)  # fmt: skip
def test_a_telephone_number_goes_whole_in_every_form(number: str) -> None:
    assert kept(number)[0] == ""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("weather 612 34 56 78 pizza", "weather pizza"),
        ("601 234 567 kto dzwonil", "kto dzwonil"),
        ("call2125550147now", ""),
        ("testdata630-555-0111", ""),
        ("joanna13912345670", ""),
        ("\u5fae\u4fe1jo13912345670", "\u5fae\u4fe1"),
    ],
)
def test_a_number_goes_with_the_word_that_it_is_glued_to(text: str, left: str) -> None:
    assert kept(text)[0] == left


@pytest.mark.parametrize(
    "text",
    [
        "2147483647", "4294967296", "299792458", "3141592653", "ndc 0002-8215-01", "nct01234567",
        "un55nu7100", "205 55 16 tires", "2006 20 30 40", "ean4006381333931", "top20hits", "catch20two mp3",
    ],
)  # fmt: skip
def test_numbers_of_no_person_stay(text: str) -> None:
    assert kept(text) == (text, [])


@pytest.mark.parametrize(
    "text",
    [
        "hf_" + "abcdefghijklmnopqrstuvwxyzabcdefgh",
        "mfa." + "abcdefghijklmnopqrstuvwxyz0123",
        "shippo_live_" + "1234567890abcdef1234567890abcdef",
        "CCIPAT_" + "abcdefgh_1234567890abcdef",
        "sha256~" + "abcdefghijklmnopqrstuvwxyz0123456789",
        "access_token$production$" + "1234567890abcdef$1234567890abcdef",
        "rnd_" + "abcdefghijklmnopqrstuvwxyz12",
        "EAAAE" + "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG",
    ],
)
def test_a_random_text_after_a_mark_is_a_secret_of_whatever_vendor(text: str) -> None:
    assert kept(text)[0] == ""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("AccountKey=" + "abcdefghijklmnop", "AccountKey="),
        ("passwort: geheim123", "passwort:"),
        ("mot de passe: secret123", "mot de passe:"),
        ("contrase\u00f1a: secreto123", "contrase\u00f1a:"),
        ("login joe pw hunter2secret", "login joe pw"),
    ],
)
def test_passwords_are_found_in_other_languages(text: str, left: str) -> None:
    assert kept(text) == (left, ["secret"])


@pytest.mark.parametrize(
    "text", ["pass the exam 70-290", "api-key-management best practices", "boarding pass", "key west", "sk-ii cream"]
)
def test_words_beside_no_secret_stay(text: str) -> None:
    assert kept(text) == (text, [])


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("203.0.113.1-203.0.113.99", ""),
        ("203.0.113.1 - 203.0.113.99 block", "block"),
        ("203.0.113.1-99", ""),
        ("192.168.0.1-192.168.0.99", "192.168.0.1-192.168.0.99"),
        ("4242/4242/4242/4242", ""),
        ("4242_4242_4242_4242", ""),
        ("4242-4242-4242-4242 cvv 123", ""),
        ("fedex 7946 8912 3456", "fedex"),
        ("1HGCM-82633-A004352", ""),
    ],
)
def test_nothing_of_an_identifier_in_groups_or_ranges_stays(text: str, left: str) -> None:
    assert kept(text)[0] == left


@pytest.mark.parametrize(
    "text",
    [
        "jennifer:brown", "jennifer=brown", "jennifer|brown", "name:jennifer name:brown", "jenniferBrown82",
        "firstname=jennifer&lastname=brown", "fname=jennifer&lname=brown", "first_name: jennifer last_name: brown",
        "jennifer OR brown", "jennifer AND brown", "jennifer NEAR brown", "jennifer20brown", "jennifer 2520brown",
        "22jennifer 20brown 22", "jennifer%u0020brown", "jennifer\\u0020brown",
    ],
)  # fmt: skip
def test_a_name_is_found_whatever_joins_it(text: str) -> None:
    left, kinds = kept(text)
    assert kinds == ["name"]
    assert "jennifer" not in left.lower()
    assert "brown" not in left.lower()


@pytest.mark.parametrize(
    "text", ["jennifer: brown hair", "jennifer or brown", "jennifer and brown", "rock AND roll", "YouTube PlayStation"]
)
def test_what_only_reads_like_a_joined_name_stays(text: str) -> None:
    assert kept(text) == (text, [])


def test_a_long_dash_parts_the_words_on_its_sides() -> None:
    assert kept("jennifer brown\u2014pizza") == ("\u2014pizza", ["name"])


def test_a_famous_part_does_not_keep_a_name_with_a_comma() -> None:
    assert kept("brown, yolanda kowalczyk") == ("", ["name"])
    assert kept("yolanda kowalczyk") == ("yolanda kowalczyk", [])
