"""The operator's own sources, on made-up files."""

import gzip
from pathlib import Path

import pytest
from querymix_lab.knowledge.facts import CategoryFact, RecommendationFact, ReferenceFact
from querymix_lab.knowledge.sources.files import SourceError
from querymix_lab.knowledge.sources.operator import (
    category_tsv,
    host_tsv,
    odp_rdf,
    recommendations_tsv,
    references_tsv,
)

STRUCTURE = """<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">
  <Topic r:id=""><d:Title>Top</d:Title></Topic>
  <Topic r:id="Top/Sports/Water_Sports"><d:Title>Water Sports</d:Title></Topic>
  <Topic r:id="Top/World/Deutsch/Sport"><d:Title>Sport</d:Title></Topic>
  <Topic r:id="Top/Kids_and_Teens/Games"><d:Title>Games</d:Title></Topic>
</RDF>
"""
CONTENT = """<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">
  <Topic r:id="Top/Home/Cooking"><link r:resource="http://www.soup.example/"/></Topic>
  <ExternalPage about="http://www.soup.example/index.html">
    <d:Title>Soup Kitchen</d:Title><d:Description>All of soup.</d:Description><topic>Top/Home/Cooking</topic>
  </ExternalPage>
  <ExternalPage about="http://www.suppe.example/"><d:Title>Suppe</d:Title><topic>Top/World/Deutsch</topic></ExternalPage>
</RDF>
"""


def write(path: Path, text: str) -> Path:
    """Write a file, gzipped where its name ends so."""
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_a_category_table_is_read_without_top_and_without_the_world(tmp_path: Path, ending: str) -> None:
    """World holds no English sites; the first level is written as CATEGORIES has it."""
    table = "Tennis Racket\tTop/Sports/Tennis\t3\nvier\tWorld/Deutsch\t2\ndolls\tKids_and_Teens/Games\t0.5\n"
    assert list(category_tsv(write(tmp_path / f"terms.tsv{ending}", table))) == [
        CategoryFact("tennis racket", "Sports/Tennis", 3.0),
        CategoryFact("dolls", "Kids and Teens/Games", 0.5),
    ]


def test_the_other_tables_give_their_facts(tmp_path: Path) -> None:
    """Comments and empty lines are skipped."""
    hosts = write(tmp_path / "hosts.tsv", "# hosts\n\nwww.soup.example\tHome\n")
    references = write(tmp_path / "references.tsv", "soup\t120\n")
    recommendations = write(tmp_path / "spelling.tsv", "suop\tsoup\n")
    assert list(host_tsv(hosts)) == [CategoryFact("soup.example", "Home", 1.0)]
    assert list(references_tsv(references)) == [ReferenceFact("soup", 120)]
    assert list(recommendations_tsv(recommendations)) == [RecommendationFact("suop", "soup")]


@pytest.mark.parametrize("line", ["soup", "soup\tHome", "soup\tHome\tmany", "soup\tHome\t-1", "soup\tHome\tnan"])
def test_a_faulty_line_is_named_and_not_repeated(tmp_path: Path, line: str) -> None:
    """The operator is told where to look; the line may hold what must not be logged."""
    path = write(tmp_path / "terms.tsv", f"good\tHome\t1\n{line}\n")
    with pytest.raises(SourceError, match=r"terms\.tsv:2: ") as caught:
        list(category_tsv(path))
    assert "soup" not in str(caught.value)


def test_a_missing_file_a_broken_gzip_and_foreign_bytes_are_source_errors(tmp_path: Path) -> None:
    """Each says what to do."""
    with pytest.raises(SourceError, match="cannot be opened"):
        list(references_tsv(tmp_path / "none.tsv"))
    broken = write(tmp_path / "broken.tsv.gz", "soup\t1\n" * 1000)
    broken.write_bytes(broken.read_bytes()[:-12])
    with pytest.raises(SourceError, match="copy the file again"):
        list(references_tsv(broken))
    foreign = tmp_path / "foreign.tsv"
    foreign.write_bytes(b"caf\xe9\t1\n")
    with pytest.raises(SourceError, match="not UTF-8"):
        list(references_tsv(foreign))


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_a_directory_dump_gives_categories_and_hosts(tmp_path: Path, ending: str) -> None:
    """Names of categories count more than words of titles."""
    structure = write(tmp_path / f"structure.rdf.u8{ending}", STRUCTURE)
    content = write(tmp_path / f"content.rdf.u8{ending}", CONTENT)
    assert list(odp_rdf(structure, content)) == [
        CategoryFact("water sports", "Sports/Water_Sports", 5.0),
        CategoryFact("games", "Kids and Teens/Games", 5.0),
        CategoryFact("soup.example", "Home/Cooking", 1.0),
        CategoryFact("soup", "Home/Cooking", 1.0),
        CategoryFact("kitchen", "Home/Cooking", 1.0),
        CategoryFact("soup kitchen", "Home/Cooking", 1.0),
    ]


def test_a_dump_that_is_no_xml_names_the_line(tmp_path: Path) -> None:
    """Old dumps hold control characters."""
    content = write(tmp_path / "content.rdf.u8", CONTENT.replace("All of", "All \x01 of"))
    with pytest.raises(SourceError, match=r"content\.rdf\.u8:5: "):
        list(odp_rdf(None, content))
