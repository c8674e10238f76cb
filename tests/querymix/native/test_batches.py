"""A batch of queries: each text is decided once, and what is remembered is the same as in Python."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from querymix.core import bounded_cache
from querymix.core.bounded_cache import LONGEST
from querymix.core.identifiers import Detector
from querymix.core.identifiers.spans import Identifier
from querymix.core.records import Classification, Query
from querymix.core.terms import TermsClassifier
from querymix.core.unknown import Reduce
from querymix.knowledge.bundle import Bundle
from querymix.knowledge.writing import bundle_bytes

from tests.known import linked, term, word_lists
from tests.querymix.native.comparing import UNUSUAL, MadeUp, any_seed, native_engine

WORDS = ("soccer", "game", "jennifer", "brown", "players", "zyzzx", "socer", "-", "", "555-867-5309", *UNUSUAL)
URLS = (
    None, "", "http://www.example.com/", "http://shop.example.com/a?b", "http://www.unknown.example", "example.com",
    "http://127.0.0.1/", "nothing",
)  # fmt: skip


class Noting(Detector):
    """A detector that counts the texts that it looks at."""

    def __init__(self, bundle: Bundle) -> None:
        super().__init__(bundle)
        self.seen = Counter[str]()

    def find(self, text: str) -> list[Identifier]:
        self.seen[text] += 1
        return super().find(text)


class Calls:
    """An engine that counts the texts that single calls ask it for."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self.alone = 0

    def decide(self, texts: list[str], hosts: list[str] | None = None, /) -> Any:
        self.alone += len(texts)
        return self._engine.decide(texts, hosts)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    """Return a bundle that has weights for a host."""
    terms = {
        "soccer": term("Sports/Soccer"), "game": term("Games"), "example.com": term("Arts/Music"),
        "jennifer": term(tags=0), "players": term(""),
    }  # fmt: skip
    path: Path = tmp_path_factory.mktemp("hosts") / "some.bundle"
    path.write_bytes(bundle_bytes(linked(terms).items(), [], word_lists=word_lists()))
    made = Bundle(path)
    yield made
    made.close()


def classifier(bundle: Bundle, engine: Any = None, *, reads_hosts: bool = True) -> TermsClassifier:
    reduce = Reduce(bundle, bundle.counts, engine.likeliest if engine else None)
    return TermsClassifier(
        bundle, Noting(bundle), reduce, bundle.bias, reads_hosts=reads_hosts, pieces=bundle.piece_weights, engine=engine
    )


def ask(*texts: str, url: str | None = None) -> list[Query]:
    return [Query("1", text, 0, 0.0, url=url) for text in texts]


@pytest.mark.parametrize("reads_hosts", [False, True])
def test_thousands_of_queries_are_classified_and_remembered_as_in_python(bundle: Bundle, reads_hosts: bool) -> None:
    seed = any_seed()
    draw = random.Random(seed)
    quick, plain = (classifier(bundle, engine, reads_hosts=reads_hosts) for engine in (native_engine(bundle), None))
    texts = ["example.com\tsoccer", "soccer " * LONGEST, *islice(MadeUp(seed, WORDS), 3_000)]
    for size in (0, 1, 7, 500, 3_000):
        queries = [Query("1", draw.choice(texts), 0, 0.0, url=draw.choice(URLS)) for _ in range(size)]
        answers = quick.each(queries)
        assert (seed, answers) == (seed, plain.each(queries))
        assert all(type(answer) is Classification for answer in answers)
        assert (seed, dict(quick._remembered)) == (seed, dict(plain._remembered))
    assert len(quick._remembered) > 1_000


def test_a_text_is_decided_once_however_often_it_stands_in_a_batch(bundle: Bundle) -> None:
    engine = Calls(native_engine(bundle))
    judge = classifier(bundle, engine)
    noting: Any = judge._detector
    left = "http://a.example/b"  # the native path leaves URLs to Python
    for _ in range(2):
        answers = judge.each(ask("soccer 555-867-5309", left, "soccer", "soccer 555-867-5309", left, "soccer"))
        assert answers[:3] == answers[3:]
        assert answers[0] is answers[3]
    assert noting.seen == {"soccer 555-867-5309": 1, left: 1}
    assert engine.alone == 0


def test_a_long_text_is_decided_once_a_batch_and_not_remembered(bundle: Bundle) -> None:
    judge = classifier(bundle, native_engine(bundle))
    whole, longer = "a" * LONGEST, "a" * (LONGEST + 1)
    answers = judge.each([*ask(whole, longer, longer), *ask(whole, longer, url="http://example.com")])
    assert answers[1] is answers[2]
    assert list(judge._remembered) == [whole, ("example.com", whole)]


def test_no_more_is_remembered_than_in_python(bundle: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = classifier(bundle, native_engine(bundle))
    monkeypatch.setattr(judge._remembered, "_most", 5)
    for number in range(20):
        judge.each(ask(f"soccer {number}", f"game {number}"))
        assert 2 <= len(judge._remembered) <= 5
    assert bounded_cache.MAX > 5


@pytest.mark.parametrize("texts", [["soccer", None], ["soccer", b"soccer"], ["soccer", 7], ["soccer", ["soccer"]]])
def test_what_is_no_text_is_an_error_of_python_s(bundle: Bundle, texts: list[Any]) -> None:
    judge, plain = classifier(bundle, native_engine(bundle)), classifier(bundle)
    with pytest.raises(Exception) as right:  # noqa: PT011 - whatever it is
        plain.each(ask(*texts))
    with pytest.raises(right.type, match=str(right.value)):
        judge.each(ask(*texts))
    assert not judge._remembered


@pytest.mark.parametrize("query", [("1",), ["1", "soccer", 0, 0.0, None, None, ()], None, "soccer"])
def test_what_is_no_query_is_an_error(bundle: Bundle, query: Any) -> None:
    with pytest.raises((TypeError, IndexError)):
        classifier(bundle, native_engine(bundle)).each([query])


def test_an_error_of_the_detector_ends_a_batch_and_nothing_of_it_is_remembered(
    bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = classifier(bundle, native_engine(bundle))

    def fail(_: str) -> list[Identifier]:
        raise ValueError("broken")

    monkeypatch.setattr(judge._detector, "find", fail)
    with pytest.raises(ValueError, match="broken"):
        judge.each(ask("soccer", "soccer 555-867-5309"))
    assert not judge._remembered
