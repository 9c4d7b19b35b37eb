"""Pages and actions that menus and the command palette link to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Right = Literal["", "is_operator", "is_disk_owner", "is_admin"]
"""Property of the user that an entry requires; "" for every user."""


@dataclass(frozen=True)
class NavEntry:
    """A page of the navigation.

    `below`: URL names of lists whose pages mark this entry as current.
    """

    url_name: str
    label: str | Promise
    icon: str
    right: Right = ""
    below: tuple[str, ...] = ()

    def is_offered_to(self, user: object) -> bool:
        return not self.right or bool(getattr(user, self.right, False))


MENU = (
    NavEntry("home", _("Home"), "home"),
    NavEntry(
        "host_list", _("Hosts"), "server",
        below=(
            "host_list", "disk_list", "fleet_disks", "disk_model_list", "pool_list", "group_list",
            "acceptance_list",
        ),
    ),
    NavEntry("tuning_list", _("Tunings"), "sliders", below=("tuning_list",)),
    NavEntry("plan_list", _("Plans"), "list", below=("plan_list",)),
    NavEntry(
        "run_list", _("Runs"), "play",
        below=("run_list", "queue", "calendar", "booking_list", "approval_list"),
    ),
    NavEntry("compare", _("Compare"), "compare", below=("compare",)),
    NavEntry("history", _("History"), "chart", below=("history",)),
    NavEntry("report_list", _("Reports"), "document", below=("report_list",)),
    NavEntry("import_list", _("Import"), "upload", below=("import_list",)),
)  # fmt: skip
ACCOUNT_MENU = (
    NavEntry("alert_list", _("Alerts"), "alert"),
    NavEntry("baseline_list", _("Baselines"), "chart"),
    NavEntry("preferences", _("Preferences"), "sliders"),
    NavEntry("token_list", _("API tokens"), "key"),
    NavEntry("v1:docs", _("API"), "terminal"),
    NavEntry("user_list", _("Administration"), "settings", "is_admin"),
    NavEntry("system", _("System"), "server", "is_admin"),
)
_FURTHER_PAGES = (
    NavEntry("disk_list", _("Disks"), "disk"),
    NavEntry("fleet_disks", _("Fleet"), "disk"),
    NavEntry("disk_model_list", _("Disk models"), "disk"),
    NavEntry("acceptance_list", _("Acceptances"), "disk"),
    NavEntry("pool_list", _("Pools"), "network"),
    NavEntry("group_list", _("Groups"), "disk"),
    NavEntry("gate", _("Gate"), "check"),
    NavEntry("queue", _("Queue"), "clock"),
    NavEntry("calendar", _("Calendar"), "clock"),
    NavEntry("booking_list", _("Bookings"), "lock"),
    NavEntry("approval_list", _("Approvals"), "check"),
    NavEntry("approval_policy_list", _("Approval policies"), "lock", "is_admin"),
    NavEntry("password_change", _("Password"), "lock"),
    NavEntry("team_list", _("Teams"), "user", "is_admin"),
    NavEntry("key_list", _("SSH keys"), "key", "is_admin"),
    NavEntry("audit_list", _("Audit record"), "list", "is_admin"),
)
PAGES = (*MENU, *_FURTHER_PAGES, *ACCOUNT_MENU)
ACTIONS = (
    NavEntry("plan_new", _("New plan"), "plus", "is_operator"),
    NavEntry("import_new", _("Import results"), "upload", "is_operator"),
    NavEntry("tuning_new", _("New tuning"), "plus", "is_operator"),
    NavEntry("tuning_import", _("Tuning from a ceph.conf"), "upload", "is_operator"),
    NavEntry("report_new", _("New report"), "plus", "is_operator"),
    NavEntry("alert_new", _("New alert"), "plus", "is_operator"),
    NavEntry("pool_add", _("Add a pool"), "plus", "is_operator"),
    NavEntry("group_add", _("Add a group"), "plus", "is_operator"),
    NavEntry("acceptance_new", _("Accept drives"), "disk", "is_disk_owner"),
    NavEntry("booking_add", _("New booking"), "plus", "is_operator"),
    NavEntry("booking_request", _("Next free"), "clock", "is_operator"),
    NavEntry("host_add", _("Add a host"), "plus", "is_admin"),
    NavEntry("user_add", _("Add a user"), "plus", "is_admin"),
    NavEntry("team_add", _("Add a team"), "plus", "is_admin"),
)

LISTS = (
    *("host_list", "disk_list", "tuning_list", "plan_list", "run_list", "report_list"),
    "import_list",
)
"""URL names of the lists of which a user can save views."""


def offered_entries(entries: Iterable[NavEntry], user: object) -> list[NavEntry]:
    """Return the entries that the user may use."""
    return [entry for entry in entries if entry.is_offered_to(user)]
