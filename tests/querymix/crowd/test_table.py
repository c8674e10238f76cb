"""The crowd table: what it answers, and which files it refuses."""

import os
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.crowd import item, items_of
from querymix.core.errors import ConfigError
from querymix.crowd import layout
from querymix.crowd.layout import KINDS, Numbers
from querymix.crowd.table import LONG_AGO, CrowdTable
from querymix.crowd.writing import Heading, write_rows, write_table

WINDOW = {"first": date(2006, 3, 1), "last": date(2006, 3, 31), "established": 7 * 86400.0}
COUNTS = {item("term", "red"): 40, item("pair", "red", "shoes"): 20, item("query", "red", "shoes"): 19}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "crowd"
    write_table(path, COUNTS, least=20, **WINDOW)  # type: ignore[arg-type]
    return path


def test_a_table_answers_for_the_items_that_enough_users_had(file: Path) -> None:
    table = CrowdTable(file)
    assert table.enough("term red", 20)
    assert table.enough("term red", 40)
    assert not table.enough("term red", 41)
    assert table.enough("pair red shoes", 20)
    assert not table.enough("pair red shoes", 21)
    assert not table.enough("query red shoes", 20)  # below the least
    assert not table.enough("term blue", 20)
    assert not table.enough("query red", 20)  # another kind is another item


def test_a_table_says_what_it_holds(file: Path) -> None:
    table = CrowdTable(file)
    assert (table.least, table.first, table.last, table.established) == (20, *WINDOW.values())
    assert table.kinds() == {kind: int(kind in ("term", "pair")) for kind in KINDS}
    assert len(table.version) == 64


@given(
    counts=st.dictionaries(st.sampled_from(sorted(items_of("a b c d e f g h i j k"))), st.integers(0, 30)),
    least=st.integers(2, 20),
    more=st.integers(0, 20),
)
def test_a_table_answers_as_the_counts_that_it_was_made_of(
    tmp_path_factory: pytest.TempPathFactory, counts: dict[str, int], least: int, more: int
) -> None:
    path = tmp_path_factory.mktemp("crowd") / "table"
    write_table(path, counts, least=least, **WINDOW)  # type: ignore[arg-type]
    table = CrowdTable(path)
    for one in items_of("a b c d e f g h i j k l"):
        for _ in range(2):  # the second time it may be remembered
            assert table.enough(one, least + more) == (counts.get(one, 0) >= least + more)


def test_many_items_are_all_found_and_no_other(tmp_path: Path) -> None:
    """More than one bucket of the index."""
    counts = {item("query", str(number)): number for number in range(5000)}
    write_table(tmp_path / "t", counts, least=2, **WINDOW)  # type: ignore[arg-type]
    table = CrowdTable(tmp_path / "t")
    assert all(
        table.enough(one, users) and not table.enough(one, users + 1) for one, users in counts.items() if users > 1
    )
    assert not any(table.enough(item("query", f"no {number}"), 2) for number in range(5000))


def test_a_table_of_nothing_has_enough_of_nothing(tmp_path: Path) -> None:
    write_table(tmp_path / "t", {}, least=20, **WINDOW)  # type: ignore[arg-type]
    assert not CrowdTable(tmp_path / "t").enough("term red", 20)


def test_a_larger_count_than_a_table_can_write_is_still_enough(tmp_path: Path) -> None:
    write_table(tmp_path / "t", {"term red": 1 << 40}, least=20, **WINDOW)  # type: ignore[arg-type]
    assert CrowdTable(tmp_path / "t").enough("term red", 1_000_000)


def test_whoever_asks_for_fewer_users_than_a_table_holds_is_told_what_to_do(file: Path) -> None:
    table = CrowdTable(file)
    with pytest.raises(ConfigError, match="give --crowd-users 20 or more, or build it again with"):
        table.check_users(19)
    with pytest.raises(ConfigError, match="at least 20 users"):
        table.enough("term blue", 19)
    assert table.enough("term red", 2)  # so many it has for certain
    with pytest.raises(ConfigError, match="--group-users 20 or more"):
        table.check_users(20, 19)
    table.check_users(20, 20)


def test_a_table_of_other_ladders_is_refused(tmp_path: Path) -> None:
    heading = Heading(20, date(2006, 3, 1), date(2006, 3, 2), 0.0, 1000, {"place": ["city", "country"], "l": ["lang"]})
    write_rows(tmp_path / "t", [], b"k" * 16, heading)
    table = CrowdTable(tmp_path / "t")
    table.check_ladders({"place": ["city", "country"], "l": ["lang"]})
    for other in ({}, {"place": ["country", "city"], "l": ["lang"]}, {"l": ["lang"], "place": ["city", "country"]}):
        with pytest.raises(ConfigError, match="the groups of --generalize 'place=city>country,l=lang': give the same"):
            table.check_ladders(other)


