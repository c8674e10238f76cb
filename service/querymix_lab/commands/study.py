"""`querymix study`: measuring the method, offline."""

import click
from querymix_lab.commands.study_classifier import classifier
from querymix_lab.commands.study_identifiers import identifiers, linguistics, recommendations
from querymix_lab.commands.study_protocol import protocol
from querymix_lab.commands.study_run import run
from querymix_lab.commands.study_utility import utility


@click.group(short_help="Measure the method, and the classifier.")
def study() -> None:
    """Measure the method on real logs, and the classifier against labelled or real queries."""


for _command in (run, utility, protocol, classifier, identifiers, linguistics, recommendations):
    study.add_command(_command)
