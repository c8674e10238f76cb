"""Labels in both forms, what counts as right, and the command."""

from importlib import import_module
from pathlib import Path

import orjson
import pytest
from querymix.core.errors import ConfigError
from querymix.core.knowledge import CATEGORIES
from querymix.core.records import UNCLASSIFIED, Classification
from querymix_lab.evaluation.classifier import Labelled, measure, plot, read_labels, speed

from tests.conftest import Command

ARTS, SPORTS, SOCIETY = (CATEGORIES.index(name) for name in ("Arts", "Sports", "Society"))


def judge(text: str, url: str | None = None, /) -> Classification:
    """Answer with the category that the query names."""
    place = CATEGORIES.index(text) if text in CATEGORIES else UNCLASSIFIED
    return Classification(place, text if place >= 0 else "", "", text)


def labels(folder: Path, text: str) -> Path:
    path = folder / "labels.tsv"
    path.write_text(text)
    return path


def test_the_simple_form_has_one_right_category(tmp_path: Path) -> None:
    (row,) = read_labels(labels(tmp_path, "# note\n\nviola\tArts\n"))
    assert row == Labelled("viola", {ARTS: 1}, 1)
    assert row.right(ARTS)
    assert not row.right(SPORTS)
    assert "viola" not in repr(row)


def test_several_labelers_have_to_agree_by_two(tmp_path: Path) -> None:
    (row,) = read_labels(labels(tmp_path, "viola\tArts,Society\tKids_and_Teens,arts\t\n"))
    assert row.votes[ARTS] == 2
    assert row.right(ARTS)
    assert not row.right(SOCIETY)
    assert row.reference(SPORTS) == ARTS
    assert not row.right(UNCLASSIFIED)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("viola\n", ":1: write query"),
        ("a\tArts\n\tArts\n", ":2: write query"),
        ("viola\tMusic\n", ":1: 1 unknown"),
        ("", "holds no labelled query"),
        ("# only\n", "holds no labelled query"),
    ],
)
def test_a_line_of_neither_form_is_told_by_its_number_and_not_its_text(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason) as caught:
        read_labels(labels(tmp_path, text))
    assert "viola" not in str(caught.value)


def test_a_file_that_is_no_text_or_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "labels.tsv").write_bytes(b"\xff\xfe\tArts\n")
    with pytest.raises(ConfigError, match="UTF-8"):
        read_labels(tmp_path / "labels.tsv")
    with pytest.raises(ConfigError, match="cannot be opened"):
        read_labels(tmp_path / "none.tsv")


def test_figures_are_counted_from_the_confusion() -> None:
    rows = [
        Labelled("Arts", {ARTS: 1}, 1),
        Labelled("Sports", {ARTS: 1}, 1),
        Labelled("nothing", {SPORTS: 1}, 1),
        Labelled("Sports", {SPORTS: 2, ARTS: 3}, 2),
        Labelled("Arts", {}, 2),
    ]
    figures = measure(judge, rows)
    summary = figures.summary()
    assert (summary["queries"], summary["covered"], summary["right of all"], summary["right of covered"]) == (
        5,
        0.8,
        0.4,
        0.5,
    )
    assert (summary["right of all, low"], summary["right of all, high"]) == (0.1176, 0.7693)
    assert figures.categories()["Arts"] == {"queries": 2, "answers": 1, "precision": 1.0, "recall": 0.5}
    assert figures.categories()["Sports"] == {"queries": 2, "answers": 2, "precision": 0.5, "recall": 0.5}
    assert figures.confusion[SPORTS][-1] == 1
    assert "Games" not in figures.categories()


def test_speed_is_taken_cold_and_warm() -> None:
    rates = speed(lambda: judge, ["Arts"] * 100)
    assert set(rates) == {"cold", "warm"}
    assert min(rates.values()) > 0


def test_the_plot_is_a_picture(tmp_path: Path) -> None:
    import_module("matplotlib")
    figures = measure(judge, [Labelled("Arts", {ARTS: 1}, 1), Labelled("Sports", {ARTS: 1}, 1)])
    plot(figures, tmp_path / "confusion.png", "made up")
    assert (tmp_path / "confusion.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ConfigError, match="cannot write"):
        plot(figures, tmp_path / "none" / "confusion.png", "made up")


def test_the_command_tells_figures_for_people_and_machines(querymix: Command, tmp_path: Path) -> None:
    path = labels(tmp_path, "european soccer\tSports\nbarcelona\tRegional\nqwrtzpl\tArts\n")
    done = querymix("study", "classifier", "--labels", path, "--json")
    assert done.exit_code == 0, done.output
    result = orjson.loads(done.stdout)
    assert (result["classifier"], result["queries"], result["right of all"]) == ("terms", 3, 0.6667)
    assert result["queries/s"]["cold"] > 0
    done = querymix("study", "classifier", "--labels", path, "--classifier", "paper")
    assert "66.7%" in done.output
    assert "soccer" not in done.output
    done = querymix("study", "classifier", "--labels", path, "--confidence", "1")
    assert "0.0%" in done.output


def test_the_command_refuses_bad_labels(querymix: Command, tmp_path: Path) -> None:
    done = querymix("study", "classifier", "--labels", labels(tmp_path, "viola\tMusic\n"))
    assert done.exit_code == 2
    assert "unknown" in done.output
    assert querymix("study", "classifier", "--labels", tmp_path / "none").exit_code == 2
