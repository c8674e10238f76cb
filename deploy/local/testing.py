"""For tests that need the real servers: the one rule for skipping, and one server for all processes of a test run.

pytest-xdist runs tests in several processes. Whichever asks first starts the server; it stops once none uses it.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from deploy.local.requirements import available


class Broker(NamedTuple):
    """The test run's Kafka. No test stops it; topics and groups have names of each test's own."""

    bootstrap: str
    folder: Path


class Database(NamedTuple):
    """The test run's MongoDB-protocol server. No test stops it; databases have names of each test's own."""

    uri: str


def require(server: str | None = None) -> None:
    """Skip the test, saying why, where the server ("kafka", "mongo", or both) cannot run; with CI=true fail it."""
    reason = available(server)
    if reason is None:
        return
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(f"CI must run the real servers: {reason}", pytrace=False)
    pytest.skip(reason)


@contextmanager
def shared(folder: Path, start: Callable[[], AbstractContextManager[str]]) -> Iterator[str]:
    """Yield the address of the one server that the processes of a test run have in `folder`.

    `start` starts it and yields its address. Each user holds a lock on `users` that others may hold too; who started
    the server gives its own up and waits until it can have the lock alone, so until nobody uses the server. Who comes
    then finds no address and starts another.
    """
    folder.mkdir(parents=True, exist_ok=True)
    address = folder / "address"
    with (folder / "users").open("w") as users, (folder / "starting").open("w") as starting:
        fcntl.flock(users, fcntl.LOCK_SH)
        fcntl.flock(starting, fcntl.LOCK_EX)
        if address.exists():
            fcntl.flock(starting, fcntl.LOCK_UN)
            yield address.read_text()
            return
        with start() as found:
            address.write_text(found)
            fcntl.flock(starting, fcntl.LOCK_UN)
            try:
                yield found
            finally:
                fcntl.flock(users, fcntl.LOCK_UN)
                fcntl.flock(users, fcntl.LOCK_EX)
                address.unlink()
