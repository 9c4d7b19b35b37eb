"""Services shared by every app: versions of results and names, retention, backups."""

from apps.common.services.backups import backup_record
from apps.common.services.retention import (
    Due,
    RetentionRule,
    due_rows,
    retention_apply,
    rows_delete,
)
from apps.common.services.versions import names_touch, results_touch

__all__ = [
    "Due",
    "RetentionRule",
    "backup_record",
    "due_rows",
    "names_touch",
    "results_touch",
    "retention_apply",
    "rows_delete",
]
