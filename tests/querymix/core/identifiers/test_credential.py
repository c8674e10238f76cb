"""Passwords and tokens are found by their place. All data is made up."""

import pytest

from tests.querymix.core.identifiers.kit import kept

FOUND = [
    ("https://jo:hunter2secret@example.com/inbox", "https:// example.com/inbox"),
    ("postgres://jo:secretpw@db.example.com:5432/prod", "postgres:// db.example.com:5432/prod"),
    ("https://jo:pa/ss@example.com/x", "https:// example.com/x"),
    ("redis://:pw99@cache:6379/0", "redis:// cache:6379/0"),
    ("https://oauthtoken12@example.com/o/r", "https:// example.com/o/r"),
    ("https://jo:p@ss@example.com/x", "https:// example.com/x"),
    ("https://jo:p%40ss@example.com/x", "https:// example.com/x"),
    ("ftp://jo@example.com", "ftp:// example.com"),
    ("https://example.com/a?token=Zx81Qw&b=2", "https://example.com/a?token= &b=2"),
    ("https://example.com/a#access_token=abc123", "https://example.com/a#access_token="),
    ("example.com/?csrf-token=Zx81Qw", "example.com/?csrf-token="),
    ("example.com/?sig=ab%2Fcd12", "example.com/?sig="),
    (
        "https://s3.example.com/f?X-Amz-Signature=ab12cd&X-Amz-Credential=zz9",
        "https://s3.example.com/f?X-Amz-Signature= &X-Amz-Credential=",
    ),
    ("example.com/a;jsessionid=AB12CD34EF", "example.com/a;jsessionid="),
    ("example.com/?PHPSESSID=ab12cd", "example.com/?PHPSESSID="),
    ("example.com/?apiKey=ab12cd&q=1", "example.com/?apiKey= &q=1"),
    ("accessToken=ab12cd", "accessToken="),
    ("client_secret: ab12cd34", "client_secret:"),
    ("password: hunter2", "password:"),
    ("password=hunter2", "password="),
    ("my password is hunter2", "my password is"),
    ("pwd=hunter2", "pwd="),
    ("authorization: basic am86aHVudGVyMg==", "authorization:"),
    ("authorization: bearer ab12cd34ef56", "authorization:"),
    ("bearer ab12cd34ef56gh78", "bearer"),
    ("api key 4f9a8b7c6d5e", "api key"),
    ("git@example.com:jo/notes.git", ""),
    ("curl -u jo:hunter2 https://example.com", "curl -u https://example.com"),
    ("https://hooks.slack.com/services/T000/B000/abc123", "https://hooks.slack.com/services/"),
]


@pytest.mark.parametrize(("text", "left"), FOUND)
def test_it_is_found_whole(text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert "secret" in kinds


STAYS = """
http:// example.com/a/b; https://example.com:8080/a; https://medium.example/@jo; password reset; password: reset;
forgot my password is it gone; key: c major; monkey=blue; token ring; the secret garden 2020; pin code;
http://example.com/a?page=2&sort=asc; key lime pie; session 5; std::vector; c++ const auto& key = map; ratio 16:9
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in STAYS.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])
