"""What several folders of tests share: a small knowledge bundle, a made-up log, and the command line."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from querymix.cli import main
from querymix.core.knowledge import CATEGORIES, FIRST_NAME, NOUN, STOP, Term
from querymix.knowledge.layout import Source
from querymix.knowledge.writing import bundle_bytes, write
from querymix.settings import PREFIX

from deploy.local.testing import Broker, Database, require, shared
from loadtest.synthesize import HEADER, synthesize
from loadtest.world import TOPICS
from tests.known import linked, term, word_lists
from tests.optional import in_ci, need

# No deadline an example, and no look at how long they take to make: a machine may be busy, and a test that is timed
# fails by that.
UNTIMED: Final = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("default", UNTIMED)
settings.register_profile("ci", UNTIMED, derandomize=True)
settings.register_profile("few", UNTIMED, derandomize=True, max_examples=20)
if in_ci():
    # A change must not fail to land by an example that has nothing to do with it; developers' machines go on searching.
    settings.load_profile("ci")
    # Hypothesis takes constants out of the modules that were loaded before. Under xdist those are others each time, and
    # so would the examples be.
    NONE: Final = Constants()
    providers._get_local_constants = lambda: NONE

# Nor does a test depend on the terminal of who runs it: CI may ask for colours, and a window may be narrow.
for _name in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
    os.environ.pop(_name, None)

Command = Callable[..., Result]
Spawn = Callable[..., "subprocess.Popen[bytes]"]

HANGS = 120
"""Seconds after which a process of a test is taken to hang, so that the test fails and does not wait for ever."""


@pytest.fixture
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take out what the developer's own shell sets."""
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def small_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bundle that knows the made-up log's own vocabulary, and the spec's worked example."""
    by_key = {name.lower().replace(" ", "_"): name for name in CATEGORIES}
    terms = {
        "european soccer": term("Sports/Soccer", references=56_500_000),
        "barcelona": term("Regional/Europe", references=504_000_000, tags=NOUN),
        "players": Term(NOUN, 544_000_000),
        "barcelonna": Term(recommendation="barcelona"),
    }
    terms |= dict.fromkeys(("the", "of", "for", "in", "how", "to"), Term(STOP))
    terms |= dict.fromkeys(("jennifer", "michael", "mary", "james"), Term(FIRST_NAME))
    for topic in TOPICS:
        words = (resources.files("loadtest") / "words" / f"{topic}.txt").read_text("ascii").splitlines()
        for place, word in enumerate(word for word in words if "X" not in word):
            known = terms.get(word, Term())  # a word of two topics has the first's category and the most references
            references = max(known.references, 1_000_000 - 1_000 * place)
            terms[word] = term(known.path or by_key[topic], references=references, tags=known.tags | NOUN)
    path = tmp_path_factory.mktemp("knowledge") / "small.bundle"
    sources = [Source("made up for tests", "none", len(terms))]
    write(path, bundle_bytes(linked(terms).items(), sources, word_lists=word_lists()))
    return path


@pytest.fixture(scope="session")
def made_up_rows() -> list[str]:
    """Return 4,000 rows of 150 users in the AOL form; each row's rank is its own number, so that it can be told."""
    header, *lines = synthesize(4_000, 150, 7)
    assert header == HEADER
    rows = []
    for number, line in enumerate(lines):
        user, query, time, _, url = (*line.split("\t"), "", "")[:5]
        rows.append(f"{user}\t{query}\t{time}\t{number}\t{url}")
    return rows


@pytest.fixture(scope="session")
def made_up_log(made_up_rows: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return those rows as a file with a header."""
    path = tmp_path_factory.mktemp("log") / "log.tsv"
    path.write_text("\n".join([HEADER, *made_up_rows]) + "\n")
    return path


def lasting_ids(args: Sequence[str | Path]) -> dict[str, str]:
    """Return what lets released ids last, so that tests can tell whose they are; 'batch' has no such option."""
    return {} if args[:1] == ("batch",) else {"QUERYMIX_PSEUDONYM_PERIOD": "none"}


@pytest.fixture
def querymix(small_bundle: Path) -> Iterator[Command]:
    """Return the command line, in this process, with the small bundle unless the arguments name another.

    User ids leave as they are, so that tests can tell whose they are; `QUERYMIX_PSEUDONYM_PERIOD=None` is the default.
    """
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}

    def call(*args: str | Path, stdin: bytes | None = None, **environment: str | None) -> Result:
        clean: dict[str, str | None] = {name: None for name in os.environ if name.startswith("QUERYMIX_")}
        clean |= {"QUERYMIX_KNOWLEDGE": str(small_bundle), **lasting_ids(args)}
        result = CliRunner().invoke(main, list(map(str, args)), input=stdin, env=clean | environment)
        assert result.exception is None or isinstance(result.exception, SystemExit), "a traceback is no message"
        need("the Python package" not in result.output, result.output.strip())
        return result

    yield call
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def spawn(small_bundle: Path) -> Iterator[Spawn]:
    """Return the command line as a process of its own, with warnings as errors, pipes at both ends, and lasting ids.

    `program` is how Python starts it.
    """
    processes: list[subprocess.Popen[bytes]] = []
    watches: list[threading.Timer] = []
    clean = {name: value for name, value in os.environ.items() if not name.startswith("QUERYMIX_")}

    def start(*args: str | Path, program: Sequence[str] = ("-m", "querymix")) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-W", "error", *program, *map(str, args)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=clean | {"QUERYMIX_KNOWLEDGE": str(small_bundle), **lasting_ids(args)},
        )
        processes.append(process)
        watch = threading.Timer(HANGS, process.kill)
        watch.daemon = True
        watch.start()
        watches.append(watch)
        return process

    yield start
    for watch in watches:
        watch.cancel()
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def of_the_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that the processes of this test run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def kafka(of_the_run: Path) -> Iterator[Broker]:
    """Return the one broker of this test run. A test that kills or configures a broker starts its own."""
    require("kafka")
    from deploy.local.kafka import LocalKafka  # noqa: PLC0415 - a machine without its packages skips the tests

    @contextmanager
    def start() -> Iterator[str]:
        with LocalKafka(of_the_run / "kafka") as server:
            yield server.bootstrap

    with shared(of_the_run / "kafka", start) as bootstrap:
        yield Broker(bootstrap, of_the_run / "kafka")


@pytest.fixture(scope="session")
def mongo(of_the_run: Path) -> Iterator[Database]:
    """Return the one database server of this test run. A test that stops a server starts its own."""
    require("mongo")
    from deploy.local.mongo import LocalMongo  # noqa: PLC0415 - see above

    @contextmanager
    def start() -> Iterator[str]:
        with LocalMongo(of_the_run / "mongo") as server:
            yield f"{server.uri}&timeoutMS=300000"  # the client's own 20 s may be few for many tests on one server

    with shared(of_the_run / "mongo", start) as uri:
        yield Database(uri)
