"""The log of a worker: what of it is shown, and as what."""

import json
import logging
from collections.abc import Callable, Iterator

import pytest
from querymix.commands.logs import CLIENTS, log_to_stderr

Start = Callable[..., None]


@pytest.fixture
def start() -> Iterator[Start]:
    """Return what begins the log as at a worker's start: pytest's own handlers would be there already."""
    root = logging.getLogger()
    before = root.handlers, root.level

    def begin(level: str, form: str = "text") -> None:
        root.handlers = []
        log_to_stderr(level, form)

    yield begin
    root.handlers, root.level = before
    for name in CLIENTS:
        logging.getLogger(name).setLevel(logging.NOTSET)


def test_a_line_of_json_holds_time_level_logger_and_message(start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    start("info", "json")
    logging.getLogger("querymix.kafka.test").warning("%d records\n\x1b[31mred \ud800", 3)
    line = json.loads(capsys.readouterr().err)
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "warning",
        "logger": "querymix.kafka.test",
        "message": "3 records\n\x1b[31mred \ud800",
    }


def test_an_exception_is_one_line_of_json_too(start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    start("info", "json")
    try:
        raise ValueError("why")
    except ValueError:
        logging.getLogger("querymix.kafka.test").exception("failed")
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line)["exception"].endswith("ValueError: why")


@pytest.mark.parametrize("client", ["aiokafka", "faust", "pymongo"])
@pytest.mark.parametrize(("level", "shown"), [("debug", "info"), ("info", "warning"), ("error", "error")])
def test_clients_are_heard_when_they_warn_and_never_with_debug_lines(
    start: Start, capsys: pytest.CaptureFixture[str], client: str, level: str, shown: str
) -> None:
    start(level)
    for name in ("debug", "info", "warning", "error"):
        getattr(logging.getLogger(f"{client}.part"), name)("a line")
    every = ["DEBUG", "INFO", "WARNING", "ERROR"]
    assert [line.split()[2] for line in capsys.readouterr().err.splitlines()] == every[every.index(shown.upper()) :]


def test_that_a_part_begins_is_told_at_debug_alone(start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    for level in ("info", "debug"):
        start(level)
        part = logging.getLogger("querymix.kafka.test")
        part.info("[^-%s]: Starting...", "Watchdog")
        part.warning("[^-%s]: failed", "Watchdog")
    lines = [line.split(" ", 4)[2:] for line in capsys.readouterr().err.splitlines()]
    assert [level for level, *_ in lines] == ["WARNING", "INFO", "WARNING"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_line_holds_nothing_that_a_terminal_would_obey(
    start: Start, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    start("info", form)
    harm = "\x1b[2J\x9b31m\u202eevil\r\x7f"
    try:
        raise ValueError(harm)
    except ValueError:
        logging.getLogger("querymix.kafka.test").exception("a broker says %s", harm)
    shown = capsys.readouterr().err
    assert not set(harm) - set("[2J31mevil") & set(shown)
    assert shown.count("evil") == 2
