"""Of a URL the host is left where it is certain, as browsers read it, and nothing where it is not."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.hosts import cut_url, host_name, host_of

labels = st.from_regex(r"[a-z0-9]{1,8}", fullmatch=True)
anything = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r\0"), max_size=20)


@pytest.mark.parametrize(
    ("url", "cut"),
    [
        ("http://www.example.com", "http://www.example.com"),
        ("http://www.example.com/", "http://www.example.com"),
        ("https://example.com/a/b?c=d#e", "https://example.com"),
        ("http://example.com?session=1", "http://example.com"),
        ("http://example.com#part", "http://example.com"),
        ("http://example.com:8080", "http://example.com"),
        ("http://example.com:/a", "http://example.com"),
        ("http://someone:word@example.com", "http://example.com"),
        ("http://some@one:word@example.com:80/a@b", "http://example.com"),
        ("http://@example.com", "http://example.com"),
        ("http://example.com/?to=http://other.org/a", "http://example.com"),
        ("www.example.com/a", "www.example.com"),
        ("example.com/out?to=http://other.org/a", "example.com"),
        ("example.com?to=http://other.org/a", "example.com"),
        ("example.com:8080/a", "example.com"),
        ("//example.com/a", "example.com"),
        ("http://example.com\\a\\b", "http://example.com"),
        ("https:\\\\example.com\\a", "https://example.com"),
        ("http:example.com/a", "http://example.com"),
        ("http:////example.com/a", "http://example.com"),
        ("HTTP://Example.COM./a", "http://example.com"),
        ("  http://example.com\t", "http://example.com"),
        ("http://exa\tmple.com/a", "http://example.com"),
        ("http://ex%61mple.com/a", "http://example.com"),
        ("http://exam\u00adple.com/a", "http://example.com"),
        ("http://example\u3002com/a", "http://example.com"),
        ("http://\uff45xample.com/a", "http://example.com"),
        ("http://b\u00fccher.example/a", "http://xn--bcher-kva.example"),
        ("http://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444", "http://xn--e1afmkfd.xn--p1ai"),
        ("http://my_shop.example.com/a", "http://my_shop.example.com"),
        ("ws://example.com/socket", "ws://example.com"),
        ("gopher://example.com/1", "gopher://example.com"),
    ],
)
def test_a_url_is_cut_to_scheme_and_host(url: str, cut: str) -> None:
    assert cut_url(url) == cut


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/a/b",
        "?q=jo",
        "http://",
        "http://someone@",
        "http://example.com;jsessionid=AB12",
        "http://example.com%3Bjsessionid=AB12",
        "http://example.com%2Finbox%3Fuser%3Djo",
        "http://example.com%252Finbox",
        "http://jo%40example.com",
        "http://example.com%5Cjo",
        "http://example.com%00.example.net",
        "http://example.com%20jo",
        "http://example.com%zz",
        "http://example.com%ff",
        "http://example.com|jo",
        "http://example.com&user=jo",
        "http://example.com,jo",
        "http://example.com jo",
        "http://example.com'jo",
        "http://example.com<jo>",
        "http://example.com\u2044inbox",
        "http://example.com\u2215inbox",
        "http://example.com\uff0finbox",
        "http://example.com\uff1fuser=jo",
        "http://jo\uff20example.com",
        "http://example.com\u29f8inbox",
        "http://jo:pa/ss@example.com/a",
        "http://example.com:jo",
        "http://example.com:80:90",
        "http://example.com:\uff18\uff10",
        "http://203.0.113.77/a",
        "http://0xcb.0.0x71.77/",
        "http://3405803853/",
        "http://[2001:db8::1]:8080/",
        "http://localhost/",
        "http://intranet/jo",
        "http://-example.com",
        "http://example-.com",
        "http://example..com",
        "http://.example.com",
        "http://example.c",
        "http://example.com1",
        f"http://{'a' * 64}.com",
        "http://" + "a." * 126 + "com",
        "mailto:jo@example.com",
        "javascript:alert(1)",
        "data:text/html,jo",
        "file:///home/jo",
        "about:blank",
        "view-source:http://example.com/jo",
        "tel:+12175550142",
        "jo.doe",
        "jo.doe/inbox",
        "http://exampl\udce9.com",
        "http://\u200b.com",
    ],
)
def test_of_a_url_whose_host_is_not_certain_nothing_is_left(url: str) -> None:
    assert cut_url(url) == ""
    assert host_of(url) == ""


@settings(deadline=None)
@given(
    st.sampled_from(["http://", "https://", "ftp://"]),
    st.sampled_from(["", "someone@", "someone:word@", "a@b:c@"]),
    st.lists(labels, min_size=1, max_size=4).map(".".join),
    st.sampled_from(["", ":80", ":8080"]),
    st.one_of(st.just(""), st.tuples(st.sampled_from("/?#\\"), anything).map("".join)),
)
def test_nothing_but_scheme_and_host_is_left_of_any_url(
    scheme: str, user: str, host: str, port: str, rest: str
) -> None:
    assert cut_url(f"{scheme}{user}{host}.com{port}{rest}") == f"{scheme}{host}.com"


@settings(deadline=None)
@given(anything | anything.map("http://{}".format) | anything.map("http://example.com{}".format))
def test_what_is_left_has_only_the_characters_of_a_scheme_and_a_host(url: str) -> None:
    cut = cut_url(url)
    host = cut.partition("://")[2] or cut
    assert set(host) <= set(string.ascii_lowercase + string.digits + ".-_")
    assert cut == "" or "." in host


@settings(deadline=None)
@given(anything)
def test_a_cut_url_is_left_as_it_is_when_cut_again(url: str) -> None:
    assert cut_url(cut_url(url)) == cut_url(url)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://www.Example.com/a", "example.com"),
        ("example.com/a?b", "example.com"),
        ("https://someone:word@example.com:8080", "example.com"),
        ("http://example.com?to=http://other.org", "example.com"),
        ("example.com/?to=http://other.org/", "example.com"),
        ("http://shop.example.com/a", "shop.example.com"),
    ],
)
def test_a_url_has_its_host(url: str, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize("unit", ["a.", "a_.", "-", "a@", "%61", "\u3002", "xn--", ":1", "\u00fc"])
def test_a_long_authority_comes_to_an_end(unit: str) -> None:
    assert host_name(unit * 60_000) == ""
    assert host_name(f"{unit * 60}!") == ""
