"""What `querymix upgrade check` says of what older versions left, and of what may be wrong with it."""

import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiokafka.errors import GroupAuthorizationFailedError
from click.testing import CliRunner
from querymix.bootstrap import upgrade as bootstrap
from querymix.codecs.aol import AolCodec
from querymix.commands import upgrade as command
from querymix.core.crowd_window import CrowdRules
from querymix.core.errors import ConfigError
from querymix.core.rules import Rules
from querymix.kafka.admin import Group, GroupMember
from querymix.kafka.evidence_source import old_name_of
from querymix.kafka.memory_log import MemoryLog
from querymix.kafka.periods import PeriodKeys
from querymix.kafka.ports import TopicPartition
from querymix.kafka.topics import READ, WRITE, Found
from querymix.kafka.upgrade import FINE, LOOK, STOP, Finding, Start, changes, crowd_changes, running
from querymix.settings import WorkerSettings
from querymix.stores.memory import MemoryProfiles

from tests.contracts.test_profile_store import everything
from tests.querymix.kafka.upgrade.kept import GROUP, MOMENT, TOPICS, Kept
from tests.querymix.kafka.upgrade.test_upgrade import EVIDENCE, FIRST, LANDED
from tests.querymix.kafka.whole import RULES as TODAY

RAW, CLASSIFIED = TopicPartition(TOPICS.raw, 0), TopicPartition(TOPICS.classified, 0)
RULES = TODAY._replace(reserve=0)
"""As versions before 0.6.0 had them."""


async def start(kept: Kept, rules: Rules = RULES) -> Start:
    """Return a start on what a version left, in memory."""
    store = await kept.in_memory()
    log = kept.service(store).memory
    return Start(log, store, TOPICS, kept.found, GROUP, rules, AolCodec.format)


def memory(one: Start) -> tuple[MemoryLog, MemoryProfiles]:
    """Return the log and the store, to spoil them."""
    assert isinstance(one.log, MemoryLog)
    assert isinstance(one.store, MemoryProfiles)
    return one.log, one.store


def of(found: list[Finding], source: TopicPartition) -> dict[str, Finding]:
    """Return the findings of a partition by their kinds."""
    return {one.kind: one for one in found if (one.topic, one.partition) == source}


@pytest.mark.parametrize("ended", ["clean", "applied"])
async def test_what_0_3_0_left_goes_on_where_it_ended(ended: str) -> None:
    kept = Kept(LANDED, ended)
    one = await start(kept)
    found = await one.findings()
    assert {finding.gravity for finding in found} == {FINE}
    log, _ = memory(one)
    goes_on = {finding[2:4]: finding for finding in found if finding.kind == "goes on"}
    for source in (TopicPartition(topic, n) for topic in (TOPICS.raw, TOPICS.classified) for n in range(2)):
        group = f"{GROUP}-classifier" if source.topic == TOPICS.raw else GROUP
        assert goes_on[source].first == log.groups[group, source]
        done = log.groups[group, source] > max(
            slot.record.offset for slot in log.slots[source] if slot.record is not None
        )
        assert goes_on[source].says.endswith("all is read") == done


async def test_evidence_that_was_applied_before_its_commit_is_named_as_passed_over() -> None:
    one = await start(Kept(LANDED, "applied"))
    passed = [finding for finding in await one.findings() if finding.kind == "passed over"]
    assert passed != []
    log, store = memory(one)
    for finding in passed:
        source = TopicPartition(finding.topic, finding.partition or 0)
        assert finding.first == log.groups.get((GROUP, source), 0)
        assert finding.last in {await store.reached(name) for name in Kept(LANDED, "applied").sources}


async def test_the_pools_of_the_first_version_stop_and_its_evidence_is_passed_over() -> None:
    kept = Kept(FIRST, "applied")
    found = await (await start(kept)).findings()
    assert "written by another version" in of(found, CLASSIFIED)["refused"].says
    assert of(found, RAW)["no account"].gravity == LOOK
    for source in EVIDENCE:
        passed = of(found, source)["passed over"]
        assert (passed.first, passed.last) == (0, kept.sources[old_name_of(source)])
        assert of(found, source)["goes on"].first == kept.sources[old_name_of(source)] + 1


