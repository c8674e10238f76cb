"""`querymix study`: measuring the method, offline."""

import click
from querymix.commands.lazy import LazyGroup

from querymix_lab.commands import STUDIES


@click.group(cls=LazyGroup, places=STUDIES, short_help="Measure the method, and the classifier.")
def study() -> None:
    """Measure the method on real logs, and the classifier against labelled or real queries."""
