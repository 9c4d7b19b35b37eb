"""`python -m tests.bench.archive.fill CASES`: fill the database of the environment with a
made-up archive of about so many cases, over five years; what to ask of it, as a document on stdout.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass

from django.db import transaction

from apps.accounts.models import User
from apps.results.models import Measurement, ResultSummary
from apps.results.services.summary_table import FILL
from apps.runs.models import Attempt, AttemptJob, Case, Run, RunEvent, RunTarget, RunTuning
from tests.bench.archive.copies import DICE, run_sql, sequences_reset
from tests.bench.archive.indexes import indexes_aside
from tests.bench.archive.lab import Lab, lab_make
from tests.bench.archive.results import results_fill
from tests.bench.archive.runs import runs_fill

CASES_A_HOST = 2_500
LARGE = (Case, Attempt, AttemptJob, RunEvent, Measurement, ResultSummary)
NUMBERED = (Run, RunTarget, RunTuning, Case)
WORKING = ("fill_run", "fill_sort", "fill_job", "fill_workload", "fill_part")


@dataclass(frozen=True)
class Filled:
    """The rows that there are to ask for. `large`, `middle`: runs of thousands of cases."""

    lab: Lab
    large: int
    middle: int


def fill(owner: User, cases: int, hosts: int = 0, *, aside: bool = False) -> Filled:
    """Make the archive in one transaction and let the planner count it. `hosts`: one for
    CASES_A_HOST cases where it is 0. `aside`: build the indexes of large tables afterwards.
    """
    lab = lab_make(owner, hosts or cases // CASES_A_HOST)
    tables = [model._meta.db_table for model in LARGE]
    with transaction.atomic():
        run_sql("SET LOCAL session_replication_role = replica")  # no triggers: keys are right
        run_sql(DICE)
        with indexes_aside(tables) if aside else nullcontext():
            keys = runs_fill(lab, cases)
            results_fill(lab, keys)
            for table in WORKING:
                run_sql(f"DROP TABLE {table}")
            run_sql("ANALYZE")
            run_sql(FILL)
        run_sql("SET LOCAL session_replication_role = origin")
        sequences_reset(*NUMBERED)
        run_sql("ANALYZE results_resultsummary")
    large = Run.objects.filter(pk__gte=keys.run).order_by("-case_count")
    first, second = large.values_list("pk", flat=True)[:2]
    return Filled(lab, first, second)
