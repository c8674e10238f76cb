"""Clicked hosts: one that tells what was cut is recognized, one that does not stays."""

import pytest
from querymix.core.identifiers.clicked import gone_words, host_holds, text_holds, url_holds


@pytest.mark.parametrize(
    ("url", "text", "released"),
    [
        ("http://www.jenniferbrown.example.com", "jennifer brown photos", "photos"),
        ("http://jennifer-brown.com", "photos of jennifer brown", "photos of"),
        ("https://BrownFamily.org/tree", "jennifer brown genealogy", "genealogy"),
        ("http://j.bro-wn.net", "jennifer brown", ""),
        ("http://liwei.net", "li wei violin", "violin"),
        ("http://xn--mller-kva.com", "katrin müller piano", "piano"),
        ("http://muller.com", "katrin müller piano", "piano"),
        ("http://jenniferbrown.com", "jennifer%20brown piano", "piano"),
        ("http://5550147.info", "who is 212-555-0147", "who is"),
    ],
)  # fmt: skip
def test_a_host_that_holds_a_word_that_was_cut_tells_it(url: str, text: str, released: str) -> None:
    assert host_holds(url, gone_words(text, released))


@pytest.mark.parametrize(
    ("url", "text", "released"),
    [
        ("http://www.pianoworld.com", "jennifer brown piano", "piano"),
        ("http://www.lee.com", "jo lee jeans", "jeans"),  # three letters stand in many hosts
        ("http://photos.example.com/jennifer-brown", "jennifer brown photos", "photos"),  # the host alone is released
        ("http://10.0.0.1/brown", "jennifer brown", ""),
        ("not a url", "jennifer brown", ""),
        ("", "jennifer brown", ""),
        ("http://xn--a.com", "jennifer brown", ""),
    ],
)  # fmt: skip
def test_a_host_without_such_a_word_does_not(url: str, text: str, released: str) -> None:
    assert not host_holds(url, gone_words(text, released))


@pytest.mark.parametrize(
    ("text", "url", "title"),
    [
        ("http://a.example/martinez", True, False),
        ("the Martinez menu", True, True),
        ("http://a.example/JenniferMartinez", True, False),
        ("@JenniferMartinez", True, True),
        ("Mart\u00ednez", True, True),
        ("http://a.example/%6dartinez", True, False),
        ("martinezes", True, False),
        ("http://a.example/sandwich", False, False),
        ("", False, False),
    ],
)
def test_a_url_holds_a_word_anywhere_and_a_text_as_one_of_its_own(text: str, url: bool, title: bool) -> None:
    gone = gone_words("jennifer martinez sandwich", "sandwich")
    assert gone == ["jennifer", "martinez"]
    assert url_holds(text, gone) == url
    if "://" not in text:
        assert text_holds(text, gone) == title
