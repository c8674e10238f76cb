"""Frames: what goes in comes out, and nothing else is taken for a frame."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.codecs.aol import AolCodec
from querymix.codecs.frames import (
    MAX_COUNTED,
    decode_classified,
    decode_evidence,
    dumps,
    encode_classified,
    encode_evidence,
    loads,
)
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.core.errors import ConfigError
from querymix.core.knowledge import CATEGORIES
from querymix.core.records import UNCLASSIFIED, Query

settings = how(deadline=None)
texts = st.one_of(
    st.text(),
    st.binary().map(lambda raw: raw.decode("utf-8", "surrogateescape")),
    st.sampled_from(["\n", "\r\n", "\0", "\u2028", "\udc80", "\U0001f600\udc80"]),
)
whole = st.integers(-(2**63), 2**64 - 1)
"""What a codec reads as a whole number."""
scalars = st.one_of(texts, whole, st.floats(allow_nan=False, allow_infinity=False), st.none(), st.booleans())
nested: st.SearchStrategy[Any] = st.recursive(
    scalars, lambda deeper: st.lists(deeper, max_size=3).map(tuple), max_leaves=6
)
extras = st.one_of(st.just(()), st.tuples(st.booleans(), st.lists(texts, max_size=3).map(tuple), nested))
queries = st.builds(
    Query,
    texts,
    texts,
    st.one_of(texts, whole, st.floats(allow_nan=False, allow_infinity=False)),
    st.floats(allow_nan=False, allow_infinity=False),
    st.one_of(st.none(), texts, whole),
    st.one_of(st.none(), texts),
    extras,
)
categories = st.integers(UNCLASSIFIED, len(CATEGORIES) - 1)


@settings
@given(categories, st.lists(queries, max_size=5))
def test_classified_queries_come_back_the_same_with_their_types(category: int, some: list[Query]) -> None:
    frame = encode_classified(category, some)
    assert decode_classified(frame) == (category, some, [])
    assert repr(decode_classified(frame)[1]) == repr(some)
    assert b"\n" not in frame


@settings
@given(st.dictionaries(st.tuples(texts, st.integers(0, len(CATEGORIES) - 1)), st.integers(1, MAX_COUNTED), max_size=5))
def test_evidence_comes_back_the_same(evidence: dict[tuple[str, int], int]) -> None:
    assert decode_evidence(encode_evidence(evidence)) == evidence


@settings
@given(nested)
def test_any_plain_data_comes_back_as_json_has_it(value: Any) -> None:
    assert loads(dumps(value)) == json.loads(json.dumps(value))


@settings
@given(categories, st.lists(st.tuples(queries, categories), max_size=5), st.sampled_from(["", "aol"]))
def test_the_own_categories_of_queries_travel_with_them(
    category: int, some: list[tuple[Query, int]], written: str
) -> None:
    asked, owns = [query for query, _ in some], [own for _, own in some]
    assert decode_classified(encode_classified(category, asked, written, owns)) == (category, asked, owns)


JSON = JsonLinesCodec().format
FORMATS = ["aol", JSON, JsonLinesCodec(safe=["session"]).format, JsonLinesCodec(fields={"user": "u"}).format]


def test_each_form_of_log_lines_has_a_format_of_its_own() -> None:
    assert AolCodec().format == "aol"
    assert len(set(FORMATS)) == len(FORMATS)
    assert JsonLinesCodec(safe=["a", "b"]).format == JsonLinesCodec(safe=["b", "a"]).format


@pytest.mark.parametrize("written", FORMATS)
@pytest.mark.parametrize("ours", FORMATS)
def test_a_frame_of_another_format_is_an_operators_mistake_and_no_bad_frame(written: str, ours: str) -> None:
    query = Query("user", "made-up text", 0, 0.0, None, None, () if written == "aol" else (False, ("user",), ()))
    frame = encode_classified(1, [query], written)
    assert decode_classified(frame) == (1, [query], [])
    if written == ours:
        assert decode_classified(frame, ours) == (1, [query], [])
        return
    with pytest.raises(ConfigError, match="the old --format") as caught:
        decode_classified(frame, ours)
    assert "made-up" not in str(caught.value)


@pytest.mark.parametrize(("extra", "ours", "other"), [((), "aol", JSON), ((False, ("user",), ()), JSON, "aol")])
def test_a_frame_that_names_no_format_is_told_by_its_queries(extra: tuple[object, ...], ours: str, other: str) -> None:
    """As somebody else's may be."""
    query = Query("user", "text", 0, 0.0, None, None, extra)
    frame = encode_classified(1, [query])
    assert decode_classified(frame, ours) == (1, [query], [])
    with pytest.raises(ConfigError):
        decode_classified(frame, other)


