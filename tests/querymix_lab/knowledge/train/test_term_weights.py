"""The parts of the pipeline that made the weights: texts, student, teachers, on small made-up data."""

from importlib import import_module
from pathlib import Path

import pytest
from querymix.core.knowledge import CATEGORIES
from querymix.core.packed_weights import FIELDS
from querymix_lab.knowledge.sources.files import SourceError
from querymix_lab.knowledge.train.examples import NOT_TAUGHT, PHRASES, listed, phrases, tokens

ARTS, SPORTS = CATEGORIES.index("Arts"), CATEGORIES.index("Sports")


def test_phrases_have_a_first_category_and_lesser_ones(tmp_path: Path) -> None:
    path = tmp_path / "phrases.tsv"
    path.write_text("# note\nArts,Sports\tBallet Shoes, tap dance\nSports\ttap dance\n")
    first, second = phrases(path)
    assert (first.text, first.labels[ARTS], first.labels[SPORTS]) == ("ballet shoes", 1.0, 0.75)
    assert (second.text, second.labels[ARTS], second.labels[SPORTS]) == ("tap dance", 1.0, 1.0)


@pytest.mark.parametrize(("line", "reason"), [("Music\ta", "unknown category"), ("Arts\ta,,b", "empty query")])
def test_a_fault_in_the_phrases_is_told(tmp_path: Path, line: str, reason: str) -> None:
    (tmp_path / "phrases.tsv").write_text(line + "\n")
    with pytest.raises(SourceError, match=f":1: an {reason}"):
        phrases(tmp_path / "phrases.tsv")


def test_the_packages_own_phrases_are_readable_and_of_every_category() -> None:
    own = phrases(PHRASES)
    assert len(own) > 4_000
    assert all(any(phrase.labels[place] == 1.0 for phrase in own) for place in range(len(CATEGORIES)))


def test_listed_terms_are_examples_of_all_their_categories_but_audiences_and_kinds_of_site(tmp_path: Path) -> None:
    (tmp_path / "topics-a.tsv").write_text("Arts/Music\tballet, tap dance\nNews/Papers\tdaily ballet\n")
    (tmp_path / "topics-b.tsv").write_text("Sports\ttap dance\nKids and Teens\ttap dance\n")
    (tmp_path / "famous.tsv").write_text("Sports/Golf\tjo zzyzx\n")
    found = {
        term.text: {CATEGORIES[place] for place, label in enumerate(term.labels) if label} for term in listed(tmp_path)
    }
    assert found == {"ballet": {"Arts"}, "tap dance": {"Arts", "Sports"}, "jo zzyzx": {"Sports"}}
    assert set(CATEGORIES) > NOT_TAUGHT


def test_a_listed_term_of_an_unknown_category_is_told(tmp_path: Path) -> None:
    (tmp_path / "famous.tsv").write_text("Arts\tjo zzyzx\nMusic\tballet\n")
    with pytest.raises(SourceError, match=r"famous\.tsv:2: an unknown category"):
        listed(tmp_path)


def test_tokens_are_what_the_classifier_looks_up() -> None:
    assert list(tokens("Women's t-shirts AT&T")) == ["women", "t", "shirts", "at", "t"]


def test_the_student_learns_what_terms_say() -> None:
    np = import_module("numpy")
    import_module("scipy")
    import_module("tokenizers")
    import_module("safetensors")
    from querymix_lab.knowledge.train.student import fit, soft, vocabulary  # noqa: PLC0415 - the extra `teach`

    texts = [["ballet"], ["goal"], ["ballet", "goal"], ["ballet", "goal"]]
    terms = vocabulary(texts)
    assert terms == ["ballet", "ballet goal", "goal"]
    targets = np.full((4, FIELDS), 0.01, np.float32)
    for row, place in enumerate((ARTS, SPORTS, ARTS, ARTS)):
        targets[row, place] = 1
    learned = fit(texts, targets / targets.sum(1, keepdims=True), np.ones(4, np.float32), terms)
    assert learned.shape == (3, FIELDS)
    assert np.allclose(learned.mean(1), 0, atol=1e-5)
    assert learned[0].argmax() == ARTS
    assert learned[2].argmax() == SPORTS
    assert (learned.sum(0)).argmax() == ARTS
    assert np.allclose(soft(np.zeros((2, 4), np.float32), 1.0), 0.25)


def test_a_target_lies_between_a_teachers_scores_and_the_labels() -> None:
    np = import_module("numpy")
    import_module("scipy")
    import_module("tokenizers")
    import_module("safetensors")
    from querymix_lab.knowledge.train.term_weights import _mixed  # noqa: PLC0415 - the extra `teach`

    labels = np.array([[1, 0, 0, 0], [1, 1, 0, 0]], np.float32)
    mixed = _mixed(np.zeros((2, 4), np.float32), labels, 0.7)
    assert np.allclose(mixed, [[0.775, 0.075, 0.075, 0.075], [0.425, 0.425, 0.075, 0.075]])


def test_the_teachers_give_back_what_they_saw() -> None:
    np = import_module("numpy")
    import_module("scipy")
    import_module("tokenizers")
    import_module("safetensors")
    from querymix_lab.knowledge.train.teacher import First, Second  # noqa: PLC0415 - the extra `teach`

    known = np.eye(6, 8, dtype=np.float32)
    labels = np.eye(6, FIELDS, dtype=np.float32)
    assert First(known, labels)(known).argmax(1).tolist() == list(range(6))
    assert Second(known, labels)(known).argmax(1).tolist() == list(range(6))
