"""A bundle gives back the terms that were packed, and a file that is none says so."""

import json
import os
import struct
from contextlib import suppress
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from querymix.core.errors import ConfigError
from querymix.core.knowledge import CATEGORIES, UNKNOWN, Term, prefilter_bit
from querymix.core.packed_weights import CATEGORY_ONLY, pack
from querymix.core.text import folded
from querymix.knowledge.bundle import DEFAULT, Bundle
from querymix.knowledge.layout import FORMAT, MAGIC, Source, version
from querymix.knowledge.writing import bundle_bytes, write

SOURCES = [Source("made up", "public domain", 3)]


def with_bits(known: dict[str, Term]) -> dict[str, Term]:
    """Give every single word its prefilter bit, as a bundle does."""
    return {name: term._replace(bit=0 if " " in name else prefilter_bit(name)) for name, term in known.items()}


SOME = with_bits({"soccer": Term(1, 504, 15, "Sports/Soccer", 0, "", 2), "socer": Term(recommendation="soccer")})

names = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12),
    st.from_regex(r"[a-z]{1,6}( [a-z]{1,6}){0,3}", fullmatch=True),
    st.just("x" * 254),
)
weights = st.lists(st.integers(-127, 127), min_size=16, max_size=16)
terms = st.builds(
    Term,
    tags=st.integers(0, 0xFFFFFF),
    references=st.integers(0, 2**60 - 1),
    category=st.integers(-1, len(CATEGORIES) - 1),
    path=st.sampled_from(["", "Sports", "Sports/Soccer", "Arts/Caf\u00e9"]),
    weights=st.one_of(st.just(0), st.sampled_from(CATEGORY_ONLY), weights.map(pack)),
    recommendation=st.one_of(st.just(""), st.text(st.characters(exclude_categories=["Cs"]), max_size=60)),
    span=st.integers(0, 4),
    later_bits=st.one_of(st.just(0), st.integers(0, 2**63 - 1)),
    first_bits=st.one_of(st.just(0), st.integers(0, 2**63 - 1)),
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bundle") / "a.bundle"


def opened(path: Path, content: bytes) -> Bundle:
    """Write a bundle in place and open it."""
    write(path, content)
    return Bundle(path)


def refused(path: Path, content: bytes) -> str:
    """Return why a file is refused."""
    path.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        Bundle(path)
    return str(caught.value)


@settings(deadline=None)
@given(st.dictionaries(names, terms, max_size=40), st.lists(names, max_size=20))
@example({}, ["a"])
def test_a_bundle_answers_with_the_terms_that_were_packed_and_no_others(
    path: Path, packed: dict[str, Term], asked: list[str]
) -> None:
    packed = with_bits(packed)
    bundle = opened(path, bundle_bytes(packed.items(), SOURCES))
    for _ in range(2):
        assert {name: bundle[name] for name in packed} == packed
        answers = [packed.get(name) or packed.get(folded(name), UNKNOWN) for name in asked]
        assert [bundle[name] for name in asked] == answers
    assert bundle.header["known"]["terms"] == len(packed)
    bundle.close()


def test_terms_with_the_same_checksum_are_told_apart(path: Path) -> None:
    assert crc32(b"plumless") == crc32(b"buckeroo")
    for known in map(with_bits, ({"plumless": Term(1, 7)}, {"plumless": Term(1, 7), "buckeroo": Term(2, 8)})):
        bundle = opened(path, bundle_bytes(known.items(), []))
        assert bundle["plumless"] == known["plumless"]
        assert bundle["buckeroo"] == known.get("buckeroo", UNKNOWN)
        bundle.close()


def test_terms_that_all_fall_on_the_last_slot_are_found_around_the_end(path: Path) -> None:
    together = [name for name in map(str, range(2_000)) if crc32(name.encode()) % 12 == 11]
    known = with_bits({name: Term(1, number) for number, name in enumerate(together[:8])})
    bundle = opened(path, bundle_bytes(known.items(), []))
    assert bundle.header["slots"] == 12
    assert {name: bundle[name] for name in known} == known
    assert bundle[together[8]] is UNKNOWN
    bundle.close()


@pytest.mark.parametrize("name", ["", "\udc80", chr(0xD800), "x" * 300, "x" * 65_536, "soccer ", "Soccer", "socce"])
def test_whatever_is_asked_the_answer_is_a_term(path: Path, name: str) -> None:
    bundle = opened(path, bundle_bytes(SOME.items(), []))
    assert bundle[name] is UNKNOWN
    bundle.close()


def test_the_same_terms_give_the_same_bytes_and_other_terms_another_version(path: Path) -> None:
    first, other = bundle_bytes(SOME.items(), SOURCES), bundle_bytes([*SOME.items(), ("goal", Term(1))], SOURCES)
    assert first == bundle_bytes(dict(SOME).items(), list(SOURCES))
    versions = []
    for content in (first, other):
        bundle = opened(path, content)
        versions.append(bundle.version)
        bundle.close()
    assert versions[0] != versions[1]
    assert all(len(version) == 64 for version in versions)


def test_the_header_tells_where_the_facts_came_from_and_what_is_known(path: Path) -> None:
    bundle = opened(path, bundle_bytes(SOME.items(), SOURCES))
    assert bundle.header["sources"] == [{"name": "made up", "licence": "public domain", "facts": 3}]
    assert bundle.header["known"] == {
        "terms": 2,
        "with a category": 1,
        "with references": 1,
        "with a recommendation": 1,
        "with weights": 0,
        "hosts with weights": 0,
        "category paths": 1,
        "word lists": 0,
        "rows of word pieces": 0,
    }
    bundle.close()


@pytest.mark.parametrize(
    ("name", "weighs", "has"),
    [
        ("example.com", True, True),
        ("shop.example.co.uk", True, True),
        ("example.com", False, False),
        ("a.m.", True, False),
        ("st. john", True, False),
        ("soccer", True, False),
    ],
)
def test_a_bundle_says_whether_a_host_has_weights(path: Path, name: str, weighs: bool, has: bool) -> None:
    term = Term(weights=pack([7] * 16)) if weighs else Term(1, 504)
    bundle = opened(path, bundle_bytes([(name, term)], SOURCES))
    assert bundle.has_hosts is has
    del bundle.header["known"]["hosts with weights"]  # as in a bundle from before
    assert bundle.has_hosts
    bundle.close()


def test_a_bundle_gives_back_its_word_lists_and_refuses_other_names_with_what_to_do(path: Path) -> None:
    lists = {"titles": ["mr", "caf\u00e9 owner"], "empty": []}
    bundle = opened(path, bundle_bytes(SOME.items(), SOURCES, word_lists=lists))
    assert bundle.words("titles") == {"mr", "caf\u00e9 owner"}
    assert bundle.words("empty") == frozenset()
    assert bundle.word_lists == {"titles": {"mr", "caf\u00e9 owner"}, "empty": frozenset()}
    assert dict(bundle.terms()) == SOME
    with pytest.raises(ConfigError, match=r"no word list 'towns'.*querymix knowledge build"):
        bundle.words("towns")
    bundle.close()


def test_a_bundle_gives_back_its_table_of_word_pieces_which_changes_its_version(path: Path) -> None:
    table = bytes(range(48))
    versions = set()
    for pieces in (table, table[::-1], b""):
        bundle = opened(path, bundle_bytes(SOME.items(), SOURCES, word_lists={"titles": ["mr"]}, pieces=pieces))
        assert bytes(bundle.piece_weights) == pieces
        assert bundle.header["known"]["rows of word pieces"] == len(pieces) // 16
        assert bundle.words("titles") == {"mr"}
        versions.add(bundle.version)
        bundle.close()
    assert len(versions) == 3
    with pytest.raises(ValueError, match="16 bytes a row"):
        bundle_bytes(SOME.items(), SOURCES, pieces=b"short")


def test_a_bundle_of_format_5_is_read_and_has_no_table(path: Path) -> None:
    content = bundle_bytes(SOME.items(), SOURCES, word_lists={"titles": ["mr"]})
    begin = len(MAGIC) + 4
    (length,) = struct.unpack_from("<I", content, len(MAGIC))
    header = json.loads(content[begin : begin + length]) | {"format": 5}
    del header["piece_bytes"]
    text = json.dumps(header).encode()
    text += b" " * (-(begin + len(text)) % 4)
    bundle = opened(path, MAGIC + struct.pack("<I", len(text)) + text + content[begin + length :])
    assert dict(bundle.terms()) == SOME
    assert bundle.words("titles") == {"mr"}
    assert bytes(bundle.piece_weights) == b""
    bundle.close()


def test_the_order_of_word_lists_does_not_matter_and_their_content_changes_the_version(path: Path) -> None:
    one, two, three = (
        bundle_bytes(SOME.items(), SOURCES, word_lists=lists)
        for lists in ({"a": ["x", "y"], "b": ["z"]}, {"b": ["z"], "a": ["y", "x"]}, {"a": ["x"], "b": ["z"]})
    )
    assert one == two
    versions = set()
    for content in (one, three):
        bundle = opened(path, content)
        versions.add(bundle.version)
        bundle.close()
    assert len(versions) == 2


def test_a_changed_byte_anywhere_behind_the_header_is_told_when_the_bundle_is_opened(path: Path) -> None:
    content = bundle_bytes(SOME.items(), [])
    (length,) = struct.unpack_from("<I", content, len(MAGIC))
    for place in range(len(MAGIC) + 4 + length, len(content)):
        changed = bytearray(content)
        changed[place] ^= 0x40
        assert "damaged" in refused(path, bytes(changed))


def forged(places: list[int], **sizes: int) -> bytes:
    """Return a bundle with these slots, whose version is right, and other sizes in its header."""
    content = bundle_bytes(SOME.items(), [])
    (length,) = struct.unpack_from("<I", content, len(MAGIC))
    begin = len(MAGIC) + 4 + length
    header = json.loads(content[len(MAGIC) + 4 : begin])
    body = struct.pack(f"<{len(places)}I", *places) + content[begin + 4 * header["slots"] :]
    header |= {"slots": len(places), "version": version(header["bias"], header["scale"], body)} | sizes
    text = json.dumps(header).encode()
    return MAGIC + struct.pack("<I", len(text)) + text + body


def test_a_forged_bundle_without_an_empty_slot_is_refused_since_a_look_up_would_go_on_for_ever(path: Path) -> None:
    assert "damaged" in refused(path, forged([1] * 8))
    assert "damaged" in refused(path, forged([1] * 1000))
    opened(path, forged([1] * 1000 + [0])).close()


@pytest.mark.parametrize("slot", [1 << 31, 0xFFFF_FFFF, 60, 7])
def test_a_slot_that_leads_anywhere_is_an_operators_mistake_or_finds_nothing(path: Path, slot: int) -> None:
    bundle = opened(path, forged([slot, 0] * 8))
    for name in ["soccer", "", "x" * 255, *map(chr, range(97, 123))]:
        with suppress(ConfigError):
            assert isinstance(bundle[name], Term)
    bundle.close()


@pytest.mark.parametrize(
    "sizes",
    [
        {"path_bytes": -1}, {"list_bytes": -8}, {"path_bytes": 1 << 40}, {"list_bytes": 1 << 62}, {"slots": -1},
        {"slots": 0, "bytes": 0}, {"bytes": -1}, {"scale": 0}, {"known": 7}, {"piece_bytes": -16}, {"piece_bytes": 1},
        {"piece_bytes": 1 << 40},
    ],
)  # fmt: skip
def test_sizes_that_no_bundle_has_are_refused(path: Path, sizes: dict[str, int]) -> None:
    assert "damaged" in refused(path, forged([0] * 8, **sizes))


def test_a_pipe_is_no_bundle_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigError, match="cannot read the knowledge bundle"):
        Bundle(tmp_path / "pipe")


