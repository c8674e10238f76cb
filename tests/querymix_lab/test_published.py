"""What does not come out as in the papers is told once, in the reports and in the documentation alike."""

from pathlib import Path

import pytest
from querymix_lab.published import BATCH, STREAM

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(("page", "table"), [("batch.md", BATCH), ("evaluation.md", STREAM)])
def test_each_difference_from_a_paper_stands_in_the_documentation_too(
    page: str, table: dict[str, list[dict[str, str]]]
) -> None:
    text = " ".join((DOCS / page).read_text("utf-8").split())
    for found in table["differs"]:
        assert f"| {found['result']} | {found['here']} | {' '.join(found['why'].split())} |" in text


@pytest.mark.parametrize("found", [*BATCH["differs"], *STREAM["differs"]], ids=lambda found: found["result"][:20])
def test_a_difference_is_told_in_one_sentence_a_cell(found: dict[str, str]) -> None:
    assert found["here"].endswith(".")
    assert found["why"].endswith(".")
    assert ". " not in found["why"]
