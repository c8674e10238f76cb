"""One Kafka and one MongoDB-protocol server for all tests of this folder.

The servers are imported by their fixtures, so that a machine without their packages skips the tests and says why.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from deploy.local.testing import require

if TYPE_CHECKING:
    from deploy.local.kafka import LocalKafka
    from deploy.local.mongo import LocalMongo


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[LocalKafka]":
    require("kafka")
    from deploy.local.kafka import LocalKafka  # noqa: PLC0415 - see above

    with LocalKafka(tmp_path_factory.mktemp("kafka")) as server:
        yield server


@pytest.fixture(scope="session")
def mongo(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[LocalMongo]":
    require("mongo")
    from deploy.local.mongo import LocalMongo  # noqa: PLC0415 - see above

    with LocalMongo(tmp_path_factory.mktemp("mongo")) as server:
        yield server
