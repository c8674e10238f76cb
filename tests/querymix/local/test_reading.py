"""Inputs give the same lines however their bytes arrive, and all that can be read of them."""

import fcntl
import gzip
import os
import random
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from querymix.codecs.aol import HEADER, AolCodec
from querymix.codecs.base import LONGEST_LINE, Decoded
from querymix.core.errors import ConfigError
from querymix.core.records import MAX_REFUSED, Query, Refusal, Release
from querymix.local.external_sort import BATCH
from querymix.local.reading import Batch, Damage, Input
from querymix.local.sources import in_time_order
from querymix.local.unpacking import BLOCK

TIME = "2006-03-01 07:17:12"
PACKETS = 200
"""Pieces that a pipe of the largest size can hold."""


class Lines:
    """A codec that takes every line for a query and keeps where it stood."""

    format = "lines"

    def header(self, line: str) -> bool:
        """Lines have no header."""
        return False

    def heading(self, line: str) -> str:
        """Lines have no header."""
        return line

    def whole(self, block: bytes) -> int:
        """Each line is a record."""
        return len(block)

    def decode(self, lines: Sequence[str], source: str, first: int) -> Decoded:
        """Keep the lines."""
        return Decoded([Query(source, line, "", float(number)) for number, line in enumerate(lines, first)], [])

    def encode(self, releases: Iterable[Release]) -> list[str]:
        """Write nothing."""
        return []


def text_of(source: Input) -> list[tuple[int, str]]:
    """Return every line with its number."""
    return [(int(query.at), query.text) for batch in source.batches(Lines()) for query in batch.queries]


def read(path: Path, **options: Any) -> tuple[list[Query], list[Refusal], Input]:
    """Read a file of AOL lines to its end."""
    source = Input(str(path))
    batches = list(source.batches(AolCodec(**options)))
    return [q for batch in batches for q in batch.queries], [r for batch in batches for r in batch.refusals], source


def through_a_pipe(pieces: Sequence[bytes]) -> Input:
    """Return an input that reads exactly these pieces, one at a time: a Linux pipe in packet mode."""
    ours, theirs = os.pipe2(os.O_DIRECT)
    fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, 1 << 20)
    source = Input(f"/dev/fd/{ours}")
    os.close(ours)
    for piece in pieces:
        os.write(theirs, piece)
    os.close(theirs)
    return source


def expected_lines(content: bytes) -> list[tuple[int, str]]:
    """Return what a plain reading makes of the content."""
    lines = re.split(rb"\r\n|\r|\n", content)
    if not lines[-1]:
        lines.pop()
    return [(n, line.decode("utf-8", "surrogateescape")) for n, line in enumerate(lines, 1)]


def log(*texts: str) -> bytes:
    """Return AOL lines with these queries."""
    return "".join(f"142\t{text}\t{TIME}\t\t\n" for text in texts).encode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reading")


contents = st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\n", b"\r\n", b"\r", b"\xc3\xa9", b"\xff", b"\t"]))


