"""The table of metrics and its page."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from apps.tools.metrics import (
    COMPARISON_METRICS,
    METRICS,
    METRICS_BY_PRIORITY,
    PERCENTILES,
    TABLE_METRICS,
    Metric,
    columns_of,
)
from apps.tools.parse_result import Latency, Measurement

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "metrics.md"
DIRECTIONS = {True: "higher", False: "lower", None: "neither"}


def _compared(metric: Metric) -> str:
    if metric.key in TABLE_METRICS:
        return "yes"
    return "where asked for" if metric.key in COMPARISON_METRICS else ""


def line(metric: Metric) -> str:
    cells = (
        f"`{metric.key}`",
        metric.unit or "count",
        metric.label,
        DIRECTIONS[metric.higher_is_better],
        metric.scale,
        _compared(metric),
    )
    return "| " + " | ".join(cells).replace("|  ", "| ") + " |"


def test_the_page_shows_the_table() -> None:
    shown = [row for row in PAGE.read_text().splitlines() if row.startswith("| `")]
    assert [" ".join(row.split()) for row in shown] == [
        " ".join(line(metric).split()) for metric in METRICS.values()
    ]


def test_latency_is_in_nanoseconds_and_less_is_better() -> None:
    latencies = [metric for key, metric in METRICS.items() if key.startswith("latency_")]
    assert len(latencies) == 12
    assert all(m.unit == "ns" and m.higher_is_better is False for m in latencies)


def test_bandwidth_and_iops_are_better_when_higher() -> None:
    assert METRICS["bandwidth"].higher_is_better
    assert METRICS["iops"].higher_is_better
    assert METRICS["queue"].higher_is_better is None


def test_percentiles_are_named_as_tools_name_them_and_ascend() -> None:
    assert METRICS["latency_p999"].percentile == "99.9"
    assert METRICS["latency_p999"].head == "Latency p99.9"
    assert list(PERCENTILES) == sorted(PERCENTILES, key=float)


def test_what_is_compared_has_a_rank_of_its_own() -> None:
    assert len({METRICS[key].priority for key in TABLE_METRICS}) == len(TABLE_METRICS)
    assert METRICS_BY_PRIORITY[:3] == ("iops", "bandwidth", "latency_p99")


def test_a_measurement_fills_its_columns() -> None:
    latency = Latency(min=1.0, mean=2.0, max=9.0, stddev=0.5, percentiles={"99.9": 8.0})
    found = columns_of(Measurement("read", 4096.0, 1.0, latency))
    assert found == {
        "iops": 1.0, "bandwidth": 4096.0, "latency_min": 1.0, "latency_mean": 2.0,
        "latency_max": 9.0, "latency_stddev": 0.5, "latency_p50": None, "latency_p95": None,
        "latency_p99": None, "latency_p999": 8.0, "latency_p9999": None,
    }  # fmt: skip


PROJECT = Path(__file__).parents[3]
NAMED = re.compile(r"latency_p\d+|p?99\.\d+|\D*p99(\.\d+)?")
# Where a percentile is named all the same, and why.
ALLOWED = {
    "apps/tools/metrics.py": "the table",
    "apps/results/models/": "the columns",
    "apps/tools/histogram.py": "percentiles beyond those with a metric",
    "apps/tools/fio/": "what fio prints",
    "apps/lake/domain/tables.py": "the columns of a pinned schema",
    "apps/analysis/verdicts/multiplicity.py": "which metrics stand behind which",
}


def modules() -> Iterator[tuple[str, Path]]:
    """(place in the project, path) of each module that is no test."""
    for folder in ("apps", "benchlab"):
        for path in sorted((PROJECT / folder).rglob("*.py")):
            if {"tests", "agent_tests", "migrations"}.isdisjoint(path.parts):
                yield str(path.relative_to(PROJECT)), path


def texts(path: Path) -> list[str]:
    """Every text of a module."""
    nodes = ast.walk(ast.parse(path.read_text()))
    return [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def test_no_other_module_names_percentiles() -> None:
    found = [
        f"{place}: {text}"
        for place, path in modules()
        if not place.startswith(tuple(ALLOWED))
        for text in texts(path)
        if NAMED.fullmatch(text)
    ]
    assert found == []


def test_no_template_names_percentiles() -> None:
    pages = sorted((PROJECT / "templates").rglob("*.html"))
    assert len(pages) > 50
    assert [page.name for page in pages if re.search(r"latency_p\d|p99", page.read_text())] == []


def test_the_page_of_comparisons_lists_what_can_be_tested() -> None:
    text = (PROJECT / "docs" / "howto" / "compare.md").read_text()
    assert ", ".join(f"`{key}`" for key in TABLE_METRICS) in text
