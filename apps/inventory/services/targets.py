"""The targets behind the lab's rows: made when a plan or a run first names one, gone with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from django.db import models, transaction

from apps.inventory.models import Target, models_of_kinds

Named = tuple[str, int]
"""(kind, the row's key): ("disk", 12)"""


@transaction.atomic
def targets_ensure(named: Iterable[Named]) -> dict[Named, int]:
    """The target of each of these rows, by its key; of a row that is gone there is none. Safe when
    two ask at once: rows without one are locked.
    """
    wanted: dict[str, set[int]] = {}
    for kind, pk in named:
        wanted.setdefault(kind, set()).add(pk)
    found: dict[Named, int] = {}
    for kind, keys in wanted.items():
        rows = _manager(kind).filter(pk__in=keys)
        for row in rows.filter(target=None).select_for_update().order_by("pk"):
            row.target = Target.objects.create(kind=kind)
            row.save(update_fields=["target"])
        known = rows.exclude(target=None).values_list("pk", "target_id")
        found |= {(kind, pk): target for pk, target in known}
    return found


@transaction.atomic
def row_delete(row: models.Model) -> None:
    """Delete a row of the lab with its target. Raises ProtectedError while a plan or a run names
    it.
    """
    target = cast(Target | None, getattr(row, "target", None))
    row.delete()
    if target is not None:
        target.delete()


def _manager(kind: str) -> models.Manager[Any]:
    model: Any = models_of_kinds()[kind]
    manager: models.Manager[Any] = model.objects
    return manager