async def test_looking_changes_nothing() -> None:
    one = await start(Kept(FIRST, "applied"))
    log, store = memory(one)
    before = [list(slots) for slots in log.slots.values()], dict(log.groups), await everything(store), repr(vars(store))
    await one.findings()
    after = [list(slots) for slots in log.slots.values()], dict(log.groups), await everything(store), repr(vars(store))
    assert before == after


async def test_what_retention_has_removed_unread_is_lost() -> None:
    one = await start(Kept(LANDED, "applied"))
    log, _ = memory(one)
    for source in (RAW, EVIDENCE[0]):
        at = of(await one.findings(), source)["goes on"].first or 0
        log.trim(source, at + 2)
        lost = of(await one.findings(), source)["lost"]
        assert (lost.first, lost.last, lost.gravity) == (at, at + 1, LOOK)
        assert of(await one.findings(), source)["goes on"].first == at + 2


async def test_a_topic_that_was_made_anew_or_cut_short_is_refused_with_the_command_that_helps() -> None:
    kept = Kept(LANDED, "clean")
    one = await start(kept)
    anew = one.found["raw"]._replace(id="f" * 32)
    found = await one._replace(found={**one.found, "raw": anew}).findings()
    assert "topics accept" in of(found, RAW)["refused"].says
    log, _ = memory(one)
    del log.slots[CLASSIFIED][5:]
    assert "topics accept" in of(await one.findings(), CLASSIFIED)["refused"].says


async def test_evidence_that_the_group_is_past_and_no_profile_has_is_named() -> None:
    """As where the database was restored from a backup."""
    kept = Kept(LANDED, "clean")
    one = (await start(kept))._replace(store=MemoryProfiles())
    for source in EVIDENCE:
        found = of(await one.findings(), source)["not applied"]
        log, _ = memory(one)
        assert (found.first, found.last) == (0, log.groups[GROUP, source] - 1)


async def test_offsets_of_an_older_topic_of_that_name_are_named() -> None:
    kept = Kept(FIRST, "clean")
    one = await start(kept)
    log, _ = memory(one)
    log.slots[EVIDENCE[0]].clear()
    found = of(await one.findings(), EVIDENCE[0])
    assert found["left out"].last == kept.sources[old_name_of(EVIDENCE[0])]
    assert found["goes on"].first == 0


async def test_a_state_of_a_newer_version_is_refused() -> None:
    one = await start(Kept(LANDED, "clean"))
    log, _ = memory(one)
    for slot in list(log.slots[TopicPartition(TOPICS.state, 0)]):
        if slot.record is not None and slot.record.key == b"delta-0":
            value = (slot.record.value or b"").replace(b'"version":2', b'"version":99')
            assert value != slot.record.value
            log.put(TOPICS.state, 0, b"delta-0", value)
    assert "written by another version" in of(await one.findings(), CLASSIFIED)["refused"].says


async def test_rules_that_are_others_than_the_pools_were_filled_by_are_named_once() -> None:
    found = await (
        await start(Kept(LANDED, "clean"), RULES._replace(k=7, max_hold=None, hold_policy="wait"))
    ).findings()
    changed = sorted(one.says for one in found if one.kind == "changed")
    assert [says.split(" when")[0] for says in changed] == [
        "--hold-policy was trim", "--k was 3", "--max-hold was 30d",
    ]  # fmt: skip
    assert changed[1].endswith("is 7 now")


async def test_a_reserve_that_the_pools_were_not_filled_under_is_named() -> None:
    found = await (await start(Kept(LANDED, "clean"), RULES._replace(reserve=10))).findings()
    assert [one.says for one in found if one.kind == "changed"] == [
        "--reserve was 0 when the pools were filled, and is 10 now"
    ]


async def test_how_sessions_are_put_together_is_no_change_where_there_were_none() -> None:
    """As for all that was written before 0.6.0."""
    for unit in ("query", "session"):
        rules = RULES._replace(unit=unit, session_gap=60.0, session_most=3, session_scope="all")
        found = await (await start(Kept(LANDED, "clean"), rules)).findings()
        said = [one.says for one in found if one.kind == "changed"]
        assert said == ["--unit was query when the pools were filled, and is session now"] * (unit == "session")
    sessions = RULES._replace(unit="session")
    assert changes([sessions], sessions._replace(session_gap=60.0)) == [
        "--session-gap was 5m when the pools were filled, and is 1m now"
    ]


