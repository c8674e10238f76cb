"""A source gives every log of its files, whole and by time, round after round, and says what it could not read."""

import gzip
import json
from collections import Counter
from itertools import chain, islice
from pathlib import Path

import faker  # noqa: F401 - the made-up log needs it, so without it the module is skipped
import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.errors import ConfigError

from loadtest.replay.logs import Log
from loadtest.replay.source import LogFiles, spread
from loadtest.synthesize import HEADER, synthesize


def every(source: LogFiles, most: int | None = None) -> list[Log]:
    """Return its records, or the first of them."""
    return list(islice(chain.from_iterable(source.batches()), most))


@pytest.fixture
def two(tmp_path: Path) -> list[str]:
    """Return two files, one packed, each sorted by user."""
    plain, packed = tmp_path / "a.tsv", tmp_path / "b.tsv.gz"
    plain.write_text("\n".join(synthesize(700, 40, 1)) + "\n")
    packed.write_bytes(gzip.compress(("\n".join(synthesize(500, 30, 2)) + "\n").encode()))
    return [str(plain), str(packed)]


def test_files_are_merged_by_time_and_no_line_changes(two: list[str]) -> None:
    with LogFiles(two) as source:
        logs = every(source)
        assert source.total == len(logs) == 1_200
    assert [log[0] for log in logs] == sorted(log[0] for log in logs)
    lines = list(synthesize(700, 40, 1))[1:] + list(synthesize(500, 30, 2))[1:]
    assert Counter(log[2].decode() for log in logs) == Counter(lines)
    assert all(line.startswith(user + b"\t") for _, user, line in logs)


def test_in_order_of_input_nothing_is_sorted(two: list[str]) -> None:
    with LogFiles(two, order="input") as source:
        assert source.total is None
        lines = [log[2].decode() for log in every(source)]
    assert lines == list(synthesize(700, 40, 1))[1:] + list(synthesize(500, 30, 2))[1:]


@pytest.mark.parametrize("order", ["time", "input"])
def test_each_round_has_new_users_and_later_times(two: list[str], order: str) -> None:
    with LogFiles(two, order="time" if order == "time" else "input", loop=True) as source:
        assert source.total is None
        logs = source.fill(every(source, 3_600), [0.0] * 3_600, 0.0)
        assert source.rounds == 3
    rounds = [logs[start : start + 1_200] for start in (0, 1_200, 2_400)]
    users = [{log[1] for log in one} for one in rounds]
    assert len(set.union(*users)) == 3 * len(users[0])
    assert max(log[0] for log in rounds[0]) < min(log[0] for log in rounds[1])
    texts = [[line.split(b"\t")[1] for _, _, line in one] for one in rounds]
    assert texts[0] == texts[1] == texts[2]
    assert all(line.startswith(user + b"\t") for _, user, line in logs)
    times = [line.split(b"\t")[2] for _, _, line in logs]
    if order == "time":
        assert times == sorted(times), "the times that are written go on over the rounds"


def test_a_round_has_the_users_of_the_log_first(two: list[str]) -> None:
    with LogFiles(two, loop=True) as source:
        looped = source.fill(every(source, 1_200), [0.0] * 1_200, 0.0)
    with LogFiles(two) as source:
        assert looped == every(source)


def test_times_now_are_when_each_log_is_due(two: list[str]) -> None:
    with LogFiles(two, times="now") as source:
        logs = every(source)
        filled = source.fill(logs, [float(place) for place in range(len(logs))], 1_700_000_000.0)
    assert [line.split(b"\t")[2] for _, _, line in filled[:2]] == [b"2023-11-14 22:13:20", b"2023-11-14 22:13:21"]


