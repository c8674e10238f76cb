"""What ends a command: a closed terminal does, unless whoever started the command asked to go on without it."""

import os
import signal
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from querymix.codecs.aol import AolCodec
from querymix.local.reading import Input
from querymix.signals import catch, ending

from tests.conftest import HANGS


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


def test_a_wait_for_a_pipe_ends_with_a_signal_that_another_thread_was_given() -> None:
    """Which thread is given a signal is the system's choice; only that one's read is interrupted."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    reads, writes = os.pipe()
    source = Input(f"/dev/fd/{reads}")
    ended = threading.Event()

    def interrupt() -> None:
        while not source._waiting:
            pass
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        if not ended.wait(HANGS):
            os.close(writes)  # else a failed test would hang

    os.write(writes, b"22\tsea\t2006-03-01 10:00:00\n")
    catch(lambda *_: source.stop())
    other = threading.Thread(target=interrupt)
    try:
        blocks = source.blocks(AolCodec())
        next(blocks)
        other.start()
        with pytest.raises(KeyboardInterrupt):
            next(blocks)
        ended.set()
        other.join()
        os.close(writes)
    finally:
        signal.set_wakeup_fd(-1)
        for number, handler in before.items():
            signal.signal(number, handler)
        source.close()
        os.close(reads)
