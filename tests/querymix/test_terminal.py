"""No terminal is sent a character that it would obey, whatever a record, a name or a setting holds."""

import io
import json
import os
import re
import unicodedata
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import orjson
import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st
from querymix.consoles import Console
from querymix.local.output import Output
from querymix.terminal import for_terminal, visible, visible_json
from rich.table import Table

Command = Callable[..., Result]
HARM = "\x1b]0;title\x07\x1b[2J[red]\x9b31m\u202eevil\r\x7f"
BIDI = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}


def harmless(text: str) -> bool:
    """Say whether nothing in a text is obeyed."""
    return not any(
        (unicodedata.category(letter) == "Cc" and letter not in "\t\n") or unicodedata.bidirectional(letter) in BIDI
        for letter in text
    )


texts = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(HARM + "\u2066\u200f\u061c\x00\x80\u2028"))
)


@given(texts)
def test_a_text_is_shown_with_escapes_and_stays_as_it_is_without_any(text: str) -> None:
    assert harmless(visible(text))
    assert visible(visible(text)) == visible(text)
    if text.isascii() and text.isprintable():
        assert visible(text) == text


@given(st.dictionaries(texts, st.one_of(texts, st.integers(-9, 9), st.lists(texts))))
def test_json_means_the_same_and_is_harmless(value: dict[str, object]) -> None:
    shown = visible_json(orjson.dumps(value))
    assert harmless(shown.decode())
    assert json.loads(shown) == value


def test_data_for_a_file_stays_as_it_is_and_a_terminal_gets_escapes(tmp_path: Path) -> None:
    data = f"142\t{HARM}\t2006-03-01 07:17:12\t\t\n".encode()
    with (tmp_path / "out").open("wb") as file:
        assert for_terminal(file.fileno(), data) == data
    reader, writer = os.openpty()
    with closing(Output(f"/dev/fd/{writer}")) as output:
        output.start()
        output.write(output.pack([data.decode().rstrip("\n")], [], None, "\n"))
    shown = os.read(reader, 1 << 16)
    assert b"\x1b" not in shown
    assert b"\\x1b]0;title\\x07" in shown
    os.close(reader)
    os.close(writer)


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "NAME", "-o", "out"), ("check", "NAME"), ("knowledge", "info", "--knowledge", "NAME"),
        ("profiles", "export", "--profiles", "NAME"), ("run", "log.tsv", "-o", "out", "--settings", "NAME"),
        ("run", "log.tsv", "-o", "NAME", "-v"), ("run", "log.tsv", "-o", "{nobody" + HARM + "}"),
        ("NAME",), ("run", "--NAME"), ("--NAME",), ("topics", "NAME"),
    ],
)  # fmt: skip
def test_a_name_that_holds_escape_codes_and_markup_is_shown_and_not_obeyed(
    querymix: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.tsv").write_text("1\tgolf\t2006-03-01 07:17:12\t\t\n")
    result = querymix(*(one.replace("NAME", f"a{HARM}") for one in arguments))
    assert harmless(result.stderr + result.stdout), result.stderr
    assert "[red]" in result.stderr


def test_columns_with_escape_codes_and_markup_are_shown_and_not_obeyed(querymix: Command, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    harm = HARM.replace(".", "")
    rows = [{harm: n, "query": "golf", "time": "2006-03-01T07:17:12Z"} for n in range(3)]
    log.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    result = querymix("check", log, "--fields", f"user={harm}")
    assert harmless(result.stderr + result.stdout)


def test_what_a_query_holds_is_shown_as_json_escapes_it(querymix: Command) -> None:
    result = querymix("classify", stdin=f"golf \x9b2J{HARM}\n".encode())
    assert harmless(result.stdout)
    assert "\x9b2J" in json.loads(result.stdout.splitlines()[0])["query"]


def test_a_table_and_its_title_show_escapes_and_keep_their_own_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, width=200)
    table = Table("head" + HARM, title="title" + HARM)
    table.add_row(HARM)
    console.print(table, HARM, "[red]ours[/]")
    ours = re.sub(r"\x1b\[[0-9;]*m", "", shown.getvalue())
    assert harmless(ours), ours
    assert "\x1b[31mours" in shown.getvalue()
