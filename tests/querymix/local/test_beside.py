"""An output that is written beside its place: nobody sees a part of it, and what was there stays until it is whole."""

import gzip
import os
import stat
from contextlib import closing
from pathlib import Path

import pytest
from querymix.core.errors import ConfigError, TransientError
from querymix.local.output import PACKING, PARTIAL, Output


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "out.tsv"


def test_what_was_there_stays_until_the_file_is_whole(path: Path) -> None:
    path.write_bytes(b"old\n")
    with closing(Output(str(path), beside=True)) as output:
        output.start()
        output.write(b"new\n")
        output.sync()
        assert path.read_bytes() == b"old\n"
        output.finish()
        assert path.read_bytes() == b"new\n"
    assert left(path.parent) == {"out.tsv"}


@pytest.mark.parametrize("name", ["out.tsv", "out.tsv.gz"])
def test_what_is_not_finished_is_not_under_the_name_and_the_next_run_starts_anew(tmp_path: Path, name: str) -> None:
    for text in (b"of the first\n", b"second\n"):
        with closing(Output(str(tmp_path / name), beside=True)) as output:
            output.start()
            output.write(text)
        assert left(tmp_path) == {f"{name}{PARTIAL}"}
        assert (tmp_path / f"{name}{PARTIAL}").read_bytes() == text


def test_the_new_file_has_the_rights_of_the_old_one(path: Path) -> None:
    path.write_bytes(b"old\n")
    path.chmod(0o640)
    for name in (path, path.with_name("out.gz")):
        path.with_name("out.gz").touch()
        path.with_name("out.gz").chmod(0o640)
        with closing(Output(str(name), beside=True)) as output:
            output.finish()
        assert mode(name) == 0o640


def test_a_link_stays_one_and_its_file_is_replaced(path: Path) -> None:
    target = path.parent / "there" / "real.tsv"
    target.parent.mkdir()
    path.symlink_to(target)
    with closing(Output(str(path), beside=True)) as output:
        output.write(b"new\n")
        assert left(target.parent) == {f"real.tsv{PARTIAL}"}
        output.finish()
    assert path.is_symlink()
    assert target.read_bytes() == b"new\n"


@pytest.mark.parametrize("beside", [True, False])
@pytest.mark.parametrize("old", [True, False])
def test_a_second_run_is_refused_however_it_would_write(
    path: Path,
    beside: bool,
    old: bool,
) -> None:
    if old:
        path.write_bytes(b"old\n")
    with closing(Output(str(path), beside=True)), pytest.raises(ConfigError, match="another run is writing"):
        Output(str(path), beside=beside if old else True)


def test_a_run_that_waited_for_the_lock_while_the_file_got_its_place_takes_nothing_from_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Output(str(path), beside=True)
    first.write(b"whole\n")
    opened = os.open

    def late(name: str, *args: int) -> int:
        fd = opened(name, *args)
        if name.endswith(PARTIAL) and not path.exists():
            first.finish()
            first.close()
        return fd

    monkeypatch.setattr(os, "open", late)
    with closing(Output(str(path), beside=True)) as second:
        second.start()
        assert path.read_bytes() == b"whole\n"


def test_a_pipe_or_a_device_is_written_at_once_and_never_packed(tmp_path: Path) -> None:
    with closing(Output("/dev/null", beside=True)) as output:
        output.write(b"one\n")
        output.finish()
    os.mkfifo(tmp_path / "out.gz")
    with pytest.raises(ConfigError, match="cannot be packed"):
        Output(str(tmp_path / "out.gz"))


def test_a_packed_file_is_added_to_and_a_kill_at_its_end_adds_nothing_twice(tmp_path: Path) -> None:
    name, part = tmp_path / "out.gz", tmp_path / f"out.gz{PARTIAL}"
    with closing(Output(str(name))) as output:
        output.write(b"one\n")
        output.finish()
    with closing(Output(str(name), add=True)) as output:
        output.start()
        output.write(b"two\n")
        base, length = output.base, output.length
        kept = part.read_bytes()
        output.finish()
    whole = name.read_bytes()
    assert gzip.decompress(whole) == b"one\ntwo\n"
    for again in (kept, None):  # killed before the part was gone, and after
        if again:
            part.write_bytes(again)
        with closing(Output(str(name), keep=length, base=base, done=True)) as output:
            output.start()
            output.finish()
        assert name.read_bytes() == whole
    with closing(Output(str(name), add=True)) as output:
        output.finish()
    assert name.read_bytes() == whole
    assert left(tmp_path) == {"out.gz"}


def test_where_it_cannot_get_its_place_all_lines_are_kept_and_named(path: Path) -> None:
    with closing(Output(str(path), beside=True)) as output:
        output.write(b"one\n")
        path.mkdir()
        (path / "file").touch()
        with pytest.raises(TransientError, match=rf"All of its lines are in .*{PARTIAL}"):
            output.finish()
    assert Path(f"{path}{PARTIAL}").read_bytes() == b"one\n"
    assert not Path(f"{path}{PACKING}").exists()
