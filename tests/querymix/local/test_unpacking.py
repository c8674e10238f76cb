"""What is packed, or in another encoding, gives the same bytes as what is not; what cannot be read says what it is."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import zstandard
from hypothesis import example, given
from hypothesis import strategies as st
from querymix.local.unpacking import DamagedInputError, UnsupportedInputError, plain

LOG = "".join(f"{n}\tmade-up caf\u00e9 {n}\t2006-03-01 07:17:12\t\t\n" for n in range(3_000)).encode()
Pack = Callable[[bytes], bytes]


def zstd(data: bytes) -> bytes:
    """Pack as zstd does where the size is not known before: without it in the frame."""
    packer = zstandard.ZstdCompressor().compressobj()
    return packer.compress(data) + packer.flush()


def legacy_lzma(data: bytes) -> bytes:
    """Pack in the form that came before xz."""
    return lzma.compress(data, lzma.FORMAT_ALONE)


def zipped(*members: tuple[str, bytes]) -> bytes:
    """Return a zip file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


STREAMS = [gzip.compress, bz2.compress, lzma.compress, legacy_lzma, zstd]
streams = pytest.mark.parametrize("pack", STREAMS)


def through_a_pipe(data: bytes, size: int = 1 << 16) -> Iterator[bytes]:
    """Yield the data in pieces."""
    return (data[begin : begin + size] for begin in range(0, len(data), size))


def read(data: bytes, size: int = 1 << 16) -> bytes:
    """Read the data as a pipe gives it."""
    return b"".join(plain(through_a_pipe(data, size), None))


def read_file(data: bytes) -> bytes:
    """Read the data as a file that can be read from any place."""
    return b"".join(plain(through_a_pipe(data), io.BytesIO(data)))


@streams
@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_packed_data_is_known_by_its_first_bytes_however_they_arrive(pack: Pack, size: int) -> None:
    assert read(pack(LOG), size) == LOG


@streams
def test_parts_that_were_packed_one_by_one_are_read_as_one_log(pack: Pack) -> None:
    if pack is not legacy_lzma:  # which has no end mark
        assert read(pack(LOG) + pack(b"") + pack(LOG)) == LOG + LOG


@streams
def test_nothing_that_was_packed_is_nothing(pack: Pack) -> None:
    assert read(pack(b"")) == b""


def keeping(parts: Iterator[bytes], seen: bytearray) -> Iterator[bytes]:
    """Keep what came before an error."""
    for part in parts:
        seen += part
        yield b""


