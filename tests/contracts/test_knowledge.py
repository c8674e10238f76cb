"""What every knowledge base must do (querymix.core.knowledge.Knowledge), the tests' own double included.

A new adapter gets one maker in `ADAPTERS`: from terms to a knowledge base that holds them and the package's word lists.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.errors import ConfigError
from querymix.core.knowledge import CATEGORIES, NOUN, UNKNOWN, Knowledge, Term, prefilter_bit
from querymix.core.text import folded
from querymix.knowledge.bundle import DEFAULT, Bundle
from querymix.knowledge.layout import Source
from querymix.knowledge.writing import bundle_bytes, write

from tests.known import Known

Make = Callable[[Mapping[str, Term]], Knowledge]


def bundle(terms: Mapping[str, Term]) -> Knowledge:
    lists = {name: sorted(entries) for name, entries in Bundle(DEFAULT).word_lists.items()}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.bundle"
        write(path, bundle_bytes(terms.items(), [Source("made up", "public domain", 3)], word_lists=lists))
        return Bundle(path)


ADAPTERS: dict[str, Make] = {"bundle": bundle, "double": Known}
names = st.from_regex(r"[a-z]{1,6}( [a-z]{1,6}){0,3}", fullmatch=True)
facts = st.builds(
    Term,
    tags=st.integers(0, 0xFFF),
    references=st.integers(0, 2**40),
    category=st.integers(-1, len(CATEGORIES) - 1),
    path=st.sampled_from(["", "Sports", "Sports/Soccer"]),
    recommendation=st.just("") | names,
    span=st.integers(0, 4),
    weights=st.just(0),
    bit=st.just(0),
    later_bits=st.just(0),
    first_bits=st.just(0),
)


@pytest.fixture(params=ADAPTERS)
def make(request: pytest.FixtureRequest) -> Make:
    return ADAPTERS[request.param]


@pytest.mark.parametrize("adapter", ADAPTERS)
@settings(deadline=None, max_examples=20)
@given(known=st.dictionaries(names, facts, max_size=20), asked=st.lists(names | st.text(max_size=20)))
def test_a_known_term_is_answered_as_it_is_known_and_any_other_as_unknown(
    adapter: str, known: dict[str, Term], asked: list[str]
) -> None:
    known = {name: term._replace(bit=0 if " " in name else prefilter_bit(name)) for name, term in known.items()}
    base = ADAPTERS[adapter](known)
    for _ in range(2):
        assert {name: base[name] for name in known} == known
        answers = [known.get(term) or known.get(folded(term), UNKNOWN) for term in asked]
        assert [base[term] for term in asked] == answers


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_term_with_accents_is_answered_as_it_is_known_and_else_as_it_is_without_them(adapter: str) -> None:
    known = {name: Term(NOUN, number) for number, name in enumerate(("munchen", "cafe", "café", "fussball wm"), 1)}
    base = ADAPTERS[adapter](known)
    assert [base[name].references for name in ("münchen", "cafe", "café", "fußball wm", "мюнхен", "ü")] == [
        1,
        2,
        3,
        4,
        0,
        0,
    ]
    assert base["münchen"].bit == base["munchen"].bit


@pytest.mark.parametrize("term", ["", " ", "x" * 300, "caf\u00e9", "\udcff", "a\0b", "one two three four five"])
def test_no_text_is_an_exception(make: Make, term: str) -> None:
    assert make({})[term] == UNKNOWN


def test_an_empty_knowledge_base_has_its_word_lists_all_the_same(make: Make) -> None:
    assert "name-honorifics" in NAMES
    assert all(make({}).words(name) for name in NAMES)


def test_entries_of_word_lists_are_lower_case_with_single_spaces(make: Make) -> None:
    base = make({})
    for name in NAMES:
        assert all(entry == " ".join(entry.lower().split()) for entry in base.words(name))


def test_a_list_that_is_not_there_is_told_by_its_name(make: Make) -> None:
    with pytest.raises(ConfigError, match="no word list 'no-such-list'"):
        make({}).words("no-such-list")


NAMES = sorted(Bundle(DEFAULT).word_lists)
