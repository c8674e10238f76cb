"""A worker tells a terminal that was closed from one who asks it to read its settings again."""

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.conftest import HANGS

ON_A_TERMINAL = """
import fcntl, signal, sys, termios, time
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from querymix.signals import Terminal
terminal = Terminal()
file = open(sys.argv[1], "w")
def heard(*_):
    print(terminal.gone, file=file, flush=True)
signal.signal(signal.SIGHUP, heard)
print("ready", file=file, flush=True)
time.sleep(600)
"""


def test_a_signal_on_a_terminal_that_is_there_and_one_that_was_closed_are_told_apart(tmp_path: Path) -> None:
    told = tmp_path / "told"
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", ON_A_TERMINAL, str(told)], stdin=theirs, stdout=theirs, stderr=theirs,
        start_new_session=True,
    ) as process:  # fmt: skip
        os.close(theirs)
        try:
            wait_for(told, "ready\n")
            process.send_signal(signal.SIGHUP)
            wait_for(told, "ready\nFalse\n")
            os.close(ours)
            wait_for(told, "ready\nFalse\nTrue\n")
        finally:
            process.kill()


def wait_for(file: Path, text: str) -> None:
    """Wait until a file begins so."""
    end = time.monotonic() + HANGS
    while not file.exists() or not file.read_text().startswith(text):
        assert time.monotonic() < end, file.read_text() if file.exists() else "nothing"
        time.sleep(0.01)


def test_who_has_no_terminal_has_none_to_lose() -> None:
    code = "from querymix.signals import Terminal; print(Terminal().gone)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, start_new_session=True, check=True
    )
    assert done.stdout == "False\n"
