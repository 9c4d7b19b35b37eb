"""The alert rules of docs/operations/grafana/alerts.yml, by promtool."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
RULES = HERE.parents[2] / "docs/operations/grafana/alerts.yml"
CASES = (HERE / "alerts_test.yml").read_text().replace("RULES", str(RULES))
needs_promtool = pytest.mark.skipif(not shutil.which("promtool"), reason="no promtool here")


def promtool(*arguments: str) -> None:
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_promtool
def test_promtool_accepts_the_rules() -> None:
    promtool("check", "rules", "--lint-fatal", str(RULES))


@needs_promtool
def test_each_alert_fires_when_it_has_to(tmp_path: Path) -> None:
    cases = tmp_path / "alerts_test.yml"
    cases.write_text(CASES)
    promtool("test", "rules", str(cases))


def test_the_page_lists_each_rule_as_it_is() -> None:
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    page = (RULES.parent.parent / "metrics.md").read_text()
    for rule in group["rules"]:
        wait = f", for {rule['for']}" if "for" in rule else ""
        line = f"| `{rule['alert']}` | {rule['labels']['severity']} | `{rule['expr']}`{wait} |"
        assert line in page


def test_each_alert_is_tested_in_a_healthy_lab_and_in_a_bad_one() -> None:
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    alerts = {rule["alert"] for rule in group["rules"]}
    healthy, bad = yaml.safe_load(CASES)["tests"]
    quiet = {case["alertname"] for case in healthy["alert_rule_test"] if "exp_alerts" not in case}
    fired = {case["alertname"] for case in bad["alert_rule_test"] if "exp_alerts" in case}
    assert quiet == fired == alerts
