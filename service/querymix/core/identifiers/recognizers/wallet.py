"""Addresses and keys of crypto-currency wallets.

Rules:
- Ethereum: 0x and 40 hexadecimal digits; 64 are a transaction or a private key. Both name one person's doing.
- Bech32 (bc1, ltc1, addr1, ...): by its own checksum, or by a known prefix.
- Base58 (Bitcoin, Litecoin, Dogecoin, Tron): by its checksum; where a log was put into lower case, which loses it, by
  first character, length and mixture. Extended keys (xpub, xprv) and Monero by their form.

Source: EIP-55, BIP 173 and 350 (bech32, bech32m), BIP 32, the Bitcoin wiki (base58check).
"""

from hashlib import sha256
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tokens import QueryText

HEX: Final = expression(r"(?<![a-z0-9])0x(?:[0-9a-f]{64}|[0-9a-f]{40})(?![a-z0-9])")
BECH32: Final = expression(r"(?<![a-z0-9])([a-z]{1,12})1([ac-hj-np-z02-9]{8,100})(?![a-z0-9])")
KNOWN: Final = frozenset({"bc", "tb", "ltc", "addr", "stake", "bcrt", "lnbc", "cosmos", "osmo", "npub", "nsec", "zs"})
BASE58: Final = expression(r"(?<![A-Za-z0-9])[13LMDTmn2X9A][1-9A-HJ-NP-Za-km-z]{25,34}(?![A-Za-z0-9])")
LOWERED: Final = expression(r"(?<![a-z0-9])[13](?=[a-z]*\d[a-z]*\d)(?=\d*[a-z]\d*[a-z])[1-9a-z]{25,33}(?![a-z0-9])")
LONG_KEYS: Final = expression(
    r"(?<![a-z0-9])(?:[xyztuv](?:pub|prv)[1-9a-z]{70,120}|[48][0-9ab][1-9a-z]{93})(?![a-z0-9])"
)
ALPHABET: Final = {
    char: value for value, char in enumerate("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
}
BECH32_ALPHABET: Final = {char: value for value, char in enumerate("qpzry9x8gf2tvdw0s3jn54khce6mua7l")}
GENERATOR: Final = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)


def base58_checks(code: str) -> bool:
    """Return whether a base58 text of 25 bytes ends in its own checksum."""
    number = 0
    for char in code:
        number = number * 58 + ALPHABET[char]
    if number >> 200:
        return False
    content = number.to_bytes(25, "big")
    return sha256(sha256(content[:21]).digest()).digest()[:4] == content[21:]


def bech32_checks(prefix: str, data: str) -> bool:
    """Return whether a bech32 or bech32m text passes its checksum."""
    check = 1
    values = [ord(char) >> 5 for char in prefix] + [0] + [ord(char) & 31 for char in prefix]
    for value in values + [BECH32_ALPHABET[char] for char in data]:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for place, generator in enumerate(GENERATOR):
            check ^= generator if (top >> place) & 1 else 0
    return check in (1, 0x2BC830A3)


def find(query: QueryText, finds: Findings) -> None:
    """Add addresses and keys of wallets."""
    text, cased = query.text, query.cased
    if "0x" in text:
        finds.extend(Identifier("account", *match.span()) for match in HEX.finditer(text))
    finds.extend(
        Identifier("account", *match.span())
        for match in BECH32.finditer(text)
        if match[1] in KNOWN or bech32_checks(match[1], match[2])
    )
    if cased != text:
        finds.extend(Identifier("account", *one.span()) for one in BASE58.finditer(cased) if base58_checks(one[0]))
    else:
        finds.extend(Identifier("account", *match.span()) for match in LOWERED.finditer(text))
    if query.longest >= 70:
        finds.extend(Identifier("account", *match.span()) for match in LONG_KEYS.finditer(text))


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=2, stretch=14)
