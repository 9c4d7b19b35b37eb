"""Addresses for tests of the page shell: the names that its templates link to."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path


def page(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


urlpatterns: list[URLPattern | URLResolver] = [
    path("", page, name="home"),
    path("hosts/", page, name="host_list"),
    path("disks/", page, name="disk_list"),
    path("fleet/", page, name="fleet_disks"),
    path("disk-models/", page, name="disk_model_list"),
    path("disk-catalogue/", page, name="catalogue_list"),
    path("wear/", page, name="wear"),
    path("pools/", page, name="pool_list"),
    path("groups/", page, name="group_list"),
    path("tunings/", page, name="tuning_list"),
    path("plans/", page, name="plan_list"),
    path("runs/", page, name="run_list"),
    path("compare/", page, name="compare"),
    path("gate/", page, name="gate"),
    path("history/", page, name="history"),
    path("reports/", page, name="report_list"),
    path("search/", page, name="search"),
    path("imports/", page, name="import_list"),
    path("alerts/", page, name="alert_list"),
    path("baselines/", page, name="baseline_list"),
    path("account/preferences/", page, name="preferences"),
    path("tokens/", page, name="token_list"),
    path("login/", page, name="login"),
    path("logout/", page, name="logout"),
    path("users/", page, name="user_list"),
    path("system/", page, name="system"),
    path("runs/queue/", page, name="run_queue"),
    path("queue/", page, name="queue"),
    path("calendar/", page, name="calendar"),
    path("acceptances/", page, name="acceptance_list"),
    path("acceptances/new/", page, name="acceptance_new"),
    path("bookings/", page, name="booking_list"),
    path("bookings/add/", page, name="booking_add"),
    path("bookings/request/", page, name="booking_request"),
    path("approvals/", page, name="approval_list"),
    path("approvals/policies/", page, name="approval_policy_list"),
    path("search/suggestions/", page, name="search_suggestions"),
    path("account/password/", page, name="password_change"),
    path("teams/", page, name="team_list"),
    path("ssh-keys/", page, name="key_list"),
    path("audit/", page, name="audit_list"),
    path("plans/new/", page, name="plan_new"),
    path("imports/new/", page, name="import_new"),
    path("tunings/new/", page, name="tuning_new"),
    path("tunings/import/", page, name="tuning_import"),
    path("reports/new/", page, name="report_new"),
    path("alerts/new/", page, name="alert_new"),
    path("pools/add/", page, name="pool_add"),
    path("groups/add/", page, name="group_add"),
    path("hosts/add/", page, name="host_add"),
    path("users/add/", page, name="user_add"),
    path("teams/add/", page, name="team_add"),
    path("api/v1/", include(([path("docs/", page, name="docs")], "v1"))),
]