PRIVATE = "a query of somebody's"
GARBAGE: list[bytes | None] = [
    None,
    b"",
    b"\0",
    b"\xff\xfe\x00",
    PRIVATE.encode(),
    b"null",
    b"7",
    b'"ab"',
    b'["abc"]',
    b"{}",
    b'{"ab": 1}',
    b"[" * 200_000,
    b"9" * 10_000,
    json.dumps([PRIVATE, []]).encode(),
    json.dumps([1.0, []]).encode(),
    json.dumps([True, []]).encode(),
    json.dumps([-2, []]).encode(),
    json.dumps([len(CATEGORIES), []]).encode(),
    json.dumps([10**30, []]).encode(),
    json.dumps([1, {}]).encode(),
    json.dumps([1, [[]]]).encode(),
    json.dumps([1, {PRIVATE: 1}]).encode(),
    json.dumps([1, [{PRIVATE: 1}]]).encode(),
    json.dumps([1, [PRIVATE]]).encode(),
    json.dumps([1, [[1, PRIVATE, "", 0.0, None, None, []]]]).encode(),
    json.dumps([1, [["u", None, "", 0.0, None, None, []]]]).encode(),
    json.dumps([1, [["u", PRIVATE, "", 0.0, None, None]]]).encode(),
    json.dumps([1, [["u", PRIVATE, "", 0.0, None, None, [], 8]]]).encode(),
    json.dumps([1, [["u", PRIVATE, {}, 0.0, None, None, []]]]).encode(),
    json.dumps([1, [["u", PRIVATE, None, 0.0, None, None, []]]]).encode(),
    json.dumps([1, [["u", PRIVATE, "", "0", None, None, []]]]).encode(),
    json.dumps([1, [["u", PRIVATE, "", None, None, None, []]]]).encode(),
    json.dumps([1, [["u", PRIVATE, "", True, None, None, []]]]).encode(),
    json.dumps([1, [["u", PRIVATE, "", 0.0, 1.5, None, []]]]).encode(),
    json.dumps([1, [["u", PRIVATE, "", 0.0, [], None, []]]]).encode(),
    json.dumps([1, [["u", PRIVATE, "", 0.0, None, 7, []]]]).encode(),
    json.dumps([1, [["u", PRIVATE, "", 0.0, None, None, "extra"]]]).encode(),
    json.dumps([1, [["u", PRIVATE, "", 0.0, None, None, {"a": 1}]]]).encode(),
    json.dumps([1, [], 7]).encode(),
    json.dumps([1, [], "aol", 7]).encode(),
    json.dumps([1, [], "aol", [], 7]).encode(),
    json.dumps([1, [], "aol", [1]]).encode(),
    json.dumps([1, [["u", PRIVATE, "", 0.0, None, None, []]], "", [-2]]).encode(),
    json.dumps([1, [["u", PRIVATE, "", 0.0, None, None, []]], "", ["1"]]).encode(),
    json.dumps([1, [["u", PRIVATE, "", 0.0, None, None, []]], "", [1, 1]]).encode(),
    json.dumps([1, [["u", PRIVATE, "", 0.0, None, None, []]], "", {}]).encode(),
    json.dumps([1, []], indent=1).encode(),
    json.dumps([["u", 1, 0]]).encode(),
    json.dumps([["u", 1, -1]]).encode(),
    json.dumps([["u", 1, 1.5]]).encode(),
    json.dumps([["u", 1, MAX_COUNTED + 1]]).encode(),
    json.dumps([["u", 1, PRIVATE]]).encode(),
    json.dumps([["u", UNCLASSIFIED, 1]]).encode(),
    json.dumps([["u", len(CATEGORIES), 1]]).encode(),
    json.dumps([[1, 1, 1]]).encode(),
    json.dumps([[["u"], 1, 1]]).encode(),
    json.dumps([["u", [1], 1]]).encode(),
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_no_frame_and_does_not_show_in_the_reason(garbage: bytes) -> None:
    for decode in (decode_classified, decode_evidence):
        with pytest.raises(ValueError, match="not a frame of") as caught:
            decode(garbage)
        assert str(caught.value) in ("not a frame of classified records", "not a frame of evidence")
        assert caught.value.__cause__ is None


@settings
@given(st.one_of(st.binary(), nested.map(dumps), st.lists(nested).map(dumps)))
def test_any_bytes_are_a_frame_or_a_value_error(data: bytes) -> None:
    for decode in (decode_classified, decode_evidence):
        try:
            decode(data)
        except ValueError:
            continue
