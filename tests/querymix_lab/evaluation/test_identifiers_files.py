"""Labelled files are read as documented, and a fault names the line, never its text. All data is made up."""

import gzip
from importlib import import_module
from pathlib import Path

import pytest
from querymix.core.errors import ConfigError
from querymix.core.identifiers import Detector, Identifier
from querymix.core.knowledge import FIRST_NAME, SURNAME, Term
from querymix.knowledge.bundle import Bundle
from querymix_lab.evaluation.identifiers import HARMLESS, UNLABELLED, Gated, Row, evaluate, read

from tests.known import Known


class Fixed:
    """A finder that cuts the same span from every text."""

    def find(self, text: str) -> list[Identifier]:
        return [Identifier("name", 0, 4)]


def test_a_line_has_a_query_a_kind_and_the_identifier(tmp_path: Path) -> None:
    file = tmp_path / "labels.tsv"
    file.write_text("# made up\ncall 217-555-0142 now\tphone\t217-555-0142\nrose garden\t\t\ncheap hotels\n\n")
    assert list(read(file)) == [
        Row("call 217-555-0142 now", "phone", 5, 17),
        Row("rose garden", HARMLESS),
        Row("cheap hotels", UNLABELLED),
    ]


def test_a_gzipped_file_is_read_too(tmp_path: Path) -> None:
    file = tmp_path / "labels.tsv.gz"
    file.write_bytes(gzip.compress(b"rose garden\t\n"))
    assert list(read(file)) == [Row("rose garden", HARMLESS)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("hushed\tnonsense\thushed", "no such kind"),
        ("hushed\tphone\tother", "as it stands in the query"),
        ("hushed\tphone\t", "as it stands in the query"),
        ("hushed\tphone\thushed\tmore", "4 fields"),
    ],
)
def test_a_fault_names_the_line_and_not_its_text(tmp_path: Path, line: str, reason: str) -> None:
    file = tmp_path / "labels.tsv"
    file.write_text(f"rose garden\t\n{line}\n")
    with pytest.raises(ConfigError, match=reason) as caught:
        list(read(file))
    assert "labels.tsv:2" in str(caught.value)
    assert "hushed" not in str(caught.value)


def test_a_missing_file_is_a_message(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        list(read(tmp_path / "none.tsv"))


def test_queries_without_a_label_only_count_as_changed_or_not() -> None:
    score = evaluate(Fixed(), [Row("jo doe", UNLABELLED), Row("rose", HARMLESS)])
    assert score.unlabelled == score.lookalikes == (1, 1)


def test_recall_of_names_is_told_for_lower_case_queries_of_two_to_six_words() -> None:
    rows = [Row("jo d", "name", 0, 4), Row("Jo D", "name", 0, 4), Row("jo d a b c d e", "name", 0, 4)]
    score = evaluate(Fixed(), rows)
    assert (score.short_names, score.short_names.share) == ((1, 1), 1.0)
    assert {kind: found.whole for kind, found in score.kinds.items()} == {"name": 3}


def test_the_gate_hides_nothing_that_the_detector_finds() -> None:
    base = Known({"jennifer": Term(FIRST_NAME), "kowalczyk": Term(SURNAME)})
    finder = Gated(base, Detector(base))
    assert finder.find("jennifer kowalczyk") == [Identifier("name", 0, 18)]
    assert finder.find("cheap hotels") == []


def test_everyday_pairs_are_names_and_stars_are_topics_to_the_default_bundle() -> None:
    bundle = Bundle()
    finder = Gated(bundle, Detector(bundle))
    everyday = ("john smith", "robert brown", "mary jones obituary", "james wilson ohio")
    assert all(finder.find(query) for query in everyday)
    stars = ("michael jackson", "jennifer lopez", "george washington", "margaret mitchell")
    assert not any(finder.find(query) for query in stars)


def test_the_default_bundle_reaches_the_goals_on_made_up_queries() -> None:
    made_up = import_module("querymix_lab.evaluation.made_up")
    bundle = Bundle()
    rows = list(made_up.labelled(3, 3_000, *made_up.census_names()))
    score = evaluate(Gated(bundle, Detector(bundle)), rows)
    assert all(found.share >= 0.98 for kind, found in score.kinds.items() if kind != "name")
    assert score.kinds["name"].share >= 0.9
    assert score.lookalikes.share <= 0.02
