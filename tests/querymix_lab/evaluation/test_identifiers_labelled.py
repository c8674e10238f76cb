"""The labelled queries are repeatable, well labelled, and scored without mercy for remaining parts."""

import faker  # noqa: F401 - what is tested needs it: without it the module is skipped
from querymix.core.identifiers import Identifier
from querymix_lab.evaluation.identifiers import HARMLESS, Row, covered, evaluate
from querymix_lab.evaluation.made_up import AROUND, LOOKALIKES, labelled


class Fixed:
    """A finder that cuts the same span from every text."""

    def __init__(self, *found: Identifier) -> None:
        self.found = list(found)

    def find(self, text: str) -> list[Identifier]:
        return self.found


def test_the_same_seed_gives_the_same_rows() -> None:
    assert list(labelled(5, 200)) == list(labelled(5, 200))
    assert list(labelled(5, 200)) != list(labelled(6, 200))


def test_every_kind_and_a_third_of_look_alikes_are_drawn() -> None:
    rows = list(labelled(1, 600))
    assert {row.kind for row in rows} == {*AROUND, HARMLESS}
    assert sum(row.kind == HARMLESS for row in rows) == 200


def test_a_label_marks_text_inside_the_query() -> None:
    for row in labelled(2, 600):
        assert row.text == row.text.strip()
        assert 0 <= row.start <= row.end <= len(row.text)
        assert (row.start < row.end) == (row.kind != HARMLESS)


def test_names_come_from_the_frequencies_that_are_given() -> None:
    rows = [row for row in labelled(3, 3000, [("zelmira", 1.0)], [("quackenbush", 1.0)]) if row.kind == "name"]
    assert 0.3 < sum("quackenbush" in row.text for row in rows) / len(rows) < 0.7


def test_there_are_enough_different_look_alikes() -> None:
    assert len(set(LOOKALIKES)) == len(LOOKALIKES) >= 300


def test_an_identifier_counts_only_if_no_part_remains() -> None:
    row = Row("call 217-555-0142 now", "phone", 5, 17)
    assert covered(row, [Identifier("phone", 5, 17)])
    assert covered(row, [Identifier("code", 5, 8), Identifier("phone", 9, 17)])
    assert not covered(row, [Identifier("phone", 5, 16)])


def test_a_score_counts_finds_misses_and_changed_look_alikes() -> None:
    rows = [Row("jo doe", "name", 0, 6), Row("jo d now", "name", 0, 2), Row("rose garden", HARMLESS)]
    score = evaluate(Fixed(Identifier("name", 0, 4)), rows)
    assert score.kinds == {"name": (1, 2)}
    assert score.partly == {"name": (1, 2)}
    assert score.all == (1, 2)
    assert score.lookalikes.share == 1.0
    assert "jo doe" not in repr((score, rows))
