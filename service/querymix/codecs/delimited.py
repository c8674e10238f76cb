"""Records of named columns: CSV and TSV, by the rules of querymix.codecs.fields.

Rules:
- The columns stand in any order. The header names them; without one they are called by their numbers, from 1.
- The header may stand on any line, as in joined files, and is no record. Neither is an empty line or row, nor the
  line `sep=;` of a spreadsheet. Delimiters at the end of a line, with nothing after them, are no columns.
- CSV has quoted fields (RFC 4180). A line end inside of one is read as a blank: what is released has one line a record.
- In TSV a quotation mark is a letter like any other: a query may be asked in quotation marks.
- Only the named columns and the safe ones leave: user, query, time, rank, URL, then the safe ones as they were listed.
  Columns without a header leave in their own order, since their numbers are their names.

Source: RFC 4180, "Common Format and MIME Type for Comma-Separated Values (CSV) Files".
"""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Literal

from querymix.codecs.base import (
    BROKEN_USER,
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    LONGEST_QUERY,
    CategoryColumn,
    Decoded,
    TimePolicy,
    UnreadableRecordError,
    UrlPolicy,
    as_windows_1252,
    check_line,
    is_utf8,
    refusal,
)
from querymix.codecs.fields import FIELDS, NamedFields
from querymix.codecs.spelling import TimeForm
from querymix.core.errors import ConfigError
from querymix.core.records import POOL_NAMES, Query, Refusal, Release, each_row

DELIMITERS: Final = ",;\t|\x01"
"""What may part columns; the last as Hive does."""
SEPARATOR: Final = re.compile(r'\ufeff?"?sep=([,;\t|])"?[,;\t|]*', re.IGNORECASE)
"""The line by which a spreadsheet is told what parts the columns; it stands before the header."""
_MOST_LINES: Final = 64
"""Lines of one record, at most."""
_OPEN: Final = "a quoted field has no end: close it, or double the quotation marks in it"


def fields_of(line: str, delimiter: str, *, quoted: bool) -> list[str]:
    """Return the fields of a line that is a record by itself."""
    if quoted and '"' in line:
        with suppress(csv.Error):
            return next(csv.reader([line], delimiter=delimiter))
    return line.split(delimiter)


