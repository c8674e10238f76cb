"""E-mail addresses are found as they are and spelled out; an at-sign alone is none. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("write jo.doe@example.com today", "write today"),
    ("jo dot doe at example dot com", ""),
    ("john at gmail.com", ""),
    ("jo (at) example.com", ""),
    ("jo [at] example [dot] com", ""),
    ("jo(at)example.com", ""),
    ("jo.doe[at]example[dot]com", ""),
    ("jo{at}example{dot}com", ""),
    ("jo<at>example.com", ""),
    ("jo(a)example.de", ""),
    ("jo_at_example_dot_com", ""),
    ("jo-at-example-dot-com", ""),
    ("jo AT example DOT com", ""),
    ("jo arroba example punto com", ""),
    ("jodoe82 at gmail", ""),
    ("jo@example . com", ""),
    ("jo @ example.com", ""),
    ("jo@@example.com", ""),
    ("jo@gmail", ""),
    ("jo@gmailcom", ""),
    ("jo@example.com.", "."),
    ("<jo@example.com>", "< >"),
    ("mailto:jo@example.com", "mailto:"),
    ("jo+news@example.com", ""),
    ("o'doe@example.com", ""),
    ("o\u2019doe@example.com", ""),
    ('"jo doe"@example.com', ""),
    ("jo@[203.0.113.77]", ""),
    ("jo@203.0.113.77", ""),
    ("m\xfcller@b\xfccher.example", ""),
    ("\u0438\u0432\u0430\u043d@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444", ""),
    ("\u0438\u0432\u0430\u043d5@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444", ""),
    ("\u7528\u6237@\u4f8b\u5b50.\u5e7f\u544a", ""),
    ("jo@xn--bcher-kva.xn--p1ai", ""),
    ("\u90ae\u7bb1jo@example.com\u8054\u7cfb", "\u90ae\u7bb1 \u8054\u7cfb"),
    ("jo:hunter2@example.com", ""),
    ("jo\uff20example\uff0ecom", ""),
    ("jo\ufe6bexample\ufe52com", ""),
    ("jo%40example.com", ""),
    ("jo%2540example.com", ""),
    ("jo&#64;example&#46;com", ""),
    ("jo&#x40;example.com", ""),
    ("jo&commat;example&period;com", ""),
    ("jo\\u0040example.com", ""),
    ("user=jo%40example.com&x=1", "user= &x=1"),
    ("jo\u200b@exam\xadple.com", ""),
    ("\u202ejo@example.com\u202c", ""),
    ("j\u043e@ex\u0430mple.com", ""),
    ("\U0001d423\U0001d428@example.com", ""),
    ("jo 40example.com", ""),
    ("@jo@social.example", "@"),
    ("j o d o e @ example.com", ""),
    ("jo @ example dot com", ""),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "email" in kinds


STAYS = """
java.lang.Object@4b1c1ea0; npm install @types/node@18.0.0; c@ts musical; python@3.9; lodash@^4.17.21; look @ this;
10 @ 5 dollars; @media query; lunch @ noon; user@host; ubuntu@sha256:45b23dee; look at this; at t wireless; live at
five; work at home dot com; jobs at google dot com; p@ssw0rd rules; react@next; arrive at 5.30; hotels at
disney.com; the dot com bubble; m@rs; bootstrap@5.css; @home; @ symbol; good at math
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
