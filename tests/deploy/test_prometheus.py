"""Alert rules and the scrape configuration, by Prometheus' own tool where it is installed."""

import re
import shutil
import subprocess

import pytest

from tests.deploy.files import DEPLOY, document

FOLDER = DEPLOY / "prometheus"
RULES = [rule for group in document(FOLDER / "alerts.yml")["groups"] for rule in group["rules"]]
TESTS = FOLDER / "tests" / "alerts_test.yml"


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "config", FOLDER / "prometheus.yml"],
        ["check", "rules", FOLDER / "alerts.yml"],
        ["test", "rules", TESTS],
    ],
    ids=["configuration", "rules", "unit tests of the rules"],
)
def test_promtool_passes(arguments: list[str]) -> None:
    """The unit tests let every alert fire, and not fire."""
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed; Debian: apt-get install prometheus")
    result = subprocess.run([promtool, *arguments], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_alert_fires_in_a_unit_test_of_the_rules() -> None:
    """An alert that nobody has seen fire may never do so."""
    fired = {
        case["alertname"]
        for test in document(TESTS)["tests"]
        for case in test["alert_rule_test"]
        if case["exp_alerts"]
    }  # fmt: skip
    assert fired == {rule["alert"] for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=[rule["alert"] for rule in RULES])
def test_every_alert_leads_to_its_section_of_the_operator_guide(rule: dict[str, dict[str, str]]) -> None:
    """Whoever is woken reads what it means and what to do."""
    file, _, anchor = rule["annotations"]["runbook"].partition("#")
    assert file == "deploy/README.md"
    headings = re.findall(r"^#+ (.+)$", (DEPLOY / "README.md").read_text(), re.MULTILINE)
    assert anchor in {heading.lower().replace(" ", "-") for heading in headings}
    assert rule["labels"]["severity"] in {"page", "ticket", "info"}
