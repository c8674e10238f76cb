"""The worker's web pages, asked over a socket as a client would: also by one that means harm."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr
from querymix.bootstrap.pages import make_pages, read_tokens
from querymix.core.errors import ConfigError
from querymix.kafka.app import make_app
from querymix.kafka.connection import Credentials
from querymix.kafka.pages import Pages, health, metrics, profile
from querymix.settings import WorkerSettings
from querymix.stores.memory import MemoryProfiles

from deploy.local.process import free_ports

TOKEN = "0123456789abcdef" * 2
USER = "zqx-user"


class Answer(NamedTuple):
    """What the server said, head and body."""

    status: int
    head: str
    body: str


class Site(NamedTuple):
    """Where the pages are."""

    port: int
    metrics: int
    profiles: MemoryProfiles

    async def raw(self, request: bytes, port: int = 0) -> Answer:
        """Send some bytes and read until the server closes; status 0 where it says nothing."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port or self.port)
        try:
            writer.write(request)
            text = (await asyncio.wait_for(reader.read(), 300)).decode("utf-8", "surrogateescape")
        except ConnectionError:
            text = ""
        finally:
            writer.close()
        head, _, body = text.partition("\r\n\r\n")
        return Answer(int(head.split(" ")[1]) if head else 0, head, body)

    async def ask(self, path: bytes | str, *headers: bytes, method: bytes = b"GET", port: int = 0) -> Answer:
        """Ask for a page."""
        line = path if isinstance(path, bytes) else path.encode()
        head = b"\r\n".join([method + b" " + line + b" HTTP/1.1", b"Host: x", *headers])
        return await self.raw(head + b"\r\n\r\n", port)


def token() -> SecretStr:
    return SecretStr(TOKEN)


@asynccontextmanager
async def site(ready: Callable[[], str] = lambda: "", **limits: Any) -> AsyncIterator[Site]:
    port, other = free_ports(2)
    profiles = MemoryProfiles()
    for number, user in enumerate((USER, "a/b c", "caf\u00e9", "\udcff", "100%", "..", "a+b")):
        await profiles.apply(f"source {number}", {0: {(user, 0): number + 1}})
    pages = Pages(
        {("127.0.0.1", port): [*health(ready), *profile(profiles, token)], ("127.0.0.1", other): metrics(token)},
        **limits,
    )
    async with pages:
        yield Site(port, other, profiles)


BEARER = f"Authorization: Bearer {TOKEN}".encode()


async def test_health_tells_whether_the_worker_is_ready_and_asks_for_no_token() -> None:
    waits = ["restoring pools"]
    async with site(lambda: waits[0]) as pages:
        assert (await pages.ask("/health/live")).body == '{"status": "live"}'
        answer = await pages.ask("/health/ready")
        assert (answer.status, answer.body) == (503, '{"status": "restoring pools"}')
        waits[0] = ""
        assert (await pages.ask("/health/ready")).status == 200
        head = await pages.ask("/health/ready", method=b"HEAD")
        assert (head.status, head.body) == (200, "")


