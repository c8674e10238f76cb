"""Parquet and Arrow files, read as JSON lines and written from rows. It needs the extra `parquet` (pyarrow).

Rules:
- A small file may hold a page of gigabytes, or a long word of its dictionary in each of many rows. The memory to read
  it is bounded by `MOST_MEMORY` and the file's size.
- What an Arrow file says of places in it is checked before it is followed.
- A row is one JSON object. Times become ISO 8601, without a zone where the column has none; a whole number in a column
  of floats, as dataframes make one of numbers of which some are missing, becomes a whole number again.
- A column that is written has the type of its values, found by looking at all of them; where they differ, text. Texts
  that are all a date and a time become times in UTC.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from io import SEEK_END
from pathlib import Path
from typing import IO, Any, Final

import orjson

from querymix.codecs.aol import HEADER
from querymix.codecs.delimited import fields_of
from querymix.codecs.recognize import Form
from querymix.codecs.record_times import moment
from querymix.core.errors import ConfigError
from querymix.local.memory_limit import MemoryLimit

PARQUET: Final = b"PAR1"
ARROW_FILE: Final = b"ARROW1\0\0"
ARROW_STREAM: Final = b"\xff\xff\xff\xff"
_MOST_SCHEMA: Final = 1 << 24
_ROWS: Final = 4_096
_WRITTEN: Final = 16_384
"""Rows that are read at once, and that are written as one group."""
MOST_MEMORY: Final = 512 << 20
"""Bytes that reading a file may take, and `_BYTES_A_BYTE` more for each of its own: a batch may be all of the file."""
_BYTES_A_BYTE: Final = 4
_BUFFER: Final = 1 << 20
_AOL_NAMES: Final = (*HEADER.split("\t"), "Category")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d[ Tt]\d\d:\d\d", re.ASCII)
Row = Mapping[str, Any]
Reader = Callable[[Path, int], Iterator[Sequence[Row]]]
"""Reads so many bytes of a file of lines as rows."""


def is_columnar(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is one of Parquet or Arrow, and no text that begins so."""
    if head.startswith(ARROW_STREAM):  # then the size of its schema, in eights of bytes
        size = int.from_bytes(head[4:8], "little", signed=True)
        return 0 < size <= _MOST_SCHEMA and size % 8 == 0
    return head.startswith((PARQUET, ARROW_FILE)) and b"\0" in head


def json_lines(file: IO[bytes], head: bytes) -> Iterator[bytes]:
    """Yield the rows of a Parquet or Arrow file as JSON lines.

    Raises ModuleNotFoundError without pyarrow, OSError or ValueError (pyarrow's errors are both) where the file is
    damaged, and MemoryError where its rows take too much memory.
    """
    import pyarrow as arrow  # noqa: PLC0415 - an extra

    arrow.set_memory_pool(arrow.system_memory_pool())  # which asks for no more than is needed
    limit = MemoryLimit(MOST_MEMORY + _BYTES_A_BYTE * file.seek(0, SEEK_END))
    file.seek(0)
    with limit():
        lines = _lines(_batches(file, head, arrow), arrow)
    while True:
        with limit():
            some = next(lines, None)
        if some is None:
            return
        yield some
        del some


def _batches(file: IO[bytes], head: bytes, arrow: Any) -> Iterator[Any]:
    from pyarrow import parquet  # noqa: PLC0415 - an extra

    if head.startswith(PARQUET):
        # Without a buffer a whole row group is read at once.
        table = parquet.ParquetFile(file, pre_buffer=False, buffer_size=_BUFFER)
        yield from table.iter_batches(_ROWS, use_threads=False)
        return
    options = arrow.ipc.IpcReadOptions(use_threads=False)
    if head.startswith(ARROW_FILE):
        reader = arrow.ipc.open_file(file, options=options)
        whole: Iterable[Any] = (reader.get_batch(number) for number in range(reader.num_record_batches))
    else:
        whole = arrow.ipc.open_stream(file, options=options)
    for batch in whole:
        batch.validate(full=True)  # else a place that leads out of it is read, which ends the process
        yield from (batch.slice(start, _ROWS) for start in range(0, batch.num_rows, _ROWS))


def _lines(batches: Iterator[Any], arrow: Any) -> Iterator[bytes]:
    for batch in batches:
        columns = [_plain(batch.column(number), arrow) for number in range(batch.num_columns)]
        names = batch.schema.names
        yield b"".join(
            orjson.dumps(dict(zip(names, row, strict=True)), default=_text, option=orjson.OPT_APPEND_NEWLINE)
            for row in zip(*columns, strict=True)
        )


