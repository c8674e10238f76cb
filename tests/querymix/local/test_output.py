"""An output never ends in half a line, and a resume finds the length that it knows."""

import os
import resource
import stat
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from querymix.core.errors import ConfigError, TransientError
from querymix.local.output import Output


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Let no file of this process grow past `size` bytes: a write is cut there, the next one fails."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def started(name: Path | str, *, keep: int | None = None, private: bool = False) -> Output:
    """Return an output that is ready to be written."""
    output = Output(str(name), keep=keep, private=private)
    output.start()
    return output


def mode(path: Path) -> int:
    """Return a file's permissions."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "released.tsv"


def test_what_is_written_is_in_the_file_and_counted(path: Path) -> None:
    with closing(started(path)) as output:
        output.write(b"one\n")
        output.write(b"")
        output.write(b"two\n")
        output.sync()
        assert output.length == 8
        assert path.read_bytes() == b"one\ntwo\n"


def test_an_existing_file_starts_anew(path: Path) -> None:
    path.write_bytes(b"old and longer\n")
    with closing(started(path)) as output:
        output.write(b"new\n")
    assert path.read_bytes() == b"new\n"


@pytest.mark.parametrize("keep", [0, 4, 8])
def test_a_resume_cuts_a_file_back_to_what_is_kept_and_goes_on_there(path: Path, keep: int) -> None:
    path.write_bytes(b"one\ntwo\n")
    with closing(started(path, keep=keep)) as output:
        assert output.length == keep
        output.write(b"three\n")
        assert output.length == keep + 6
    assert path.read_bytes() == b"one\ntwo\n"[:keep] + b"three\n"


def test_a_file_shorter_than_the_checkpoint_says_is_an_operators_mistake_and_left_alone(path: Path) -> None:
    path.write_bytes(b"one\n")
    with pytest.raises(ConfigError, match="shorter than the state says"):
        Output(str(path), keep=5)
    assert path.read_bytes() == b"one\n"


def test_a_write_cut_by_a_full_disk_is_taken_back_and_can_come_again(path: Path) -> None:
    with closing(started(path)) as output:
        output.write(b"one\n")
        with full_disk(10), pytest.raises(TransientError, match="cannot write"):
            output.write(b"second line\n")
        assert path.read_bytes() == b"one\n"
        assert output.length == 4
        output.write(b"second line\n")
        assert output.length == 16
    assert path.read_bytes() == b"one\nsecond line\n"


def test_a_full_disk_takes_nothing_from_what_a_resume_kept(path: Path) -> None:
    path.write_bytes(b"one\ntwo\nhalf")
    with closing(started(path, keep=8)) as output, full_disk(9), pytest.raises(TransientError):
        output.write(b"three\n")
    assert path.read_bytes() == b"one\ntwo\n"


def test_a_full_device_is_broken_with_the_systems_reason() -> None:
    with closing(started("/dev/full")) as output, pytest.raises(TransientError, match="/dev/full: No space left on"):
        output.write(b"one\n")


def test_a_pipe_whose_reader_is_gone_is_broken() -> None:
    ours, theirs = os.pipe()
    output = started(f"/dev/fd/{theirs}")
    os.close(theirs)
    with closing(output):
        output.write(b"one\n")
        assert os.read(ours, 100) == b"one\n"
        os.close(ours)
        with pytest.raises(TransientError, match="Broken pipe"):
            output.write(b"two\n")


def test_a_device_can_be_written_and_waited_for() -> None:
    with closing(started("/dev/null", private=True)) as output:
        output.write(b"one\n")
        output.sync()
        assert not output.regular
    assert mode(Path("/dev/null")) & 0o666 == 0o666


def test_a_private_file_is_for_its_owner_only(path: Path) -> None:
    before = os.umask(0)
    try:
        Output(str(path), private=True).close()
        assert mode(path) == 0o600
        Output(f"{path}.public").close()
        assert mode(Path(f"{path}.public")) == 0o666
    finally:
        os.umask(before)


def test_missing_folders_are_made(path: Path) -> None:
    with closing(started(str(path / "deep" / "er.tsv"))) as output:
        output.write(b"one\n")
    assert (path / "deep" / "er.tsv").read_bytes() == b"one\n"


def test_a_folder_is_no_output(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Is a directory"):
        Output(str(tmp_path))


def test_a_file_is_no_folder_for_an_output(path: Path) -> None:
    path.touch()
    with pytest.raises(ConfigError, match="cannot write"):
        Output(str(path / "released.tsv"))


def test_standard_output_is_written_through_and_stays_open(capfd: pytest.CaptureFixture[str]) -> None:
    for text in (b"one\n", b"two\n"):
        with closing(started("-")) as output:
            assert output.name == "standard output"
            output.write(text)
            output.sync()
    assert capfd.readouterr().out == "one\ntwo\n"


def test_a_file_is_one_runs_as_long_as_it_is_open_and_the_other_takes_nothing_from_it(path: Path) -> None:
    with closing(started(path)) as output:
        output.write(b"one\n")
        with pytest.raises(ConfigError, match=r"another run is writing .*: let it end, or name another output"):
            Output(str(path))
        assert path.read_bytes() == b"one\n"
    with closing(started(path)):
        assert path.read_bytes() == b""


def test_nothing_is_cut_before_the_start(path: Path) -> None:
    path.write_bytes(b"old\n")
    with closing(Output(str(path))):
        assert path.read_bytes() == b"old\n"


def test_a_descriptor_goes_on_where_it_stands(path: Path) -> None:
    path.write_bytes(b"before\n")
    fd = os.open(path, os.O_WRONLY | os.O_APPEND)
    with closing(started(f"/dev/fd/{fd}")) as output:
        output.write(b"one\n")
    os.close(fd)
    assert path.read_bytes() == b"before\none\n"


def test_a_descriptor_that_cannot_be_written_is_an_operators_mistake(path: Path) -> None:
    path.write_bytes(b"")
    fd = os.open(path, os.O_RDONLY)
    with pytest.raises(ConfigError, match="is closed: name a file"):
        Output(f"/dev/fd/{fd}")
    os.close(fd)
    with pytest.raises(ConfigError, match="Bad file descriptor"):
        Output(f"/dev/fd/{fd}")


def test_a_pipe_that_never_waits_is_waited_for() -> None:
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    data = b"x" * (1 << 20)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.extend(iter(lambda: os.read(ours, 1 << 16), b"")))
    reader.start()
    with closing(started(f"/dev/fd/{theirs}")) as output:
        output.write(data)
    os.close(theirs)
    reader.join()
    os.close(ours)
    assert b"".join(got) == data
