"""Targets of any kind: the rows that plans and results refer to."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models


class Target(models.Model):
    """The parent row of a disk, directory, group, pool or host pair (multi-table inheritance).

    All kinds share its key, so plans and results name a target by one number. `kind` is the
    related name of the child row.
    """

    KIND: ClassVar[str] = ""
    NAMED_BY: ClassVar[tuple[str, ...]] = ()
    """Foreign keys whose rows the name of a child row contains."""

    kind = models.CharField(max_length=20, editable=False)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]

    def __str__(self) -> str:
        return str(self.row)

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.kind = self.KIND or self.kind
        super().save(*args, **kwargs)

    @property
    def row(self) -> Any:
        """Return the child row: the disk, directory, group, pool or host pair."""
        return getattr(self, self.kind)


def models_of_kinds() -> dict[str, type[models.Model]]:
    """Return the model of each kind of target."""
    return {
        relation.name: relation.related_model
        for relation in Target._meta.related_objects
        if relation.parent_link and isinstance(relation.related_model, type)
    }


def target_joins(path: str = "") -> list[str]:
    """Return what `select_related` joins to name targets; `path`: of the foreign key to Target."""
    return [
        "__".join(filter(None, (path, kind, field)))
        for kind, model in models_of_kinds().items()
        for field in getattr(model, "NAMED_BY", ()) or ("",)
    ]
