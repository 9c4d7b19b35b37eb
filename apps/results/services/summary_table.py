"""Maintain the result summaries: one row per whole measurement."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection, transaction

from apps.results.models import ResultSummary
from apps.runs.models import Case
from apps.runs.services.versions import runs_touch

_COLUMNS = [str(field.column) for field in ResultSummary._meta.concrete_fields]
# The expected rows. One met cap of a provider is enough; all other expectations must be met.
# Metrics that were not measured are not evaluated.
_DUE = """
SELECT found.*, exclusion_reason = '' AS is_comparable,
CASE WHEN exclusion_reason <> '' THEN '' ELSE (
    SELECT CASE WHEN count(*) = 0 THEN ''
                WHEN bool_or(beyond) FILTER (WHERE NOT either)
                     OR bool_and(beyond) FILTER (WHERE either) THEN 'missed'
                ELSE 'met' END
    FROM (
        SELECT either, CASE direction WHEN 'least' THEN figure < bound ELSE figure > bound END
               AS beyond
        FROM runs_runexpectation AS e,
             LATERAL (SELECT (to_jsonb(found) ->> e.metric)::float8 AS figure) AS measured
        WHERE e.run_target_id = found.run_target_id AND e.workload_id = found.case_workload_id
          AND e.step_name = found.step_name AND e.operation IN ('', found.operation)
          AND figure IS NOT NULL
    ) AS evaluations
) END AS expectation_verdict
FROM (
    SELECT m.id AS measurement_id, m.case_id, m.workload_id, m.operation, m.parser_version,
           m.bandwidth, m.iops, m.latency_min, m.latency_mean, m.latency_max, m.latency_stddev,
           m.latency_p50, m.latency_p95, m.latency_p99, m.latency_p999, m.latency_p9999,
           c.run_id, c.run_target_id, c.run_tuning_id, c.block, c.repeat, c.step_name,
           c.workload_id AS case_workload_id, t.target_id, lead.host_id, u.tuning_id,
           a.facts_id, a.tool_version, COALESCE(a.started_at, m.created_at) AS measured_at,
           a.started_at IS NOT NULL OR r.origin <> 'imported' AS has_measured_time,
           r.origin = 'imported' AS imported,
           CASE WHEN r.origin <> 'imported' THEN (
               SELECT ('x' || left(md5(COALESCE(string_agg(words, ',' ORDER BY words), '')), 16))
                      ::bit(64)::bigint
               FROM jsonb_array_elements(u.settings -> 'rows') AS one,
                    concat_ws('/', COALESCE(one ->> 'kind', 'queue'),
                              NULLIF(one ->> 'section', ''), one ->> 'name', one ->> 'value',
                              '@' || NULLIF(one ->> 'where', '')) AS words
           ) END AS settings_hash,
           CASE WHEN c.purpose <> 'measure' THEN 'precondition'
                WHEN NOT m.valid THEN 'invalid'
                WHEN c.state <> 'succeeded' THEN 'case'
                WHEN NOT a.valid OR a.state <> 'succeeded' THEN 'attempt'
                -- Only the last valid attempt of a case is comparable.
                WHEN EXISTS (
                    SELECT FROM runs_attempt AS later
                    JOIN results_measurement AS other ON other.attempt_id = later.id
                        AND other.operation = m.operation AND other.component = '' AND other.valid
                    WHERE later.case_id = m.case_id AND later.number > a.number
                        AND later.valid AND later.state = 'succeeded'
                ) THEN 'replaced'
                ELSE '' END AS exclusion_reason
    FROM results_measurement AS m
    JOIN runs_attempt AS a ON a.id = m.attempt_id
    JOIN runs_case AS c ON c.id = m.case_id
    JOIN runs_run AS r ON r.id = c.run_id
    JOIN runs_runtarget AS t ON t.id = c.run_target_id
    JOIN runs_runtuning AS u ON u.id = c.run_tuning_id
    LEFT JOIN runs_runtargetmember AS lead ON lead.run_target_id = t.id AND lead.position = 0
    WHERE m.component = ''
) AS found
"""
_NAMES = ", ".join(_COLUMNS)
FILL = f"INSERT INTO results_resultsummary ({_NAMES}) SELECT {_NAMES} FROM ({_DUE}) AS due"
DIFFERENCE = f"""
SELECT DISTINCT COALESCE(f.case_id, d.case_id), COALESCE(f.run_id, d.run_id)
FROM results_resultsummary AS f FULL JOIN ({_DUE}) AS d USING (measurement_id)
WHERE ROW({", ".join(f"f.{name}" for name in _COLUMNS)})
      IS DISTINCT FROM ROW({", ".join(f"d.{name}" for name in _COLUMNS)})
"""


@transaction.atomic
def summaries_refresh(cases: Iterable[int]) -> None:
    """Rebuild the summaries of cases (ids), and lock the cases until the transaction ends.

    Call it last in each transaction that changes a measurement or its validity.
    """
    keys = sorted(set(cases))
    locked = Case.objects.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True)
    list(locked.values_list("pk"))
    ResultSummary.objects.filter(measurement__case__in=keys).delete()
    with connection.cursor() as cursor:
        cursor.execute(f"{FILL} WHERE due.case_id = ANY (%s)", [keys])


def summaries_difference() -> list[tuple[int, int]]:
    """Return the ids of cases with outdated summaries, each with the id of its run."""
    with connection.cursor() as cursor:
        cursor.execute(DIFFERENCE)
        return list(cursor.fetchall())


@transaction.atomic
def summaries_rebuild() -> int:
    """Rebuild outdated summaries. Return the number of cases."""
    outdated = summaries_difference()
    if outdated:
        summaries_refresh(case for case, _run in outdated)
        runs_touch({run for _case, run in outdated})
    return len(outdated)
