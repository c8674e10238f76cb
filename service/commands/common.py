"""What several commands share: errors to exit codes, where people read, and the parts that every run needs."""

import functools
import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NoReturn, ParamSpec, TypeVar

import click
import orjson
from rich.console import Console

from service.core.classify import Classify
from service.core.errors import Broken, Misconfigured
from service.core.identifiers import KINDS, Detector
from service.core.paper import PaperClassifier
from service.core.pseudonyms import Pseudonyms
from service.core.terms import TermsClassifier
from service.core.unknown import LEAST_COUNT, Reduce
from service.knowledge.format.bundle import DEFAULT, Bundle
from service.settings import KnowledgeSettings

FAILED: Final = 1
MISUSED: Final = 2
PARTIAL: Final = 3
"""Done, but not all of the input could be read."""
INTERRUPTED: Final = 130

P = ParamSpec("P")
R = TypeVar("R")


def fail(message: str, code: int) -> NoReturn:
    """Say what went wrong and end."""
    Console(stderr=True, highlight=False).print(f"[red]querymix:[/] {message}", markup=True, soft_wrap=True)
    raise SystemExit(code)


def reporting(command: Callable[P, R]) -> Callable[P, R]:
    """Turn querymix's errors into a message and an exit code."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except Misconfigured as error:
            fail(_escape(error), MISUSED)
        except Broken as error:
            fail(_escape(error), FAILED)
        except BrokenPipeError:
            raise SystemExit(FAILED) from None

    return run


def _escape(error: Exception) -> str:
    return str(error).replace("[", "\\[")


def print_json(value: Any, *, to_stderr: bool = False) -> None:
    """Print one JSON object for machines."""
    click.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode(), err=to_stderr)


def collect_seldom() -> None:
    """Let the garbage collector leave alone what is here by now, and look seldom at what comes.

    What a log leaves behind is seldom a cycle, while the terms and answers that are remembered are many.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def open_bundle(settings: KnowledgeSettings) -> Bundle:
    """Open the knowledge bundle that the settings name."""
    return Bundle(settings.knowledge or DEFAULT)


def make_classifier(settings: KnowledgeSettings, bundle: Bundle) -> Classify:
    """Put a classifier together.

    Raises Misconfigured where a kind of identifier is unknown.
    """
    if unknown := sorted(set(settings.keep_identifiers) - set(KINDS)):
        raise Misconfigured(
            f"--keep-identifiers: {unknown[0]!r} is no kind of identifier; those are {', '.join(KINDS)}"
        )
    detector = Detector(bundle, [kind for kind in KINDS if kind not in settings.keep_identifiers])
    if settings.classifier == "paper":
        return PaperClassifier(bundle, detector)
    return TermsClassifier(
        bundle, detector, Reduce(bundle, bundle.counts(LEAST_COUNT)), bundle.bias, settings.confidence
    )


def read_pseudonyms(path: Path | None) -> Pseudonyms | None:
    """Read the pseudonym key, if there is one.

    Raises Misconfigured where the file cannot be read or the key is too short.
    """
    if path is None:
        return None
    try:
        key = path.read_bytes().strip()
    except OSError as error:
        raise Misconfigured(f"cannot read the pseudonym key {path}: {error.strerror}") from None
    return Pseudonyms(key)
