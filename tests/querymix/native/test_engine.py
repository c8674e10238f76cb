"""The engine as a part: closed with its bundle, switched off, in threads, over damaged bundles."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from querymix.core.records import Classification
from querymix.core.terms import MAX_WORDS
from querymix.knowledge.bundle import Bundle, Places
from querymix.knowledge.engine import engine_over, make_engine, make_gate
from querymix.native_path import SWITCH

from tests.querymix.native.comparing import MadeUp, native_engine

DEFAULT = Bundle()
ENGINE = native_engine(DEFAULT)
MANY = 2_000_000
NATIVE = import_module("querymix.native")
TEXTS = ["cheap soccer", "san diego zoo", "the of", "qwrtzplx", "jennifer brown", "gardnfurniture", "don't", ""]


def test_an_engine_lets_go_of_the_bundle_when_that_is_closed(small_bundle: Path) -> None:
    bundle = Bundle(small_bundle)
    engine = native_engine(bundle)
    assert engine.decide(["soccer"])[0] != [None]
    bundle.close()  # a buffer that is still lent out would be an error here
    assert engine.decide(["soccer"]) == ([None], [])
    assert engine.reduce("socer") is engine.likeliest("socer") is engine.guess("socer") is None
    engine.close()


def test_there_is_no_engine_where_it_is_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "off")
    assert make_engine(DEFAULT, 0.0) is None
    monkeypatch.setenv(SWITCH, "on")
    assert make_engine(DEFAULT, 0.0) is not None


def test_an_answer_is_a_classification_with_the_text_itself() -> None:
    text = "cheap " + os.fsdecode(b"soccer")
    (answer,), doubted = ENGINE.decide([text])
    assert type(answer) is Classification
    assert answer.text is text
    assert doubted == []


def test_equal_paths_are_one_string() -> None:
    one, two = ENGINE.decide(["soccer players", "soccer"])[0]
    assert one.path is two.path


def test_texts_that_may_hold_an_identifier_are_told_by_their_places() -> None:
    assert ENGINE.decide(["soccer", "jennifer brown", "soccer 212-555-0147", "of"])[1] == [1, 2]


def test_what_is_no_plain_str_is_python_s() -> None:
    class Text(str):
        """As numpy's strings are."""

        __slots__ = ()

    assert ENGINE.decide([Text("soccer"), b"soccer", None, "\udc80"]) == ([None] * 4, [])


def test_as_many_hosts_as_texts_are_asked_for() -> None:
    with pytest.raises(ValueError, match="one host for each text"):
        ENGINE.decide(["soccer"], [])


def test_a_text_of_more_words_than_are_read_is_python_s_and_takes_little_memory() -> None:
    words = ["soccer"] * MAX_WORDS
    (known, more), _ = ENGINE.decide([" ".join(words), " ".join([*words, "soccer"])])
    assert known is not None
    assert more is None
    program = f"""
from resource import RUSAGE_SELF, getrusage
from tests.querymix.native.comparing import Bundle, native_engine
engine, text = native_engine(Bundle()), "a " * {MANY}
engine.decide(["a"])
before = getrusage(RUSAGE_SELF).ru_maxrss
assert engine.decide([text]) == ([None], [])
print(getrusage(RUSAGE_SELF).ru_maxrss - before)
"""
    grown = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout
    assert int(grown) * 1024 < 20 * MANY, "the words of such a text were gathered"


def test_threads_share_an_engine() -> None:
    texts = TEXTS * 50
    right = ENGINE.decide(texts)
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(ENGINE.decide, [texts] * 40)) == [right] * 40


def test_a_bundle_can_be_closed_while_others_ask(small_bundle: Path) -> None:
    bundle = Bundle(small_bundle)
    engine = native_engine(bundle)
    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(engine.decide, TEXTS * 200) for _ in range(20)]
        bundle.close()
        assert all(len(one.result()[0]) == len(TEXTS) * 200 for one in asked)


@pytest.fixture
def small(small_bundle: Path) -> Iterator[tuple[Bundle, Places]]:
    """Return the small bundle, and where its parts lie."""
    bundle = Bundle(small_bundle)
    found: list[Places] = []

    class Borrowed:
        def close(self) -> None:
            """Nothing was kept."""

    def look(_: object, places: Places) -> Borrowed:
        found.append(places)
        return Borrowed()

    bundle.lend(look)
    yield bundle, found[0]
    bundle.close()


@pytest.mark.parametrize("way", ["bytes", "numbers", "short"])
def test_a_damaged_bundle_gives_answers_or_none_and_never_ends_the_process(
    small: tuple[Bundle, Places], way: str
) -> None:
    bundle, places = small
    draw = random.Random(7)
    good = bytes(bundle._map)
    known = [name for name, _ in bundle.terms()]
    left = 0
    for _ in range(20):
        content = bytearray(good)
        for _ in range(draw.choice((1, 20, 3_000))):
            at = draw.randrange(places.slots, len(content) - 8)
            if way == "bytes":
                content[at] = draw.randrange(256)
            elif way == "numbers":
                content[at : at + 4] = draw.choice((b"\xff\xff\xff\xff", b"\0\0\0\x80", b"\x01\0\0\0"))
        if way == "short":
            content[draw.randrange(places.slots, len(content)) :] = bytes(0)
            content.extend(bytes(places.end - len(content)))
        engine: Any = engine_over(NATIVE, bytes(content), places, make_gate(DEFAULT), bundle.bias, 0.0)
        answers, _ = engine.decide([*islice(MadeUp(draw.random(), known), 40), *TEXTS])
        left += answers.count(None)
        for word in [*TEXTS, *map("".join, zip(draw.choices(known, k=40), draw.choices(known, k=40), strict=True))]:
            for ask in (engine.reduce, engine.likeliest, engine.guess):
                ask(word)
    assert left > 0


def test_places_outside_a_bundle_are_refused(small: tuple[Bundle, Places]) -> None:
    bundle, places = small
    content = bytes(bundle._map)
    begin, records, paths, pieces, end = places
    wrong = [
        (begin, records, paths, pieces, end + 1),
        (records, begin, paths, pieces, end),
        (begin, begin, paths, pieces, end),
        (begin, records, end + 1, pieces, end),
        (begin, records, pieces, paths - 1, end),
    ]
    for row in wrong:
        with pytest.raises(ValueError, match="no bundle"):
            engine_over(NATIVE, content, Places(*row), make_gate(DEFAULT), bundle.bias, 0.0)
