"""Medians of the earlier repeats of a running case."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from statistics import median
from typing import Any

from apps.runs.models import Case, CaseState

PANELS = {"iops": "iops", "bandwidth": "bandwidth", "latency_mean": "latency"}
"""Live panel of each column of a measurement; bytes/s and ns, as the live figures."""

Medians = Mapping[str, Mapping[str, float]]
"""Median by operation of each live panel."""


def earlier_medians(case: Case) -> Medians:
    """Return the medians of the valid results of the case's other repeats in its run."""
    # Any: the type checker does not follow reverse relations to the results above this app.
    rows: Any = Case.objects.filter(
        run=case.run_id,
        workload=case.workload_id,
        run_target=case.run_target_id,
        run_tuning=case.run_tuning_id,
        state=CaseState.SUCCEEDED,
        measurements__valid=True,
        measurements__component="",
    )
    columns = ["measurements__operation", *(f"measurements__{name}" for name in PANELS)]
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for operation, *figures in rows.order_by().values_list(*columns):
        for panel, figure in zip(PANELS.values(), figures, strict=True):
            if figure is not None:
                values[panel][operation].append(figure)
    return {
        panel: {operation: median(figures) for operation, figures in of_panel.items()}
        for panel, of_panel in values.items()
    }
