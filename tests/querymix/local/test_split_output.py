"""One file a day or a category: each line in its file, with a header, under few open files."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.codecs.record_times import moment
from querymix.core.errors import ConfigError
from querymix.core.records import POOL_NAMES, UNCLASSIFIED, Query, Release
from querymix.local.split_output import SplitOutput, common_name, files_there, is_split, may_be

from tests.querymix.local.test_reading import open_in


def release(time: str | int, pool: int = 0, *, own: str | int = "2005-01-01 00:00:00") -> Release:
    query = Query("1", "golf", own, moment(own))
    return Release("2", pool, query, pool, Query("", "", time, moment(time)), 20)


def write(output: SplitOutput, releases: Sequence[Release], header: str | None = "head") -> None:
    lines = [f"{number}" for number in range(len(releases))]
    output.write(output.pack(lines, releases, header, "\n"))


def test_each_line_is_in_the_file_of_its_day_and_pool_with_a_header(tmp_path: Path) -> None:
    name = str(tmp_path / "{date}" / "{category}.tsv")
    with closing(SplitOutput(name, own_time=False, precision=None)) as output:
        some = [
            release("2006-03-01 23:59:59"),
            release("2006-03-02 00:00:00"),
            release("2006-03-01 00:00:00", UNCLASSIFIED),
        ]
        write(output, some)
        write(output, some[:1])
        output.finish()
    found = {str(path.relative_to(tmp_path)): path.read_text() for path in tmp_path.rglob("*.tsv")}
    assert found == {
        "2006-03-01/Adult.tsv": "head\n0\n0\n",
        "2006-03-02/Adult.tsv": "head\n1\n",
        "2006-03-01/Unclassified.tsv": "head\n2\n",
    }


@pytest.mark.parametrize(
    ("time", "precision", "day"),
    [
        ("2006-03-01T23:30:00-05:00", None, "2006-03-02"),
        (" 2006-03-01 ", None, "2006-03-01"),
        ("2006/03/01 23:30:00 -0500", None, "2006-03-02"),
        ("01/Mar/2006:23:30:00 -0500", None, "2006-03-02"),
        (1_141_257_600, None, "2006-03-02"),
        ("1141257600000", None, "2006-03-02"),
        (1_141_257_600, 172_800.0, "2006-03-01"),
        ("2006-03-02 01:00:00", 172_800.0, "2006-03-01"),
    ],
)
def test_the_day_is_that_of_the_released_time_in_utc(
    tmp_path: Path, time: str | int, precision: float | None, day: str
) -> None:
    with closing(SplitOutput(str(tmp_path / "{date}"), own_time=False, precision=precision)) as output:
        assert output.files_of([release(time)]) == [str(tmp_path / day)]


def test_each_row_of_a_query_goes_by_its_own_time_where_that_is_released(tmp_path: Path) -> None:
    rows = release("2007-01-01 00:00:00", own="2006-03-01 23:59:59")
    time = "2006-03-02 00:00:00"
    rows = rows._replace(further=(Query("1", "golf", time, moment(time)),))
    for own, days in ((True, ["2006-03-01", "2006-03-02"]), (False, ["2007-01-01"] * 2)):
        with closing(SplitOutput(str(tmp_path / "{date}"), own_time=own, precision=None)) as output:
            assert [Path(file).name for file in output.files_of([rows])] == days


def test_no_more_files_are_open_than_allowed_and_all_are_whole(tmp_path: Path) -> None:
    with closing(SplitOutput(str(tmp_path / "{date}"), own_time=False, precision=None, most_open=3)) as output:
        some = [release(f"2006-03-{day:02d} 00:00:00") for day in range(1, 29)]
        for _ in range(3):
            write(output, some)
            assert 0 < len(open_in(tmp_path)) <= 3
        output.sync()
        output.finish()
    assert [(tmp_path / f"2006-03-{day:02d}").read_text() for day in range(1, 29)] == [
        f"head\n{day}\n{day}\n{day}\n" for day in range(28)
    ]


def test_files_of_an_earlier_run_are_not_replaced_and_with_a_state_added_to(tmp_path: Path) -> None:
    name, there = str(tmp_path / "{date}.tsv"), tmp_path / "2006-03-01.tsv"
    there.write_text("old\n")
    with pytest.raises(ConfigError, match="is there already"):
        SplitOutput(name, own_time=False, precision=None)
    with closing(SplitOutput(name, own_time=False, precision=None, add=True)) as output:
        write(output, [release("2006-03-01 00:00:00")])
        output.finish()
    assert there.read_text() == "old\n0\n"


@pytest.mark.parametrize(
    ("name", "split"), [("out.tsv", False), ("{date}", True), ("a{b", False), ("{category}{date}", True)]
)
def test_a_name_with_placeholders_is_known(name: str, *, split: bool) -> None:
    assert is_split(name) == split


@pytest.mark.parametrize("name", ["{day}", "{}", "{Date}", "{date}-{hour}"])
def test_an_unknown_placeholder_is_refused_with_those_that_exist(name: str) -> None:
    with pytest.raises(ConfigError, match=r"is no placeholder; there are \{date\} and \{category\}"):
        is_split(name)


@given(st.dates(), st.sampled_from(sorted(POOL_NAMES.values())))
def test_every_file_that_a_name_stands_for_is_known_as_one(day: object, category: str) -> None:
    name = "out.d/{category}-(x)*{date}.tsv"
    assert may_be(name, name.replace("{date}", str(day)).replace("{category}", category))


@pytest.mark.parametrize(
    "other", ["out-2006-03-01.tsv.refused", "out-all.tsv", "out-2006-3-1.tsv", "xout-2006-03-01.tsv"]
)
def test_other_files_are_not(tmp_path: Path, other: str) -> None:
    (tmp_path / other).write_text("something")
    (tmp_path / "out-2006-03-01.tsv").write_text("")
    name = str(tmp_path / "out-{date}.tsv")
    assert not may_be(name, str(tmp_path / other))
    assert not files_there(name), "an empty file is nothing that is lost"
    (tmp_path / "out-2006-03-02.tsv").write_text("one")
    assert files_there(name) == [str(tmp_path / "out-2006-03-02.tsv")]
    assert common_name(name) == str(tmp_path / "out-all.tsv")