def test_a_bundle_cut_anywhere_is_an_operators_mistake(path: Path) -> None:
    content = bundle_bytes(SOME.items(), SOURCES)
    for length in range(len(content)):
        message = refused(path, content[:length])
        assert str(path) in message
        assert "build" in message


def test_a_bundle_that_has_grown_is_an_operators_mistake(path: Path) -> None:
    assert "cut short or has grown" in refused(path, bundle_bytes(SOME.items(), []) + b"\0")


def test_an_empty_file_is_no_bundle(path: Path) -> None:
    assert "it is empty" in refused(path, b"")


def with_header(header: object) -> bytes:
    """Return a file that has the magic and this header, and nothing behind it."""
    text = json.dumps(header).encode()
    return MAGIC + struct.pack("<I", len(text)) + text


@pytest.mark.parametrize(
    "content",
    [
        b"something else altogether",
        b"SQLite format 3\0" * 100,
        b"\x1f\x8b" * 100,
        MAGIC,
        MAGIC + b"\0\0\0\0",
        MAGIC + b"\xff\xff\xff\xff{}",
        MAGIC + b"\2\0\0\0{}",
        MAGIC + b"\2\0\0\0[]",
        MAGIC + b"\2\0\0\0xx",
        with_header({"format": FORMAT}),
        with_header({"format": FORMAT, "slots": "8", "bytes": None, "paths": [], "version": ""}),
    ],
)
def test_a_foreign_file_is_no_bundle(path: Path, content: bytes) -> None:
    assert "uild" in refused(path, content) or "Make one" in refused(path, content)


