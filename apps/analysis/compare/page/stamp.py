"""A stamp of everything a comparison of some runs rests on: it is another one after any change."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

# A row that is written again carries the number of the transaction that wrote it (xmin) and stands
# at another place (ctid), so its key and both together name one version of it.
_VERSIONS = (
    ("measurement_id", "results_figure"),
    ("id", "runs_runtarget"),
    ("id", "runs_runtuning"),
)
# Of inventory, which is small, the names that stand in answers; the rest of it changes all day.
_NAMES = (
    ("id, name", "inventory_host"),
    ("id, node, identity, target_id", "inventory_disk"),
    ("id, path, target_id", "inventory_directory"),
)
_QUERY = " UNION ALL ".join(
    [
        f"SELECT count(*), bit_xor(hashint8extended({key}, "
        "hashtidextended(ctid, xmin::text::bigint))) "
        f"FROM {table} WHERE run_id = ANY (%(runs)s)"
        for key, table in _VERSIONS
    ]
    + [
        f"SELECT count(*), bit_xor(hashtextextended(concat_ws('/', {names}), 0)) FROM {table}"
        for names, table in _NAMES
    ]
)


def stamp_of(runs: Sequence[int]) -> list[list[int | None]]:
    """The stamp of these runs (ids): one query, which reads no figure."""
    with connection.cursor() as cursor:
        cursor.execute(_QUERY, {"runs": list(runs)})
        return [list(row) for row in cursor.fetchall()]
