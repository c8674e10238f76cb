"""Files that appear under their names only when they are whole."""

import gzip
import os
import stat
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from querymix.core.errors import ConfigError, TransientError
from querymix_lab.atomic_file import AtomicFile


def test_a_file_is_there_once_it_is_written_and_not_before(tmp_path: Path) -> None:
    out = tmp_path / "folder" / "out.tsv"
    with ExitStack() as owned:
        file = AtomicFile(str(out), owned)
        assert not out.exists()
        file.write(b"all of it")
        assert out.read_bytes() == b"all of it"
    assert [path.name for path in out.parent.iterdir()] == ["out.tsv"]


def test_a_file_is_packed_where_its_name_says_so(tmp_path: Path) -> None:
    with ExitStack() as owned:
        AtomicFile(str(tmp_path / "out.tsv.gz"), owned).write(b"all of it")
        with pytest.raises(ConfigError, match="no form that is written"):
            AtomicFile(str(tmp_path / "out.zip"), owned)
    assert gzip.decompress((tmp_path / "out.tsv.gz").read_bytes()) == b"all of it"


def test_what_was_there_stays_where_nothing_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out.tsv"
    out.write_text("before")
    with ExitStack() as owned:
        AtomicFile(str(out), owned)
    assert out.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["out.tsv"]


def test_a_file_keeps_its_rights_and_a_private_one_is_its_owners(tmp_path: Path) -> None:
    out, private = tmp_path / "out.tsv", tmp_path / "refused"
    out.touch(mode=0o640)
    out.chmod(0o640)
    with ExitStack() as owned:
        AtomicFile(str(out), owned).write(b"x")
        AtomicFile(str(private), owned, private=True).write(b"x")
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    assert stat.S_IMODE(private.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["/proc/nowhere/out.tsv", "a\0b", "x" * 255])
def test_a_name_that_cannot_be_written_is_refused(name: str) -> None:
    with ExitStack() as owned, pytest.raises(ConfigError, match="Name another output"):
        AtomicFile(name, owned)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with ExitStack() as owned, pytest.raises(ConfigError, match="Name another output"):
        AtomicFile(str(tmp_path), owned)


def test_a_full_device_is_a_failure_outside() -> None:
    with ExitStack() as owned, pytest.raises(TransientError, match="No space left"):
        AtomicFile("/dev/full", owned).write(b"x")


def test_a_pipe_gets_all_at_the_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with ExitStack() as owned:
        AtomicFile(str(pipe), owned).write(b"all of it")
        assert os.read(reader, 100) == b"all of it"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("lay", [Path.symlink_to, Path.hardlink_to])
def test_what_somebody_else_has_laid_under_the_name_of_a_part_is_removed_and_not_written(
    tmp_path: Path, lay: Callable[[Path, Path], None]
) -> None:
    (tmp_path / "victim").write_bytes(b"precious")
    lay(tmp_path / f"report.{os.getpid()}.part", tmp_path / "victim")
    with ExitStack() as owned:
        AtomicFile(str(tmp_path / "report"), owned).write(b"report")
    assert (tmp_path / "victim").read_bytes() == b"precious"
    assert (tmp_path / "report").read_bytes() == b"report"
