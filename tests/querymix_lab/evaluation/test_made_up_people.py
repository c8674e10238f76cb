"""The held-out people are repeatable and well labelled, and most of their names are cut by the default bundle."""

from querymix.core.identifiers import Detector
from querymix.knowledge.bundle import Bundle
from querymix_lab.evaluation.identifiers import HARMLESS, Gated, evaluate
from querymix_lab.evaluation.made_up_people import people


def test_the_same_seed_gives_the_same_rows() -> None:
    first = list(people(5, 100))
    assert first == list(people(5, 100))
    assert first != list(people(6, 100))


def test_a_label_marks_text_inside_the_query() -> None:
    for row in people(2, 300):
        assert 0 <= row.start <= row.end <= len(row.text)
        assert (row.start < row.end) == (row.kind != HARMLESS)


def test_the_default_bundle_reaches_the_goals() -> None:
    bundle = Bundle()
    score = evaluate(Gated(bundle, Detector(bundle)), people(3, 3_000))
    assert score.kinds["name"].share >= 0.87
    assert score.lookalikes.share <= 0.02