async def test_metrics_are_at_their_own_address_alone_and_behind_their_token() -> None:
    async with site() as pages:
        assert (await pages.ask("/metrics", BEARER)).status == 404
        assert (await pages.ask("/health/live", BEARER, port=pages.metrics)).status == 404
        assert (await pages.ask(f"/profiles/{USER}", BEARER, port=pages.metrics)).status == 404
        refused = await pages.ask("/metrics", port=pages.metrics)
        assert (refused.status, "querymix_" in refused.body) == (401, False)
        shown = await pages.ask("/metrics", BEARER, port=pages.metrics)
        assert shown.status == 200
        assert "querymix_logs_in" in shown.body
        assert "Content-Type: text/plain; version=" in shown.head


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"Authorization:",
        b"Authorization: Bearer",
        b"Authorization: Bearer x",
        f"Authorization: Bearer {TOKEN}x".encode(),
        f"Authorization: bearer {TOKEN}".encode(),
        f"Authorization: Basic {TOKEN}".encode(),
        f"X-Authorization: Bearer {TOKEN}".encode(),
        b"Authorization: Bearer \xff\xfe",
        "Authorization: Bearer пароль".encode(),
        b"Authorization: Bearer " + b"\xc3\xa9" * 32,
        BEARER + b"\r\nAuthorization: x",
        b"Authorization: x\r\n" + BEARER,
    ],
)
async def test_whatever_header_comes_in_place_of_the_token_is_refused_without_a_word_in_the_log(
    header: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with site() as pages:
        answer = await pages.ask(f"/profiles/{USER}", *filter(None, [header]))
    first = header == BEARER + b"\r\nAuthorization: x"
    assert answer.status in ((200, 400) if first else (400, 401))
    assert USER not in caplog.text


@pytest.mark.parametrize(
    ("path", "count"),
    [
        (f"/profiles/{USER}", 1),
        (f"/profiles/%20{USER}%E2%80%8B", 1),
        ("/profiles/a%2Fb%20c", 2),
        ("/profiles/caf%C3%A9", 3),
        ("/profiles/cafe%CC%81", 3),
        ("/profiles/%FF", 4),
        ("/profiles/100%25", 5),
        ("/profiles/100%", 5),
        ("/profiles/%2E%2E", 6),
        ("/profiles/a+b", 7),
        (f"/profiles/{USER}?fields=all#x", 1),
    ],
)
async def test_a_user_is_found_however_the_id_is_written(path: str, count: int) -> None:
    async with site() as pages:
        answer = await pages.ask(path, BEARER)
        assert (answer.status, f'"count": {count}' in answer.body) == (200, True)
        assert "Cache-Control: no-store" in answer.head


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/profiles/nobody", 404),
        ("/profiles/%00", 404),
        ("/profiles/", 404),
        ("/profiles", 404),
        ("/profiles/a/b", 404),
        ("/", 404),
        ("/stats", 404),
        ("/graph", 404),
        ("/table", 404),
        ("/router", 404),
        ("/livecheck", 404),
        ("/docs", 404),
        ("/production_index.html", 404),
        ("//health/live", 404),
        ("/health/live/", 404),
        ("/health/../metrics", 404),
        ("/%68ealth/live", 200),
        ("http://evil.example/health/live", 200),
        ("health", 400),
        ("*", 400),
        ("", 400),
    ],
)
async def test_no_other_page_is_there(path: str, status: int) -> None:
    async with site() as pages:
        assert (await pages.ask(path, BEARER)).status in {status, 400 if status == 404 else status}


