"""Strangers' records under the service's own keys: the last line says where, and that a restart does not help."""

import aiokafka
import pytest

from tests.integration.kit import Deployment, check, rows


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("state", b"delta-0", b"zqab garbage"),
        ("state", b"delta-0", b"[1]"),
        ("state", b"taken", b"{}"),
        ("positions", b"raw-2", b"zqab garbage"),
        ("positions", b"raw-2", b'{"position": null}'),
    ],
)
async def test_garbage_under_a_key_of_the_service_is_told_and_the_good_record_written_again_repairs_it(
    deployment: Deployment, name: str, key: bytes, value: bytes
) -> None:
    await deployment.make_topics()
    worker = await deployment.worker().ready()
    sent = rows(400, 30, 48)
    await deployment.produce(row.aol() for row in sent)
    await deployment.at_rest(len(sent))
    assert await worker.stopped() == 0
    topic = getattr(deployment.topics, name)
    good = [record.value for record in await deployment.records(topic) if record.partition == 2 and record.key == key][
        -1
    ]
    async with aiokafka.AIOKafkaProducer(bootstrap_servers=deployment.settings.broker) as producer:
        await producer.send_and_wait(topic, value, key=key, partition=2)
    worker = deployment.worker()
    assert await worker.ended() == 2
    text = worker.log.read_text()
    last = text.splitlines()[-1]
    assert last.startswith(f"querymix: {topic} partition 2: "), last
    assert "A restart does not help" in last
    assert "deploy/README.md" in last
    assert "zqab" not in text
    assert "Traceback" not in text

    async with aiokafka.AIOKafkaProducer(bootstrap_servers=deployment.settings.broker) as producer:
        await producer.send_and_wait(topic, good, key=key, partition=2)
    worker = await deployment.worker().ready()
    more = rows(100, 30, 49, first=1_000)
    await deployment.produce(row.aol() for row in more)
    for one in deployment.workers[:-1]:
        one.told = True
    check(await deployment.at_rest(500), [*sent, *more], 500)
