"""Word lists are read from plain text, and the bundle that comes with the package holds all of them."""

from pathlib import Path

import pytest
from querymix.core.errors import ConfigError
from querymix.knowledge.bundle import Bundle
from querymix_lab.knowledge.sources.words import word_lists


def test_a_list_is_named_after_its_file_and_has_one_entry_a_line(tmp_path: Path) -> None:
    (tmp_path / "titles.txt").write_text("# made up\nmr\nthe right honourable\n\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("no list")
    assert word_lists(tmp_path) == {"titles": frozenset({"mr", "the right honourable"})}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("mr\nMrs\n", ":2: write the entry in lower case"),
        ("mr\nright  honourable\n", ":2: write the entry in lower case"),
        ("mr \n", ":1: write the entry in lower case"),
        ("mr\nmrs\nmr\n", ":3: the entry stands in the list twice"),
        ("mr\tmrs\n", ":1: 2 fields"),
        ("# nothing\n", "no entries"),
    ],
)
def test_an_entry_that_breaks_the_rules_is_refused_with_its_line(tmp_path: Path, content: str, complaint: str) -> None:
    (tmp_path / "titles.txt").write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=complaint) as caught:
        word_lists(tmp_path)
    assert "honourable" not in str(caught.value)


def test_the_default_bundle_holds_the_lists_as_they_are_in_the_package() -> None:
    assert Bundle().word_lists == word_lists()
