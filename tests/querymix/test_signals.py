"""What ends a command: a closed terminal does, unless whoever started the command asked to go on without it."""

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from querymix.signals import ending


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = signal.getsignal(signal.SIGHUP)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize(
    ("handler", "ends"), [(signal.SIG_DFL, True), (lambda *_: None, True), (signal.SIG_IGN, False)]
)
def test_a_hang_up_ends_a_command_but_for_one_that_was_told_to_ignore_it(handler: Any, ends: bool) -> None:
    signal.signal(signal.SIGHUP, handler)
    assert set(ending()) == {signal.SIGINT, signal.SIGTERM} | ({signal.SIGHUP} if ends else set())
