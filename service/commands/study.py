"""`querymix study`: measuring the method, offline."""

import click

from service.commands.study_classifier import classifier
from service.commands.study_identifiers import identifiers, linguistics, recommendations


@click.group()
def study() -> None:
    """Measure the classifier and what it is made of against labelled or real queries."""


for _command in (classifier, identifiers, linguistics, recommendations):
    study.add_command(_command)
