"""Existence of rows related to results, which most runs lack.

One query in place of one for each kind of rows.
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
        SELECT FROM results_resultsummary WHERE is_comparable AND run_id = ANY (%(runs)s)
        LIMIT %(most)s + 1
    ) one) > %(most)s,
    EXISTS (SELECT FROM runs_runextension
        WHERE kind IN ('repeats', 'until') AND run_id = ANY (%(runs)s)),
    EXISTS (SELECT FROM runs_runextension WHERE kind = 'rule' AND run_id = ANY (%(runs)s)),
    EXISTS (SELECT FROM runs_runexpectation e JOIN runs_runtarget t ON t.id = e.run_target_id
        WHERE t.run_id = ANY (%(runs)s)),
    EXISTS (SELECT FROM results_resultsummary WHERE NOT is_comparable AND run_id = ANY (%(runs)s)),
    EXISTS (SELECT FROM runs_case WHERE run_id = ANY (%(runs)s) AND purpose = 'measure'
        AND state NOT IN ('succeeded', 'skipped')),
    EXISTS (SELECT FROM results_baseline),
    (SELECT coalesce(json_agg(json_build_array(name, settings) ORDER BY run_id DESC), '[]')
        FROM runs_runtuning WHERE is_baseline AND run_id = ANY (%(runs)s))
""".strip()


class RelatedRows(NamedTuple):
    """Existence of rows related to the results of some runs.

    `too_many`: more than MAX_REPEATS results; `stages`: additions of repeats or precision rules;
    `left_out`: results that are not comparable; `without_result`: cases without one; `baselines`:
    any baseline at all. `baseline_tunings`: name and settings as text of the runs' baseline
    tunings, the newest run first.
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
    """Return the related rows of these runs (ids). One query."""
    with connection.cursor() as cursor:
        cursor.execute(_QUERY, {"runs": list(runs), "most": MAX_REPEATS})
        *result, tunings = cursor.fetchall()[0]
    tuning_texts = ((name, settings_text(STORED.read(settings))) for name, settings in tunings)
    return RelatedRows(*result)._replace(baseline_tunings=tuple(dict.fromkeys(tuning_texts)))