def _plain(column: Any, arrow: Any) -> Sequence[Any]:
    if arrow.types.is_timestamp(column.type) and column.type.unit == "ns":
        column = column.cast(arrow.timestamp("us", column.type.tz), safe=False)
    values: Sequence[Any]
    try:
        values = column.to_pylist()
    except ValueError:  # parts of a microsecond, which Python has no time of day or span for
        values = column.cast(arrow.int64()).to_pylist()
    if arrow.types.is_floating(column.type):
        return [int(value) if value is not None and value.is_integer() else value for value in values]
    return values


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value)  # a decimal, a span of time: no column that nobody has named is to stop a run


def table_of(form: Form) -> Reader:
    """Return what reads the lines of a form as rows.

    Raises ConfigError where its fields have no names, and ModuleNotFoundError without pyarrow.
    """
    if form.format == "access" or (form.format in ("csv", "tsv") and not form.headed):
        raise ConfigError("a file of columns needs names for them, and this log has none: name the output otherwise")
    if find_spec("pyarrow") is None:
        raise ModuleNotFoundError(name="pyarrow")
    return partial(_rows_of, form)


def _rows_of(form: Form, path: Path, length: int) -> Iterator[list[Row]]:
    """Yield the rows of the lines in the first `length` bytes of a file, many at a time."""
    names: list[str] = []
    with path.open("rb") as lines:
        rows: list[Row] = []
        for line in lines:
            length -= len(line)
            if length < 0:
                break
            text = line.decode("utf-8", "replace").rstrip("\r\n")
            if form.format == "json":
                rows.append(orjson.loads(text))
            elif form.format == "aol":
                if not text.startswith(HEADER[: HEADER.index("\tItemRank")]):
                    rows.append(dict(zip(_AOL_NAMES, text.split("\t"), strict=False)))
            else:
                fields = fields_of(text, form.delimiter, quoted=form.format == "csv")
                if names:
                    rows.append(dict(zip(names, fields, strict=True)))
                else:
                    names = fields
            if len(rows) == _WRITTEN:
                yield rows
                rows = []
        if rows:
            yield rows


def write(name: str, out: IO[bytes], rows: Callable[[], Iterator[Sequence[Row]]]) -> None:
    """Write rows to a file as its name says: Arrow for .arrow and .feather, else Parquet.

    `rows` is called twice, first for the types. Raises ModuleNotFoundError without pyarrow, and OSError where the disk
    fails.
    """
    import pyarrow as arrow  # noqa: PLC0415 - an extra
    from pyarrow import parquet  # noqa: PLC0415

    schema = _schema(rows(), arrow)
    as_arrow = name.lower().endswith((".arrow", ".feather"))
    with arrow.ipc.new_file(out, schema) if as_arrow else parquet.ParquetWriter(out, schema) as writer:
        for some in rows():
            columns = [_column([row.get(field.name) for row in some], field, arrow) for field in schema]
            writer.write_table(arrow.Table.from_arrays(columns, schema=schema))


def _schema(rows: Iterator[Sequence[Row]], arrow: Any) -> Any:
    kinds: dict[str, set[Any]] = {}
    times: dict[str, bool] = {}
    for some in rows:
        for name in dict.fromkeys(name for row in some for name in row):
            values = [value for row in some if (value := row.get(name)) not in (None, "")]
            try:
                kind = arrow.array(values).type
            except (arrow.ArrowInvalid, arrow.ArrowTypeError):
                kind = arrow.string()
            kinds.setdefault(name, set()).add(kind)
            if values:
                times[name] = times.get(name, True) and all(isinstance(v, str) and _TIME.match(v) for v in values)
    return arrow.schema([(name, _kind(found, times.get(name, False), arrow)) for name, found in kinds.items()])


def _kind(found: set[Any], times: bool, arrow: Any) -> Any:
    """Return the type of a column out of those of its parts."""
    some = [kind for kind in found if not arrow.types.is_null(kind)]
    if times:
        return arrow.timestamp("us", "UTC")
    return some[0] if len(some) == 1 else arrow.string()


def _column(values: Sequence[Any], field: Any, arrow: Any) -> Any:
    if arrow.types.is_timestamp(field.type):
        values = [datetime.fromtimestamp(moment(value), UTC) if value else None for value in values]
    elif field.type == arrow.string():
        values = [
            value if value is None or isinstance(value, str) else orjson.dumps(value).decode() for value in values
        ]
    return arrow.array(values, field.type)
