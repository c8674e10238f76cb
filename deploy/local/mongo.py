"""A MongoDB-protocol server on this machine: SecantusDB, which stores in WiredTiger as MongoDB does.

Measured with 0.7.0b3: an acknowledged write with `w: 1` alone is lost if the server is killed within moments (145 of
1,500 single inserts over five kills), as its log is written a little later. With `j: true`, or with the server's
`--sync-on-commit`, none was lost. So `durable=True`, the default, sets the latter.
"""

import json
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pymongo import MongoClient
from pymongo.errors import PyMongoError

from deploy.local.process import PortTakenError, Server, ServerError, free_ports, is_free

START_SECONDS = 300.0
FIRST_STARTS = 5  # times that a port is drawn which another program takes before the server listens


def answers(uri: str, milliseconds: int = 200) -> bool:
    """Whether a MongoDB-protocol server answers `ping` at this address; one that is up may be slow to say so."""
    client: MongoClient[dict[str, Any]] = MongoClient(
        uri, serverSelectionTimeoutMS=milliseconds, connectTimeoutMS=max(2000, milliseconds)
    )
    try:
        client.admin.command("ping")
    except PyMongoError:
        return False
    finally:
        client.close()
    return True


class LocalMongo:
    """One SecantusDB in `folder`; a context manager that starts it and stops it."""

    def __init__(self, folder: Path | str, durable: bool = True) -> None:
        """`durable=False` is faster, and a kill may then lose writes that were acknowledged without `j: true`."""
        self.folder = Path(folder).resolve()
        self.durable = durable
        self._port: int | None = None
        self._server: Server | None = None
        self._has_served = False

    @property
    def uri(self) -> str:
        """The address for pymongo; raises `ServerError` before the first start."""
        if self._port is None:
            raise ServerError("this server was never started, so it has no address yet; call start()")
        return f"mongodb://127.0.0.1:{self._port}/?directConnection=true"

    @property
    def pid(self) -> int:
        """The process id; raises `ServerError` when it is not running."""
        if self._server is None:
            raise ServerError("this server was never started; call start()")
        return self._server.pid

    def start(self) -> Self:
        """Start it if it is not running and wait until it answers. Raises `ServerError`.

        At the first start nobody knows the port: where another program has taken it meanwhile, another one is drawn.
        """
        for left in reversed(range(FIRST_STARTS)):
            try:
                self._start()
            except PortTakenError:
                if not left or self._has_served:
                    raise
                self._server = None
            else:
                break
        self._has_served = True
        return self

    def _start(self) -> None:
        server = self._server = self._server or self._prepare()
        server.spawn()
        try:
            server.wait_ready(lambda: answers(self.uri), START_SECONDS)
        except BaseException:
            self.kill()
            raise

    def stop(self) -> None:
        """Stop in order: a last checkpoint, files closed."""
        if self._server is not None:
            self._server.stop()

    def kill(self) -> None:
        """SIGKILL, as a crash would; `start` brings it back."""
        if self._server is not None:
            self._server.kill()

    def restart(self) -> Self:
        """Stop it if it runs, then start on the same port and data."""
        self.stop()
        return self.start()

    def __enter__(self) -> Self:
        """Start."""
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop."""
        self.stop()

    def _prepare(self) -> Server:
        self.folder.mkdir(parents=True, exist_ok=True)
        layout = self.folder / "layout.json"
        saved = json.loads(layout.read_text())["port"] if layout.exists() else None
        self._port = port = saved if saved is not None and is_free(saved) else free_ports(1)[0]
        layout.write_text(json.dumps({"port": port}))
        # An empty settings file of its own, or it would read one from the working or the home folder.
        settings = self.folder / "secantusd.toml"
        settings.touch()
        command = [sys.executable, "-m", "secantus", "--config", str(settings), "--host", "127.0.0.1"]
        command += ["--port", str(port), "--storage-path", str(self.folder / "data"), "--log-level", "WARNING"]
        if self.durable:
            command.append("--sync-on-commit")
        return Server("SecantusDB", command, self.folder / "server.log")
