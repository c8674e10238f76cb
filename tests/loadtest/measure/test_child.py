"""A process of the load test that ends is told with its reason, and none outlives its parent."""

from pathlib import Path

import aiokafka  # noqa: F401 - what is tested here needs it, so without it the module is skipped
import faker  # noqa: F401
import psutil
import pytest
from querymix.core.errors import TransientError

from loadtest.measure.child import Child

NOWHERE = {"origin": 0, "partitions": 1, "settings": {"broker": "127.0.0.1:1"}}


async def test_a_follower_that_finds_no_kafka_says_so_to_who_waits_for_it(tmp_path: Path) -> None:
    child = await Child.start("loadtest.measure.follower", NOWHERE, tmp_path)
    with pytest.raises(TransientError, match=r"the follower has ended: Kafka at 127\.0\.0\.1:1"):
        await child.next("ready")
    with pytest.raises(TransientError, match="the follower has ended"):
        await child.next("ready")
    await child.close()
    assert not psutil.pid_exists(child.pid)


async def test_a_process_ends_when_its_input_does(tmp_path: Path) -> None:
    config = {"log": {"lines": 10, "users": 5}, "number": 0} | NOWHERE
    child = await Child.start("loadtest.measure.driver", config, tmp_path)
    await child.close()
    assert not psutil.pid_exists(child.pid)
