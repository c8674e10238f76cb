"""One server process: how it is started, waited for, stopped, and what is said when it fails.

Rules
1. The server dies with the process that started it, however that one ends (see launcher.py). The kernel watches the
   *thread* that forked, so each server is started by a thread of its own that stays until the server is stopped.
2. The server is in its own session: Ctrl-C in a terminal reaches it only through `stop`, so it stops in order.
3. Waiting is asking: `wait_ready` calls a probe until it says yes, and notices at once if the process ends instead.
4. A failure carries the log's last lines and what to do next (`ServerError`).
"""

import fcntl
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

LAUNCHER = Path(__file__).with_name("launcher.py")
LOG_LINES = 15
# Below Linux's range for outgoing connections (from 32768): a client that retries a port of that range on loopback
# while the server is down can be given that very port as its own and connect to itself.
PORTS = range(20_000, 32_000)
OUTGOING = Path("/proc/sys/net/ipv4/ip_local_port_range")
TAKEN = "Address already in use"
"""What the system says of a port that another program has."""
_given: set[int] = set()
"""Ports that this process was given."""


class ServerError(RuntimeError):
    """A server did not start, stopped by itself, or cannot run here; the text says what to do next."""


class PortTakenError(ServerError):
    """A server did not start since another program has taken one of its ports: another port will do."""


def tail(log: Path, lines: int = LOG_LINES) -> str:
    """The last `lines` lines of a log file; empty if there is none."""
    if not log.exists():
        return ""
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])


def is_free(port: int) -> bool:
    """Whether a server could listen on this loopback port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_ports(count: int) -> list[int]:
    """`count` different loopback ports that were free when looked at; raises `ServerError` if there are too few.

    None is given twice, also not to another process of this user while this one runs: a server takes seconds to listen.
    A port is looked at once it is reserved: a look binds it for a moment, at which another process may begin to listen.
    """
    found: list[int] = []
    ports = _ports(OUTGOING)
    for port in random.sample(ports, len(ports)):
        if len(found) == count:
            return found
        if port not in _given and _reserved(port) and is_free(port):
            _given.add(port)
            found.append(port)
    raise ServerError(f"fewer than {count} free ports on 127.0.0.1; stop some servers")


def _ports(outgoing: Path) -> list[int]:
    """Return `PORTS` but for those that the machine gives to outgoing connections, and all where none would be left."""
    try:
        first, last = map(int, outgoing.read_text().split())
    except (OSError, ValueError):
        return list(PORTS)
    return [port for port in PORTS if not first <= port <= last] or list(PORTS)


def _reserved(port: int) -> bool:
    """Reserve a port for as long as this process runs: the system keeps a lock on that byte of a common file."""
    try:
        fcntl.lockf(_reservations(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
    except OSError:
        return False
    return True


@cache
def _reservations() -> int:
    # To be closed by the end of the process only: to close it once would give all locks up.
    path = Path(tempfile.gettempdir()) / f"querymix-ports-{os.getuid()}"
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)


class Server:
    """A child process with a log file. Can be started again after it stopped or was killed."""

    def __init__(self, name: str, command: Sequence[str], log: Path) -> None:
        """Name it for messages; `command` is the program and its arguments; output is appended to `log`."""
        self.name = name
        self.log = log
        self._command = list(command)
        self._process: subprocess.Popen[bytes] | None = None
        self._forker: ThreadPoolExecutor | None = None
        self._log_from = 0
        """Where the log of the last start begins."""

    @property
    def running(self) -> bool:
        """Whether the process is there now."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The process id; raises `ServerError` when the server is not running."""
        if self._process is None or self._process.poll() is not None:
            raise ServerError(f"{self.name} is not running")
        return self._process.pid

    def spawn(self) -> None:
        """Start the process and return at once. Does nothing if it runs."""
        if self.running:
            return
        self._forget()
        self._forker = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"start {self.name}")
        self._process = self._forker.submit(self._fork).result()

    def _fork(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-I", "-S", str(LAUNCHER), str(os.getpid()), *self._command]
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as output:
            self._log_from = output.seek(0, os.SEEK_END) if output.seekable() else 0
            return subprocess.Popen(  # noqa: S603 - the command is built by this package
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
            )

    def wait_ready(self, probe: Callable[[], bool], seconds: float) -> None:
        """Call `probe` until it is true; kill the server and raise `ServerError` if that takes over `seconds`."""
        deadline = time.monotonic() + seconds
        while not probe():
            if self._process is None or self._process.poll() is not None:
                error = self.error("stopped while starting")
                raise PortTakenError(str(error)) if TAKEN in self._said() else error
            if time.monotonic() > deadline:
                self.kill()
                raise self.error(f"did not answer within {seconds:.0f} s")
            self._pause()

    def _said(self) -> str:
        """What was logged since the last start."""
        with self.log.open(errors="replace") as log:
            log.seek(self._log_from)
            return log.read()

    def _pause(self) -> None:
        """Between two probes: ends early if the process does."""
        if self._process is not None:
            try:
                self._process.wait(0.05)
            except subprocess.TimeoutExpired:
                return

    def stop(self, grace: float = 30) -> None:
        """Ask it to stop (SIGTERM) and wait; after `grace` seconds kill it. Does nothing if it is not running."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(grace)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._forget()

    def kill(self) -> None:
        """End it at once (SIGKILL), as a crash would, and wait until it is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._forget()

    def _forget(self) -> None:
        if self._process is not None:
            self._process.wait()
        self._process = None
        if self._forker is not None:
            self._forker.shutdown()
        self._forker = None

    def error(self, what: str) -> ServerError:
        """A `ServerError` that says what happened, shows the end of the log and says what to do."""
        return ServerError(
            f"{self.name} {what}.\nThe end of {self.log}:\n{tail(self.log)}\n"
            "Next: read that log; `python -m deploy.local check` says what is missing here; a folder that another "
            "server uses, or that a different version wrote, needs to be a new folder."
        )
