"""What pages of hosts and targets show, one module each."""

from apps.inventory.presenters.catalogue import csv_of_catalogue, entry_rows
from apps.inventory.presenters.disk_lists import disk_preview_rows
from apps.inventory.presenters.facts import (
    disk_rows,
    facts_history,
    host_rows,
    lab_tabs,
    queue_rows,
    smart_rows,
    tool_rows,
    unrestored_rows,
    wear_words,
)
from apps.inventory.presenters.host_lists import (
    csv_of_hosts,
    deployments,
    fingerprint_line,
    preview_rows,
)
from apps.inventory.presenters.owner_limits import owner_limit_rows
from apps.inventory.presenters.restarts import restart_rows

__all__ = [
    "csv_of_catalogue",
    "csv_of_hosts",
    "deployments",
    "disk_preview_rows",
    "disk_rows",
    "entry_rows",
    "facts_history",
    "fingerprint_line",
    "host_rows",
    "lab_tabs",
    "owner_limit_rows",
    "preview_rows",
    "queue_rows",
    "restart_rows",
    "smart_rows",
    "tool_rows",
    "unrestored_rows",
    "wear_words",
]
