"""`querymix study`: measuring the method, offline."""

import click

from service.commands.study_classifier import classifier
from service.commands.study_identifiers import identifiers


@click.group()
def study() -> None:
    """Measure the classifier and the identifier removal against labelled queries."""


study.add_command(classifier)
study.add_command(identifiers)
