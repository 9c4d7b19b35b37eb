"""Pages of tuning profiles."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import require_editable, role_required, user_of
from apps.common.forms import made
from apps.common.web.lists import list_page
from apps.tuning.domain.ceph_conf_parser import MAX_CHARACTERS, by_restart, write_ceph
from apps.tuning.domain.setting_catalog import SETTINGS
from apps.tuning.filters import TUNING_COLUMNS, TuningFilter
from apps.tuning.forms import CephConfForm, ClusterForm, OtherTuningForm, TuningForm
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.errors import TuningError
from apps.tuning.schemas.settings import CEPH_CONF
from apps.tuning.selectors import (
    cluster_rows,
    differences,
    recent_runs,
    restart_options,
    settings_display,
    tunings_visible,
)
from apps.tuning.services import (
    tuning_archive,
    tuning_clone,
    tuning_create,
    tuning_fit_to_cluster,
    tuning_update,
)


@require_safe
@login_required
def tuning_list(request: HttpRequest) -> HttpResponse:
    tuning_filter = TuningFilter(request.GET, queryset=tunings_visible())
    page = list_page(tuning_filter.qs, request, TUNING_COLUMNS, default="name")
    return render(request, "tuning/tuning_list.html", {"filter": tuning_filter, "page": page})


@require_safe
@login_required
def tuning_detail(request: HttpRequest, pk: int) -> HttpResponse:
    tuning = get_object_or_404(tunings_visible(), pk=pk)
    context = {
        "tuning": tuning,
        "rows": settings_display(tuning),
        "clusters": cluster_rows(tuning),
        "plans": list(tuning.plans.filter(archived_at=None).order_by("name")[:50]),
        "runs": recent_runs(tuning),
        "editable": tuning.is_editable(user_of(request)),
    }
    return render(request, "tuning/tuning_detail.html", context)


@require_safe
@login_required
def tuning_diff(request: HttpRequest, pk: int) -> HttpResponse:
    """Compare two profiles; `?with=` is the other one."""
    tuning = get_object_or_404(tunings_visible(), pk=pk)
    form = OtherTuningForm(request.GET or None, tuning=tuning)
    other = form.cleaned_data["with"] if form.is_valid() else None
    context = {
        "tuning": tuning,
        "other": other,
        "form": form,
        "rows": differences(tuning, other) if other else [],
    }
    status = 400 if form.errors else 200
    return render(request, "tuning/tuning_diff.html", context, status=status)


@role_required(Role.OPERATOR)
def tuning_new(request: HttpRequest) -> HttpResponse:
    """Show the form of a new profile.

    `proposed` pre-fills it with unsaved lines, `?name=` and `?<setting>=` with values.
    """
    if "proposed" in request.POST:
        lines = request.POST.get("sysctl", "")[:MAX_CHARACTERS]
        form = TuningForm(user=user_of(request), initial={"sysctl": lines})
        return _form_page(request, form, None)
    prefilled = {name: request.GET[name] for name in ("name", *SETTINGS) if name in request.GET}
    form = TuningForm(request.POST or None, user=user_of(request), initial=prefilled)
    tuning = made(form, lambda: tuning_create(user=user_of(request), draft=form.draft()))
    if tuning:
        return redirect("tuning_detail", tuning.pk)
    return _form_page(request, form, None)


@role_required(Role.OPERATOR)
def tuning_import(request: HttpRequest) -> HttpResponse:
    """Convert a ceph.conf to the form of a new profile, without saving it."""
    upload_form = CephConfForm(request.POST or None, request.FILES or None)
    if not upload_form.is_valid():
        status = 400 if upload_form.errors else 200
        return render(request, "tuning/tuning_import.html", {"form": upload_form}, status=status)
    parsed = upload_form.parsed
    now, later = by_restart(parsed.settings, restart_options())
    initial = {"ceph": write_ceph(now), "ceph_conf": write_ceph(later, CEPH_CONF)}
    form = TuningForm(user=user_of(request), initial=initial)
    context = {"form": form, "left_out": parsed.problems, "understood": len(parsed.settings)}
    return render(request, "tuning/tuning_form.html", context)


@role_required(Role.OPERATOR)
def tuning_edit(request: HttpRequest, pk: int) -> HttpResponse:
    tuning = get_object_or_404(TuningProfile, pk=pk)
    require_editable(tuning, user_of(request))
    form = TuningForm(request.POST or None, user=user_of(request), tuning=tuning)
    user = user_of(request)
    if made(form, lambda: tuning_update(tuning=tuning, user=user, draft=form.draft())):
        return redirect("tuning_detail", tuning.pk)
    return _form_page(request, form, tuning)


@require_POST
@role_required(Role.OPERATOR)
def tuning_copy(request: HttpRequest, pk: int) -> HttpResponse:
    tuning = get_object_or_404(TuningProfile, pk=pk)
    copy = tuning_clone(tuning=tuning, user=user_of(request))
    messages.success(request, _("This is your copy. Give it a name of its own."))
    return redirect("tuning_edit", copy.pk)


@require_POST
@role_required(Role.OPERATOR)
def tuning_fit(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a copy with the options that the posted cluster has."""
    tuning = get_object_or_404(TuningProfile, pk=pk)
    form = ClusterForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("This cluster is not known any more."))
        return redirect("tuning_detail", tuning.pk)
    ceph = form.cleaned_data["cluster"]
    try:
        copy = tuning_fit_to_cluster(tuning=tuning, cluster=ceph, user=user_of(request))
    except TuningError as error:
        messages.error(request, str(error))
        return redirect("tuning_detail", tuning.pk)
    messages.success(request, _("This profile has the options of the cluster. Use it in plans."))
    return redirect("tuning_detail", copy.pk)


@require_POST
@role_required(Role.OPERATOR)
def tuning_archive_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Archive a profile, or restore it if `restore` is posted."""
    tuning = get_object_or_404(TuningProfile, pk=pk)
    archived = "restore" not in request.POST
    tuning_archive(tuning=tuning, user=user_of(request), archived=archived)
    messages.success(request, _("Archived.") if archived else _("Restored."))
    return redirect("tuning_detail", tuning.pk)


def _form_page(
    request: HttpRequest, form: TuningForm, tuning: TuningProfile | None
) -> HttpResponse:
    status = 400 if form.errors else 200
    context = {"form": form, "tuning": tuning}
    return render(request, "tuning/tuning_form.html", context, status=status)
