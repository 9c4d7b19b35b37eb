"""The catalogue of disk models as CSV, and an entry on the page of a disk."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from apps.common.api.columnar import safe
from apps.common.domain import units
from apps.common.templatetags.benchlab_format import bandwidth, iops
from apps.inventory.models import CatalogueEntry
from apps.inventory.schemas.catalogue import COLUMNS, NUMBERS, TEXTS


def csv_of_catalogue(entries: Iterable[CatalogueEntry]) -> bytes:
    """Return the entries as CSV, which the import reads as the same."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    for entry in entries:
        row: dict[str, object] = {name: safe(getattr(entry, name)) for name in TEXTS}
        for column in NUMBERS:
            value = getattr(entry, column.field)
            row[column.name] = "" if value is None else _plain(value / column.factor)
        writer.writerow(row)
    return out.getvalue().encode()


def _plain(value: float) -> str:
    """Return a number without exponent, as the import reads it."""
    return f"{value:.12f}".rstrip("0").rstrip(".")


def entry_rows(entry: CatalogueEntry) -> list[tuple[str, Any]]:
    """Return what the catalogue states about a disk, with its source."""
    terabytes, percent = entry.rated_terabytes_written, entry.over_provisioning_percent
    rows = [
        (_("Kind"), entry.get_kind_display() or None),
        (_("Rated writes (TBW)"), f"{units.significant(terabytes)} TB" if terabytes else None),
        (_("Random reads"), iops(entry.random_read_iops) if entry.random_read_iops else None),
        (_("Random writes"), iops(entry.random_write_iops) if entry.random_write_iops else None),
        (_("Sequential reads"), _rate(entry.sequential_read_rate)),
        (_("Sequential writes"), _rate(entry.sequential_write_rate)),
        (_("Slowest sane fill"), _rate(entry.slowest_fill_rate)),
        (_("Over-provisioning"), None if percent is None else f"{units.significant(percent)} %"),
        ("spr_op", None if entry.spr_op is None else units.significant(entry.spr_op)),
        (_("Source"), entry.source),
    ]
    return [row for row in rows if row[1] is not None]


def _rate(value: float | None) -> Any:
    return None if value is None else bandwidth(value)