async def test_a_topic_of_keys_that_a_worker_would_refuse_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept(LANDED, "clean")
    topics = kept.found | {"periods": Found(TOPICS.periods, "", 1, 1, frozenset())}

    class Session:
        async def topics(self, wanted: Iterable[str]) -> dict[str, Found]:
            found = {topic.name: topic._replace(rights=frozenset({READ, WRITE})) for topic in topics.values()}
            return {name: found[name] for name in wanted}

        async def topic_configs(self, wanted: Iterable[str]) -> dict[str, dict[str, str]]:
            return {name: {"retention.ms": "3600000"} for name in wanted if name == TOPICS.periods}

    @asynccontextmanager
    async def connected(_: WorkerSettings) -> AsyncIterator[Session]:
        yield Session()

    monkeypatch.setattr(bootstrap, "connected", connected)
    with pytest.raises(ConfigError, match=r"keeps records for 1h, which is shorter than --pseudonym-period 1d"):
        await bootstrap.check_upgrade(WorkerSettings())


async def test_ids_that_are_of_a_period_from_now_on_are_told_until_the_first_one_has_begun() -> None:
    one = await start(Kept(LANDED, "clean"))
    periods = Found(TOPICS.periods, "", 1, 1, frozenset())
    one = one._replace(found={**one.found, "periods": periods})
    (told,) = [finding for finding in await one.findings() if finding.gravity == LOOK]
    assert "--pseudonym-period" in told.says
    await PeriodKeys(one.log, TOPICS.periods, GROUP, 86_400.0, lambda: MOMENT).follow()
    assert {finding.gravity for finding in await one.findings()} == {FINE}


async def test_groups_that_have_members_are_named_and_those_that_this_user_may_not_see_are_left_out() -> None:
    class Session:
        async def group(self, name: str) -> Group:
            if name.endswith("-profiler"):
                raise GroupAuthorizationFailedError
            return Group([GroupMember(None, "one")] if name == GROUP else [], readable=True)

    found = await running(Session(), GROUP)  # type: ignore[arg-type]
    assert [(one.kind, one.gravity) for one in found] == [("running", STOP)]
    assert "the group querymix has 1 members: stop" in found[0].says


@pytest.mark.parametrize(
    ("kinds", "code", "word"),
    [(["goes on"], 0, "start"), (["goes on", "lost"], 3, "look"), (["running", "lost"], 2, "stop"), ([], 0, "start")],
)
def test_the_gravest_finding_decides_the_exit_code(
    kinds: list[str], code: int, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def found(_: Any) -> list[Finding]:
        return [Finding(kind, f"says {kind}", "t", 1, 5) for kind in kinds]

    monkeypatch.setattr(command, "check_upgrade", found)
    call: Callable[..., Any] = CliRunner().invoke
    result = call(command.upgrade, ["check"])
    assert result.exit_code == code
    assert all(f"t partition 1: says {kind}" in result.stdout for kind in kinds)
    result = call(command.upgrade, ["check", "--json"])
    assert result.exit_code == code
    told = json.loads(result.stdout)
    assert told["verdict"] == word
    assert [one["kind"] for one in told["findings"]] == kinds


def test_a_setting_that_means_something_else_by_now_is_refused_before_anything_is_asked() -> None:
    result = CliRunner().invoke(command.upgrade, ["check"], env={"QUERYMIX_MAX_HOLD": "600"})
    assert result.exit_code == 2
    assert "a time needs its unit" in result.stderr


async def test_a_stream_that_becomes_its_own_crowd_is_told_for_what_the_pools_hold() -> None:
    one = await start(Kept(LANDED, "clean"))
    assert {finding.gravity for finding in await one.findings()} == {FINE}
    said = [finding for finding in await one._replace(crowd=CrowdRules(60.0, 20, 1000)).findings() if finding.gravity]
    assert [finding.gravity for finding in said] == [LOOK]
    assert "nobody is counted yet" in said[0].says


def test_what_is_asked_of_the_streams_own_crowd_is_told_where_it_differs() -> None:
    rules = CrowdRules(60.0, 20, 1000)
    assert crowd_changes({rules}, rules) == crowd_changes({None}, None) == crowd_changes(set(), rules) == []
    assert "leaves as it is" in crowd_changes({rules, None}, None)[0]
    assert len(crowd_changes({rules, rules._replace(users=5)}, rules)) == 1
