"""A port or a static name that another worker has: the worker that cannot go on says which."""

import asyncio

import pytest
from querymix.kafka.identity_watch import LOOK_EVERY

from tests.integration.kit import Deployment, check, rows


@pytest.mark.parametrize("roles", ["classifier,anonymizer,profiler", "classifier"])
async def test_of_two_workers_under_one_name_one_ends_and_names_it_and_nothing_is_lost(
    deployment: Deployment, roles: str
) -> None:
    await deployment.make_topics()
    first = await deployment.worker("--instance", "one", "--roles", roles).ready()
    await asyncio.sleep(4 * LOOK_EVERY)  # so that it has had the name for a while
    second = await deployment.worker("--instance", "one", "--roles", roles).ready()
    first.told = True
    assert await first.ended() == 2
    last = first.log.read_text().splitlines()[-1]
    assert last.startswith("querymix: --instance one: another worker has joined under the same name"), last
    if "," in roles:
        sent = rows(300, 30, 44)
        await deployment.produce(row.aol() for row in sent)
        check(await deployment.at_rest(len(sent)), sent, len(sent))
    assert await second.stopped() == 0


async def test_a_port_that_is_taken_is_named_and_the_worker_that_has_it_goes_on(deployment: Deployment) -> None:
    await deployment.make_topics()
    first = await deployment.worker().ready()
    second = deployment.worker("--http-port", str(first.port))
    second.told = True
    assert await second.ended() == 2
    last = second.log.read_text().splitlines()[-1]
    assert last.startswith("querymix: --http-port: ")
    assert str(first.port) in last
    assert await first.stopped() == 0


async def test_a_session_timeout_that_the_brokers_do_not_take_is_named(deployment: Deployment) -> None:
    """They take 1 s and more here, and the client 90 s and less."""
    await deployment.make_topics()
    for wrong in ("0.5s", "40m"):
        done = await asyncio.to_thread(deployment.command, "worker", "--session-timeout", wrong)
        assert done.returncode == 2
        assert "--session-timeout" in done.stderr.splitlines()[-1]
