"""The shapes of names, followed all at once, against a regular expression of each."""

from typing import Final

from hypothesis import example, given, settings
from hypothesis import strategies as st
from querymix.core.identifiers.names.matching import LONGEST, Candidate, any_of, candidates, first_place, lines
from querymix.core.identifiers.names.shapes import ROLES, SHAPES, WORDS, sign

ALL: Final = any_of(shape.roles for shape in SHAPES)
EACH: Final = [(any_of([shape.roles]), shape.counts) for shape in SHAPES]
TITLE: Final = any_of(["title", "honorific"], ends=False)
ANY: Final = st.builds(sign, *(st.integers(0, top) for top in (4, 4, 16, 2)))
TEXTS: Final = st.lists(ANY, max_size=14).map("".join)
LINES: Final = [line for shape in SHAPES for line in lines(shape.roles)]
SIGNS: Final = {
    (role, after): [one for one, word in WORDS.items() if word.after in after and ROLES[role](word)]
    for line in LINES
    for role, after in line
}


@st.composite
def near_names(draw: st.DrawFn) -> str:
    """Return signs that some shape asks for, with others around."""
    parts = [part for line in draw(st.lists(st.sampled_from(LINES), min_size=1, max_size=2)) for part in line]
    named = [draw(st.sampled_from(SIGNS[part])) for part in parts]
    return "".join([*draw(st.lists(ANY, max_size=2)), *named, *draw(st.lists(ANY, max_size=2))])


@settings(max_examples=500, deadline=None)
@given(st.one_of(near_names(), TEXTS))
@example("")
def test_candidates_are_what_an_expression_of_each_shape_matches(signs: str) -> None:
    signs = signs[:LONGEST]
    starts = (0, 1) if TITLE.match(signs) else (0,)
    matches = [
        Candidate(match.end(), start, counts)
        for start in starts
        for shape, counts in EACH
        if (match := shape.match(signs, start))
    ]
    assert candidates(signs) == tuple(sorted(set(matches), reverse=True))


@settings(max_examples=500, deadline=None)
@given(st.one_of(near_names(), TEXTS), st.integers(0, 14))
def test_a_name_begins_first_where_an_expression_of_all_shapes_is_found_first(signs: str, at: int) -> None:
    match = ALL.search(signs, at)
    assert first_place(signs, at) == (match.start() if match else -1)
