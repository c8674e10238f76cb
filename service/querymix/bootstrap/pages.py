"""A worker's web pages: which stand at which address, and what opens them."""

from pydantic import SecretStr

from querymix.kafka.pages import Address, Pages, Token, health, metrics, profile
from querymix.kafka.preflight import check_port
from querymix.kafka.worker import Wait
from querymix.ports import ProfileStore
from querymix.settings import WorkerSettings, read_token

Tokens = dict[str, SecretStr | None]
"""What opens the worker's pages, by the option that names its file; None where there is none."""


def read_tokens(settings: WorkerSettings) -> Tokens:
    """Return the pages' tokens. Raises ConfigError where one cannot be used."""
    return {
        "profiles_token_file": read_token(settings.profiles_token_file, "--profiles-token-file"),
        "metrics_token_file": read_token(settings.metrics_token_file, "--metrics-token-file"),
    }


def check_ports(settings: WorkerSettings) -> None:
    """Raise ConfigError where a page's address is taken."""
    check_port(settings.http_host, settings.http_port)
    if settings.metrics_address:
        check_port(*settings.metrics_address, "--metrics-address", "--metrics-address")


def first_pages(settings: WorkerSettings, ready: Wait) -> Pages:
    """Return the pages of a worker that waits to begin: there are no profiles yet."""
    return make_pages(settings, ready, None, read_tokens(settings))


def make_pages(settings: WorkerSettings, ready: Wait, profiles: ProfileStore | None, tokens: Tokens) -> Pages:
    """Return the pages at their addresses; `tokens` may change while they are served."""

    def token(name: str) -> Token | None:
        first = tokens[name]
        return None if first is None else lambda: tokens[name] or first

    own: Address = (settings.http_host, settings.http_port)
    sites = {own: health(ready)}
    if profiles is not None and (opens := token("profiles_token_file")) is not None:
        sites[own] += profile(profiles, opens)
    sites.setdefault(settings.metrics_address or own, []).extend(metrics(token("metrics_token_file")))
    return Pages(sites)
