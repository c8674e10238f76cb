"""Small files that hold gigabytes: memory is bounded, and what would take too much says what to do.

Each is read in a process of its own, whose peak memory is told by the system. The bounds are generous; what they keep
out is ten times as much.
"""

import bz2
import gzip
import io
import lzma
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from querymix.local.decompressors import MOST_WINDOW

MIB = 1 << 20
READER = """
import resource, sys
from querymix.core.errors import ConfigError
from querymix.local.columnar import is_columnar
from querymix.local.reading import Input
try:
    import pyarrow, pyarrow.parquet
except ImportError:
    pass
class Lines:
    header = staticmethod(lambda line: False)
    whole = staticmethod(len)
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before, size, said = peak(), 0, ""
try:
    source = Input(sys.argv[1])
    for block in source.blocks(Lines):
        size += len(block)
    said = source.damage.reason if source.damage else ""
except ConfigError as error:
    said = str(error)
print(size, (peak() - before) << 10)
print(said)
"""


class Read(NamedTuple):
    """What became of a file."""

    size: int
    grown: int
    """Bytes of memory."""
    said: str


def read(path: Path) -> Read:
    """Read a file in a process of its own."""
    done = subprocess.run([sys.executable, "-c", READER, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    numbers, said = done.stdout.split("\n", 1)
    size, grown = map(int, numbers.split())
    return Read(size, grown, said.strip())


def zstd_frame(blocks: int, window: int = 17 - 10 << 3) -> bytes:
    """Return a frame of so many blocks of 128 KiB of one line end, in four bytes each."""
    block, last = (((1 << 20 | 1 << 1 | end).to_bytes(3, "little") + b"\n") for end in (0, 1))
    return b"\x28\xb5\x2f\xfd\x00" + bytes([window]) + block * (blocks - 1) + last


LINES = b"\n" * (192 * MIB)


def zip_of(data: bytes, method: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("log.tsv", data)
    return file.getvalue()


BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip": lambda: gzip.compress(LINES, 6),
    "bzip2": lambda: bz2.compress(LINES, 1),
    "xz": lambda: lzma.compress(LINES, preset=0),
    "lzma": lambda: lzma.compress(LINES, lzma.FORMAT_ALONE, preset=0),
    "zstd": lambda: zstd_frame(1536),
    "zstd with a frame to skip": lambda: b"\x50\x2a\x4d\x18" + struct.pack("<I", 3) + b"abc" + zstd_frame(1536),
    "zip": lambda: zip_of(LINES, zipfile.ZIP_DEFLATED),
}


@pytest.mark.parametrize("name", BOMBS)
def test_what_is_packed_takes_no_more_memory_than_its_form_needs(name: str, tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(BOMBS[name]())
    assert file.stat().st_size < 300_000
    found = read(file)
    assert (found.size, found.said) == (len(LINES), "")
    assert found.grown < 48 * MIB


def test_a_line_without_an_end_takes_no_memory_either(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(zstd_frame(4096).replace(b"\n", b"a"))
    found = read(file)
    assert found.size < 8 * MIB
    assert found.grown < 48 * MIB


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_of_a_method_without_a_bound_is_refused(method: int, tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(zip_of(b"142\tgolf\t2006-03-01 07:17:12\t\t\n", method))
    assert "unpack it and give what is in it" in read(file).said


def large_dictionary() -> bytes:
    """Return xz data that is short, and says that it needs a gigabyte."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": MOST_WINDOW}]
    packed = bytearray(lzma.compress(b"142\tgolf\n", lzma.FORMAT_ALONE, preset=0))
    packed[1:5] = struct.pack("<I", 1 << 30)
    assert lzma.decompress(lzma.compress(b"", filters=filters)) == b""
    return bytes(packed)


@pytest.mark.parametrize(
    ("data", "with_what"),
    [
        (zstd_frame(8, 30 - 10 << 3), "zstd -dc --long=31"),
        (b"\x28\xb5\x2f\xfd\xe0" + struct.pack("<Q", 1 << 40) + zstd_frame(8)[6:], "zstd -dc --long=31"),
        (large_dictionary(), "xz -dc"),
    ],
)
def test_data_that_needs_a_larger_window_is_refused_with_the_tool_that_unpacks_it(
    data: bytes, with_what: str, tmp_path: Path
) -> None:
    file = tmp_path / "log"
    file.write_bytes(data)
    found = read(file)
    assert "more than 128 MiB" in found.said
    assert with_what in found.said
    assert found.grown < 48 * MIB


def test_the_largest_usual_window_is_read(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(zstd_frame(2, 27 - 10 << 3))
    assert read(file).size == 2 << 17
    file.write_bytes(lzma.compress(b"142\tgolf\n", filters=[{"id": lzma.FILTER_LZMA2, "dict_size": MOST_WINDOW}]))
    assert read(file).size == len(b"142\tgolf\n")


@pytest.mark.parametrize("inner", [gzip.compress, lzma.compress, lambda data: zip_of(data, zipfile.ZIP_DEFLATED)])
@pytest.mark.parametrize("outer", [gzip.compress, bz2.compress, lambda data: zip_of(data, zipfile.ZIP_DEFLATED)])
def test_what_is_packed_twice_is_refused(
    inner: Callable[[bytes], bytes], outer: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    file = tmp_path / "log"
    file.write_bytes(outer(inner(b"142\tgolf\t2006-03-01 07:17:12\t\t\n")))
    assert "packed twice" in read(file).said


def columns(tmp_path: Path, kind: str) -> Path:
    """Write a small file of columns that holds gigabytes."""
    pyarrow = pytest.importorskip("pyarrow", reason="the extra parquet (pyarrow) is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet (pyarrow) is not installed")
    path = tmp_path / kind
    word = "a" * MIB
    few = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 20_000, pyarrow.int32()), pyarrow.array([word]))
    if kind == "words of a dictionary.parquet":
        parquet.write_table(pyarrow.table({"query": few}), path, compression="zstd")
    elif kind == "a page.parquet":
        data = pyarrow.array([b"\n" * (560 * MIB)])
        parquet.write_table(pyarrow.table({"query": data}), path, compression="zstd", use_dictionary=False,
                            write_statistics=False)  # fmt: skip
    elif kind == "words of a dictionary.arrow":
        with path.open("wb") as file, pyarrow.ipc.new_file(file, pyarrow.schema({"query": few.type})) as writer:
            writer.write_table(pyarrow.table({"query": few}))
    else:
        column = pyarrow.array([b"\n" * (560 * MIB)])
        table = pyarrow.table({"query": column})
        options = pyarrow.ipc.IpcWriteOptions(compression="zstd")
        with path.open("wb") as file, pyarrow.ipc.new_stream(file, table.schema, options=options) as writer:
            writer.write_table(table)
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds a process's memory")
@pytest.mark.parametrize(
    "kind", ["words of a dictionary.parquet", "a page.parquet", "words of a dictionary.arrow", "a buffer.stream"]
)
def test_columns_that_take_too_much_memory_are_refused(kind: str, tmp_path: Path) -> None:
    file = columns(tmp_path, kind)
    assert file.stat().st_size < 8 * MIB
    found = read(file)
    assert "take more than 512 MiB: convert it" in found.said
    assert found.grown < 600 * MIB + 4 * file.stat().st_size
