"""Frames of classified records are read, and those of evidence written, as Python does it."""

import random
from os import stat_result
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix import native_path
from querymix.codecs import frames
from querymix.codecs.frames import Frame, decode_classified, dumps, encode_classified
from querymix.core.records import UNCLASSIFIED, Query, Release
from querymix.kafka.releases import ReleaseWriter
from querymix.stages.releasing import Released

from tests.optional import need_native
from tests.querymix.kafka.released import writer_of

need_native()

TEXTS = st.text(st.characters(codec=None, categories=None), max_size=12)
NUMBERS = st.integers(-(1 << 65), 1 << 65) | st.floats() | st.booleans()
PLAIN: st.SearchStrategy[Any] = st.recursive(
    st.none() | TEXTS | NUMBERS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=2)
)
ROWS = st.tuples(TEXTS, TEXTS, TEXTS | NUMBERS, NUMBERS, TEXTS | NUMBERS | st.none(), TEXTS | st.none(), st.just([]))
ODD_ROWS = st.lists(PLAIN, min_size=5, max_size=8) | st.tuples(TEXTS, TEXTS, NUMBERS, NUMBERS, PLAIN, PLAIN, PLAIN)
CATEGORIES = st.integers(-3, 20)
ROW = '["7","soccer","t",1,null,null,[]]'
FRAMES = [
    "", "[]", "[3]", "[3,[]]", '[3,[],"aol"]', '[3,[],"aol",[]]', '[3,[],"aol",[3]]', "[3, []]", "[3,[]]\n",
    "\ufeff[3,[]]", '[3,[],"",[],1]', f"[15,[{ROW}]]", f"[-2,[{ROW}]]", f"[-1,[{ROW}]]", f"[3,[{ROW},{ROW}]]",
    f"[3,[{ROW},]]", f"[3,[{ROW[:-4]}]]]",
    *(f"[3,[{ROW}]{rest}" for rest in ("", "]", ',"aol",[4]]', ',"aol",[4,5]]', ',"", [true]]', ",7]")),
]  # fmt: skip
TIMES = [
    "-7", "-0", "01", "-", "1.", ".5", "1.5", "-0.5", "0.25", "1e5", "1E-5", "1.5e300", "true", "null", "NaN", "1e999",
    "9223372036854775807", "9223372036854775808", "0.1234567890123456789012345678901234567890",
]  # fmt: skip
ESCAPED = [
    r"\n", r"\u00e9", r"\u0001", r"\/", r"\"", r"\\", r"\b\f\r\t", r"\ud83d\ude00", r"\udc80", r"\x41", r"\u+123",
    r"\u12", "\\", "", "\t", "\x1f", "\x7f",
]  # fmt: skip
EXTRAS = [
    "null", "0", '""', "{}", "[1,[2,[]],-0.5,null,true,false]", '["x",[]]', "[[],[]]", "[true,[],[[],[],3]]",
    "[[],0,[[],[]]]", '[[],0,[[["t",1,true,false,null]],[["u",1,2,3]]]]', '[{"a":1}]', "[" * 30 + "]" * 30,
    "[[],0,3]", "[1,2,[]]", "[1,2,[[],[[7]]]]", "[true,2,3]",
    "[" * 40 + "]" * 40, "[" * 2000 + "]" * 2000,
]  # fmt: skip
NAMED = [
    *(frame.encode() for frame in FRAMES),
    *(frame.encode() for time in TIMES for frame in (
        f'[3,[["7","soccer",{time},1,null,null,[]]]]', f'[3,[["7","soccer","t",{time},{time},{time},[]]]]',
        f'[3,[["7","soccer","t",{time},null,null,[]]]]', f'[3,[["7","soccer","t",1,{time},null,[]]]]',
    )),
    *(f'[3,[["7","a{text}b","t",1,null,null,[]]]]'.encode() for text in ESCAPED),
    *(f'[3,[["7","soccer","t",1,null,null,{extra}]]]'.encode() for extra in EXTRAS),
    b'[3,[["7","\xff","t",1,null,null,[]]]]',
]  # fmt: skip


