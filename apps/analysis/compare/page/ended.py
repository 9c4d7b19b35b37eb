"""A stamp of ended runs, which reads none of their results: the database gives a run that has ended
another version after each change of its cases, attempts and results (`apps.runs.stamps`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import connection

from apps.analysis.compare.question import Question
from apps.analysis.compare.selectors import LISTED
from apps.analysis.stamps import TABLES
from apps.runs.models import FINAL_RUN
from apps.runs.stamps import DATABASE, FIRST_SEEN
from apps.tools.metrics import OVER_TIME

NAMED = (
    "results_baseline", "inventory_diskexpectation", "inventory_target", "inventory_host",
    "inventory_disk", "inventory_directory", "inventory_pool", "inventory_targetgroup",
    "inventory_hostpair",
)  # fmt: skip
"""Small tables with names, baselines and promises that stand beside the results."""
_LATEST_RUNS = "SELECT id FROM runs_run WHERE archived_at IS NULL ORDER BY id DESC LIMIT %(listed)s"
_LATEST_PLANS = """
SELECT id FROM plans_testplan p WHERE EXISTS (SELECT FROM runs_run WHERE plan_id = p.id)
ORDER BY id DESC LIMIT %(listed)s
""".strip()
_NAMES = ", ".join(f"(SELECT concat_ws('/', one.*) FROM ({TABLES[table]}) one)" for table in NAMED)
# Baselines of what was measured are offered, so their runs are told like those that are compared.
_QUERY = f"""
WITH asked AS (
    SELECT r.id, r.state FROM runs_run r WHERE r.id = ANY (%(runs)s) OR r.plan_id = %(plan)s
), told AS (SELECT id FROM asked UNION SELECT run_id FROM results_baseline)
SELECT (SELECT bool_and(state = ANY (%(final)s)) FROM asked),
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
    (SELECT concat_ws('/', count(*), bit_xor(hashint8extended(r.id, r.version)),
            bit_xor(hashtextextended(p.name, r.id)))
        FROM told JOIN runs_run r USING (id) LEFT JOIN plans_testplan p ON p.id = r.plan_id),
    (SELECT string_agg(concat_ws(chr(30), r.id, r.name), chr(31) ORDER BY r.id)
        FROM runs_run r WHERE r.id IN ({_LATEST_RUNS})),
    (SELECT string_agg(concat_ws(chr(30), p.id, p.name), chr(31) ORDER BY p.id)
        FROM plans_testplan p WHERE p.id IN ({_LATEST_PLANS}) OR p.id = %(plan)s),
    (SELECT concat_ws('/', count(*), bit_xor(hashint8extended(c.version, c.run_id)))
        FROM runs_runchange c WHERE c.run_id IN (SELECT id FROM told)),
    {DATABASE}, {_NAMES}
""".strip()


class EndedStamp(NamedTuple):
    """`answers`: of all that an answer says; `offered`: of runs and plans that its page offers."""

    answers: tuple[Any, ...]
    offered: tuple[Any, ...]


def ended_stamp(question: Question) -> EndedStamp | None:
    """The stamp of a question about whole runs that have all ended; None for others, and while a
    run may yet change unseen. One query.
    """
    if not question.further.is_empty or not set(OVER_TIME).isdisjoint(question.metrics):
        return None
    with connection.cursor() as cursor:
        cursor.execute(_QUERY, _parameters(question))
        ended, oldest, next_one, runs, *rest = cursor.fetchall()[0]
    stamp = EndedStamp((runs, *rest[2:]), tuple(rest[:2]))
    settled = FIRST_SEEN.is_settled(stamp.answers, oldest, next_one)
    return stamp if settled and ended is not False else None


def _parameters(question: Question) -> dict[str, Any]:
    final: Sequence[str] = [str(state) for state in FINAL_RUN]
    return {"runs": list(question.runs), "plan": question.plan, "final": final, "listed": LISTED}
