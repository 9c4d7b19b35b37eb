"""Columns of the catalogue of disk models: of its CSV, and their fields with a factor."""

from __future__ import annotations

from dataclasses import dataclass

MEGA = 1e6
TEXTS = ("pattern", "kind", "source")
SAME_SIZE = 0.02  # makers count in 10^9 bytes, disks have a little more or less


@dataclass(frozen=True)
class CatalogueColumn:
    """A number of an entry: `name` in the CSV, with its unit; the field has `factor` times it."""

    name: str
    field: str
    factor: float = 1.0


NUMBERS = (
    CatalogueColumn("capacity_bytes", "capacity_bytes"),
    CatalogueColumn("rated_terabytes_written", "rated_terabytes_written"),
    CatalogueColumn("random_read_iops", "random_read_iops"),
    CatalogueColumn("random_write_iops", "random_write_iops"),
    CatalogueColumn("sequential_read_mb_per_s", "sequential_read_rate", MEGA),
    CatalogueColumn("sequential_write_mb_per_s", "sequential_write_rate", MEGA),
    CatalogueColumn("slowest_fill_mb_per_s", "slowest_fill_rate", MEGA),
    CatalogueColumn("over_provisioning_percent", "over_provisioning_percent"),
    CatalogueColumn("spr_op", "spr_op"),
    CatalogueColumn("promised_iops", "sla_iops"),
    CatalogueColumn("promised_mb_per_s", "sla_bandwidth", MEGA),
    CatalogueColumn("seek_ms", "seek_ms"),
    CatalogueColumn("rotation_ms", "rotation_ms"),
    CatalogueColumn("transfer_ms", "transfer_ms"),
)
COLUMNS = ("pattern", "kind", *(column.name for column in NUMBERS), "source")
FIELDS = (*TEXTS, *(column.field for column in NUMBERS))
CatalogueValues = dict[str, "str | float | None"]
"""The values of an entry by field."""