def read(frame: bytes, log_format: str = "") -> Frame | str:
    """Return what a frame holds, or the error."""
    try:
        found = decode_classified(frame, log_format)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    assert all(type(query) is Query for query in found[1])
    return found


def in_python(monkeypatch: pytest.MonkeyPatch, frame: bytes, log_format: str = "") -> Frame | str:
    """Return what Python finds in a frame, or its error."""
    with monkeypatch.context() as patched:
        patched.setattr(frames, "module", lambda: None)
        return read(frame, log_format)


def same(frame: bytes, log_format: str = "") -> None:
    """Check that both ways find the same, down to the types."""
    with pytest.MonkeyPatch.context() as patched:
        expected = in_python(patched, frame, log_format)
    assert repr_of(read(frame, log_format)) == repr_of(expected)


def repr_of(found: Frame | str) -> str:
    """Return what tells values and their types."""
    return found if isinstance(found, str) else repr((found[0], [query[:] for query in found[1]], found[2:]))


@pytest.mark.parametrize("frame", NAMED, ids=range(len(NAMED)))
@pytest.mark.parametrize("log_format", ["", "aol", "json"])
def test_an_odd_frame_is_read_or_refused_as_python_does(frame: bytes, log_format: str) -> None:
    same(frame, log_format)


@given(CATEGORIES, st.lists(ROWS | ODD_ROWS, max_size=3), st.sampled_from(["", "aol", "json {}"]))
def test_any_frame_is_read_as_python_does(category: int, rows: list[Any], log_format: str) -> None:
    same(dumps([category, rows, log_format]), "aol")
    same(dumps([category, rows, log_format, [1] * len(rows)]))


def test_damaged_frames_are_read_as_python_does() -> None:
    queries = [
        Query("7", "so\nccer é", "2006", 1141197432.5, 3, "u"),
        Query("8", "", 5, 6, "1", None, (1, (2, ("x",)))),
    ]
    frame, chance = encode_classified(3, queries, "aol"), random.Random(1)
    assert native_path.module().read_classified(frame, Query) is not None
    for _ in range(20_000):
        damaged = bytearray(frame)
        for _ in range(chance.randint(1, 3)):
            place = chance.randrange(len(damaged))
            damaged[place : place + chance.randint(0, 2)] = chance.choice(
                [b"", b'"', b"[", b"]", b",", b"\\", b"9", b"\xc3"]
            )
        same(bytes(damaged))


@pytest.mark.parametrize("other", [int, str, list, object, stat_result])
def test_a_class_that_is_no_tuple_s_is_given_nothing(other: type[Any]) -> None:
    frame = encode_classified(3, [Query("7", "soccer", "2006", 1.0)] * 9, "aol")
    assert native_path.module().read_classified(frame, other) is None


USERS = st.sampled_from(["7", "8", "", 'quoted "\\ \x01', "\x1f", "é", "\udc80"]) | TEXTS
ORIGINS = st.integers(-1, 3) | st.lists(st.integers(-1, 3), min_size=1, max_size=3).map(tuple)


@given(st.lists(st.tuples(USERS, ORIGINS), max_size=20), st.integers(1, 4))
def test_frames_of_evidence_are_those_that_python_writes(rows: list[tuple[str, Any]], partitions: int) -> None:
    query = Query("9", "soccer", "2006", 1.0)
    released = Released([Release(user, origin, query, 3, query, 20) for user, origin in rows], {})
    writers = [writer_of(partitions, native=native) for native in (True, False)]
    assert outcome(writers[0], released) == outcome(writers[1], released)


def outcome(writer: ReleaseWriter, released: Released) -> object:
    """Return a piece's frames, or the kind of error."""
    try:
        return list(writer._frames(released))
    except UnicodeEncodeError as error:
        return type(error)


def test_what_is_unclassified_counts_for_nobody() -> None:
    query = Query("9", "soccer", "2006", 1.0)
    released = Released([Release("7", UNCLASSIFIED, query, 3, query, 20), Release("7", 2, query, 3, query, 20)], {})
    assert list(writer_of(1, native=True)._frames(released)) == [(0, b'[["7",2,1]]', 1)]
