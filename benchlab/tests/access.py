"""Who may do what, address by address: the table that docs/usage/roles.md describes."""

from __future__ import annotations

ACTORS = ("nobody", "viewer", "stranger", "owner", "admin")
"""`stranger` is an operator who owns nothing; `owner` a disk owner to whom every row belongs."""

OPEN = "in in in in in"
"""What an actor gets, in the order of ACTORS: in (let in, whatever the answer then is), login
(asked who it is: a page's redirect, the API's 401), 403, or 404 (not even its existence is said).
"""
READ = "login in in in in"
OPERATE = "login 403 in in in"
ENROL = "login 403 403 in in"
OWN = "login 403 403 in in"
ADMIN = "login 403 403 403 in"
MINE = "login 404 404 in 404"

# Page: what GET and POST do; None where it does not know the method.
PAGES: dict[str, tuple[str | None, str | None]] = {
    "home": (READ, None),
    "login": (OPEN, OPEN),
    "logout": (None, READ),
    "password_change": (READ, READ),
    "token_list": (READ, READ),
    "token_revoke": (None, OWN),
    "user_list": (ADMIN, None),
    "user_add": (ADMIN, ADMIN),
    "user_edit": (ADMIN, ADMIN),
    "team_list": (ADMIN, None),
    "team_add": (ADMIN, ADMIN),
    "team_edit": (ADMIN, ADMIN),
    "team_delete": (None, ADMIN),
    "audit_list": (ADMIN, None),
    "host_list": (READ, None),
    "host_add": (ADMIN, ADMIN),
    "host_detail": (READ, None),
    "host_body": (READ, None),
    "host_edit": (ADMIN, ADMIN),
    "host_check": (None, OPERATE),
    "host_key": (ADMIN, ADMIN),
    "host_key_scan": (None, ADMIN),
    "host_install": (None, ADMIN),
    "host_enabled": (None, ADMIN),
    "directory_add": (OPERATE, OPERATE),
    "directory_delete": (None, OWN),
    "disk_detail": (READ, None),
    "disk_enrol": (None, ENROL),
    "disk_withdraw": (None, ENROL),
    "tuning_list": (READ, None),
    "tuning_new": (OPERATE, OPERATE),
    "tuning_detail": (READ, None),
    "tuning_edit": (OWN, OWN),
    "tuning_clone": (None, OPERATE),
    "tuning_archive": (None, OWN),
    "plan_list": (READ, None),
    "plan_new": (OPERATE, OPERATE),
    "plan_steps": (None, OPERATE),
    "plan_live_preview": (None, OPERATE),
    "plan_detail": (READ, None),
    "plan_edit": (OWN, OWN),
    "plan_clone": (None, OPERATE),
    "plan_archive": (None, OWN),
    "plan_delete": (None, OWN),
    "plan_schedule": (None, OWN),
    "run_list": (READ, None),
    "run_queue": (READ, None),
    "run_detail": (READ, None),
    "run_fragment": (READ, None),
    "run_live": (READ, None),
    "run_cancel": (None, OWN),
    "run_retry": (None, OWN),
    "run_note": (None, OWN),
    "run_launch": (None, OPERATE),
    "artifact_download": (READ, None),
    "case_detail": (READ, None),
    "case_body": (READ, None),
    "case_figure": (READ, None),
    "compare": (READ, None),
    "compare_figure": (READ, None),
    "compare_distribution": (READ, None),
    "healthz": (OPEN, None),
    "readyz": (OPEN, None),
}

# Address of the API: what each method does.
API: dict[str, dict[str, str]] = {
    "v1:api-root": {"get": READ},
    "v1:schema": {"get": READ},
    "v1:docs": {"get": READ},
    "v1:tokens-list": {"get": READ, "post": READ},
    "v1:tokens-detail": {"get": MINE, "delete": MINE},
    "v1:hosts-list": {"get": READ, "post": ADMIN},
    "v1:hosts-detail": {"get": READ, "patch": ADMIN},
    "v1:hosts-accept-key": {"post": ADMIN},
    "v1:hosts-check": {"post": OPERATE},
    "v1:hosts-install": {"post": ADMIN},
    "v1:hosts-scan-key": {"post": ADMIN},
    "v1:disks-list": {"get": READ},
    "v1:disks-detail": {"get": READ},
    "v1:disks-enrol": {"post": ENROL},
    "v1:disks-withdraw": {"post": ENROL},
    "v1:directories-list": {"get": READ, "post": OPERATE},
    "v1:directories-detail": {"get": READ, "patch": OWN, "delete": OWN},
    "v1:tunings-list": {"get": READ, "post": OPERATE},
    "v1:tunings-detail": {"get": READ, "patch": OWN},
    "v1:tunings-archive": {"post": OWN},
    "v1:tunings-clone": {"post": OPERATE},
    "v1:plans-list": {"get": READ, "post": OPERATE},
    "v1:plans-templates": {"get": READ},
    "v1:plans-detail": {"get": READ, "patch": OWN, "delete": OWN},
    "v1:plans-archive": {"post": OWN},
    "v1:plans-clone": {"post": OPERATE},
    "v1:plans-preview": {"get": READ},
    "v1:runs-list": {"get": READ, "post": OPERATE},
    "v1:runs-detail": {"get": READ, "patch": OWN},
    "v1:runs-cancel": {"post": OWN},
    "v1:runs-retry": {"post": OWN},
    "v1:cases-list": {"get": READ},
    "v1:cases-detail": {"get": READ},
    "v1:cases-artifact": {"get": READ},
    "v1:measurements-list": {"get": READ},
    "v1:measurements-detail": {"get": READ},
    "v1:series-list": {"get": READ},
    "v1:series-detail": {"get": READ},
    "v1:series-data": {"get": READ},
    "v1:compare-list": {"get": READ},
}
