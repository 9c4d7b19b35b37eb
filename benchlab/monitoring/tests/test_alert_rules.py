"""The alert rules of docs/operations/grafana/alerts.yml, by promtool."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from benchlab.monitoring.tests.dashboards import expressions

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


@needs_promtool
def test_panels_of_attention_show_zero_without_hosts_and_nothing_without_scrapes(
    tmp_path: Path,
) -> None:
    """With more than 500 hosts only those that need attention have samples."""
    (first, unrestored), (second, unreachable), *_others = expressions()
    assert (first, second) == ("Unrestored settings", "Hosts not reachable")
    texts = [unrestored, unreachable]

    def case(series: list[dict[str, str]], samples: list[dict[str, object]]) -> dict[str, object]:
        checks = [{"expr": text, "eval_time": "1m", "exp_samples": samples} for text in texts]
        return {"interval": "1m", "input_series": series, "promql_expr_test": checks}

    scraped = [{"series": 'benchlab_broker_up{instance="a"}', "values": "0x5"}]
    cases = tmp_path / "panels.yml"
    cases.write_text(
        yaml.safe_dump({"tests": [case(scraped, [{"labels": "{}", "value": 0}]), case([], [])]})
    )
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
