"""Things that stand beside results, and that most runs have none of: one query says of all of them
whether there are any, in place of one for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection

from apps.analysis.repeats.repeats import settings_text
from apps.tuning.schemas.settings import STORED

MAX_REPEATS = 60_000
_QUERY = """
SELECT
    (SELECT count(*) FROM (
        SELECT FROM results_figure WHERE counts AND run_id = ANY (%(runs)s) LIMIT %(most)s + 1
    ) one) > %(most)s,
    EXISTS (SELECT FROM runs_runextension
        WHERE kind IN ('repeats', 'until') AND run_id = ANY (%(runs)s)),
    EXISTS (SELECT FROM runs_runextension WHERE kind = 'rule' AND run_id = ANY (%(runs)s)),
    EXISTS (SELECT FROM runs_runexpectation e JOIN runs_runtarget t ON t.id = e.run_target_id
        WHERE t.run_id = ANY (%(runs)s)),
    EXISTS (SELECT FROM results_figure WHERE NOT counts AND run_id = ANY (%(runs)s)),
    EXISTS (SELECT FROM runs_case WHERE run_id = ANY (%(runs)s) AND purpose = 'measure'
        AND state NOT IN ('succeeded', 'skipped')),
    EXISTS (SELECT FROM results_baseline),
    (SELECT coalesce(json_agg(json_build_array(name, settings) ORDER BY run_id DESC), '[]')
        FROM runs_runtuning WHERE is_baseline AND run_id = ANY (%(runs)s))
""".strip()


class RelatedRows(NamedTuple):
    """Whether there are any beside the results of some runs. `too_many`: more than MOST_REPEATS
    results; `stages`: additions of repeats, or blocks that are added until it is decided;
    `left_out`: results that do not count; `without_result`: cases that gave none; `baselines`: of
    anything at all. `baseline_tunings`: name and settings as text of the runs' baseline tunings,
    the newest run first, each once.
    """

    too_many: bool
    stages: bool
    decisions: bool
    expectations: bool
    left_out: bool
    without_result: bool
    baselines: bool
    baseline_tunings: tuple[tuple[str, str], ...] = ()


def related_rows(runs: Sequence[int]) -> RelatedRows:
    """The answer for these runs (ids). One query."""
    with connection.cursor() as cursor:
        cursor.execute(_QUERY, {"runs": list(runs), "most": MAX_REPEATS})
        *found, tunings = cursor.fetchall()[0]
    told = ((name, settings_text(STORED.read(settings))) for name, settings in tunings)
    return RelatedRows(*found)._replace(baseline_tunings=tuple(dict.fromkeys(told)))