def test_a_table_whose_window_ended_long_ago_is_told(file: Path) -> None:
    table = CrowdTable(file)
    end = datetime(2006, 3, 31, tzinfo=UTC).timestamp()
    assert table.age_remark(end) == ""
    assert table.age_remark(end - 1e8) == ""  # records from before: a log that is read again
    assert table.age_remark(end + LONG_AGO * 86400) == ""
    assert "36 days ago" in table.age_remark(end + (LONG_AGO + 1) * 86400)


def test_two_tables_of_the_same_counts_have_keys_of_their_own(file: Path, tmp_path: Path) -> None:
    write_table(tmp_path / "other", COUNTS, least=20, **WINDOW)  # type: ignore[arg-type]
    assert CrowdTable(file).version != CrowdTable(tmp_path / "other").version


def test_a_copy_of_a_table_is_the_same_table(file: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").write_bytes(file.read_bytes())
    assert CrowdTable(file).version == CrowdTable(tmp_path / "copy").version


def test_a_child_process_reads_the_table_of_its_parent(file: Path) -> None:
    table = CrowdTable(file)
    child = os.fork()
    if not child:
        os._exit(0 if table.enough("term red", 40) and not table.enough("term red", 41) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert table.enough("pair red shoes", 20)


def test_no_text_is_in_a_table_or_its_repr(tmp_path: Path) -> None:
    word = "unmistakable"  # chance writes a shorter one into the hashes of one table in many thousand
    write_table(tmp_path / "t", {item("term", word): 40}, least=20, **WINDOW)  # type: ignore[arg-type]
    assert word.encode() not in (tmp_path / "t").read_bytes()
    table = CrowdTable(tmp_path / "t")
    assert table.enough(f"term {word}", 20)
    assert word not in repr(table)
    assert word not in repr(Numbers(b"k" * 16))


def test_a_file_that_is_cut_short_grown_or_changed_anywhere_is_refused(file: Path) -> None:
    whole = file.read_bytes()
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        with pytest.raises(ConfigError):
            CrowdTable(file)
    file.write_bytes(whole + b"\0")
    with pytest.raises(ConfigError, match="damaged"):
        CrowdTable(file)
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(ConfigError):
            CrowdTable(file)


def test_what_is_no_table_is_refused_with_what_to_do(tmp_path: Path) -> None:
    for name, content, said in (("empty", b"", "it is empty"), ("log", b"AnonID\tQuery\n", "is no crowd table")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ConfigError, match=f"{said}.*querymix crowd build"):
            CrowdTable(tmp_path / name)
    with pytest.raises(ConfigError, match=r"No such file.*querymix crowd build"):
        CrowdTable(tmp_path / "absent")
    with pytest.raises(ConfigError, match=r"directory.*querymix crowd build"):
        CrowdTable(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigError, match=r"no regular file.*querymix crowd build"):
        CrowdTable(tmp_path / "pipe")


def test_of_two_that_write_one_table_at_once_each_writes_a_whole_one(tmp_path: Path) -> None:
    path = tmp_path / "t"
    least = {"term red": 20}

    def rows() -> Iterator[tuple[int, int]]:
        write_table(path, least, least=20, **WINDOW)  # type: ignore[arg-type]  # another process, meanwhile
        assert CrowdTable(path).kinds()["term"] == 1
        yield from ()

    heading = Heading(20, WINDOW["first"], WINDOW["last"], WINDOW["established"])  # type: ignore[arg-type]
    write_rows(path, rows(), bytes(16), heading)
    assert CrowdTable(path).kinds()["term"] == 0
    assert [one.name for one in tmp_path.iterdir()] == ["t"]


@pytest.mark.parametrize(("name", "said"), [("FORMAT", "format 2"), ("COUNTED", "counting 2")])
def test_a_table_of_another_version_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, said: str
) -> None:
    monkeypatch.setattr("querymix.crowd.writing." + name, getattr(layout, name) + 1)
    write_table(tmp_path / "t", COUNTS, least=20, **WINDOW)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=f"{said}, this querymix reads 1: build it again"):
        CrowdTable(tmp_path / "t")


def test_a_table_is_written_whole_or_not_at_all(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file.read_bytes()

    def fail(_: int) -> None:
        raise OSError("no space")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="no space"):
        write_table(file, {}, least=20, **WINDOW)  # type: ignore[arg-type]
    assert file.read_bytes() == before
