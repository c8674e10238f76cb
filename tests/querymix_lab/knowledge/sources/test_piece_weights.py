"""The file of word pieces gives back the table that went in, and says so where it is none."""

import lzma
from pathlib import Path

import pytest
from querymix.core.packed_weights import FIELDS
from querymix.core.word_pieces import UNKNOWN_ROW
from querymix_lab.knowledge.sources.files import SourceError
from querymix_lab.knowledge.sources.piece_weights import piece_file_bytes, piece_table

TABLE = bytes(range(1, 1 + FIELDS)) + UNKNOWN_ROW + b"\n" * FIELDS


@pytest.mark.parametrize("table", [b"", TABLE])
def test_what_is_packed_is_read(tmp_path: Path, table: bytes) -> None:
    path = tmp_path / "pieces.xz"
    path.write_bytes(piece_file_bytes(table))
    assert piece_table(path) == table
    assert piece_file_bytes(table) == path.read_bytes()


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    path, whole = tmp_path / "pieces.xz", piece_file_bytes(TABLE)
    for damaged in (whole[:-9], lzma.compress(lzma.decompress(whole)[:-FIELDS]), lzma.compress(b"[]\n")):
        path.write_bytes(damaged)
        with pytest.raises(SourceError, match="damaged"):
            piece_table(path)
    path.write_bytes(lzma.compress(b'{"format": 0, "rows": 0, "scale": 40}\n'))
    with pytest.raises(SourceError, match="another format"):
        piece_table(path)
    with pytest.raises(SourceError, match="cannot be opened"):
        piece_table(path.with_name("none"))


@pytest.mark.parametrize("table", [b"short", bytes(FIELDS - 1) + b"\1"])
def test_what_is_no_table_is_not_packed(table: bytes) -> None:
    with pytest.raises(ValueError, match="a row of a table"):
        piece_file_bytes(table)


def test_the_file_of_the_package_is_whole() -> None:
    assert len(piece_table()) % FIELDS == 0
