"""IP addresses are found in all their forms, private and well-known ones stay. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("whois 203.0.113.77", "whois"),
    ("2001:db8:0:1::9f", ""),
    ("::ffff:203.0.113.195", ""),
    ("2001:DB8::9F/64", ""),
    ("[2001:db8::9f]:443", "[ ]:443"),
    ("http://203.0.113.77/admin", "http:// /admin"),
    ("203.0.113.77:8080", ""),
    ("203.0.113.0/24", ""),
    ("203[.]0[.]113[.]77", ""),
    ("ip:203.0.113.77", "ip:"),
    ("2001:db8:85a3:0000:0000:8a2e:0370:7334", ""),
    ("2001:db8::1.2.3.4", ""),
    ("fe80::3e22:fbff:fe01:9a7e%eth0", ""),
    ("64:ff9b::203.0.113.77", ""),
    ("\uff12\uff10\uff13.0.113.77", ""),
    ("203\u30020\u3002113\u300277", ""),
    ("77.113.0.203.in-addr.arpa", ".in-addr.arpa"),
    ("host-203-0-113-77.dsl.example.net", ".dsl.example.net"),
    ("203.0.113.77.", "."),
    ("2001:db8::9f.", "."),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "ip" in kinds


STAYS = """
192.168.15.1 admin; 192.168.178.1 fritzbox; 10.1.1.1; 172.16.5.4; 169.254.1.1; 127.0.0.1:8080; localhost ::1 port;
fe80::1; fd00::1; ff02::1; 8.8.8.8; 1.1.1.1 dns; 2001:4860:4860::8888; 255.255.255.0; 0.0.0.0; 239.255.255.250;
100.64.0.1; ::ffff:192.168.1.1; firefox 3.0.0.11; version 4.13.17.60; 10:30:00; std::vector; 1.2.3; 300.1.2.3;
10.0.19041.1; face::book; genesis 1:1:2
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
