"""The command line of an older version, whose worker kills itself as told; needs nothing but that version.

    python older.py PACKAGE clean|applied|half N COMMAND...

See make.py, which starts it.
"""

import importlib
import os
import signal
import sys
from typing import Any


def be_the_older_version(package: str, how: str, at: int) -> None:
    """Run the command line of `package` in this process, which kills itself as told."""
    mongo, calls = importlib.import_module(f"{package}.stores.mongo"), 0
    apply = mongo.MongoProfiles.apply

    class Half:
        def __init__(self, profiles: Any) -> None:
            self._profiles = profiles

        async def bulk_write(self, updates: list[Any], **more: Any) -> None:
            await self._profiles.bulk_write(updates[: len(updates) // 2], **more)
            os.kill(os.getpid(), signal.SIGKILL)

    async def counted(self: Any, *arguments: Any) -> None:
        nonlocal calls
        calls += 1
        last = calls == at
        if last and how == "half":
            self._profiles = Half(self._profiles)
        await apply(self, *arguments)
        if last and how == "applied":
            os.kill(os.getpid(), signal.SIGKILL)

    mongo.MongoProfiles.apply = counted
    importlib.import_module(f"{package}.cli").main()


if __name__ == "__main__":
    older, end, number = sys.argv[1:4]
    del sys.argv[1:4]
    be_the_older_version(older, end, int(number))
