"""`querymix classify`: one query a line in, one JSON object a line out. What it does: classifying.py."""

from pathlib import Path
from typing import Any, Final

import click

from querymix.commands.common import reporting
from querymix.commands.lazy import late
from querymix.commands.options import options
from querymix.settings import KnowledgeSettings

_classify: Final = late("querymix.commands.classifying", "classify")


@click.command(short_help="Classify queries, one a line, from standard input.")
@options(KnowledgeSettings)
@reporting
def classify(settings: Path | None, **given: Any) -> None:
    """Classify the queries on standard input, one a line, into one JSON object a line.

    \b
    echo "european soccer barcelona players" | querymix classify

    `removed` names the kinds of identifiers that were cut, never what they were. A query that is nothing but
    identifiers has an empty `released`.
    """
    _classify(settings, given)