@settings(deadline=None, max_examples=300)
@given(contents.map(b"".join), st.data())
@example(b"a\r\nb\r", None)
def test_any_split_into_blocks_gives_the_same_lines(content: bytes, data: st.DataObject | None) -> None:
    places = st.lists(st.integers(0, len(content)), max_size=PACKETS // 2)
    cuts = sorted({0, len(content), *(data.draw(places) if data else range(len(content)))})
    pieces = [content[begin:end] for begin, end in pairwise(cuts)]
    source = through_a_pipe(pieces)
    assert text_of(source) == expected_lines(content)
    assert source.newline == ("\r\n" if re.match(rb"[^\r\n]*\r\n", content) else "\n")
    assert source.damage is None


@settings(deadline=None)
@given(contents.map(b"".join))
def test_a_file_and_a_gzip_file_give_the_same_lines_as_a_pipe(folder: Path, content: bytes) -> None:
    (folder / "plain").write_bytes(content)
    (folder / "packed").write_bytes(gzip.compress(content, mtime=0))
    assert text_of(Input(str(folder / "plain"))) == expected_lines(content)
    assert text_of(Input(str(folder / "packed"))) == expected_lines(content)


def test_a_file_of_many_blocks_gives_all_its_lines(folder: Path) -> None:
    content = b"".join(b"%d" % number * (number % 90) + b"\n" for number in range(60_000))
    assert len(content) > 2 * BLOCK
    path = folder / "many"
    path.write_bytes(content)
    assert text_of(Input(str(path))) == expected_lines(content)
    path.write_bytes(gzip.compress(content, 1, mtime=0))
    assert text_of(Input(str(path))) == expected_lines(content)


def test_several_gzip_members_are_read_as_one_log(folder: Path) -> None:
    path = folder / "members.gz"
    path.write_bytes(gzip.compress(log("one")) + gzip.compress(log("two")))
    queries, refusals, source = read(path)
    assert [query.text for query in queries] == ["one", "two"]
    assert not refusals
    assert source.damage is None


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends_and_a_missing_last_one_change_no_record(folder: Path, end: str, last: bool) -> None:
    path = folder / "ends"
    text = end.join([HEADER, f"1\tone\t{TIME}", f"2\ttwo\t{TIME}\t1\thttp://example.com"]) + end * last
    path.write_bytes(text.encode())
    queries, refusals, source = read(path)
    assert [tuple(query[:3]) for query in queries] == [("1", "one", TIME), ("2", "two", TIME)]
    assert queries[1].url == "http://example.com"
    assert not refusals
    assert source.newline == end
    assert source.header == HEADER


@pytest.mark.parametrize("content", [b"", gzip.compress(b"", mtime=0)])
def test_an_empty_file_has_no_lines_and_no_damage(folder: Path, content: bytes) -> None:
    (folder / "empty").write_bytes(content)
    queries, refusals, source = read(folder / "empty")
    assert not queries
    assert not refusals
    assert source.damage is None
    assert source.header is None


def test_a_log_without_a_header_has_none(folder: Path) -> None:
    (folder / "bare").write_bytes(log("one") + HEADER.encode() + b"\n")
    queries, refusals, source = read(folder / "bare")
    assert len(queries) == 1
    assert not refusals
    assert source.header is None


@pytest.mark.parametrize("size", [LONGEST_LINE + 1, 4 * LONGEST_LINE + 7, BLOCK - 3, BLOCK, 3 * BLOCK])
@pytest.mark.parametrize("packed", [False, True])
def test_an_overlong_line_is_refused_under_its_number_and_those_after_it_keep_theirs(
    folder: Path, size: int, packed: bool
) -> None:
    path = folder / "overlong"
    content = log("one", "x" * size, "two") + b"bad\n" + log("y" * size) + b"worse"
    path.write_bytes(gzip.compress(content, 1, mtime=0) if packed else content)
    queries, refusals, _ = read(path)
    assert [query.text for query in queries] == ["one", "two"]
    assert [refusal.line for refusal in refusals] == [2, 4, 5, 6]
    assert "longer than" in refusals[0].reason
    assert "longer than" in refusals[2].reason
    assert "fields" in refusals[1].reason
    assert all(len(refusal.raw) <= MAX_REFUSED for refusal in refusals)
    assert refusals[0].raw.startswith(b"142\txxx")


@pytest.mark.parametrize("begin", [0, 1, 2, BLOCK - 40, BLOCK - 1, BLOCK, BLOCK + 1])
def test_an_overlong_line_is_refused_wherever_it_begins_in_a_block(folder: Path, begin: int) -> None:
    """The lines before it are as long as lines may be, and one short one that makes up the rest."""
    full, rest = divmod(begin, LONGEST_LINE)
    before = [b"s" * (LONGEST_LINE - 1)] * full + [b"s" * (rest - 1)] * bool(rest)
    path = folder / "shifted"
    path.write_bytes(b"".join(line + b"\n" for line in before) + b"x" * BLOCK + b"\n" + log("one", "two"))
    queries, refusals, _ = read(path)
    assert [query.text for query in queries] == ["one", "two"]
    assert [refusal.line for refusal in refusals] == list(range(1, len(before) + 2))
    assert ["longer than" in refusal.reason for refusal in refusals] == [False] * len(before) + [True]


def test_an_overlong_last_line_without_an_end_is_refused(folder: Path) -> None:
    (folder / "open").write_bytes(log("one") + b"x" * (2 * BLOCK))
    queries, refusals, _ = read(folder / "open")
    assert len(queries) == 1
    assert [refusal.line for refusal in refusals] == [2]


def test_the_longest_line_that_is_taken_comes_whole_even_at_four_bytes_a_character(folder: Path) -> None:
    text = "\U0001f600" * (LONGEST_LINE - len(f"142\t\t{TIME}\t\t"))
    for packed in (False, True):
        content = log("one", text, text + "x", "two")
        (folder / "wide").write_bytes(gzip.compress(content, mtime=0) if packed else content)
        queries, refusals, _ = read(folder / "wide", longest_query=LONGEST_LINE)
        assert [query.text for query in queries] == ["one", text, "two"]
        assert [refusal.line for refusal in refusals] == [3]


def test_a_line_with_a_nul_is_refused_and_its_neighbours_are_not(folder: Path) -> None:
    (folder / "nul").write_bytes(log("one", "t\0wo", "three") + b"\0" * 100 + b"\n")
    queries, refusals, _ = read(folder / "nul")
    assert [query.text for query in queries] == ["one", "three"]
    assert [(refusal.line, refusal.reason) for refusal in refusals] == [
        (n, "the line holds a NUL byte") for n in (2, 4)
    ]


def incompressible(lines: int) -> bytes:
    """Return AOL lines that gzip cannot make much smaller."""
    generator = random.Random(5)
    return log(*(f"{generator.getrandbits(256):x}" for _ in range(lines)))


@pytest.mark.parametrize("lines", [40, 40_000])
def test_a_cut_gzip_file_gives_all_its_whole_lines_then_damage_and_its_torn_line(folder: Path, lines: int) -> None:
    content = incompressible(lines)
    packed = gzip.compress(content, mtime=0)
    packed = packed[: len(packed) * 3 // 4]
    legible = zlib.decompressobj(31).decompress(packed)
    assert content.startswith(legible)
    assert len(legible) > len(content) // 2
    path = folder / "cut.gz"
    path.write_bytes(packed)
    queries, refusals, source = read(path)
    assert len(queries) == legible.count(b"\n")
    assert source.damage is not None
    assert source.damage.source == str(path)
    assert "gzip" in source.damage.reason
    torn = legible.rpartition(b"\n")[2]
    assert [(refusal.line, refusal.raw) for refusal in refusals] == ([(len(queries) + 1, torn)] if torn else [])
    assert all(refusal.reason == "the input ends inside this line" for refusal in refusals)


def test_a_gzip_file_with_a_wrong_checksum_gives_its_lines_then_damage(folder: Path) -> None:
    packed = bytearray(gzip.compress(log("one", "two")))
    packed[-8] ^= 0xFF
    (folder / "wrong.gz").write_bytes(packed)
    queries, refusals, source = read(folder / "wrong.gz")
    assert [query.text for query in queries] == ["one", "two"]
    assert not refusals
    assert isinstance(source.damage, Damage)


def test_a_gzip_file_with_rubbish_behind_it_gives_its_lines_then_damage(folder: Path) -> None:
    (folder / "rubbish.gz").write_bytes(gzip.compress(log("one", "two")) + b"rubbish")
    queries, _, source = read(folder / "rubbish.gz")
    assert [query.text for query in queries] == ["one", "two"]
    assert isinstance(source.damage, Damage)


def test_a_file_that_only_begins_like_gzip_is_damage_and_no_crash(folder: Path) -> None:
    (folder / "fake.gz").write_bytes(b"\x1f\x8b" + b"not gzip at all" * 10)
    queries, refusals, source = read(folder / "fake.gz")
    assert not queries
    assert not refusals
    assert isinstance(source.damage, Damage)


def test_a_directory_is_an_operators_mistake(folder: Path) -> None:
    with pytest.raises(ConfigError, match="is a directory: name the files in it"):
        Input(str(folder))


def test_a_missing_file_is_an_operators_mistake(folder: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        Input(str(folder / "missing"))


def test_a_file_knows_its_size_its_identity_and_how_far_it_was_read(folder: Path) -> None:
    path = folder / "sized"
    path.write_bytes(log("one"))
    source = Input(str(path))
    assert source.regular
    assert source.size == path.stat().st_size
    assert source.identity == [str(path), source.size, path.stat().st_mtime_ns]
    assert source.position == 0, "a look at the first bytes moves nothing"
    list(source.batches(AolCodec()))
    assert source.position == source.size


def test_what_came_through_a_pipe_is_handed_on_before_the_pipe_ends() -> None:
    ours, theirs = os.pipe()
    source = Input(f"/dev/fd/{ours}")
    os.close(ours)
    assert not source.regular
    batches = source.batches(AolCodec())
    for text in ("one", "two"):
        os.write(theirs, log(text))
        assert [query.text for query in next(batches).queries] == [text]
    os.close(theirs)
    assert list(batches) == []


moments = st.lists(st.lists(st.sampled_from([0.0, -1.0, 1.5, 1.25e9, 2.0]), max_size=6), max_size=6)


def batches_of(times: list[list[float]]) -> tuple[list[Batch], list[Query]]:
    """Return batches with these times, every other one with a refusal, and all their queries in order."""
    numbers = iter(range(10_000))
    batches = [
        Batch(
            [
                Query(
                    "\udc80",
                    f"caf\udce9 {next(numbers)}",
                    at,
                    at,
                    None,
                    "",
                    (True, ("a", "b"), (None, [1, {"x": 2.5}])),
                )
                for at in batch
            ],
            [Refusal("log.tsv", place, "the rule")] if place % 2 else [],
        )
        for place, batch in enumerate(times, 1)
    ]
    return batches, [query for batch in batches for query in batch.queries]


@settings(deadline=None)
@given(moments, st.sampled_from([0, 1, 5, 1000]))
def test_time_order_is_the_same_in_memory_and_on_disk_and_stable(times: list[list[float]], most: int) -> None:
    batches, queries = batches_of(times)
    ordered = list(in_time_order(iter(batches), most_in_memory=most))
    assert [query for batch in ordered for query in batch.queries] == sorted(queries, key=lambda query: query.at)
    assert [refusal for batch in ordered for refusal in batch.refusals] == [r for b in batches for r in b.refusals]
    assert all(type(query) is Query for batch in ordered for query in batch.queries)


@pytest.mark.parametrize("moments", [1, 3, 50, 10**6])
def test_long_runs_of_equal_times_are_merged_in_their_order(moments: int) -> None:
    rng = random.Random(moments)
    queries = [Query("u", str(number), "", float(rng.randrange(moments))) for number in range(20_000)]
    batches = [Batch(queries[start : start + 700], []) for start in range(0, len(queries), 700)]
    ordered = [query for batch in in_time_order(batches, most_in_memory=6_000) for query in batch.queries]
    assert ordered == sorted(queries, key=lambda query: query.at)


@pytest.mark.parametrize("most", [0, 10**6])
def test_what_was_put_in_order_comes_in_batches_of_the_same_size(most: int) -> None:
    queries = [Query("u", "text", "", float(-number)) for number in range(2 * BATCH + 1)]
    ordered = list(in_time_order([Batch(queries, [])], most_in_memory=most))
    assert [len(batch.queries) for batch in ordered] == [BATCH, BATCH, 1]


@pytest.mark.parametrize("most", [0, 10**6])
def test_refusals_come_before_any_query_and_as_they_are_met(most: int) -> None:
    read_so_far = []

    def source() -> Iterator[Batch]:
        for place in range(3):
            read_so_far.append(place)
            yield Batch([Query("u", "text", "", 0.0)], [Refusal("log.tsv", place, "the rule")])

    ordered = in_time_order(source(), most_in_memory=most)
    assert next(ordered).refusals
    assert read_so_far == [0]
    assert [bool(batch.queries) for batch in ordered] == [False, False, True]


def test_the_clock_ticks_once_a_batch_read() -> None:
    ticks: list[int] = []
    batches, _ = batches_of([[1.0], [0.0], [2.0]])
    for most in (0, 10**6):
        ticks.clear()
        list(in_time_order(batches, lambda: ticks.append(1), most_in_memory=most))
        assert len(ticks) == 3


def open_in(folder: Path) -> list[str]:
    """Return the files of a folder that this process holds open; others come and go by the garbage of earlier tests."""
    names = []
    for fd in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the one that lists them is gone
            names.append(str(fd.readlink()))
    return [name for name in names if name.startswith(f"{folder}/")]


def test_a_file_is_held_open_only_while_it_is_read(tmp_path: Path) -> None:
    paths = [tmp_path / f"{n}.tsv" for n in range(3)]
    for path in paths:
        path.write_text("a\nb\n")
    sources = [Input(str(path)) for path in paths]
    assert open_in(tmp_path) == []
    assert [source.position for source in sources] == [0, 0, 0]
    first = sources[0].batches(Lines())
    next(first)
    assert open_in(tmp_path) == [str(paths[0])]
    assert list(first) == []
    assert open_in(tmp_path) == []
    assert [text_of(source) for source in sources[1:]] == [[(1, "a"), (2, "b")]] * 2
    assert [source.position for source in sources] == [4, 4, 4]
    assert open_in(tmp_path) == []


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_that_is_gone_when_it_is_to_be_read_is_damaged_and_the_run_goes_on(
    tmp_path: Path, replaced: bool
) -> None:
    path = tmp_path / "log.tsv"
    path.write_text("a\n")
    source = Input(str(path))
    path.rename(tmp_path / "moved")
    if replaced:
        path.write_text("another\n")
    assert text_of(source) == []
    why = "another file has its name now" if replaced else "No such file or directory"
    assert source.damage == Damage(str(path), f"cannot be opened again: {why}")
    assert source.position == source.size
