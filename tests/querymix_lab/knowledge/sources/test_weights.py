"""The file of weights gives back what went in, and says so where it is none."""

import lzma
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.packed_weights import FIELDS, LARGEST
from querymix_lab.knowledge.facts import WeightsFact
from querymix_lab.knowledge.sources.files import SourceError
from querymix_lab.knowledge.sources.weights import LEARNED, file_bytes, shared_weights, weights_facts

WEIGHTS = st.lists(st.integers(-LARGEST, LARGEST), min_size=FIELDS, max_size=FIELDS).map(tuple)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("weights") / "term-weights.xz"


@settings(deadline=None, max_examples=8)  # each packs twice, which fills a dictionary of 64 MiB
@given(st.dictionaries(st.from_regex(r"[a-z]{1,9}( [a-z]{1,9}){0,2}", fullmatch=True), WEIGHTS, max_size=20))
def test_what_is_packed_is_read_in_alphabetical_order(path: Path, weights: dict[str, tuple[int, ...]]) -> None:
    path.write_bytes(file_bytes(weights))
    assert list(weights_facts(path)) == [WeightsFact(name, weights[name]) for name in sorted(weights)]
    assert file_bytes(dict(reversed(weights.items()))) == path.read_bytes()


def test_a_file_that_is_none_is_refused(path: Path) -> None:
    whole = file_bytes({"soccer": (1,) * FIELDS})
    path.write_bytes(whole[:-9])
    with pytest.raises(SourceError, match="damaged"):
        list(weights_facts(path))
    path.write_bytes(lzma.compress(lzma.decompress(whole)[:-1]))
    with pytest.raises(SourceError, match="damaged"):
        list(weights_facts(path))
    path.write_bytes(lzma.compress(b'{"format": 0, "terms": 0, "scale": 40}\n'))
    with pytest.raises(SourceError, match="another format"):
        list(weights_facts(path))
    with pytest.raises(SourceError, match="cannot be opened"):
        list(weights_facts(path.with_name("none")))


def test_what_a_language_shares_with_another_is_read_from_that_ones_file_and_nothing_else(tmp_path: Path) -> None:
    learned, row = tmp_path / "term-weights.xz", (1,) * FIELDS
    for name, terms in (
        ("", ["hotel"]),
        ("-es", ["telefono", "telefono hotel", "ayuntamiento", "hotel"]),
        ("-fr", ["telefono", "boulangerie"]),
        ("-it", ["cucina"]),
    ):
        learned.with_stem(f"term-weights{name}").write_bytes(file_bytes(dict.fromkeys(terms, row)))
    assert list(shared_weights(["it"], learned)) == [WeightsFact(term, row) for term in ("telefono", "telefono hotel")]
    assert list(shared_weights(["es", "fr", "it"], learned)) == []


@pytest.mark.parametrize("weights", [{"a\nb": (0,) * FIELDS}, {"a": (0,)}, {"a": (LARGEST + 1,) * FIELDS}])
def test_what_does_not_fit_is_not_packed(weights: dict[str, tuple[int, ...]]) -> None:
    with pytest.raises(ValueError, match=r"term|weights"):
        file_bytes(weights)


def test_the_file_of_the_package_is_whole() -> None:
    assert sum(1 for _ in weights_facts(LEARNED)) > 50_000
