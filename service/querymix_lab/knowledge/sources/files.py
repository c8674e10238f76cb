"""Open the files that sources read, and say where a fault in one is.

Rules:
- A name that ends in ".gz" is read through gzip; all text is UTF-8.
- Lines that are empty or begin with "#" are skipped.
- A fault is a `SourceError` that names the file, the line and what to do, and never repeats the line's text.
"""

import gzip
import io
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import IO, BinaryIO, Final, cast

from querymix.core.errors import ConfigError

LISTS: Final = Path(__file__).parents[1] / "lists"
"""The package's own word lists."""


class SourceError(ConfigError):
    """A source cannot be read: the operator corrects the file or leaves it out."""


def open_text(path: Path) -> IO[str]:
    """Open a plain or gzipped text file; raises SourceError where it is not there."""
    return io.TextIOWrapper(open_bytes(path), encoding="utf-8")


def open_bytes(path: Path) -> BinaryIO:
    """Open a plain or gzipped file as bytes; raises SourceError where it is not there."""
    try:
        return cast(BinaryIO, gzip.open(path) if path.suffix == ".gz" else path.open("rb"))
    except OSError as error:
        raise SourceError(f"{path}: cannot be opened ({error.strerror}); give the path of a readable file") from error


def rows(
    path: Path, columns: str, least: int | None = None, most: int | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, fields) of a tab-separated file whose columns are named in `columns`, parted by spaces.

    A line has `least` to `most` fields, by default one a column. Raises SourceError at a line with another number of
    them, at bytes that are no UTF-8 and at a broken gzip file.
    """
    names = columns.split()
    allowed = range(least or len(names), (most or len(names)) + 1)
    number = 0
    try:
        with open_text(path) as file:
            for number, line in enumerate(file, start=1):
                text = line.rstrip("\r\n")
                if not text.strip(" ") or text.startswith("#"):
                    continue
                fields = text.split("\t")
                if len(fields) not in allowed:
                    raise SourceError(
                        f"{path}:{number}: {len(fields)} fields where {len(names)} belong; "
                        f"write {' <tab> '.join(names)}, one entry a line"
                    )
                yield number, fields
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: not UTF-8 after line {number}; convert the file to UTF-8") from error
    except (EOFError, OSError) as error:
        raise SourceError(f"{path}: broken gzip data after line {number}; copy the file again") from error


def package_file(package: str, *parts: str) -> Path:
    """Return the path of a data file in an installed package, without importing that package.

    Raises SourceError where the package or the file is not there.
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise SourceError(f"package {package} is not installed; install the extra: pip install 'querymix[lab]'")
    path = Path(spec.origin).parent.joinpath(*parts)
    if not path.is_file():
        raise SourceError(f"{path}: not there; install the version of {package} that the extra `lab` names")
    return path
