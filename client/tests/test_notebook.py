"""Data frames, verdicts and the example notebook, against a real server."""

from __future__ import annotations

import ast
import json
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from apps.accounts.models import User
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.results.models import Measurement
from apps.runs.models import Run
from django.test import Client as Browser

from benchlab_client import Client, UsageError

NOTEBOOK = Path(__file__).parents[1] / "examples" / "comparison.ipynb"
COLUMNS = {
    "id", "run", "label", "tuning", "operation", "stored_at", "iops", "bandwidth_bytes_per_s",
    "latency_mean_ns", "latency_p99_ns",
}  # fmt: skip


@pytest.fixture
def measured(admin: User) -> Run:
    return create_measured_run(Setup(owner=admin, gains={"Scheduler none": 1.2}))


def test_frames_verdicts_and_the_notebook(client: Client, measured: Run, admin: User) -> None:
    frames(client, measured)
    verdicts_are_sentences_of_the_page(client, measured, admin)
    shown = executed(NOTEBOOK)
    assert f"run={measured.pk}" in shown[-1]
    assert client.compare(run=measured.pk).verdicts[0].sentence in "".join(shown)


def frames(client: Client, run: Run) -> None:
    requests: list[str] = []
    stream = client.transport.stream

    def counted(method: str, path: str, **options: Any) -> Any:
        requests.append(path)
        return stream(method, path, **options)

    client.transport.stream = counted  # type: ignore[method-assign] # counts
    table = client.measurements(run=run.pk).to_arrow(maxima=True)
    assert requests == ["measurements/export/"]
    assert COLUMNS | {"bandwidth_max_over_time_bytes_per_s"} <= set(table.column_names)
    stored = Measurement.objects.get(pk=table["id"][0].as_py())
    assert table["bandwidth_bytes_per_s"][0].as_py() == stored.bandwidth
    pandas = client.measurements(run=run.pk).to_pandas()
    polars = client.measurements(run=run.pk, valid=False).to_polars()
    assert pandas["iops"].tolist() == table["iops"].to_pylist()
    assert polars.shape == (0, len(pandas.columns))
    assert len(list(client.measurements(run=run.pk))) == 12


def verdicts_are_sentences_of_the_page(client: Client, run: Run, admin: User) -> None:
    comparison = client.compare(run=run.pk)
    (verdict,) = comparison
    assert verdict.verdict == "better"
    low, high = verdict.interval_percent or (0.0, 0.0)
    assert low < (verdict.change_percent or 0.0) < high
    browser = Browser()
    browser.force_login(admin)
    page = unescape(browser.get(f"/compare/?{comparison.data['query']}").content.decode())
    assert repr(verdict) in page
    assert repr(comparison) in page


def executed(notebook: Path) -> list[str]:
    """The `repr` of the last expression of each code cell, as Jupyter shows it."""
    space: dict[str, Any] = {}
    shown = []
    for cell in json.loads(notebook.read_text())["cells"]:
        if cell["cell_type"] == "code":
            body = ast.parse("".join(cell["source"])).body
            last = body.pop()
            assert isinstance(last, ast.Expr)
            exec(compile(ast.Module(body, []), str(notebook), "exec"), space)
            value = eval(compile(ast.Expression(last.value), str(notebook), "eval"), space)
            shown.append(repr(value))
    return shown


def test_an_absent_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    client = Client("http://lab.example", "token")
    with pytest.raises(UsageError, match=r"benchlab-client\[polars\]"):
        client.measurements(plan=1).to_polars()
