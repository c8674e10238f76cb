"""What the tests of this folder run against: a deployment of their own on the servers of the test run."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deploy.local.testing import Broker, Database, require

if TYPE_CHECKING:
    from deploy.local.mongo import LocalMongo
    from tests.integration.guarded import Guarded
    from tests.integration.kit import Deployment


@pytest.fixture
def deployment(kafka: Broker, mongo: Database, small_bundle: Path, tmp_path: Path) -> "Iterator[Deployment]":
    from tests.integration.kit import Deployment  # noqa: PLC0415 - it needs packages that a machine may lack

    with Deployment(kafka.bootstrap, mongo.uri, tmp_path, small_bundle) as deployment:
        yield deployment


@pytest.fixture
def beside_own_mongo(
    kafka: Broker, own_mongo: "LocalMongo", small_bundle: Path, tmp_path: Path
) -> "Iterator[Deployment]":
    from tests.integration.kit import Deployment  # noqa: PLC0415 - see above

    with Deployment(kafka.bootstrap, own_mongo.uri, tmp_path, small_bundle) as deployment:
        yield deployment


@pytest.fixture
def own_mongo(tmp_path: Path) -> "Iterator[LocalMongo]":
    """Return a database for a test that stops it, which would hold up every other test on the shared one."""
    require("mongo")
    from deploy.local.mongo import LocalMongo  # noqa: PLC0415 - see above

    with LocalMongo(tmp_path / "mongo") as server:
        yield server


@pytest.fixture(scope="session")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Guarded]":
    """Return a Kafka that asks who is there."""
    require("kafka")
    from tests.integration.guarded import guarded_kafka  # noqa: PLC0415 - see above

    with guarded_kafka(tmp_path_factory.mktemp("guarded")) as kafka:
        yield kafka
