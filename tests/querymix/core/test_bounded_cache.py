"""What is remembered is bounded in number and in size, and never shows."""

from hypothesis import given
from hypothesis import strategies as st
from querymix.core.bounded_cache import BoundedCache


@given(st.lists(st.text(max_size=6), max_size=60))
def test_never_more_answers_than_allowed_and_none_for_a_long_key(keys: list[str]) -> None:
    answers = BoundedCache[int](most=5, longest=3)
    for number, key in enumerate(keys):
        answers.keep(key, number)
        assert len(answers) <= 5
        assert (answers.get(key) == number) is (len(key) <= 3)


def test_a_full_memory_forgets_all_before_the_next_answer() -> None:
    answers = BoundedCache[int](most=2)
    for number, key in enumerate("abc"):
        answers.keep(key, number)
    assert dict(answers) == {"c": 2}


def test_no_repr_shows_what_is_remembered() -> None:
    answers = BoundedCache[str]()
    answers.keep("secret", "word")
    assert repr(answers) == "BoundedCache(1 answers)"
