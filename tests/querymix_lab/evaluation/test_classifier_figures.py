"""The classifier on made-up labelled queries: figures that are printed when they change, and a floor under them.

The figures stand in data/classifier.json. Where a change is meant, write the printed ones there.
"""

import json
from pathlib import Path

import pytest
from querymix.bootstrap.parts import make_classifier
from querymix.knowledge.bundle import Bundle
from querymix.settings import KnowledgeSettings
from querymix_lab.evaluation.classifier import measure, read_labels

DATA = Path(__file__).parent / "data"
EXPECTED = json.loads((DATA / "classifier.json").read_text())


@pytest.fixture(scope="module")
def default() -> Bundle:
    return Bundle()


@pytest.mark.parametrize("kind", sorted(EXPECTED))
def test_the_figures_are_those_on_file_or_are_printed(
    kind: str, default: Bundle, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = make_classifier(KnowledgeSettings.model_validate({"classifier": kind}), default)
    found = measure(judge, read_labels(DATA / "labelled.tsv")).summary()
    expected = EXPECTED[kind]
    changed = {
        name: (expected[name], found[name]) for name in ("covered", "right of all") if expected[name] != found[name]
    }
    if changed:
        with capsys.disabled():
            print(f"\n{kind} on {found['queries']} made-up queries changed:")  # noqa: T201 - what the test is for
            for name, (before, now) in changed.items():
                print(f"  {name}: {before} -> {now}")  # noqa: T201
    assert found["right of all"] >= expected["floor"]


def test_all_terms_together_are_right_more_often_than_the_rarest_unit() -> None:
    assert EXPECTED["terms"]["right of all"] > EXPECTED["paper"]["right of all"]
