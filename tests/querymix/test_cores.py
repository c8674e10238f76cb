"""A process that handles raw queries leaves no core dump."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import HANGS

Spawn = Callable[..., "subprocess.Popen[bytes]"]
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says so in /proc")
LOOK = """
import ctypes, resource
from querymix.cli import main
try:
    main(["--version"])
except SystemExit:
    print(resource.getrlimit(resource.RLIMIT_CORE), ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))
"""


@linux
def test_every_command_says_that_it_is_not_to_be_dumped_unless_python_is_asked_for_cores() -> None:
    for options, expected in (((), "(0, 0) 0"), (("-X", "cores"), "1")):
        done = subprocess.run([sys.executable, *options, "-c", LOOK], capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[-1].endswith(expected)


@linux
def test_processes_that_a_run_begins_have_the_limit_too(spawn: Spawn) -> None:
    process = spawn("classify")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"golf\n")
    process.stdin.flush()
    process.stdout.readline()
    limits = Path(f"/proc/{process.pid}/limits").read_text()
    process.communicate(timeout=HANGS)
    line = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
    assert line.split()[4:6] == ["0", "0"]
