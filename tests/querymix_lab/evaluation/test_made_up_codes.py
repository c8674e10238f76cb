"""The held-out queries are repeatable, well labelled, and nearly all of them found by the default bundle."""

from querymix.core.identifiers import Detector
from querymix.knowledge.bundle import Bundle
from querymix_lab.evaluation.identifiers import HARMLESS, Gated, evaluate
from querymix_lab.evaluation.made_up_codes import held_out


def test_the_same_seed_gives_the_same_rows() -> None:
    assert list(held_out(5, 100)) == list(held_out(5, 100))
    assert list(held_out(5, 100)) != list(held_out(6, 100))


def test_a_label_marks_text_inside_the_query() -> None:
    for row in held_out(2, 300):
        assert 0 <= row.start <= row.end <= len(row.text)
        assert (row.start < row.end) == (row.kind != HARMLESS)


def test_the_default_bundle_reaches_the_goals() -> None:
    bundle = Bundle()
    score = evaluate(Gated(bundle, Detector(bundle)), held_out(3, 3_000))
    assert all(found.share >= 0.98 for found in score.kinds.values())
    assert score.lookalikes.share <= 0.02