@pytest.mark.parametrize("method", [b"POST", b"PUT", b"DELETE", b"PATCH", b"OPTIONS", b"TRACE", b"CONNECT", b"zqx"])
async def test_no_other_method_is_answered(method: bytes, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with site() as pages:
        answer = await pages.ask(f"/profiles/{USER}", BEARER, b"Content-Length: 3", method=method)
        assert answer.status in {400, 404, 405}
        assert (await pages.ask("/health/live")).status == 200
    assert USER not in caplog.text


HARM: list[bytes] = [
    b"GET /profiles/zqx-user HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
    b"GET /profiles/zqx-user" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /profiles/zqx-user HTTP/1.1\r\nHost: x\r\n" + b"X: zqx-user\r\n" * 10_000 + b"\r\n",
    b"GET /profiles/zqx-user HTTP/1.1\r\nzqx-user\r\n\r\n",
    b"GET /profiles/zqx-user HTTP/9.9\r\nHost: zqx-user\r\n\r\n",
    b"zqx-user\r\n\r\n",
    b"\x16\x03\x01zqx-user\xff\r\n\r\n",
    b"GET /profiles/zqx\x00-user HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /profiles/zqx-user-é HTTP/1.1\r\nHost: x\r\n\r\n".encode(),
    b"GET /profiles/zqx-user HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzqx-user\r\n",
    b"GET /profiles/zqx-user HTTP/1.1\r\nHost: x\r\nContent-Length: zqx-user\r\n\r\n",
    b"GET /profiles/zqx-user HTTP/1.1\r\nHost: x\r\nExpect: zqx-user\r\nConnection: close\r\n\r\n",
    b"GET /profiles/zqx-user HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n" * 1000,
]


@pytest.mark.parametrize("request_", HARM, ids=range(len(HARM)))
async def test_what_is_no_request_is_refused_and_leaves_nothing_in_the_log(
    request_: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with site() as pages:
        answer = await pages.raw(request_)
        assert answer.status < 500
        assert (answer.status == 200) == (b"live" in request_)
        assert (await pages.ask("/health/live")).status == 200
    assert USER not in caplog.text
    assert "Traceback" not in caplog.text


@given(st.binary(max_size=300))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_bytes_come_the_pages_go_on_and_log_nothing(caplog: pytest.LogCaptureFixture, noise: bytes) -> None:
    async def send() -> None:
        async with site() as pages:
            assert (await pages.raw(b"GET /profiles/" + noise + b" HTTP/1.1\r\nHost: x\r\n\r\n")).status < 500
            assert (await pages.ask(b"/health/live")).status == 200

    asyncio.run(send())
    assert [record for record in caplog.records if record.levelno > logging.INFO] == []


async def test_a_page_that_fails_tells_neither_the_user_nor_why(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(MemoryProfiles):
        async def get(self, user: str) -> Any:
            raise ValueError(user)

    (port,) = free_ports(1)
    async with Pages({("127.0.0.1", port): profile(Broken(), token)}):
        answer = await Site(port, port, Broken()).ask(f"/profiles/{USER}", BEARER)
    assert (answer.status, answer.body) == (500, '{"error": "the page failed"}')
    assert "a page failed (ValueError)" in caplog.text
    assert USER not in caplog.text
    assert "Traceback" not in caplog.text


async def silent(pages: Site, count: int) -> list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open connections that say half a word."""
    clients = await asyncio.gather(*(asyncio.open_connection("127.0.0.1", pages.port) for _ in range(count)))
    for _, writer in clients:
        writer.write(b"GET /hea")
    return clients


async def ended(read: Awaitable[bytes]) -> bytes:
    try:
        return await asyncio.wait_for(read, 300)
    except ConnectionError:
        return b""


async def test_a_client_that_says_nothing_is_let_go() -> None:
    async with site(longest=0.05) as pages:
        for reader, writer in await silent(pages, 3):
            assert await ended(reader.read()) == b""
            writer.close()


async def test_clients_that_say_nothing_keep_nobody_out() -> None:
    async with site(longest=600.0, most=10) as pages:
        clients = await silent(pages, 30)
        assert (await pages.ask("/health/live")).status == 200
        for reader, _ in clients[:20]:
            assert await ended(reader.read()) == b""
        for _, writer in clients:
            writer.close()


async def test_the_pages_end_while_clients_wait() -> None:
    async with site(longest=600.0) as pages:
        clients = await silent(pages, 3)
    for reader, writer in clients:
        assert await ended(reader.read()) == b""
        writer.close()
    with pytest.raises(OSError, match=r"refused|Connect call failed"):
        await asyncio.open_connection("127.0.0.1", pages.port)


async def test_a_worker_serves_what_its_options_ask_for(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN + "\n")
    port, other = free_ports(2)
    file = str(tmp_path / "token")
    plain: dict[str, Any] = {"http_port": port}
    apart = plain | {"metrics_address": f"127.0.0.1:{other}", "metrics_token_file": file}
    profiles = MemoryProfiles()
    pages = Site(port, other, profiles)

    async def statuses() -> list[int]:
        return [(await pages.ask(path)).status for path in ("/health/live", "/metrics", "/profiles/x")]

    def made(settings: WorkerSettings) -> Pages:
        return make_pages(settings, lambda: "", profiles, read_tokens(settings))

    async with made(WorkerSettings(**plain)):
        assert await statuses() == [200, 200, 404]
    async with made(WorkerSettings(**apart, profiles_token_file=tmp_path / "token")):
        assert await statuses() == [200, 404, 401]
        assert (await pages.ask("/metrics", port=other)).status == 401
        assert (await pages.ask("/metrics", BEARER, port=other)).status == 200
    (tmp_path / "token").write_text("x")
    for option in ("profiles_token_file", "metrics_token_file"):
        chosen = WorkerSettings(**plain | {option: file})
        with pytest.raises(ConfigError, match=f"--{option.replace('_', '-')}: the token has 1 char"):
            made(chosen)


async def test_faust_serves_no_pages_of_its_own() -> None:
    settings = WorkerSettings(broker="127.0.0.1:1")
    started: Any = make_app(settings, Credentials(settings)).boot_strategy
    assert started.web_server() == []
