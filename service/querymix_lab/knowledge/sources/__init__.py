"""Knowledge sources: functions that read public or an operator's own data and yield facts.

`default.default_facts` feeds the bundle that ships with the package; `operator` reads what an operator brings.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from querymix.core.errors import ConfigError

from querymix_lab.knowledge.facts import Fact
from querymix_lab.knowledge.sources import operator
from querymix_lab.knowledge.sources.default import default_facts
from querymix_lab.knowledge.sources.languages import LANGUAGES
from querymix_lab.knowledge.sources.weights import language_weights, shared_weights, weights_facts

OWN = "the operator's own"


def read(
    *,
    with_default: bool,
    languages: Collection[str] = (),
    odp_structure: Path | None = None,
    odp_content: Path | None = None,
    categories: Sequence[Path] = (),
    hosts: Sequence[Path] = (),
    references: Sequence[Path] = (),
    recommendations: Sequence[Path] = (),
) -> Iterator[tuple[str, str, Iterable[Fact]]]:
    """Yield each source's name, licence and facts, the operator's own after the default ones.

    `languages` are the codes of the languages beside English. Raises ConfigError where a source cannot be read (a
    SourceError is one).
    """
    if with_default:
        files = [language_weights(language) for language in languages]
        yield "freely licensed packages", "see NOTICE.md", _checked(default_facts(languages=languages))
        yield "term weights learned from own phrases and lists", "see NOTICE.md", _checked(weights_facts())
        for language, file in zip(languages, files, strict=True):
            yield f"term weights of {LANGUAGES[language]}", "see NOTICE.md", _checked(weights_facts(file))
        if 0 < len(languages) < len(LANGUAGES):
            yield "term weights shared with other languages", "see NOTICE.md", _checked(shared_weights(languages))
    if odp_structure or odp_content:
        yield "Open Directory RDF", OWN, _checked(operator.odp_rdf(odp_structure, odp_content))
    for reader, paths in (
        (operator.category_tsv, categories),
        (operator.host_tsv, hosts),
        (operator.references_tsv, references),
        (operator.recommendations_tsv, recommendations),
    ):
        for path in paths:
            yield path.name, OWN, _checked(reader(path))


def _checked(facts: Iterable[Fact]) -> Iterator[Fact]:
    try:
        yield from facts
    except FileNotFoundError as error:
        raise ConfigError(
            f"{error.filename} is missing: install WordNet 3.0 with 'apt-get install wordnet-base', or build from your "
            "own sources alone with --no-default"
        ) from None
