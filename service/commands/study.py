"""`querymix study`: measuring the method, offline."""

import click

from service.commands.study_classifier import classifier
from service.commands.study_identifiers import identifiers, linguistics, recommendations
from service.commands.study_protocol import protocol
from service.commands.study_run import run
from service.commands.study_utility import utility


@click.group(short_help="Measure the method, and the classifier.")
def study() -> None:
    """Measure the method on real logs, and the classifier against labelled or real queries."""


for _command in (run, utility, protocol, classifier, identifiers, linguistics, recommendations):
    study.add_command(_command)
