"""A dry run beside a service, on real servers: it measures the live input, and takes nothing from the service."""

import json
import signal
import subprocess
from pathlib import Path

from deploy.local.testing import Broker, Database
from tests.integration.kit import Deployment, check, rows, until


async def test_a_dry_run_counts_the_live_input_and_releases_nothing_of_it(
    kafka: Broker, mongo: Database, small_bundle: Path, tmp_path: Path
) -> None:
    with Deployment(kafka.bootstrap, mongo.uri, tmp_path, small_bundle, click_wait="0") as deployment:
        live, settings = deployment.topics, deployment.settings
        await deployment.make_topics()
        apart = [
            "--prefix", f"{settings.prefix}-dry-run", "--raw-topic", live.raw, "--group", f"{settings.group}-dry-run"
        ]  # fmt: skip
        assert deployment.command("topics", "create", *apart[:4]).returncode == 0
        sent = rows(1_500, 60, 11)
        await deployment.produce(row.aol() for row in sent[:700])
        file = tmp_path / "querymix.toml"
        file.write_text("k = 10")
        del deployment._given["k"]  # the file names it
        dry = deployment.worker("--dry-run", "on", "--settings", str(file), "--log-format", "json")
        await dry.ready()
        file.write_text("k = 6")
        dry.process.send_signal(signal.SIGHUP)

        async def read_again() -> bool:
            return "the settings were read again" in dry.log.read_text()

        await until("the settings are read again", read_again)
        await deployment.produce(row.aol() for row in sent[700:])

        def account(*arguments: str) -> "subprocess.CompletedProcess[str]":
            return deployment.command("account", "--json", *arguments)

        async def counted() -> bool:
            told = json.loads(account(*apart).stdout)
            return bool(told["in"] == len(sent) and not told["waiting"])

        await until("the dry run has seen all", counted)
        told = json.loads(account(*apart).stdout)
        assert told["released"] > 0
        await dry.shows("querymix_dry_run 1.0")
        assert json.loads(account().stdout)["in"] == 0, "the service itself has read nothing yet"
        for prefix in (settings.prefix, f"{settings.prefix}-dry-run"):
            assert await deployment.records(f"{prefix}.anonymized") == []
            assert await deployment.records(f"{prefix}.evidence") == []
        worker = await deployment.worker("--k", "5").ready()
        check(await deployment.at_rest(len(sent)), sent, len(sent))
        assert await worker.stopped() == await dry.stopped() == 0
        lines = [json.loads(line) for line in dry.log.read_text().splitlines()]
        assert any(line["message"].startswith("dry run: nothing is released") for line in lines)
        assert all({"time", "level", "logger"} <= line.keys() for line in lines)
