"""docs/SECURITY.md keeps its word: what it promises is tested, and no place with raw data is forgotten."""

import re
from pathlib import Path

import pytest
from querymix.kafka.topics import Topics
from querymix.local.output import PARTIAL
from querymix.local.sorted_output import SUFFIX
from querymix.settings import FileSettings, RunSettings, WorkerSettings

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "SECURITY.md").read_text()


def section(title: str) -> str:
    """Return what stands under a heading."""
    _, _, rest = TEXT.partition(f"\n## {title}\n")
    assert rest, title
    return rest.partition("\n## ")[0]


def rows(title: str) -> list[list[str]]:
    """Return the cells of the table under a heading, without its head."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("row", rows("What querymix promises"), ids=lambda row: str(row[0])[:50])
def test_each_promise_is_tested_somewhere(row: list[str]) -> None:
    files = re.findall(r"`(tests/[^`]+[.]py)`", row[1])
    assert files
    for file in files:
        assert "def test_" in (ROOT / file).read_text()


def test_each_topic_is_said_to_hold_raw_data_or_not_to() -> None:
    for name in Topics._fields:
        assert f"`.{name}`" in section("Where raw data lies"), name


def test_each_file_that_a_run_leaves_or_makes_is_named() -> None:
    places = " ".join(row[0] for row in rows("Where raw data lies"))
    for suffix in (SUFFIX, PARTIAL, ".refused"):
        assert f"`NAME{suffix}`" in places
    for option in ("state", "profiles"):
        assert option in {**RunSettings.model_fields, **FileSettings.model_fields}
        assert f"`--{option}`" in places
    for temporary in re.findall(r'(?:prefix=|gettempdir\(\)\) / )"(querymix-[a-z]+)', code()):
        assert temporary in places


def code() -> str:
    return "\n".join(file.read_text() for file in (ROOT / "service" / "querymix").rglob("*.py"))


def test_each_role_and_each_kind_of_adversary_has_its_row() -> None:
    people = " ".join(row[0] for row in rows("Who might do harm"))
    named = ("searcher", "producer", "reader of the release", "operator", "host", "network")
    for word in (*WorkerSettings().roles, *named):
        assert word in people
    assert all(len(row) == 3 and all(row) for row in rows("Who might do harm"))
