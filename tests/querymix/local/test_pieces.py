"""Blocks of lines are cut into pieces of few lines."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.codecs.aol import AolCodec
from querymix.codecs.base import Codec
from querymix.codecs.delimited import DelimitedCodec
from querymix.core.records import Refusal
from querymix.local.pieces import MOST_LINES, pieces
from querymix.local.reading import Input, lines_of
from querymix.local.refused import as_lines
from querymix.local.sources import Source


@given(st.lists(st.sampled_from([b"\n", b"\r", b"\r\n", b"word", b'"'])), st.sampled_from(["aol", "csv"]))
def test_pieces_are_whole_records_of_all_lines_in_their_order(parts: list[bytes], form: str) -> None:
    codec: Codec = AolCodec() if form == "aol" else DelimitedCodec(["user", "query", "time"])
    block = b"".join(parts) + b"\n"
    found = list(pieces(codec, block, 3))
    assert b"".join(found) == block
    assert [line for piece in found for line in lines_of(piece)] == lines_of(block)
    if form == "aol":
        assert all(len(lines_of(piece)) <= 3 for piece in found)


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_a_mebibyte_of_empty_lines_is_handed_on_in_pieces(end: bytes) -> None:
    found = list(pieces(AolCodec(), end * (1 << 20)))
    assert sum(map(len, found)) == len(end) << 20
    assert max(len(lines_of(piece)) for piece in found) <= MOST_LINES


def test_a_usual_block_stays_as_it_is_and_nothing_stays_nothing() -> None:
    block = b"1\tcats\t2006-03-01 00:00:00\t\t\n" * 30_000
    assert list(pieces(AolCodec(), block)) == [block]
    assert list(pieces(AolCodec(), b"")) == [b""]


def test_refused_records_are_a_json_object_a_line() -> None:
    lines = as_lines([Refusal("log\udcff", 1, "why", b"\xff"), Refusal("log", 2, "why")])
    assert lines.splitlines() == [
        rb'{"source":"log\\xff","line":1,"reason":"why","raw":"\\xff"}',
        b'{"source":"log","line":2,"reason":"why","raw":""}',
    ]


def test_what_a_pipe_has_delivered_is_handed_on_whole_though_the_run_is_told_to_stop() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"\n" * 60_000)
    source = Input(f"/dev/fd/{reader}")
    found = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - what came before counts
        for batch in Source([source], AolCodec(), in_order=False).batches():
            found.append(len(batch.refusals))
            source.stop()
    assert len(found) > 1
    assert sum(found) == 60_000
    source.close()
    os.close(reader)
    os.close(writer)
