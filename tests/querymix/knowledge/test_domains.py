"""The registrable domain of a host."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.knowledge.domains import registrable_domains

pytest.importorskip("publicsuffixlist", reason="the extra crowd (publicsuffixlist) is not installed")


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("news.bbc.co.uk", "bbc.co.uk"),
        ("bbc.co.uk", "bbc.co.uk"),
        ("co.uk", ""),
        ("example.com", "example.com"),
        ("jo.github.io", "github.io"),  # handed out by a company, and not by a registry
        ("a.b.unknownnewsuffix", "b.unknownnewsuffix"),
        ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        ("city.kawasaki.jp", "city.kawasaki.jp"),  # an exception of the list
        ("a.ck", ""),  # a wildcard of the list
        ("", ""),
        ("..", ""),
    ],
)
def test_a_host_has_the_domain_that_its_owner_registered(host: str, domain: str) -> None:
    assert registrable_domains()(host) == domain


@given(st.from_regex(r"[a-z0-9-]{1,9}(\.[a-z0-9-]{1,9}){0,5}", fullmatch=True))
def test_a_domain_is_the_end_of_its_host(host: str) -> None:
    domain = registrable_domains()(host)
    assert not domain or f".{host}".endswith(f".{domain}")
