"""The contract of the outer topics: valid AsyncAPI, and true of the code."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from querymix.codecs.aol import AolCodec
from querymix.codecs.base import LONGEST_LINE, Codec
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.core.records import POOL_NAMES, Release
from querymix.kafka.classifier import group_of
from querymix.kafka.deadletter import DeadLetter
from querymix.kafka.topics import names, wanted
from querymix.settings import TopicSettings, WorkerSettings

from tests.deploy.files import DEPLOY, document

SCHEMAS = "ASYNCAPI_SPECS"
LISTS = {"results": "results", "results.url": "url", "results.rank": "rank", "results.clicked": "clicked",
         "clicks": "clicks", "clicks.rank": "rank", "clicks.time": "time", "clicks.dwell": "dwell_s"}  # fmt: skip
CODECS: dict[str, Codec] = {"aol": AolCodec(), "json": JsonLinesCodec(), "lists": JsonLinesCodec(fields=LISTS)}
"""What reads and writes each example, by its name."""


@pytest.fixture(scope="module")
def api() -> dict[str, Any]:
    """The contract."""
    return document(DEPLOY / "asyncapi.yaml")


def references(value: Any) -> Iterator[str]:
    """Every reference in the contract."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "$ref":
                yield inner
            else:
                yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def test_the_contract_is_valid_asyncapi(api: dict[str, Any]) -> None:
    """The schemas are AsyncAPI's own, from the npm package @asyncapi/specs."""
    folder = os.environ.get(SCHEMAS)
    if folder is None:
        pytest.skip(f"no schemas: npm install @asyncapi/specs, then {SCHEMAS}=node_modules/@asyncapi/specs/schemas")
    schema = json.loads((Path(folder) / f"{api['asyncapi']}-without-$id.json").read_text())
    jsonschema.validate(api, schema)


def test_every_reference_leads_somewhere(api: dict[str, Any]) -> None:
    """A reader follows them, and so do code generators."""
    found = list(references(api))
    assert found
    for reference in found:
        at: Any = api
        for part in reference.removeprefix("#/").split("/"):
            at = at[part]


def test_the_topics_are_those_of_the_service(api: dict[str, Any]) -> None:
    """By the default prefix, with the dead letter's one partition."""
    topics = names(TopicSettings())
    outer = {"raw": topics.raw, "anonymized": topics.anonymized, "deadletter": topics.deadletter}
    assert {name: channel["address"] for name, channel in api["channels"].items()} == outer
    letters = wanted(TopicSettings())[topics.deadletter]
    assert api["channels"]["deadletter"]["bindings"]["kafka"]["partitions"] == letters.partitions
    assert api["operations"]["takeRawLogs"]["bindings"]["kafka"]["groupId"]["const"] == group_of(WorkerSettings().group)


def test_headers_are_those_that_the_service_writes(api: dict[str, Any]) -> None:
    """Categories by name, and where a dead letter came from."""
    messages = api["components"]["messages"]
    category = messages["anonymizedLog"]["headers"]["properties"]["category"]
    assert set(category["enum"]) == set(POOL_NAMES.values())
    written = [name for name, _ in DeadLetter(None, b"", "why", "querylog.raw", 0, 7).headers()]
    assert messages["letter"]["headers"]["required"] == written


def test_the_examples_can_be_read_and_the_line_is_as_long_as_the_codecs_allow(api: dict[str, Any]) -> None:
    """Each example is one log in its form; what leaves is written as it stands there."""
    for message in ("rawLog", "anonymizedLog"):
        for example in api["components"]["messages"][message]["examples"]:
            codec, line = CODECS[example["name"]], example["payload"]
            (query,) = codec.decode([line], "example", 1).queries
            if message == "anonymizedLog":
                assert codec.encode([Release(query.user, 0, query, 0, query, 20)]) == [line]
    assert api["components"]["schemas"]["line"]["maxLength"] == LONGEST_LINE