class DelimitedCodec(NamedFields):
    """Reads and writes CSV, or TSV where `kind` says so.

    `columns` are those of the header, or numbers where `headed` is false. Raises ConfigError where two have one name.
    """

    def __init__(
        self,
        columns: Sequence[str],
        *,
        kind: Literal["csv", "tsv"] = "csv",
        delimiter: str = ",",
        headed: bool = True,
        fields: Mapping[str, Any] | None = None,
        safe: Sequence[str] = (),
        time: TimePolicy = "trigger",
        urls: UrlPolicy = "host",
        precision: float | None = None,
        time_form: TimeForm = "iso",
        category: CategoryColumn = "off",
        longest_query: int = LONGEST_QUERY,
    ) -> None:
        super().__init__(
            form=kind,
            fields=fields,
            safe=safe,
            time=time,
            urls=urls,
            precision=precision,
            time_form=time_form,
            longest_query=longest_query,
        )
        twice = sorted({name for name in columns if columns.count(name) > 1} & self.known)
        if twice:
            raise ConfigError(f"the header names the column {twice[0]!r} twice: give each one its own name")
        self._columns = list(columns)
        released = [*(self.names[field] for field in FIELDS), *safe] if headed else columns
        self._released = [name for name in released if name in self.known and name in columns]
        self._delimiter = delimiter
        self._blank = f'{delimiter}{BYTE_ORDER_MARK}" \t\r\n'
        self._quoted = kind == "csv"
        self._headed = headed
        self._category = category == "on"

    def header(self, line: str) -> bool:
        """Say whether this line names the columns, or is what stands before the one that does."""
        return self._headed and (self._is_blank(line) or self._names(line) == self._columns)

    def _is_blank(self, line: str) -> bool:
        return not line.strip(self._blank) or SEPARATOR.fullmatch(line) is not None

    def _names(self, line: str) -> list[str]:
        return column_names(line, self._delimiter, quoted=self._quoted)

    def heading(self, line: str) -> str:
        """Return the header of what is released: the columns that leave."""
        return self._line([*self._released, "category"] if self._category else self._released)

    def whole(self, block: bytes) -> int:
        """Return how many bytes of whole lines are whole records: a quoted field may go on in the next block."""
        if not self._quoted or block.count(b'"') % 2 == 0 or len(block) < 2:
            return len(block)
        end = len(block)
        for _ in range(_MOST_LINES):
            start = block.rfind(b"\n", 0, end - 1) + 1
            if block.count(b'"', start, end) % 2:
                return start if len(block) - start <= LONGEST_LINE else len(block)
            if not start:
                break
            end = start
        return len(block)

    def decode(self, lines: Sequence[str], source: str, first: int) -> Decoded:
        """Read lines, without their line ends; headers and empty lines are left out."""
        queries: list[Query] = []
        refusals: list[Refusal] = []
        columns, delimiter, quoted, read = self._columns, self._delimiter, self._quoted, self.read
        place = 0
        while place < len(lines):
            line, taken = lines[place], 1
            if line[:1] == BYTE_ORDER_MARK:
                line = line.lstrip(BYTE_ORDER_MARK)
            try:
                check_line(line)
                if quoted and '"' in line:
                    fields, taken = self._unquoted(line, lines, place)
                else:
                    fields = line.split(delimiter)
                if len(fields) > len(columns) and not any(fields[len(columns) :]):
                    del fields[len(columns) :]
                if len(fields) == len(columns):
                    if not is_utf8(line):
                        fields = self._as_utf8(fields)
                    if not self._headed or fields[-1].strip() != columns[-1] or list(map(str.strip, fields)) != columns:
                        queries.append(read(dict(zip(columns, fields))))  # noqa: B905 - as many, and faster by half
                else:
                    raise UnreadableRecordError(f"the line has {len(fields)} fields, where {len(columns)} are named")
            except UnreadableRecordError as error:
                if taken > 1 or not self._is_blank(line):
                    refusals.append(refusal(source, first + place, str(error), lines[place]))
            place += taken
        return Decoded(queries, refusals)

    def _unquoted(self, record: str, lines: Sequence[str], place: int) -> tuple[list[str], int]:
        """Return the fields of the record that begins at a place, and how many lines it has."""
        for taken in range(1, _MOST_LINES + 1):
            try:
                return next(csv.reader([record], delimiter=self._delimiter, strict=True)), taken
            except csv.Error as error:
                if "end of data" not in str(error):  # a quotation mark where none should be is taken as it stands
                    return fields_of(record, self._delimiter, quoted=True), taken
            if place + taken >= len(lines) or len(record) > LONGEST_LINE:
                break
            check_line(lines[place + taken])
            record += " " + lines[place + taken]
        raise UnreadableRecordError(_OPEN)

    def _as_utf8(self, fields: Sequence[str]) -> list[str]:
        if not is_utf8(fields[self._columns.index(self.names["user"])]):
            raise UnreadableRecordError(BROKEN_USER)
        return list(map(as_windows_1252, fields))

    def encode(self, releases: Iterable[Release]) -> list[str]:
        """Write a line for each row of each release, with the columns of the header."""
        lines = []
        for release in each_row(list(releases)) if self._category else releases:
            for query in (release[2], *release[6]):
                values: Mapping[Any, Any] = self.write(release[0], query, release[4])
                row = [str(values.get(name, "")) for name in self._released]
                if self._category:
                    row.append(POOL_NAMES[release[3]])
                lines.append(self._line(row))
        return lines

    def _line(self, row: Sequence[str]) -> str:
        return self._delimiter.join([self._quote(value) for value in row] if self._quoted else row)

    def _quote(self, value: str) -> str:
        if self._delimiter in value or '"' in value or value[:1] == " " or value[-1:] == " ":
            return '"' + value.replace('"', '""') + '"'
        return value


def column_names(line: str, delimiter: str, *, quoted: bool) -> list[str]:
    """Return the names in a header, without blanks around them."""
    return [name.strip() for name in fields_of(line.lstrip(BYTE_ORDER_MARK), delimiter, quoted=quoted)]