@streams
def test_cut_data_gives_what_could_be_read_and_then_says_so(pack: Pack) -> None:
    packed = pack(LOG * 20)
    parts = plain(through_a_pipe(packed[: len(packed) * 3 // 4], 512), None)
    seen = bytearray()
    with pytest.raises(DamagedInputError, match="damaged or cut short"):
        seen.extend(b"".join(keeping(parts, seen)))
    assert (LOG * 20).startswith(bytes(seen))
    assert seen or pack is bz2.compress or len(packed) < 4_096, "only bzip2 has blocks as large as this log"


@streams
def test_rubbish_inside_is_damage_and_no_crash(pack: Pack) -> None:
    packed = bytearray(pack(LOG))
    packed[len(packed) // 2 : len(packed) // 2 + 40] = bytes(40)
    with pytest.raises(DamagedInputError):
        read(bytes(packed))


@given(
    st.binary(max_size=600),
    st.sampled_from([b"", b"\x1f\x8b", b"BZh91AY&SY", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"]),
)
def test_whatever_follows_the_first_bytes_it_is_read_or_refused(rest: bytes, magic: bytes) -> None:
    for reader in (read, read_file):
        with suppress(DamagedInputError, UnsupportedInputError):
            reader(magic + rest)


@pytest.mark.parametrize("text", ["BZh is a user\tgolf\n", "PK\tgolf\n", "ORCA\tgolf\n", "]\tgolf\n"])
def test_a_log_that_only_begins_like_packed_data_is_a_log(text: str) -> None:
    assert read(text.encode()) == text.encode()


def test_the_files_of_a_zip_are_read_one_after_the_other_without_what_a_mac_adds() -> None:
    data = zipped(("a.tsv", b"one"), ("__MACOSX/._a.tsv", b"\0rubbish"), ("b/", b""), ("b/c.tsv", b"two\n"))
    assert read_file(data) == b"one\ntwo\n"
    assert read_file(zipped()[:0] + zipped(("empty.tsv", b""))) == b""


def test_a_cut_zip_is_damage() -> None:
    data = zipped(("a.tsv", LOG))
    with pytest.raises(DamagedInputError, match="zip"):
        read_file(data[: len(data) // 2])


@given(st.integers(0, 400), st.integers(1, 255))
@example(399, 64)  # it says that version 8.4 is needed to unpack it
@example(147, 99)  # it has a name without letters
def test_what_is_said_of_a_damaged_zip_holds_nothing_of_it(place: int, change: int) -> None:
    data = bytearray(zipped(("canary.tsv", b"canary\n" * 9), ("canary2.tsv", b"canary")))
    data[place % len(data)] ^= change
    said = ""
    try:
        read_file(bytes(data))
    except (DamagedInputError, UnsupportedInputError) as error:
        said = str(error)
    assert "canary" not in said


def test_a_zip_needs_to_be_a_file() -> None:
    with pytest.raises(UnsupportedInputError, match="a pipe cannot carry"):
        read(zipped(("a.tsv", LOG)))


def test_an_office_document_is_named() -> None:
    with pytest.raises(UnsupportedInputError, match="office document"):
        read_file(zipped(("[Content_Types].xml", b""), ("xl/sheet.xml", b"")))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
@pytest.mark.parametrize("size", [1, 3, 1 << 16])
def test_other_encodings_are_read_as_utf_8(encoding: str, size: int) -> None:
    assert read(LOG.decode().encode(encoding), size).removeprefix(b"\xef\xbb\xbf") == LOG


def test_an_encoding_inside_packed_data_is_read_too() -> None:
    assert read(gzip.compress(LOG.decode().encode("utf-16"))) == LOG


def test_half_a_pair_in_utf_16_becomes_a_sign_and_nothing_else_is_lost() -> None:
    data = "1\tgolf \ud83d clubs\n2\tgolf\n".encode("utf-16-le", "surrogatepass")
    assert read(b"\xff\xfe" + data).decode() == "1\tgolf \ufffd clubs\n2\tgolf\n"


def test_a_line_with_some_nul_bytes_is_left_to_the_codec() -> None:
    data = b"1\tgolf\0clubs\0\t2006-03-01 07:17:12\t\t\n"
    assert read(data) == data


def tar(data: bytes) -> bytes:
    """Return a tar archive."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        info = tarfile.TarInfo("log.tsv")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (tar(LOG), "a tar archive"),
        (gzip.compress(tar(LOG), mtime=0), "a tar archive"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(600), "7z"),
        (b"Rar!\x1a\x07\x01\0" + bytes(600), "rar"),
        (b"\x04\x22\x4d\x18" + bytes(600), "lz4 -dc"),
        (b"\x1f\x9d" + bytes(600), "zcat"),
        (b"PAR1" + bytes(600), "Parquet"),
        (b"Obj\x01" + bytes(600), "Avro"),
        (b"SQLite format 3\0" + bytes(600), "SQLite"),
        (b"%PDF-1.7\n" + bytes(600), "PDF"),
    ],
)
def test_a_form_that_is_not_read_is_named_with_what_to_do(data: bytes, named: str) -> None:
    with pytest.raises(UnsupportedInputError, match=named):
        read(data)


def test_an_encrypted_zip_is_named(tmp_path: Path) -> None:
    data = bytearray(zipped(("a.tsv", LOG)))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    with pytest.raises(UnsupportedInputError, match="encrypted"):
        read_file(bytes(data))


@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_parts_may_be_padded_with_zeros_or_begin_with_a_frame_to_skip(size: int) -> None:
    xz = lzma.compress(b"a\tb\n") + bytes(8) + lzma.compress(b"c\td\n") + bytes(4)
    zstd = b"\x53\x2a\x4d\x18\x04\0\0\0skip" + zstandard.compress(b"a\tb\nc\td\n")
    for data in (xz, zstd):
        blocks = iter([data[start : start + size] for start in range(0, len(data), size)])
        assert b"".join(plain(blocks, None)) == b"a\tb\nc\td\n"
