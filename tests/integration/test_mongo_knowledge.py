"""The knowledge stores in a real MongoDB-protocol server: what goes in comes out, and what is old is refused."""

import os
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest
from querymix.core.errors import ConfigError
from querymix.core.knowledge import CATEGORIES, NOUN
from querymix.knowledge.bundle import Bundle
from querymix.knowledge.layout import FORMAT, Source
from querymix.knowledge.writing import bundle_bytes, write
from querymix.stores.mongo import Client, connect
from querymix.stores.mongo_knowledge import MongoKnowledge
from querymix_lab.knowledge.compiling import compile_facts
from querymix_lab.knowledge.facts import CategoryFact, Fact, RecommendationFact, ReferenceFact, TagFact, WeightsFact

from deploy.local.testing import Database

FACTS: list[Fact] = [
    WeightsFact("zyzzx city", tuple(range(len(CATEGORIES)))),
    TagFact("zyzzx", NOUN | 1 << 20),
    CategoryFact("zyzzx", "Sports/Soccer", 2.0),
    ReferenceFact("zyzzx", 12_345),
    CategoryFact("city", "Regional", 1.0),
    RecommendationFact("zyzx", "zyzzx"),
]


DATABASE = f"knowledge-{uuid4().hex}"


PIECES = bytes(range(256)) * (5 << 10)
"""Of more than one document."""


def made(path: Path, facts: list[Fact], pieces: bytes = PIECES) -> Bundle:
    lists = {"titles": ["mr", "right honourable"], "towns": ["zyzzxville"]}
    sources = [Source("made up", "none", len(facts))]
    write(path, bundle_bytes(compile_facts(facts), sources, [1] * len(CATEGORIES), lists, pieces))
    return Bundle(path)


@pytest.fixture
async def client(mongo: Database) -> AsyncIterator[Client]:
    opened = connect(mongo.uri)
    yield opened
    await opened.drop_database(DATABASE)
    await opened.close()


async def test_a_bundle_that_was_loaded_comes_out_with_all_that_it_knows(client: Client, tmp_path: Path) -> None:
    stores = MongoKnowledge(client, DATABASE)
    with pytest.raises(ConfigError, match="querymix knowledge load"):
        await stores.bundle(tmp_path)
    bundle = made(tmp_path / "own.bundle", FACTS)
    counts = await stores.load(bundle)
    assert (counts["words"], counts["pieces"]) == (2, 2)
    assert await stores.version() == bundle.version
    out = await stores.bundle(tmp_path)
    assert out.version == bundle.version
    assert dict(out.terms()) == dict(bundle.terms())
    assert out.words("titles") == {"mr", "right honourable"}
    assert out.word_lists == bundle.word_lists
    assert bytes(out.piece_weights) == PIECES
    assert out["city"].first_bits == out["zyzzx"].bit != 0
    assert out["zyzzx"].later_bits == out["city"].bit
    assert out["zyzzx"].tags == NOUN | 1 << 20


async def test_what_a_querymix_of_another_format_loaded_is_refused_with_what_to_do(
    client: Client, tmp_path: Path
) -> None:
    stores = MongoKnowledge(client, DATABASE)
    await stores.load(made(tmp_path / "own.bundle", FACTS))
    older: dict[str, object] = {"$unset": {"format": ""}}
    for change, told in (
        (older, "older .*: load"),
        ({"$set": {"format": FORMAT + 1}}, "newer .*: update this one, or load"),
    ):
        await client[DATABASE]["knowledge"].update_one({"_id": "current"}, change)
        with pytest.raises(ConfigError, match=f"{told} it again with 'querymix knowledge load'"):
            await stores.bundle(tmp_path)


async def test_what_a_querymix_of_format_5_loaded_is_read_and_has_no_word_pieces(
    client: Client, tmp_path: Path
) -> None:
    stores, bundle = MongoKnowledge(client, DATABASE), made(tmp_path / "own.bundle", FACTS, b"")
    await stores.load(bundle)
    await client[DATABASE]["knowledge"].update_one({"_id": "current"}, {"$set": {"format": 5}})
    out = await stores.bundle(tmp_path)
    assert (out.version, bytes(out.piece_weights)) == (bundle.version, b"")


async def test_the_version_before_the_current_one_stays_and_older_ones_go(client: Client, tmp_path: Path) -> None:
    stores = MongoKnowledge(client, DATABASE)
    versions = []
    for number in range(3):
        bundle = made(tmp_path / f"{number}.bundle", [*FACTS, ReferenceFact("zyzzx", 20_000 + number)])
        await stores.load(bundle)
        versions.append(bundle.version[:16])
    names = set(await client[DATABASE].list_collection_names())
    assert not {f"entropy_{versions[0]}", f"words_{versions[0]}", f"pieces_{versions[0]}"} & names
    assert {f"{kind}_{version}" for kind in ("entropy", "words", "pieces") for version in versions[1:]} <= names


@pytest.mark.parametrize(
    "change",
    [
        {"entropy": {"references": 7}},
        {"entropy": {"references": -1}},
        {"entropy": {"references": "many"}},
        {"category": {"nobody": 1}},
        {"category": {"weights": b"short"}},
        {"words": {"entries": 7}},
        {"pieces": {"rows": bytes(16)}},
        {"pieces": {"rows": b"short"}},
        {"pieces": {"rows": 7}},
        {"knowledge": {"bias": "none"}},
        {"knowledge": {"sources": [{"name": "made up"}]}},
    ],
)
async def test_what_was_changed_in_the_database_is_refused_with_what_to_do(
    client: Client, tmp_path: Path, change: dict[str, dict[str, object]]
) -> None:
    stores, bundle = MongoKnowledge(client, DATABASE), made(tmp_path / "own.bundle", FACTS)
    await stores.load(bundle)
    for kind, fields in change.items():
        name = kind if kind == "knowledge" else f"{kind}_{bundle.version[:16]}"
        await client[DATABASE][name].update_one({}, {"$set": fields})
    with pytest.raises(ConfigError, match="not what was loaded into it"):
        await stores.bundle(tmp_path)
    assert os.listdir(tmp_path) == ["own.bundle"]  # noqa: PTH208 - a test
    await stores.load(bundle)
    assert (await stores.bundle(tmp_path)).version == bundle.version
