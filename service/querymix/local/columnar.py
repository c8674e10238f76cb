"""Parquet and Arrow files, read as JSON lines and written from rows. It needs the extra `parquet` (pyarrow).

Rules:
- A row is one JSON object. Times become ISO 8601, without a zone where the column has none; a whole number in a column
  of floats, as dataframes make one of numbers of which some are missing, becomes a whole number again.
- A column that is written has the type of its values, found by looking at all of them; where they differ, text. The
  time is a time in UTC.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import IO, Any, Final

import orjson

from querymix.codecs.record_times import moment

PARQUET: Final = b"PAR1"
ARROW_FILE: Final = b"ARROW1\0\0"
ARROW_STREAM: Final = b"\xff\xff\xff\xff"
_ROWS: Final = 16_384
Row = Mapping[str, Any]


def is_columnar(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is one of Parquet or Arrow."""
    return head.startswith((PARQUET, ARROW_FILE, ARROW_STREAM))


def json_lines(file: IO[bytes], head: bytes) -> Iterator[bytes]:
    """Yield the rows of a Parquet or Arrow file as JSON lines.

    Raises ModuleNotFoundError without pyarrow, and OSError or ValueError (pyarrow's errors are both) where the file is
    damaged.
    """
    import pyarrow as arrow  # noqa: PLC0415 - an extra
    from pyarrow import parquet  # noqa: PLC0415

    file.seek(0)
    if head.startswith(PARQUET):
        batches: Iterable[Any] = parquet.ParquetFile(file).iter_batches(_ROWS)
    elif head.startswith(ARROW_FILE):
        reader = arrow.ipc.open_file(file)
        batches = (reader.get_batch(number) for number in range(reader.num_record_batches))
    else:
        batches = arrow.ipc.open_stream(file)
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
    values: Sequence[Any] = column.to_pylist()
    if arrow.types.is_floating(column.type):
        return [int(value) if value is not None and value.is_integer() else value for value in values]
    return values


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, Decimal):
        return str(value)
    raise TypeError(f"a column of the type {type(value).__name__} is not read")


def write(name: str, out: IO[bytes], rows: Callable[[], Iterator[Sequence[Row]]], time: str) -> None:
    """Write rows to a file as its name says: Arrow for .arrow and .feather, else Parquet.

    `rows` is called twice, first for the types; `time` is the column of the time. Raises ModuleNotFoundError without
    pyarrow, and OSError where the disk fails.
    """
    import pyarrow as arrow  # noqa: PLC0415 - an extra
    from pyarrow import parquet  # noqa: PLC0415

    schema = _schema(rows(), time, arrow)
    as_arrow = name.endswith((".arrow", ".feather"))
    with arrow.ipc.new_file(out, schema) if as_arrow else parquet.ParquetWriter(out, schema) as writer:
        for some in rows():
            columns = [_column([row.get(field.name) for row in some], field, arrow) for field in schema]
            writer.write_table(arrow.Table.from_arrays(columns, schema=schema))


def _schema(rows: Iterator[Sequence[Row]], time: str, arrow: Any) -> Any:
    names: dict[str, None] = {}
    schema: Any = arrow.schema([])
    try:
        for some in rows:
            names |= dict.fromkeys(name for row in some for name in row)
            schema = arrow.unify_schemas([schema, _inferred(some, names, arrow)], promote_options="permissive")
    except (arrow.ArrowInvalid, arrow.ArrowTypeError):
        for some in rows:
            names |= dict.fromkeys(name for row in some for name in row)
        schema = arrow.schema([(name, arrow.string()) for name in names])
    fields = []
    for name in names:
        kind = schema.field(name).type
        if arrow.types.is_null(kind):
            kind = arrow.string()
        fields.append((name, arrow.timestamp("us", "UTC") if name == time and kind == arrow.string() else kind))
    return arrow.schema(fields)


def _inferred(some: Sequence[Row], names: Iterable[str], arrow: Any) -> Any:
    return arrow.schema([(name, arrow.array([row.get(name) for row in some]).type) for name in names])


def _column(values: Sequence[Any], field: Any, arrow: Any) -> Any:
    if arrow.types.is_timestamp(field.type):
        values = [None if value is None else datetime.fromtimestamp(moment(value), UTC) for value in values]
    elif field.type == arrow.string():
        values = [
            value if value is None or isinstance(value, str) else orjson.dumps(value).decode() for value in values
        ]
    return arrow.array(values, field.type)
