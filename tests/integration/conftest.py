"""One Kafka and one MongoDB-protocol server for all tests of this folder."""

from collections.abc import Iterator

import pytest

from deploy.local.kafka import LocalKafka
from deploy.local.mongo import LocalMongo
from deploy.local.testing import require


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalKafka]:
    require("kafka")
    with LocalKafka(tmp_path_factory.mktemp("kafka")) as server:
        yield server


@pytest.fixture(scope="session")
def mongo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalMongo]:
    require("mongo")
    with LocalMongo(tmp_path_factory.mktemp("mongo")) as server:
        yield server
