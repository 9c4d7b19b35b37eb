"""A target of any kind: the row that plans and results name."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext as _


class Target(models.Model):
    """One thing that tests run on. The row that says more (a disk, a pool ...) has a one-to-one
    link `target` to it, whose related name is the `kind`; it is made when a plan or a run first
    names that row (apps.inventory.services.targets). The database keeps a link that was made, and
    lets the row go only together with its target.
    """

    kind = models.CharField(max_length=20)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]

    def __str__(self) -> str:
        row = self.row
        return (
            str(row)
            if row is not None
            else _("%(kind)s that is no longer there") % {"kind": self.kind}
        )

    @property
    def row(self) -> Any:
        """The disk, directory, pool ... that it is; None where somebody deleted it by hand."""
        return getattr(self, self.kind, None)


def models_of_kinds() -> dict[str, type[models.Model]]:
    """The model of each kind of target, by its name: every model that is linked as described."""
    return {
        relation.name: relation.related_model
        for relation in Target._meta.related_objects
        if relation.one_to_one and isinstance(relation.related_model, type)
    }
