"""A file that appears under its name only when it is whole.

Rules:
- It is written beside its place and moved there at the end; what was there before stays until then.
- Standard output, pipes and devices cannot be moved: they are written when all is known.
- It is packed where its name's ending says so (querymix.local.packing).
"""

import os
from contextlib import ExitStack, suppress
from pathlib import Path

from querymix.core.errors import ConfigError, TransientError
from querymix.local.file_identity import descriptor_of
from querymix.local.output import STANDARD_OUTPUT, Output
from querymix.local.packing import packed, packing_of
from querymix.own_files import make_own


class AtomicFile:
    """A file that is written at once, or not at all.

    `owned` closes it, and removes what is not in its place by then; `private` makes it for its owner only. Raises
    ConfigError where it cannot be opened.
    """

    def __init__(self, name: str, owned: ExitStack, *, private: bool = False) -> None:
        self._name = name
        self._stream: Output | None = None
        try:
            target = Path(os.path.realpath(name))  # a link stays one, and its file is the one that is replaced
            if name == STANDARD_OUTPUT or descriptor_of(name) is not None or (target.exists() and not target.is_file()):
                self._stream = Output(name)
                owned.callback(self._stream.close)
            else:
                self._open(target, owned, private)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is no name of a file"
            raise ConfigError(f"cannot write {name}: {reason}. Name another output.") from None

    def _open(self, target: Path, owned: ExitStack, private: bool) -> None:
        self._target = target
        self._packing = packing_of(self._name)
        self._part = target.with_name(f"{target.name}.{os.getpid()}.part")
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(0, "Permission denied")
        owned.callback(self._remove)  # first: a signal may come right after it is made
        self._fd = make_own(self._part, private=private)
        owned.callback(os.close, self._fd)
        if target.exists() and not private:
            os.fchmod(self._fd, target.stat().st_mode & 0o777)

    def _remove(self) -> None:
        with suppress(OSError):  # it is in its place, or was never made
            self._part.unlink()

    def write(self, data: bytes) -> None:
        """Write `data`, which is all of the file, and put it in its place. Raises TransientError where that fails."""
        if self._stream:
            self._stream.start()
            self._stream.write(data)
            return
        try:
            view = memoryview(b"".join(packed(self._packing, [data])) if self._packing else data)
            while view:
                view = view[os.write(self._fd, view) :]
            os.fsync(self._fd)
            self._part.replace(self._target)
        except OSError as error:
            raise TransientError(
                f"cannot write {self._name}: {error.strerror}. Free the disk and give the same command again, or name "
                "another output."
            ) from None
