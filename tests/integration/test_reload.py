"""Rules and a crowd table that change by SIGHUP under load, on a real Kafka, beside a worker that is killed."""

import asyncio
import re
import signal
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

from tests.crowds import table_of
from tests.integration.kit import MARKS, Deployment, Outcome, Row, Worker, check, rows, until

LINE = re.compile(r"classified partition (\d+): rules (\w+) -> (\w+) from offset (\d+) on")
READ = re.compile(r"the settings were read again: rules (\w+) -> (\w+); (.*)")


async def says(worker: Worker, words: str) -> None:
    async def said() -> bool:
        return words in worker.log.read_text()

    await until(f"the log says {words!r}", said)


def changes(workers: list[Worker]) -> dict[int, list[tuple[int, str, str]]]:
    """Return where each partition changed its rules: offset, old and new hash."""
    found = defaultdict(list)
    for worker in workers:
        for number, old, new, offset in LINE.findall(worker.log.read_text()):
            found[int(number)].append((int(offset), old, new))
    return {number: sorted(some) for number, some in found.items()}


def chains(workers: list[Worker]) -> dict[int, list[tuple[str, str]]]:
    """Return the rules that each partition went from and to, in the order of its offsets."""
    return {number: [(old, new) for _, old, new in some] for number, some in changes(workers).items()}


class Load:
    """Workers under load, and the settings file and the crowd table that they share."""

    def __init__(self, deployment: Deployment, file: Path) -> None:
        del deployment._given["k"]  # the environment would win over the file
        self.deployment, self.file = deployment, file
        self.table = file.with_name("words.crowd")
        self.workers: list[Worker] = []
        self.sent: list[Row] = []
        self.hashes: list[str] = []

    async def start(self) -> None:
        crowd = ("--crowd", str(self.table), "--crowd-users", "3", "--crowd-items", "terms", "--rare", "drop-terms")
        apart = ("--click-wait", "0")  # without their marks some rows are alike, and would leave as one query
        self.workers.append(self.deployment.worker("--settings", str(self.file), *crowd, *apart))
        await self.workers[-1].ready()

    def count(self, log: int) -> None:
        """Put another table in place: what the users of another log have in common. A row's own mark is rare."""
        some = rows(3000, 30, log)
        table_of(self.table, [(row.user, row.query.rpartition(" ")[0]) for row in some], least=3)

    async def feed(self, batches: int) -> None:
        for _ in range(batches):
            more = rows(150, 30, len(self.sent), len(self.sent))
            self.sent.extend(more)
            await self.deployment.produce(row.aol() for row in more)
            await asyncio.sleep(0.05)

    async def change(self, text: str, shown: str) -> None:
        """Change the file and tell the workers that run; wait until each partition says that it has changed."""
        self.file.write_text(text)
        alive = [worker for worker in self.workers if worker.process.poll() is None]
        for worker in alive:
            worker.process.send_signal(signal.SIGHUP)
        for worker in alive:
            await says(worker, shown)
        old, new, _ = READ.findall(alive[0].log.read_text())[-1]
        self.hashes += [new] if self.hashes else [old, new]

        async def everywhere() -> bool:
            return chains(self.workers) == {number: list(pairwise(self.hashes)) for number in range(4)}

        await until("each partition has changed once more", everywhere)

    async def check(self) -> Outcome:
        outcome = await self.deployment.at_rest(len(self.sent), restarted=True)
        check(outcome, self.sent, len(self.sent))
        return outcome


async def test_rules_that_change_by_sighup_under_load_hold_from_one_offset_of_each_partition_on(
    deployment: Deployment, tmp_path: Path
) -> None:
    load = Load(deployment, tmp_path / "worker.toml")
    load.file.write_text('k = 5\nmax_hold = "30d"\n')
    load.count(1)
    await deployment.make_topics()
    for _ in range(2):
        await load.start()
    for text, shown in (("k = 3\n", "--k 5 -> 3"), ('k = 8\nmax_hold = "2d"\n', "--k 3 -> 8; --max-hold 30d -> 2d")):
        feeding = asyncio.create_task(load.feed(8))
        await asyncio.sleep(0.2)
        load.count(len(load.hashes))
        await load.change(text, shown)
        await feeding
        assert all("--crowd read again" in worker.log.read_text() for worker in load.workers)
    load.workers[0].kill()  # what it has decided is decided again by whoever takes its partitions over
    await load.start()
    await load.feed(4)
    one, other = load.workers[1:]
    load.file.write_text("k = 1\n")
    one.process.send_signal(signal.SIGHUP)
    await says(one, f"the settings were not read again, and all old ones stay in force: {load.file}: k: ")
    await one.shows("querymix_reload_failed 1.0")
    load.file.write_text('k = 8\nmax_hold = "2d"\n')
    good = load.table.rename(load.table.with_name("good"))
    load.table.write_bytes(b"no table")
    one.process.send_signal(signal.SIGHUP)
    await says(one, f"all old ones stay in force: {load.table} is no crowd table")
    good.rename(load.table)
    outcome = await load.check()
    assert 0 < outcome.account["screened"] < len(load.sent) / 2
    assert not any(MARKS.search(record.value.split(b"\t")[1]) for record in outcome.released)
    held = len(outcome.held)
    assert held
    assert outcome.withdrawn == 0
    assert all(pool.k == 8 for state in outcome.states for _, pool in state.pools)

    # Nothing arrives any more, and a shorter bound holds all the same.
    await load.change('k = 8\nmax_hold = "2s"\n', "--max-hold 2d -> 2s")

    async def all_gone() -> bool:
        return not any(state.pools.held for state in await deployment.states())

    await until("nothing is held", all_gone)
    assert (await load.check()).withdrawn == held
    assert chains(load.workers) == {number: list(pairwise(load.hashes)) for number in range(4)}

    async def each_once() -> bool:
        pages = one.page("/metrics").body + other.page("/metrics").body
        return (
            pages.count(f'rules="{load.hashes[-1]}"}} 1.0') == pages.count("querymix_rules_info{") == 4
            and pages.count("querymix_reload_failed 0.0") == 2
        )

    await until("the metrics show the rules of each partition once", each_once)
    for worker in (one, other):
        assert await worker.stopped() == 0
