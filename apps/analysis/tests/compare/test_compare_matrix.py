"""The first screen: workloads by metrics, readable without colours; details when asked for."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.compare.page.matrix import MatrixRow, matrix
from apps.analysis.compare.page.tables import table_of
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.common.domain.verdicts import VerdictKind
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild

pytestmark = pytest.mark.django_db
TWO = [PARAMS, PARAMS | {"iodepth": 1}]


def only_row(owner: User, gain: float, **changes: float) -> MatrixRow:
    gains = {"Scheduler none": gain}
    run = create_measured_run(Setup(owner, gains=gains, **changes))  # type: ignore[arg-type] # numbers
    (row,) = matrix(compare_runs(runs=[run.pk]).results, {}, {}).rows
    return row


def test_better_and_worse_have_sign_arrow_and_word(owner: User) -> None:
    up, down = only_row(owner, 1.2), only_row(owner, 0.95)
    cells = [row.cells[0] for row in (up, down)]
    assert [(c.kind, c.arrow, c.words, c.change[0]) for c in cells if c] == [
        (VerdictKind.BETTER, "▲", "Better", "+"),
        (VerdictKind.WORSE, "▼", "Worse", "\N{MINUS SIGN}"),
    ]
    assert [c.strength for c in cells if c] == [3, 2]
    mean = up.cells[2]
    assert mean
    assert (mean.arrow, mean.change[0]) == ("▲", "\N{MINUS SIGN}")  # latency that falls is better


def test_what_is_not_shown_has_neither_arrow_nor_colour(owner: User) -> None:
    for row in (only_row(owner, 1.0), only_row(owner, 1.2, repeats=3)):
        assert {(c.arrow, c.strength) for c in row.cells if c} == {("", 0)}
    assert row.counts == "3 / 3"


def test_a_change_that_disagrees_with_the_estimate_shows_both(owner: User) -> None:
    run = create_measured_run(Setup(owner, noise=0.0))
    sides = {
        "Host defaults": [100.0, 101.0, 110.0, 111.0, 120.0, 121.0],
        "Scheduler none": [90.0, 109.0, 109.5, 112.5, 113.0, 114.0],
    }
    for tuning, values in sides.items():
        rows = Measurement.objects.filter(case__run_tuning__name=tuning).order_by("pk")
        for row, value in zip(rows, values, strict=True):
            Measurement.objects.filter(pk=row.pk).update(iops=value)
    summaries_rebuild()
    comparison = compare_runs(runs=[run.pk])
    table = table_of(comparison, comparison.results[0])
    (iops,) = table.rows[0].versus
    change = comparison.results[0].lines[0].entries[0].change
    assert change.medians == pytest.approx(111 / 110.5)
    assert change.effect.ratio is not None
    assert change.effect.ratio < 1
    assert (change.needs_both, bool(iops.typical), bool(table.note)) == (True, True, True)
    assert not table.rows[1].versus[0].typical


def test_workload_of_the_query_is_open(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner, points=TWO))
    page = viewer_client.get(f"/compare/?run={run.pk}").content.decode()
    assert page.count("data-details=") == 2
    assert "CV " not in page
    slug = compare_runs(runs=[run.pk]).results[1].group.slug
    details = viewer_client.get(f"/compare/details/?run={run.pk}&group={slug}").content.decode()
    assert f'id="workload-{slug}"' in details
    assert "CV " in details
    opened = viewer_client.get(f"/compare/?run={run.pk}&group={slug}").content.decode()
    assert f'id="workload-{slug}"' in opened
    assert viewer_client.get(f"/compare/details/?run={run.pk}&group=none").status_code == 404


def test_names_are_text_wherever_they_stand(owner: User, viewer_client: Client) -> None:
    name = """<b title='x"y'>&amp;"""
    run = create_measured_run(Setup(owner, tunings=("Host defaults", name, "<i>third</i>")))
    texts = viewer_client.get(f"/compare/?run={run.pk}&minimum=0.5").text
    rows = texts.partition("<tbody>")[2].partition("</tbody>")[0]
    assert rows.count("<tr") == 2
    assert "&lt;b title=&#x27;x&quot;y&#x27;&gt;&amp;amp;" in rows
    assert "&lt;i&gt;third&lt;/i&gt;" in rows
    assert not {"<b", "<i>"} & set(re.findall(r"<[bi]\b>?", rows))
    assert f'hx-get="/compare/details/?run={run.pk}&amp;minimum=0.5&amp;group=' in rows
