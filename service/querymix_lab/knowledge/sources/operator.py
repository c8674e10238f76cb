"""The operator's own sources: a directory dump and tables, plain or ".gz".

Rules:
- Category paths may begin with "Top/" and may have underscores for spaces in their first level ("Kids_and_Teens").
  What does not lie under one of `CATEGORIES` is skipped: "World" and "Top/World" hold no English sites.
- A dump is read as a stream. A fault is a `SourceError` that names file and line and says what to do.

Source: the Open Directory's RDF dumps (structure.rdf.u8, content.rdf.u8) and Curlie's, which keep their form.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from querymix.core.hosts import host_of
from querymix.core.knowledge import CATEGORIES, LONGEST_UNIT
from querymix.core.text import words

from querymix_lab.knowledge.facts import CategoryFact, RecommendationFact, ReferenceFact
from querymix_lab.knowledge.sources.files import SourceError, open_bytes, rows

__all__ = ["SourceError", "category_tsv", "host_tsv", "odp_rdf", "recommendations_tsv", "references_tsv"]

_FIRST_LEVELS: Final = {name.replace(" ", "_"): name for name in CATEGORIES}
_NAMESPACE: Final = re.compile(r"\{[^}]*\}")
_TITLE_WEIGHT: Final = 1.0
_TOPIC_WEIGHT: Final = 5.0
"""A category's own name says more of it than one site's title."""


def category_path(path: str) -> str:
    """Return a category path as facts have it, empty where it lies under none of `CATEGORIES`."""
    first, slash, rest = path.strip().strip("/").removeprefix("Top/").partition("/")
    name = _FIRST_LEVELS.get(first.replace(" ", "_"))
    return f"{name}{slash}{rest}" if name else ""


def category_tsv(path: Path) -> Iterator[CategoryFact]:
    """Yield the facts of a table: term, category path, count."""
    for number, (term, category, count) in rows(path, "term category count"):
        full = category_path(category)
        if full:
            yield CategoryFact(_term(term), full, _number(path, number, count))


def host_tsv(path: Path) -> Iterator[CategoryFact]:
    """Yield the facts of a table: host, category path."""
    for number, (host, category) in rows(path, "host category"):
        # The column says that it is a host, whatever its last label is: a bare word with dots in a log may be none.
        name = host_of(host if "://" in host else f"http://{host}")
        if not name:
            raise SourceError(f"{path}:{number}: no host; write a host such as example.com, or remove the line")
        full = category_path(category)
        if full:
            yield CategoryFact(name, full, 1.0)


def references_tsv(path: Path) -> Iterator[ReferenceFact]:
    """Yield the facts of a table: term, how many documents hold it."""
    for number, (term, references) in rows(path, "term references"):
        yield ReferenceFact(_term(term), int(_number(path, number, references)))


def recommendations_tsv(path: Path) -> Iterator[RecommendationFact]:
    """Yield the facts of a table: wrong spelling, right spelling."""
    for number, (term, replacement) in rows(path, "wrong right"):
        wrong, right = _term(term), _term(replacement)
        if not wrong or not right or wrong == right:
            raise SourceError(f"{path}:{number}: two different spellings belong here; correct or remove the line")
        yield RecommendationFact(wrong, right)


def odp_rdf(structure: Path | None = None, content: Path | None = None) -> Iterator[CategoryFact]:
    """Yield the facts of a directory dump.

    `structure` gives each category's name as a term of it; `content` each listed site's host, and each word and the
    whole of its title as terms (the whole where it is at most `LONGEST_UNIT` words).
    """
    if structure is not None:
        for element in _elements(structure, "Topic"):
            path = category_path(_attribute(element, "id"))
            name = _term(path.rpartition("/")[2].replace("_", " "))
            if path and name and len(name) > 1:
                yield CategoryFact(name, path, _TOPIC_WEIGHT)
    if content is not None:
        for element in _elements(content, "ExternalPage"):
            path = category_path(_child(element, "topic"))
            if not path:
                continue
            host = host_of(_attribute(element, "about"))
            if host:
                yield CategoryFact(host, path, 1.0)
            title = words(_child(element, "Title"))
            for term in dict.fromkeys((*title, " ".join(title) if len(title) <= LONGEST_UNIT else "")):
                if term:
                    yield CategoryFact(term, path, _TITLE_WEIGHT)


def _elements(path: Path, name: str) -> Iterator[ET.Element]:
    """Yield the elements called `name` one after another and free each once it was used."""
    with open_bytes(path) as file:
        try:
            root: ET.Element | None = None
            depth = 0
            for event, element in ET.iterparse(file, ("start", "end")):  # noqa: S314 (the operator's own files)
                if event == "start":
                    root = element if root is None else root
                    depth += 1
                    continue
                depth -= 1
                if depth == 1 and root is not None:
                    if _local(element.tag) == name:
                        yield element
                    root.clear()
        except ET.ParseError as error:
            raise SourceError(
                f"{path}:{error.position[0]}: no well-formed XML; clean the dump (strip control characters) "
                "or copy it again"
            ) from error
        except (EOFError, OSError) as error:
            raise SourceError(f"{path}: broken gzip data; copy the file again") from error


def _local(name: str) -> str:
    return _NAMESPACE.sub("", name)


def _attribute(element: ET.Element, name: str) -> str:
    return next((value for key, value in element.attrib.items() if _local(key) == name), "")


def _child(element: ET.Element, name: str) -> str:
    return next((child.text or "" for child in element if _local(child.tag) == name), "")


def _term(text: str) -> str:
    return " ".join(words(text))


def _number(path: Path, number: int, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise SourceError(f"{path}:{number}: no count; write a number that is not negative")
    return value
