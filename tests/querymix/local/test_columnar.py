"""Parquet and Arrow files: what is read of their rows, and that what was written is read again."""

import io
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson
import pytest
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.codecs.recognize import AOL, Form
from querymix.core.errors import ConfigError
from querymix.local import columnar
from querymix.local.reading import Input

pyarrow = pytest.importorskip("pyarrow", reason="the extra parquet (pyarrow) is not installed")
parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet (pyarrow) is not installed")

AT = datetime(2006, 3, 1, 7, 17, 12, tzinfo=UTC)
ROWS = [
    {"user": 1, "query": "movie posters", "time": AT, "rank": 1.0, "url": "http://a.example"},
    {"user": 2, "query": "guitar chords", "time": AT, "rank": None, "url": None},
]


DAMAGED = """
import sys
from querymix.local.reading import Input
source = Input(sys.argv[1])
class Lines:
    header = staticmethod(lambda line: False)
    whole = staticmethod(len)
print(sum(map(len, source.blocks(Lines))), source.damage.reason)
"""


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file as a run reads them."""
    source = Input(str(path))
    lines = source.first_lines()
    source.close()
    return [orjson.loads(line) for line in lines]


def put(path: Path, table: Any) -> Path:
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
        return path
    stream = pyarrow.ipc.new_stream if path.suffix == ".stream" else pyarrow.ipc.new_file
    with path.open("wb") as file, stream(file, table.schema) as writer:
        writer.write_table(table)
    return path


@pytest.mark.parametrize("ending", [".arrow", ".stream"])
def test_places_that_lead_out_of_a_file_are_damage_and_end_no_process(tmp_path: Path, ending: str) -> None:
    file = put(tmp_path / f"log{ending}", pyarrow.table({"query": ["golf", "tee"]}))
    sound, damaged = struct.pack("<3i", 0, 4, 7), struct.pack("<3i", 0, 1 << 30, 7)
    assert sound in file.read_bytes()
    file.write_bytes(file.read_bytes().replace(sound, damaged))
    done = subprocess.run([sys.executable, "-c", DAMAGED, file], capture_output=True, text=True, check=True)
    assert done.stdout == "0 the Parquet or Arrow file is damaged or of an unknown kind\n"


@pytest.mark.parametrize("ending", [".arrow", ".parquet"])
def test_a_time_that_no_calendar_has_is_damage(tmp_path: Path, ending: str) -> None:
    table = pyarrow.table({"time": pyarrow.array([1 << 60], pyarrow.int64()).cast(pyarrow.timestamp("us"))})
    file = Input(str(put(tmp_path / f"log{ending}", table)))
    assert file.first_lines() == []
    assert list(file.blocks(JsonLinesCodec())) == []
    assert file.damage is not None


@pytest.mark.parametrize(
    "kind", ["duration[us]", "duration[ns]", "time64[us]", "time64[ns]", "month_day_nano_interval"]
)
def test_a_column_of_any_type_that_nobody_has_named_stops_no_run(tmp_path: Path, kind: str) -> None:
    kinds = {"time64[us]": pyarrow.time64("us"), "time64[ns]": pyarrow.time64("ns")}
    column = (
        pyarrow.array([(1, 2, 3)] * 2, pyarrow.month_day_nano_interval())
        if "interval" in kind
        else pyarrow.array([1_001, 2], pyarrow.int64()).cast(kinds.get(kind) or kind)
    )
    table = pyarrow.Table.from_pylist(ROWS).append_column("further", column)
    assert [row["user"] for row in lines_of(put(tmp_path / "log.arrow", table))] == [1, 2]


@pytest.mark.parametrize("ending", [".parquet", ".arrow", ".stream"])
def test_rows_are_read_as_json_lines_whatever_the_file_is_called(tmp_path: Path, ending: str) -> None:
    found = lines_of(put(tmp_path / f"log{ending}", pyarrow.Table.from_pylist(ROWS)))
    assert found == [
        {
            "user": 1,
            "query": "movie posters",
            "time": "2006-03-01T07:17:12+00:00",
            "rank": 1,
            "url": "http://a.example",
        },
        {"user": 2, "query": "guitar chords", "time": "2006-03-01T07:17:12+00:00", "rank": None, "url": None},
    ]


@pytest.mark.parametrize(
    ("array", "value"),
    [
        (lambda: pyarrow.array([1141197432123456789], pyarrow.timestamp("ns")), "2006-03-01T07:17:12.123456"),
        (lambda: pyarrow.array([AT.replace(tzinfo=None)], pyarrow.timestamp("s")), "2006-03-01T07:17:12"),
        (lambda: pyarrow.array([AT], pyarrow.timestamp("ms", "America/New_York")), "2006-03-01T02:17:12-05:00"),
        (lambda: pyarrow.array(["a"]).dictionary_encode(), "a"),
        (lambda: pyarrow.array([b"a"]), "a"),
        (lambda: pyarrow.array([Decimal("1.5")]), "1.5"),
        (lambda: pyarrow.array([{"id": 7}]), {"id": 7}),
        (lambda: pyarrow.array([float("nan")]), None),
        (lambda: pyarrow.array([1.5]), 1.5),
    ],
)
def test_a_value_becomes_what_a_json_log_would_have(tmp_path: Path, array: Any, value: object) -> None:
    assert lines_of(put(tmp_path / "log.parquet", pyarrow.table({"it": array()}))) == [{"it": value}]


@pytest.mark.parametrize("head", [b"PAR1\tgolf\t2006", b"ARROW1\tgolf", b"\xff\xff\xff\xff", b"\xff\xff\xff\xffabcd"])
def test_a_text_that_begins_as_such_a_file_does_is_none(head: bytes) -> None:
    assert not columnar.is_columnar(head)


def test_a_damaged_file_is_told_and_shows_nothing_of_it(tmp_path: Path) -> None:
    path = put(tmp_path / "log.parquet", pyarrow.Table.from_pylist(ROWS))
    path.write_bytes(path.read_bytes()[:-40])
    source = Input(str(path))
    assert list(source._bytes()) == []
    assert source.damage is not None
    assert "damaged" in source.damage.reason


def written(rows: Sequence[dict[str, Any]], name: str = "out.parquet", size: int = 2) -> Any:
    """Write rows, and read them as a table."""
    out = io.BytesIO()

    def batches() -> Iterator[Sequence[dict[str, Any]]]:
        for start in range(0, len(rows), size):
            yield rows[start : start + size]

    columnar.write(name, out, batches)
    data = pyarrow.BufferReader(out.getvalue())
    return parquet.read_table(data) if name.endswith(".parquet") else pyarrow.ipc.open_file(data).read_all()


@pytest.mark.parametrize("name", ["out.parquet", "out.arrow", "out.feather"])
def test_columns_have_the_types_of_their_values_and_the_time_is_one(name: str) -> None:
    ranks = [*5 * [None], 3]
    rows = [
        {"user": f"{n}", "query": "q", "time": "2006-03-01T07:17:12Z", "rank": rank} for n, rank in enumerate(ranks)
    ]
    table = written(rows, name)
    assert [str(field.type) for field in table.schema] == ["string", "string", "timestamp[us, tz=UTC]", "int64"]
    assert table["time"].to_pylist() == [AT] * 6
    assert table["rank"].to_pylist() == [None] * 5 + [3]


def test_values_of_several_types_are_text_and_a_number_of_seconds_stays_one() -> None:
    table = written([{"user": 1, "time": 1141197432}, {"user": "a", "time": 1141197433}, {"user": None, "time": 1}])
    assert table["user"].to_pylist() == ["1", "a", None]
    assert written([{"time": 1141197432}])["time"].to_pylist() == [1141197432]


def test_a_column_that_only_some_rows_have_is_empty_in_the_others() -> None:
    table = written([{"a": 1}, {"a": 1}, {"a": 2, "b": {"c": ["x"]}}])
    assert table["b"].to_pylist() == [None, None, {"c": ["x"]}]


def test_a_log_without_rows_is_a_file_without_rows() -> None:
    assert written([]).num_rows == 0


@pytest.mark.parametrize(
    ("form", "lines", "rows"),
    [
        (Form("json"), b'{"a":1}\n{"a":{"b":2}}\r\n', [{"a": 1}, {"a": {"b": 2}}]),
        (AOL, b"AnonID\tQuery\tQueryTime\n1\tx\t2006\n", [{"AnonID": "1", "Query": "x", "QueryTime": "2006"}]),
        (AOL, b"1\tx\t2006\t\t\tArts\n", [
            {"AnonID": "1", "Query": "x", "QueryTime": "2006", "ItemRank": "", "ClickURL": "", "Category": "Arts"}
        ]),
        (Form("csv", delimiter=";", headed=True), b'a;b\n1;"x;""y"""\n', [{"a": "1", "b": 'x;"y"'}]),
        (Form("tsv", delimiter="\t", headed=True), b'a\tb\n1\t"x\n', [{"a": "1", "b": '"x'}]),
    ],
)  # fmt: skip
def test_released_lines_are_read_as_rows_up_to_a_length(tmp_path: Path, form: Form, lines: bytes, rows: Any) -> None:
    path = tmp_path / "lines"
    path.write_bytes(lines + b"more\n")
    assert list(columnar.table_of(form)(path, len(lines))) == [rows]


