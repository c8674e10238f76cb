"""`querymix worker` before it works."""

import subprocess
import sys
from collections.abc import Callable

from click.testing import Result
from querymix.commands import worker

Command = Callable[..., Result]

TOLD = f"""
import os, signal, time
from {worker.__name__} import exit_on_sigterm
exit_on_sigterm()
os.kill(os.getpid(), signal.SIGTERM)
time.sleep(30)
"""


def test_a_worker_that_is_told_to_stop_before_it_has_begun_ends_with_0() -> None:
    done = subprocess.run([sys.executable, "-c", TOLD], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_an_option_that_a_worker_does_not_read_is_named_at_its_start(querymix: Command) -> None:
    result = querymix("worker", "--delta", "1.5", "--roles", "nobody")
    assert result.exit_code == 2
    assert "warning: --delta has no effect with --mode distinct" in result.stderr


def test_a_form_that_a_topic_cannot_carry_is_refused_before_kafka_is_asked(querymix: Command) -> None:
    result = querymix("worker", "--format", "csv", "--broker", "localhost:1")
    assert result.exit_code == 2
    assert "--format csv is read from files" in result.stderr
