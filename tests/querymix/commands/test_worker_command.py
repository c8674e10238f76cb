"""`querymix worker` before it works."""

import subprocess
import sys

from querymix.commands import worker

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
