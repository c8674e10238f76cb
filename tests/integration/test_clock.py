"""A worker whose clock is wrong, and a header line among the records."""

import shutil
from pathlib import Path

import pytest
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from tests.integration.kit import Deployment, check, rows, until
from tests.optional import need

HEADER = b"AnonID\tQuery\tQueryTime\tItemRank\tClickURL"


def library() -> str:
    """Return libfaketime's file, which shifts the clock of one process."""
    program = shutil.which("faketime")
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1")) if program else []
    need(bool(found), "no libfaketime: apt-get install faketime")
    return str(found[0])


@pytest.mark.parametrize("shift", ["+2h", "-2d"])
async def test_a_worker_with_a_wrong_clock_works_on_topics_of_the_brokers_time(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch, shift: str
) -> None:
    preload = library()
    await deployment.make_topics()
    sent = rows(300, 30, 45)
    await deployment.produce(row.aol() for row in sent)
    with monkeypatch.context() as patch:
        patch.setenv("LD_PRELOAD", preload)
        patch.setenv("FAKETIME", shift)
        worker = deployment.worker()
    await worker.ready()
    check(await deployment.at_rest(len(sent)), sent, len(sent))
    assert await worker.stopped() == 0


async def test_where_the_broker_refuses_the_time_the_last_line_says_clock(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on topics that somebody made by hand."""
    preload = library()
    await deployment.make_topics()
    admin = AIOKafkaAdminClient(bootstrap_servers=deployment.settings.broker)
    await admin.start()
    try:
        await admin.alter_configs(
            [
                ConfigResource(
                    ConfigResourceType.TOPIC,
                    deployment.topics.classified,
                    configs={"message.timestamp.type": "CreateTime", "max.message.bytes": str(8 << 20)},
                )
            ]
        )

        async def holds() -> bool:
            asked = [ConfigResource(ConfigResourceType.TOPIC, deployment.topics.classified)]
            (answer,) = await admin.describe_configs(asked)
            return ("message.timestamp.type", "CreateTime") in {entry[:2] for entry in answer.resources[0][4]}

        await until("the broker works by the setting", holds)
    finally:
        await admin.close()
    await deployment.produce(row.aol() for row in rows(300, 30, 45))
    with monkeypatch.context() as patch:
        patch.setenv("LD_PRELOAD", preload)
        patch.setenv("FAKETIME", "+2h")
        worker = deployment.worker()
    assert await worker.ended() == 2
    lines = worker.log.read_text().splitlines()
    assert "clock is wrong" in lines[-1]
    assert "never retrieved" not in worker.log.read_text()


async def test_a_header_line_is_no_log_in_the_account_and_in_the_metrics(deployment: Deployment) -> None:
    await deployment.make_topics()
    worker = await deployment.worker().ready()
    sent = rows(200, 30, 46)
    await deployment.produce([HEADER, *(row.aol() for row in sent), HEADER, b"no log"])
    await deployment.at_rest(len(sent) + 3)
    account = await deployment.account()
    assert account["arrived"] + account["refused"] == len(sent) + 1
    await worker.shows(f'querymix_logs_in_total{{stage="classifier"}} {len(sent) + 1}.0')
    assert await worker.stopped() == 0
