"""The runs of a made-up archive: what each tests, under which tunings, and its cases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from apps.plans.schemas.planned import PlannedTuning
from apps.plans.selectors.target_kinds import target_data
from apps.runs.models import Case, Run, RunState, RunTarget, RunTargetMember, RunTuning
from apps.runs.services.snapshot import targets_snapshot, tunings_snapshot
from tests.bench.archive.copies import insert, next_key, run_sql
from tests.bench.archive.lab import SORTS, Lab

YEARS = 5
CASES_A_RUN = 47
SHARES = {"storage": 0.8, "pool": 0.12, "pair": 0.08}
# Cases of the run in the middle and of the third newest one, and what they hold at most of all.
MIDDLE, LARGE, MOST = 3_000, 9_000, 1 / 20

# For each run: its tool (by `fill_sort`), how many targets, tunings, workloads and repeats it has,
# how it ended. Lost runs are old ones, targets come and go over the years.
DRAW = """
CREATE TEMP TABLE fill_run ON COMMIT DROP AS
WITH drawn AS (
    SELECT n::bigint AS n, n::float8 / {runs} AS age, CASE n
            WHEN {runs} / 2 THEN {middle} WHEN {runs} - 2 THEN {large} ELSE 0 END AS wanted
    FROM generate_series(1, {runs}) AS n
), sorted AS (
    SELECT drawn.*, fill_sort.* FROM drawn JOIN fill_sort
        ON CASE WHEN wanted > 0 THEN 0 ELSE pg_temp.dice(n, 1) END >= low
        AND CASE WHEN wanted > 0 THEN 0 ELSE pg_temp.dice(n, 1) END < high
), sized AS (
    SELECT *,
        CASE WHEN wanted > 0 THEN 2 ELSE least(target_count,
            1 + (pg_temp.dice(n, 2) > 0.7)::int + (pg_temp.dice(n, 2) > 0.9)::int) END AS targets,
        CASE WHEN wanted > 0 THEN 3 ELSE
            1 + (pg_temp.dice(n, 3) > 0.4)::int + (pg_temp.dice(n, 3) > 0.8)::int END AS tunings,
        CASE WHEN wanted > 0 THEN least(100, greatest(1, wanted / 6)) ELSE
            least(workload_count, 1 + floor(7 * pg_temp.dice(n, 4)))::int END AS workloads,
        (ARRAY[3, 5, 6])[1 + floor(3 * pg_temp.dice(n, 5))::int] AS drawn_repeats,
        pg_temp.dice(n, 6) AS ending
    FROM sorted
), counted AS (
    SELECT *,
        CASE WHEN wanted > 0 THEN greatest(1, wanted / (6 * workloads))
            ELSE drawn_repeats END AS repeats
    FROM sized
)
SELECT *,
    {run} + n AS id,
    targets * tunings * workloads * repeats AS cases,
    coalesce(sum(targets * tunings * workloads * repeats) OVER earlier, 0)::bigint AS first_case,
    coalesce(sum(targets) OVER earlier, 0)::bigint AS first_target,
    coalesce(sum(tunings) OVER earlier, 0)::bigint AS first_tuning,
    target_first + floor(target_count * (0.6 * age + 0.4 * pg_temp.dice(n, 7)))::int AS target,
    floor(workload_count * pg_temp.dice(n, 8))::int AS workload,
    n % 20 = 7 AND wanted = 0 AS is_imported,
    now() - interval '1 day' * (1 + 365 * {years} * (1 - age)) AS queued_at,
    CASE WHEN n = {runs} THEN 'queued' WHEN n = {runs} - 1 THEN 'running'
        WHEN wanted > 0 OR ending < 0.86 THEN 'succeeded' WHEN ending < 0.93 THEN 'failed'
        WHEN ending < 0.98 THEN 'cancelled' WHEN age < 0.3 THEN 'lost' ELSE 'succeeded' END AS state