@pytest.mark.parametrize("form", [Form("access"), Form("csv", columns=("1", "2")), Form("tsv")])
def test_lines_without_names_are_no_table(form: Form) -> None:
    with pytest.raises(ConfigError, match="this log has none"):
        columnar.table_of(form)


@pytest.mark.parametrize("name", ["out.parquet", "out.arrow", "{category}.parquet"])
def test_a_run_from_columns_to_columns_keeps_names_and_types(querymix: Any, tmp_path: Path, name: str) -> None:
    rows = [{"user": n, "query": "soccer", "time": AT.replace(second=n), "rank": float(n)} for n in range(30)]
    log = put(tmp_path / "log.parquet", pyarrow.Table.from_pylist(rows))
    assert querymix("run", log, "-o", tmp_path / name, "--k", "4", "--reserve", "0", "-q").exit_code == 0
    out = tmp_path / name.format(category="Sports")
    table = parquet.read_table(out) if out.suffix == ".parquet" else pyarrow.ipc.open_file(out.read_bytes()).read_all()
    assert [str(field.type) for field in table.schema] == ["string", "string", "timestamp[us, tz=UTC]", "int64"]
    assert table.num_rows == 26
    assert set(table["user"].to_pylist()) <= set(map(str, range(30)))


def test_columns_are_refused_where_no_table_can_be_made_and_before_anything_is_written(
    querymix: Any, tmp_path: Path
) -> None:
    (tmp_path / "log.csv").write_text("1,soccer,2006-03-01 00:00:00\n")
    result = querymix("run", tmp_path / "log.csv", "-o", tmp_path / "x.parquet", "--fields", "user=1,query=2,time=3")
    assert result.exit_code == 2
    assert "needs names" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["log.csv"]
