"""`querymix topics check`: what waits for the topics, such as a pod, asks it."""

from tests.integration.kit import Deployment


async def test_the_check_fails_until_the_topics_are_there_and_makes_none(deployment: Deployment) -> None:
    """Exit code 2 and the name of the missing topic, twice, since looking makes nothing; then 0."""
    for _ in range(2):
        early = deployment.command("topics", "check")
        assert early.returncode == 2
        assert f"{deployment.topics.raw} is not there" in early.stderr
    await deployment.make_topics()
    late = deployment.command("topics", "check")
    assert late.returncode == 0, late.stderr
    assert f"{deployment.topics.raw}: 4 partitions" in late.stdout.splitlines()


def test_the_check_tells_a_broker_that_is_away_from_a_missing_topic(deployment: Deployment) -> None:
    """Exit code 1: wait and ask again."""
    away = deployment.command("topics", "check", "--broker", "127.0.0.1:1")
    assert away.returncode == 1, away.stderr