@pytest.mark.parametrize("other", [4, FORMAT + 1])
def test_another_format_is_refused_with_the_command_that_makes_a_new_one(path: Path, other: int) -> None:
    message = refused(path, with_header({"format": other}))
    assert f"format {other}, this querymix reads 5 and {FORMAT}. " in message
    assert ("A newer querymix made it: update this one" in message) == (other > FORMAT)
    assert "querymix knowledge build" in message


def test_a_missing_file_and_a_folder_are_operators_mistakes(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        Bundle(tmp_path / "missing.bundle")
    with pytest.raises(ConfigError, match="Is a directory"):
        Bundle(tmp_path)


def test_a_bundle_is_replaced_at_once_while_a_reader_keeps_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.bundle"
    old = opened(path, bundle_bytes({"soccer": Term(1, 7)}.items(), []))
    new = opened(path, bundle_bytes({"soccer": Term(1, 8)}.items(), []))
    assert (old["soccer"].references, new["soccer"].references) == (7, 8)
    assert [file.name for file in path.parent.iterdir()] == ["a.bundle"]
    old.close()
    new.close()


def test_a_bundle_that_cannot_be_written_is_an_operators_mistake(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="cannot write the knowledge bundle"):
        write(tmp_path / "file" / "a.bundle", b"")


def test_the_default_bundle_lies_in_the_package() -> None:
    assert DEFAULT.parts[-4:] == ("querymix", "knowledge", "data", "default.bundle")


@pytest.mark.parametrize("term", [Term(tags=1 << 24), Term(span=8), Term(category=len(CATEGORIES))])
def test_a_term_that_does_not_fit_a_record_is_refused(term: Term) -> None:
    with pytest.raises(ValueError, match="do not fit a record"):
        bundle_bytes([("zyzzx", term)], [])


def test_a_reader_written_from_the_document_alone_reads_the_same(path: Path) -> None:
    """docs/knowledge-bundle.md says what the file holds; this reader knows no more than that."""
    term = Term(5 << 12 | 1, 504, 15, "Sports/Soccer", pack([7] * 16), "", 2, 0, 1 << 62, 3)
    content = bundle_bytes(with_bits({"caf\u00e9": term}).items(), SOURCES, [1] * 16, {"titles": ["mr"]}, b"p" * 32)

    def number(at: int, size: int) -> int:
        return int.from_bytes(content[at : at + size], "little")

    assert content[:19] == b"querymix knowledge\n"
    begin = 23 + number(19, 4)
    header = json.loads(content[23:begin])
    assert (header["format"], header["scale"], header["bias"], begin % 4) == (6, 40, [1] * 16, 0)
    end = begin + 4 * header["slots"] + header["bytes"]
    assert content[end - header["piece_bytes"] : end] == b"p" * 32
    slot = crc32("caf\u00e9".encode()) % header["slots"]
    records = begin + 4 * header["slots"]
    at = records + number(begin + 4 * slot, 4) - 1
    assert number(at, 4) == (5 << 12 | 1) << 8 | 2 << 5 | 16
    paths = records + header["bytes"] - header["path_bytes"] - header["list_bytes"] - header["piece_bytes"]
    path_at = paths + number(at + 4, 4)
    assert content[path_at + 2 : path_at + 2 + number(path_at, 2)] == b"Sports/Soccer"
    assert (content[at + 8], content[at + 9], number(at + 10, 8)) == (5, 0, 504 << 4 | 8 | 4 | 1)
    assert content[at + 18 : at + 23].decode() == "caf\u00e9"
    assert list(content[at + 23 : at + 39]) == [7 + 128] * 16
    assert (number(at + 39, 8), number(at + 47, 8)) == (1 << 62, 3)
    assert json.loads(content[paths + header["path_bytes"] : end - 32]) == {"titles": ["mr"]}