@pytest.mark.parametrize("templates", [False, True])
def test_rows_that_cannot_be_read_are_left_out_and_the_first_is_named(tmp_path: Path, templates: bool) -> None:
    path = tmp_path / "log.tsv"
    path.write_bytes(
        b"\n\xef\xbb\xbf1\ta\t2006-03-01 00:00:01\n"
        + HEADER.encode()
        + b"\nno\tlog\n2\t\xff\t2006-03-01 00:00:00\t\t\n"
        b"3\ta\t2006-13-01 00:00:00\t\t\n4\ta\0\t2006-03-01 00:00:00\t\t\n5\tb\t2006-03-01 00:00:02\t1"
    )
    with LogFiles([str(path)], times="now" if templates else "kept") as source:
        logs = source.fill(every(source), [0.0] * 3, 0.0)
        assert [log[1] for log in logs] == [b"2", b"1", b"5"]
        assert source.refused == 4
        assert source.first_refusal
        assert source.first_refusal.line == 1
        assert not source.remarks
    if not templates:
        assert logs[0][2] == b"2\t\xff\t2006-03-01 00:00:00\t\t"
        assert logs[1][2] == b"1\ta\t2006-03-01 00:00:01"


def test_json_lines_are_told_by_their_first_line_and_merged_with_the_aol_form(tmp_path: Path) -> None:
    lines, rows = tmp_path / "a.jsonl", tmp_path / "b.tsv"
    lines.write_text("\n" + json.dumps({"uid": 7, "user": 1, "q": "a", "time": 1141171201}) + "\n")
    rows.write_text("8\tb\t2006-03-01 00:00:00\t\t\n")
    with LogFiles([str(lines), str(rows)], fields={"user": "uid", "query": "q"}) as source:
        assert [log[:2] for log in every(source)] == [(1141171200.0, b"8"), (1141171201.0, b"7")]


def test_numbers_that_leave_no_room_for_new_ones_are_refused_at_the_second_round(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"user": 10**17, "query": "a", "time": 1141171201}) + "\n")
    with LogFiles([str(path)], loop=True) as source, pytest.raises(ConfigError, match="64 bits"):
        every(source, 2)


@pytest.mark.parametrize("content", ["", HEADER, "\n\n", "a,b,c\n", "[\n"])
@pytest.mark.parametrize("order", ["time", "input"])
def test_a_file_without_logs_is_a_clear_error(tmp_path: Path, content: str, order: str) -> None:
    path = tmp_path / "log"
    path.write_text(content)

    def read() -> None:
        with LogFiles([str(path)], order="time" if order == "time" else "input") as source:
            every(source)

    with pytest.raises(ConfigError, match="there are no records in"):
        read()


def test_a_file_that_ends_before_its_end_gives_what_could_be_read_and_a_remark(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv.gz"
    whole = gzip.compress(("\n".join(synthesize(5_000, 40, 1)) + "\n").encode())
    path.write_bytes(whole[: len(whole) // 2])
    with LogFiles([str(path)]) as source:
        assert 0 < len(every(source)) < 5_000
        assert len(source.remarks) == 1


@given(
    st.lists(st.integers(0, 30) | st.floats(0, 30), max_size=60).map(sorted), st.lists(st.integers(1, 9), max_size=9)
)
def test_logs_of_one_second_are_spread_over_it_whatever_the_batches(ats: list[float], cuts: list[int]) -> None:
    logs = [(float(at), b"", b"%d" % place) for place, at in enumerate(ats)]
    batches, rest = [], logs
    for cut in [*cuts, len(logs)]:
        batches.append(rest[:cut])
        rest = rest[cut:]
    found = list(chain.from_iterable(spread(one for one in batches if one)))
    assert [log[2] for log in found] == [log[2] for log in logs]
    assert all(
        new[0] == old[0] or (old[0] % 1 == 0 and int(new[0]) == old[0]) for new, old in zip(found, logs, strict=True)
    )
    whole = Counter(at for at in ats if at % 1 == 0)
    for second, number in whole.items():
        same = [new[0] for new, old in zip(found, logs, strict=True) if old[0] == second]
        assert same == [second + place / number for place in range(number)]
