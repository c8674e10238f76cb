"""IP addresses in all their forms, except those that everyone has.

Rules:
- Private, loopback, link-local, multicast and other special addresses identify nobody, nor do the public name servers:
  they stay. Addresses kept for documentation stay beside a word such as "example"; else they stand for public ones.
- Four small numbers without a word such as "ping" beside them are a version ("firefox 3.0.0.11").
- Digits taken out of an address's form by brackets ("203[.]0[.]113[.]77") do not hide it.

Source: RFC 4291, RFC 5952, RFC 5737, RFC 3849, IANA special-purpose address registries.
"""

import re
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import BEGIN, Recognizer
from querymix.core.identifiers.shared import EXAMPLE_WORDS
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

OCTET: Final = r"(?:25[0-5]|2[0-4]\d|1\d\d|0{0,2}\d|0?[1-9]\d)"
DOT: Final = r"(?:\.|\[\.\]|\(\.\)| ?\[dot\] ?)"
IPV4: Final = expression(
    rf"(?:{BEGIN}|(?<=\bip)|(?<=\bfrom)|(?<=\bhost)|(?<=\baddress)|(?<=\bserver))(?:{OCTET}{DOT}){{3}}{OCTET}(?::\d{{1,5}}|/\d{{1,2}}|"
    rf" ?- ?(?:(?:{OCTET}{DOT}){{3}}{OCTET}|{OCTET}))?(?!\w|-\w|\.\d)"
)
DASHED: Final = expression(rf"(?<!\d[.-])(?<!\d)(?:{OCTET}[.-]){{3}}{OCTET}(?=[.-][a-z0-9.-]{{0,250}}\.[a-z]{{2}})")
IPV6: Final = expression(r"(?<!\w)[0-9a-f:][0-9a-f:.]{2,60}(?:%\w{1,15})?(?:/\d{1,3})?(?!\w)")
IP_WORDS: Final = word_set(
    "ip ips address ping whois trace traceroute tracert lookup look host server proxy locate location where owner "
    "reverse blacklist dns block ban hacked track find geolocate who"
)
VERSION_WORDS: Final = word_set("version versions ver firmware update release build driver drivers changelog patch v")
NAME_SERVERS: Final = word_set(
    "8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 1.1.1.2 1.1.1.3 1.0.0.2 1.0.0.3 9.9.9.9 9.9.9.10 149.112.112.112 208.67.222.222 "
    "208.67.220.220 208.67.222.123 208.67.220.123 4.2.2.1 4.2.2.2 4.2.2.3 4.2.2.4 4.2.2.5 4.2.2.6 64.6.64.6 64.6.65.6 "
    "94.140.14.14 94.140.15.15 185.228.168.9 185.228.169.9 76.76.19.19 76.76.2.0 77.88.8.8 77.88.8.1 114.114.114.114 "
    "223.5.5.5 223.6.6.6 119.29.29.29 180.76.76.76 84.200.69.80 1.2.3.4 "
    "2001:4860:4860::8888 2001:4860:4860::8844 2606:4700:4700::1111 2606:4700:4700::1001 2620:fe::fe 2620:fe::9 "
    "2620:119:35::35 2620:119:53::53"
)
PRIVATE: Final = (
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 224.0.0.0/3"
)
"""Blocks that are no one's alone: private, shared, loopback, link-local, multicast, reserved and masks."""
_BLOCKS: Final = tuple(
    (int(net.network_address) >> (32 - net.prefixlen), 32 - net.prefixlen) for net in map(IPv4Network, PRIVATE.split())
)

DOCUMENTATION: Final = frozenset(int(IPv4Address(net)) >> 8 for net in ("192.0.2.0", "198.51.100.0", "203.0.113.0"))
DOCUMENTATION_6: Final = 0x20010DB8


def everyones(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address tells nobody apart."""
    if isinstance(address, IPv4Address):
        return any(int(address) >> shift == block for block, shift in _BLOCKS) or str(address) in NAME_SERVERS
    if address.ipv4_mapped is not None:
        return everyones(address.ipv4_mapped)
    if address.is_link_local or int(address) >> 121 == 0x7E:  # fe80::/10, fc00::/7
        return int(address) & 0xFFFFFFFFFFFFFFFF < 1 << 16  # larger ones are made from a device's own number, or drawn
    return int(address) < 1 << 16 or address.is_multicast or str(address) in NAME_SERVERS


def find(query: QueryText, finds: Findings) -> None:
    """Add IP addresses."""
    text = query.spaced
    if text.count(":") >= 2:
        _six(query, finds)
    if query.digits >= 4:
        if text.count(".") >= 3 or text.count("[dot]") == 3:
            _four(query, finds)
        if text.count("-") >= 3 and "." in text:
            finds.extend(Identifier("ip", *match.span()) for match in DASHED.finditer(text))


def _four(query: QueryText, finds: Findings) -> None:
    for match in IPV4.finditer(query.spaced):
        numbers = [int(part) for part in re.findall(r"\d+", match[0])[:4]]
        address = IPv4Address(bytes(numbers))
        if everyones(address) or (int(address) >> 8 in DOCUMENTATION and query.says(EXAMPLE_WORDS)):
            continue
        small = numbers[0] < 20 and max(numbers) < 50 and len(query.words) > 1
        if (small or query.says(VERSION_WORDS)) and not query.says(IP_WORDS):
            continue  # a version: "firefox 3.0.0.11"
        finds.append(Identifier("ip", *match.span()))


def _six(query: QueryText, finds: Findings) -> None:
    for match in IPV6.finditer(query.spaced):
        lead = match[0].startswith(":") and not match[0].startswith("::")
        address = match[0][lead:].partition("/")[0].partition("%")[0]
        bare = address.rstrip(".") if address.endswith("::") else address.rstrip(".:")
        if bare.count(":") < 2 or len(bare) < 6 or not any(char.isdigit() for char in bare):
            continue
        try:
            six = IPv6Address(bare)
            known = everyones(six) or (int(six) >> 96 == DOCUMENTATION_6 and query.says(EXAMPLE_WORDS))
        except AddressValueError:
            continue
        if not known:
            start = match.start() + lead
            finds.append(Identifier("ip", start, start + len(bare) if bare != address else match.end()))


SIX: Final[Recognizer] = Recognizer(find, marks=":")
FOUR: Final[Recognizer] = Recognizer(find, digits=4, marks=".[")
