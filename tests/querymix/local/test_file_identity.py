"""An output is told from what is read by the file itself, whatever the names say."""

import os
from pathlib import Path

import pytest
from querymix.core.errors import ConfigError
from querymix.local.file_identity import Use, check_apart, database, descriptor_of


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.tsv"
    path.write_text("1\tgolf\n")
    return path


def refused(read: str | int, written: str | int) -> bool:
    """Say whether one cannot be written while the other is read, in the same command."""
    try:
        check_apart([Use("the input", read)], [Use("the output", written)])
    except ConfigError:
        return True
    return False


def test_another_name_of_a_file_is_that_file(log: Path) -> None:
    symbolic, hard = log.with_name("symbolic"), log.with_name("hard")
    symbolic.symlink_to(log)
    hard.hardlink_to(log)
    (log.parent / "folder").mkdir()
    for name in (log, symbolic, hard, log.parent / "folder" / ".." / "log.tsv"):
        assert refused(str(log), str(name))
        assert refused(str(name), str(log))
    assert not refused(str(log), str(log.with_name("other.tsv")))


def test_an_open_descriptor_is_its_file_under_each_of_its_names(log: Path) -> None:
    fd = os.open(log, os.O_RDWR)
    try:
        for name in (fd, f"/dev/fd/{fd}", f"/proc/self/fd/{fd}"):
            assert refused(name, str(log))
            assert refused(str(log), name)
    finally:
        os.close(fd)


def test_a_file_that_is_not_there_yet_is_told_by_where_it_would_be(log: Path) -> None:
    link = log.with_name("link")
    link.symlink_to("new.tsv")
    with pytest.raises(ConfigError, match="two outputs need two names"):
        check_apart([], [Use("the output", str(link)), Use("the profiles", str(log.with_name("new.tsv")))])


def test_devices_and_pipes_may_be_named_twice() -> None:
    assert not refused(os.devnull, os.devnull)
    ours, theirs = os.pipe()
    assert not refused(ours, theirs)
    os.close(ours)
    os.close(theirs)
    assert not refused(ours, theirs), "a closed one is nothing"


def test_what_sqlite_keeps_beside_a_file_belongs_to_it(tmp_path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        with pytest.raises(ConfigError, match="is also"):
            check_apart(
                [], [*database("the profiles", tmp_path / "p"), Use("the output", str(tmp_path / f"p{suffix}"))]
            )


def test_two_streams_of_messages_may_share_a_file_but_not_with_an_output(log: Path) -> None:
    fd = os.open(log, os.O_RDWR)
    said = [Use("standard output", fd), Use("standard error", fd)]
    check_apart([], [Use("the output", str(log.with_name("o")))], printed=said)
    for read, written in (([Use("the input", str(log))], []), ([], [Use("the output", str(log))])):
        with pytest.raises(ConfigError):
            check_apart(read, written, printed=said)
    os.close(fd)


@pytest.mark.parametrize(
    ("name", "fd"),
    [("/dev/stdin", 0), ("/dev/stdout", 1), ("/dev/stderr", 2), ("/dev/fd/63", 63), ("/proc/self/fd/9", 9),
     ("-", None), ("/dev/null", None), ("/dev/fd/x", None), ("log.tsv", None)],
)  # fmt: skip
def test_the_names_of_open_descriptors_are_known(name: str, fd: int | None) -> None:
    assert descriptor_of(name) == fd
