"""Access tokens and keys are found by their form, in any case. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("AKIAIOSFODNN7EXAMPLE", ""),
    ("akiaiosfodnn7example", ""),
    ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", ""),
    ("github_pat_11ABCDEFG0abcdefghijkl", ""),
    ("glpat-abcDEF123456_-xyz", ""),
    ("xoxb-123456789012-abcdefABCDEF", ""),
    ("AIzaSyA1234567890abcdefghijklmnopqrstuv", ""),
    ("ya29.a0AfH6SMBx-abcdefgh", ""),
    ("sk_live_51H8abcdEFGHijklMNOP", ""),
    ("pk_test_51H8abcdEFGHijklMNOP", ""),
    ("sk-proj-abc123DEF456ghi789JKL", ""),
    ("sk-ant-api03-abc123DEF456ghi789", ""),
    ("hf_abcdefGHIJKL1234567890mnop", ""),
    ("npm_abcdefghijklmnopqrstuvwxyz0123456789", ""),
    ("SG.abcdefghij1234567890.ABCDEFGHIJ1234567890abcdefghij", ""),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U", ""),
    ("eyJhbGciOiJub25lIn0.eyJzdWIiOiJqbyJ9.", ""),
    ("123456789:AAabcdefghijklmnopqrstuvwxyz1234567", ""),
    ("-----BEGIN RSA PRIVATE KEY----- MIIEowIBAAKCAQEA", ""),
    ("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ", ""),
    ("glsa_AbCdEf1234567890gh", ""),
    ("dckr_pat_abcDEF1234567890xyz", ""),
    ("Zm9vYmFyQmF6UXV4MTIzNDU2", ""),
    ("wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY9", ""),
    ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "secret" in kinds


STAYS = """
java.lang.NullPointerException; com.example.MyClass2Impl; getElementsByClassName2; HKEY_LOCAL_MACHINE; sk-8 roller
skates; ms-dos 6.22; token ring network; key west hotels; public static void main; dQw4w9WgXcQ;
windows-10-enterprise-ltsc; pat-downs 2010; api-ms-win-crt-runtime
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
