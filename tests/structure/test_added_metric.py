"""A percentile more is one line in the table of metrics: everything else finds it there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import models

import apps.tools.metrics
from apps.accounts.models import User
from apps.results.models import Measurement, ResultSummary
from apps.results.selectors.metric_columns import metric_columns, percentile_value
from apps.results.tests.factories import create_results
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools.metrics import COLUMNS, COMPARISON_METRICS, METRICS, percentile

TABLE = Path(apps.tools.metrics.__file__)
LINE = '    percentile("99.95", priority=9, per_interval=True, views=("curve",)),\n'
BEFORE = '    percentile("99.99", column=True),\n'
ASKED = """
import importlib.util, json, sys
import apps.tools

spec = importlib.util.spec_from_file_location("apps.tools.metrics", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["apps.tools.metrics"] = apps.tools.metrics = module
spec.loader.exec_module(module)

import os
os.environ["DJANGO_SETTINGS_MODULE"] = "benchlab.settings"
import django
django.setup()

from django.http import QueryDict
from django.template import Context, Template
from apps.analysis.compare.charts.comparison_charts import MERGED
from apps.analysis.queries.comparison_query import parse_comparison_query
from apps.analysis.verdicts.verdict_text import SHORT
from apps.analysis.sweep.curve_chart import PANELS
from apps.results.selectors.metric_columns import metric_expressions
from apps.tools.fio.command import PERCENTILES
from apps.tools.fio.parser.documents.intervals import METRICS as SERIES

heads = Template(
    '{% load benchlab_format %}{% metrics_on "curve" as all %}'
    '{% for each in all %}{{ each.head }},{% endfor %}'
)
print(json.dumps({
    "choices": [[key, str(words)] for key, words in SHORT.items()],
    "asked": parse_comparison_query(QueryDict("run=1&metric=latency_p9995")).metrics,
    "merged": MERGED, "panels": PANELS, "fio": PERCENTILES, "series": SERIES,
    "json": list(metric_expressions(module.COMPARISON_METRICS)), "heads": heads.render(Context()),
}))
"""


def test_one_line_brings_a_percentile_everywhere(tmp_path: Path) -> None:
    text = TABLE.read_text()
    assert text.count(BEFORE) == 1
    table = tmp_path / "metrics.py"
    table.write_text(text.replace(BEFORE, LINE + BEFORE))
    done = subprocess.run(
        [sys.executable, "-c", ASKED, str(table)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert ["latency_p9995", "Latency p99.95"] in found["choices"]
    assert found["asked"] == ["latency_p9995"]
    assert found["json"] == ["latency_p9995"]
    assert "Latency p99.95" in found["heads"]
    for place in ("merged", "fio"):
        assert "99.95" in found[place], place
    for place in ("panels", "series"):
        assert "latency_p9995" in found[place], place


def test_columns_are_those_of_the_table() -> None:
    fields = Measurement._meta.get_fields()
    assert {f.name for f in fields if isinstance(f, models.FloatField)} == set(COLUMNS)
    assert metric_columns(COMPARISON_METRICS) == [
        key for key in COMPARISON_METRICS if METRICS[key].column
    ]


@pytest.mark.django_db
def test_a_percentile_without_a_column_is_read_from_the_others(owner: User) -> None:
    create_results(create_attempt(create_run(owner=owner).cases.get()))
    Measurement.objects.update(percentiles={"90": 1500.0, "99.95": 500_000.0})
    rows = ResultSummary.objects.values(p90=percentile_value("90"), p9995=percentile_value("99.95"))
    assert {(row["p90"], row["p9995"]) for row in rows} == {(1500.0, 500_000.0)}
    row = Measurement.objects.all()[0]
    assert row.value_of(percentile("99.95")) == 500_000.0
    assert row.value_of(percentile("5")) is None
