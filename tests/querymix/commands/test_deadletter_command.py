"""`querymix deadletter`: the options that choose letters."""

from collections.abc import Callable
from math import inf
from time import time
from typing import Any

import pytest
from click.testing import Result
from querymix.commands import deadletter as command
from querymix.kafka.replay import EVERY, Choice, Replayed

Command = Callable[..., Result]
EIGHT = 1_795_939_200.0
"""2026-11-29 08:00 UTC, in seconds since 1970."""


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> list[Choice]:
    """Return what the commands choose; none of them asks Kafka."""
    found: list[Choice] = []

    async def show(_: Any, choice: Choice, content: bool) -> None:
        found.append(choice)

    async def replay(_: Any, choice: Choice, dry_run: bool) -> Replayed:
        found.append(choice)
        return Replayed(3, 2, 1)

    monkeypatch.setattr(command, "_show", show)
    monkeypatch.setattr(command, "_replay", replay)
    return found


@pytest.mark.parametrize("what", ["show", "replay"])
def test_without_options_all_letters_are_meant(querymix: Command, chosen: list[Choice], what: str) -> None:
    assert querymix("deadletter", what).exit_code == 0
    assert chosen == [EVERY]


@pytest.mark.parametrize("what", ["show", "replay"])
def test_every_option_that_chooses_counts(querymix: Command, chosen: list[Choice], what: str) -> None:
    given = ["--reason", "time", "--reason", "long", "--partition", "3", "--limit", "5"]
    times = ["--since", "2026-11-29T08:00:00Z", "--until", "2026-11-29T10:30:00+01:00"]
    assert querymix("deadletter", what, *given, *times).exit_code == 0
    assert chosen == [Choice(("time", "long"), (3,), EIGHT, EIGHT + 5400, 5)]


@pytest.mark.parametrize(
    ("text", "moment"),
    [("2026-11-29", EIGHT - 8 * 3600), ("2026-11-29 08:00", EIGHT), ("2026-11-29T08:00:00.5", EIGHT + 0.5)],
)
def test_a_time_without_a_zone_is_utc(querymix: Command, chosen: list[Choice], text: str, moment: float) -> None:
    assert querymix("deadletter", "show", "--since", text).exit_code == 0
    assert (chosen[0].since, chosen[0].until) == (moment, inf)


def test_a_span_is_so_long_ago(querymix: Command, chosen: list[Choice]) -> None:
    before = time()
    assert querymix("deadletter", "show", "--until", "2h").exit_code == 0
    assert before - 7200 <= chosen[0].until <= time() - 7200


@pytest.mark.parametrize("text", ["2", "yesterday", "2026-13-01", "29.11.2026", ""])
def test_what_is_no_time_is_refused_with_an_example(querymix: Command, chosen: list[Choice], text: str) -> None:
    result = querymix("deadletter", "show", "--since", text)
    assert result.exit_code == 2
    assert "2026-11-29T08:00:00Z" in " ".join(result.stderr.split())
    assert chosen == []


def test_a_dry_run_says_what_would_be_put_back(querymix: Command, chosen: list[Choice]) -> None:
    assert querymix("deadletter", "replay", "--dry-run").stdout == "3 records would be put back, 2 left, 1 not chosen\n"
    assert querymix("deadletter", "replay").stdout == "3 records put back, 2 left, 1 not chosen\n"
