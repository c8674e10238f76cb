"""Word lists are read from plain text, and the bundle that comes with the package holds all of them."""

import re
from pathlib import Path

import pytest
from querymix.core.errors import ConfigError
from querymix.knowledge.bundle import Bundle
from querymix_lab.knowledge.sources.files import LISTS
from querymix_lab.knowledge.sources.words import word_lists

from tests.docs.blocks import ROOT


def test_a_list_is_named_after_its_file_and_has_one_entry_a_line(tmp_path: Path) -> None:
    (tmp_path / "titles.txt").write_text("# made up\nmr\nthe right honourable\n\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("no list")
    assert word_lists(tmp_path) == {"titles": frozenset({"mr", "the right honourable"})}


def test_a_list_of_a_language_adds_to_the_list_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "titles.txt").write_text("mr\n", encoding="utf-8")
    (tmp_path / "titles.german.txt").write_text("herr\nmr\n", encoding="utf-8")
    assert word_lists(tmp_path) == {"titles": frozenset({"mr", "herr"})}


def test_an_entry_counts_as_it_is_seen_with_marks_and_without(tmp_path: Path) -> None:
    (tmp_path / "family.txt").write_text("müller\nmeißner\nnúñez\nsørensen\n", encoding="utf-8")
    assert word_lists(tmp_path)["family"] == {"muller", "mueller", "meissner", "nunez", "sorensen", "soerensen"}


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


def test_a_package_that_a_list_names_as_its_source_stands_in_the_notice() -> None:
    notice = ROOT / "service/querymix/knowledge/NOTICE.md"
    used, left_out = notice.read_text("utf-8").split("Deliberately not used:")
    folders = (LISTS, ROOT / "service/querymix/core/identifiers/data")
    lists = [path for folder in folders for path in folder.rglob("*") if path.suffix in {".tsv", ".txt"}]
    heads = {path.name: re.findall(r"^#.*", path.read_text("utf-8"), re.MULTILINE) for path in lists}
    named = {
        (name, package) for name, head in heads.items() for package in re.findall(r"PyPI ([\w-]+)", " ".join(head))
    }
    assert {"Faker", "wordsegment"} <= {package for _, package in named}
    assert not {one for one in named if f"PyPI `{one[1]}`" not in used or f"`{one[1]}`:" in left_out}
