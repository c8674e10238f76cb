"""The operator's guide: what it says about the program is true of the program."""

import ast
import gc
import re
from functools import cache

import pytest
from querymix.commands.deadletter import replay
from querymix.kafka import failures
from querymix.kafka.ports import TopicPartition
from querymix.settings import RunSettings, TopicSettings, WorkerSettings

from tests.deploy.files import DEPLOY, ROOT

GUIDE = (DEPLOY / "README.md").read_text()
NOT_OURS = {"add_config", "partition", "from_beginning"}
"""Options of Kafka's own tools."""


@cache
def texts() -> list[str]:
    """Every text in the service's code, joined where it stands in several pieces."""
    gc.collect()  # else what other tests left may log its end inside of `ast.parse`, which Python 3.11 does not survive
    nodes = [node for file in (ROOT / "service").rglob("*.py") for node in ast.walk(ast.parse(file.read_text()))]
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def words() -> list[str]:
    """What a last line has, by the guide's table."""
    _, _, rest = GUIDE.partition("## When a worker ends\n")
    table, _, _ = rest.partition("\n## ")
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return [part for row in rows for word in re.findall("`([^`]+)`", row) for part in word.split(" … ")]


@pytest.mark.parametrize("word", words())
def test_the_words_that_a_worker_ends_with_are_the_programs(word: str) -> None:
    """Whoever looks one up finds it only while it is what the program says."""
    assert any(word in text for text in texts())


NOT_A_WORKERS = {
    "InvalidReplicationFactorError", "InvalidPartitionsError", "InvalidConfigurationError", "PolicyViolationError",
}  # fmt: skip
"""What Kafka answers `querymix topics create` alone."""


@pytest.mark.parametrize(
    "text", [text for name, text in {**failures._REFUSED, **failures._WRONG}.items() if name not in NOT_A_WORKERS]
)
def test_what_kafka_refuses_a_worker_for_has_its_row(text: str) -> None:
    """Whoever has the last line finds what to do."""
    assert any(word in text for word in words())


@pytest.mark.parametrize(
    "error",
    [
        failures.cut_short(TopicPartition("topic", 0), 2, 1),
        failures.other_version("topic", 0),
        failures.unreadable("topic", 0, "why"),
        failures.explained(RuntimeError(), "the worker"),
        failures.NameTakenError.by("one"),
    ],
)
def test_what_else_a_worker_ends_with_has_its_row(error: Exception) -> None:
    assert any(word in str(error) for word in words())


def test_the_services_that_the_guide_names_are_those_of_the_compose_file() -> None:
    """A command with another name does nothing at three in the morning."""
    services = set(re.findall(r"^  ([a-z-]+):$", (ROOT / "docker-compose.yml").read_text(), re.M))
    named = re.findall(r"docker compose (?:kill -s HUP|logs|exec(?: -T)?)((?: [a-z]+)+)", GUIDE)
    assert len(named) > 3
    for first, *others in map(str.split, named):
        rest = others if {first, *others} <= services else []  # behind exec's service stands a command
        assert {first, *rest} <= services


def test_every_option_that_the_guide_names_exists() -> None:
    """A renamed option would be refused."""
    known = {name for kind in (RunSettings, TopicSettings, WorkerSettings) for name in kind.model_fields} | {"settings"}
    known |= {name.strip("-").replace("-", "_") for option in replay.params for name in option.opts}
    ours = re.findall(r"`--([a-z-]+)", GUIDE)
    assert ours
    assert {name.replace("-", "_") for name in ours} - known <= NOT_OURS


def test_every_link_within_the_guide_leads_somewhere() -> None:
    """To a heading of the guide or to a file beside it."""
    headings = {
        re.sub("[^a-z0-9 -]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^#+ (.+)$", GUIDE, re.M)
    }
    for target in re.findall(r"\]\(([^)]+)\)", GUIDE):
        file, _, anchor = target.partition("#")
        assert (anchor in headings) if not file else (DEPLOY / file).exists(), target
