"""The file of weights gives back what went in, and says so where it is none."""

import lzma
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.core.lanes import LANES, LARGEST
from service.knowledge.facts import EvidenceFact
from service.knowledge.sources.files import SourceError
from service.knowledge.sources.weights import LEARNED, evidence_facts, packed

WEIGHTS = st.lists(st.integers(-LARGEST, LARGEST), min_size=LANES, max_size=LANES).map(tuple)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("weights") / "evidence.xz"


@settings(deadline=None, max_examples=30)
@given(st.dictionaries(st.from_regex(r"[a-z]{1,9}( [a-z]{1,9}){0,2}", fullmatch=True), WEIGHTS, max_size=20))
def test_what_is_packed_is_read_in_alphabetical_order(path: Path, weights: dict[str, tuple[int, ...]]) -> None:
    path.write_bytes(packed(weights))
    assert list(evidence_facts(path)) == [EvidenceFact(name, weights[name]) for name in sorted(weights)]
    assert packed(dict(reversed(weights.items()))) == path.read_bytes()


def test_a_file_that_is_none_is_refused(path: Path) -> None:
    whole = packed({"soccer": (1,) * LANES})
    path.write_bytes(whole[:-9])
    with pytest.raises(SourceError, match="damaged"):
        list(evidence_facts(path))
    path.write_bytes(lzma.compress(lzma.decompress(whole)[:-1]))
    with pytest.raises(SourceError, match="damaged"):
        list(evidence_facts(path))
    path.write_bytes(lzma.compress(b'{"format": 0, "terms": 0, "scale": 40}\n'))
    with pytest.raises(SourceError, match="another format"):
        list(evidence_facts(path))
    with pytest.raises(SourceError, match="cannot be opened"):
        list(evidence_facts(path.with_name("none")))


@pytest.mark.parametrize("weights", [{"a\nb": (0,) * LANES}, {"a": (0,)}, {"a": (LARGEST + 1,) * LANES}])
def test_what_does_not_fit_is_not_packed(weights: dict[str, tuple[int, ...]]) -> None:
    with pytest.raises(ValueError, match=r"term|weights"):
        packed(weights)


def test_the_file_of_the_package_is_whole() -> None:
    assert sum(1 for _ in evidence_facts(LEARNED)) > 50_000