FROM counted
WINDOW earlier AS (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
"""
PLACE = "r.target_first + (r.target + i - r.target_first) % r.target_count"


@dataclass(frozen=True)
class Keys:
    """Numbers from which the keys of runs, their targets and tunings, and cases are counted."""

    run: int
    target: int
    tuning: int
    case: int


def runs_fill(lab: Lab, cases: int) -> Keys:
    """About so many cases in runs of about fifty, over five years."""
    model = _model_run(lab)
    keys = Keys(*(next_key(one) for one in (Run, RunTarget, RunTuning, Case)))
    _sorts(lab)
    runs = max(20, cases // CASES_A_RUN)
    most = int(cases * MOST)
    run_sql(
        DRAW.format(
            runs=runs, run=keys.run, years=YEARS, middle=min(MIDDLE, most), large=min(LARGE, most)
        )
    )
    run_sql("ANALYZE fill_run")
    # Without statistics PostgreSQL would read the members of all runs for each target of a run.
    run_sql("ANALYZE runs_runtarget, runs_runtargetmember, runs_runtuning")
    _runs(lab)
    _targets(model, keys)
    _tunings(model, keys)
    _cases(lab, keys)
    model.targets.all().delete()
    model.delete()
    return keys


def _model_run(lab: Lab) -> Run:
    """A run of everything in the lab: all others take their targets and tunings from it."""
    run = Run.objects.create(name="model", owner=lab.owner, state=RunState.CANCELLED)
    targets_snapshot(run, [target_data(row) for rows in lab.targets.values() for row in rows])
    tunings_snapshot(
        run, [PlannedTuning(row.pk, row.name, tuple(row.settings)) for row in lab.tunings]
    )
    return run


def _sorts(lab: Lab) -> None:
    rows, low, workload, target = [], 0.0, 0, 0
    for targets, share in SHARES.items():
        for tool, sort in ((tool, sort) for tool, sort in SORTS.items() if sort.targets == targets):
            high, number = low + share * sort.share, len(lab.workloads[tool])
            rows.append(
                f"('{tool}', {low}::float8, {high}::float8, {target}, {len(lab.targets[targets])}, "
                f"{workload}, {number})"
            )
            low, workload = high, workload + number
        target += len(lab.targets[targets])
    run_sql(
        "CREATE TEMP TABLE fill_sort ON COMMIT DROP AS SELECT * FROM (VALUES " + ", ".join(rows)
        + ") AS t (tool, low, high, target_first, target_count, workload_first, workload_count)"
    )  # fmt: skip


def array(keys: Iterable[int]) -> str:
    """Keys as an array of the database."""
    return f"(ARRAY[{', '.join(map(str, keys))}]::bigint[])"


def _runs(lab: Lab) -> None:
    people, plans = array(user.pk for user in lab.people), array(plan.pk for plan in lab.plans)
    plan = f"floor({len(lab.plans)} * pg_temp.dice(n, 9))::int"
    ended = "queued_at + interval '1 minute' + interval '65 seconds' * cases"
    insert(
        Run,
        "fill_run",
        id="id",
        name=f"CASE WHEN is_imported THEN 'import ' || n ELSE 'archive plan ' || {plan} END",
        plan_id=f"CASE WHEN is_imported THEN NULL ELSE {plans}[1 + {plan}] END",
        owner_id=f"{people}[1 + floor({len(lab.people)} * pg_temp.dice(n, 10))::int]",
        origin="CASE WHEN is_imported THEN 'imported' ELSE 'launched' END",
        state="state",
        queued_at="queued_at",
        started_at="CASE WHEN state = 'queued' THEN NULL ELSE queued_at + interval '1 minute' END",
        finished_at=f"CASE WHEN state IN ('queued', 'running') THEN NULL ELSE {ended} END",
        archived_at="CASE WHEN pg_temp.dice(n, 11) < 0.2 AND age < 0.3 THEN now() END",
        case_count="cases",
        expected_seconds="65 * cases",
    )


def _targets(model: Run, keys: Keys) -> None:
    """An import knows no more than a host and a name."""
    each = "fill_run r CROSS JOIN LATERAL generate_series(0, r.targets - 1) AS i"
    key = f"{keys.target} + r.first_target + i"
    insert(
        RunTarget,
        f"{each} JOIN runs_runtarget t ON t.run_id = {model.pk} AND t.position = {PLACE}",
        id=key,
        run_id="r.id",
        position="i",
        target_id="CASE WHEN r.is_imported THEN NULL ELSE t.target_id END",
        kind="CASE WHEN r.is_imported THEN '' ELSE t.kind END",
        name="t.name",
    )
    columns = {name: f"m.{name}" for name in ("host_id", "host_name", "label", "position", "role")}
    unknown = {
        "target_id": "NULL",
        "kind": "''",
        "identity": "''",
        "size": "NULL",
        "pool_layout": "NULL",
    }
    columns |= {
        name: f"CASE WHEN r.is_imported THEN {nothing} ELSE m.{name} END"
        for name, nothing in unknown.items()
    }
    insert(
        RunTargetMember,
        f"{each} JOIN runs_runtarget t ON t.run_id = {model.pk} AND t.position = {PLACE} "
        "JOIN runs_runtargetmember m ON m.run_target_id = t.id "
        "AND (m.position = 0 OR NOT r.is_imported)",
        run_target_id=key,
        **columns,
    )


def _tunings(model: Run, keys: Keys) -> None:
    insert(
        RunTuning,
        "fill_run r CROSS JOIN LATERAL generate_series(0, r.tunings - 1) AS i "
        f"JOIN runs_runtuning t ON t.run_id = {model.pk} AND t.position = (r.n + i) % 4",
        id=f"{keys.tuning} + r.first_tuning + i",
        run_id="r.id",
        position="i",
        tuning_id="t.tuning_id",
        name="t.name",
        settings="t.settings",
    )


# What became of a case, by its run's end.
STATE = """CASE r.state
    WHEN 'succeeded' THEN 'succeeded'
    WHEN 'failed' THEN CASE WHEN pg_temp.dice(r.n * 100000 + p, 12) < 0.9 THEN 'succeeded'
        ELSE 'failed' END
    WHEN 'cancelled' THEN CASE WHEN p < r.cases / 2 THEN 'succeeded' ELSE 'cancelled' END
    WHEN 'lost' THEN CASE WHEN p < r.cases / 2 THEN 'succeeded' WHEN p = r.cases / 2 AND r.n % 7 = 0
        THEN 'unconfirmed' ELSE 'lost' END
    WHEN 'running' THEN CASE WHEN p < r.cases / 2 THEN 'succeeded' WHEN p = r.cases / 2
        THEN 'running' ELSE 'pending' END
    ELSE 'pending' END"""


def _cases(lab: Lab, keys: Keys) -> None:
    workloads = array(row.pk for tool in SORTS for row in lab.workloads[tool])
    place = "(r.workload + p / (r.targets * r.tunings) % r.workloads) % r.workload_count"
    insert(
        Case,
        "fill_run r CROSS JOIN LATERAL generate_series(0, r.cases - 1) AS p",
        id=f"{keys.case} + r.first_case + p",
        run_id="r.id",
        sequence="p",
        repeat="1 + p / (r.targets * r.tunings * r.workloads)",
        block="1 + p / (r.targets * r.tunings * r.workloads)",
        run_target_id=f"{keys.target} + r.first_target + p % r.targets",
        run_tuning_id=f"{keys.tuning} + r.first_tuning + (p / r.targets) % r.tunings",
        workload_id=f"{workloads}[1 + r.workload_first + {place}]",
        expected_seconds="65",
        state=STATE,
    )
