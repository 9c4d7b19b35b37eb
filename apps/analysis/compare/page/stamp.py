"""A stamp of everything a comparison of some runs rests on: it is another one after any change."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from apps.analysis.stamps import Stamp, names, version, versions

# Fewer tables than whole answers read (apps.analysis.basis), as every request of a page asks it.
_OF_RUNS = "WHERE run_id = ANY (%(runs)s)"
_FIGURES = version("results_figure", "measurement_id")
_QUERY = " UNION ALL ".join(
    [
        f"SELECT count(*), bit_xor({_FIGURES}) FROM results_figure {_OF_RUNS}",
        versions("runs_runtarget", _OF_RUNS),
        versions("runs_runtuning", _OF_RUNS),
        names("inventory_host", "id, name"),
        names("inventory_disk", "id, node, identity, target_id"),
        names("inventory_directory", "id, path, target_id"),
    ]
)


def stamp_of(runs: Sequence[int]) -> Stamp:
    """The stamp of these runs (ids): one query, which reads no figure."""
    with connection.cursor() as cursor:
        cursor.execute(_QUERY, {"runs": list(runs)})
        return [list(row) for row in cursor.fetchall()]
