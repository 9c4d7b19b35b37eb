"""Actions on runs: launch, cancel, retry, repeats, note; download of raw files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import require_editable, role_required, user_of
from apps.accounts.views.fresh_login import fresh_login_required
from apps.common.errors import ServiceError
from apps.common.web.downloads import download
from apps.plans.forms.plan import PlanForms
from apps.plans.models import TestPlan
from apps.plans.schemas.stopping import precision_limits
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.selectors.plans import plan_draft
from apps.plans.views.form import form_page, plan_saved
from apps.runs.forms import LaunchForm, NoteForm, RepeatsForm, UntilForm
from apps.runs.models import Artifact, Run
from apps.runs.selectors.launch_notices import launch_notices
from apps.runs.services import runs as services
from apps.runs.services.annotations import run_annotate
from apps.runs.services.artifacts import ArtifactDeleted, artifact_pieces
from apps.runs.services.extension import repeats_add


def _is_dangerous(request: HttpRequest) -> bool:
    names = ("confirm_wipe", "confirm_disturbance")
    return any(request.POST.get(name, "").strip() for name in names)


def _disturbs(request: HttpRequest) -> bool:
    """Return True if the run of the address disturbs something each time it starts."""
    match = request.resolver_match
    run = Run.objects.filter(pk=match.kwargs["pk"]).first() if match else None
    return run is not None and bool(run.spec.disturbance)


@require_POST
@role_required(Role.OPERATOR)
@fresh_login_required(when=_is_dangerous)
def run_launch(request: HttpRequest, pk: int) -> HttpResponse:
    """Launch a plan; problems are shown on its page."""
    plan = get_object_or_404(TestPlan, pk=pk, archived_at=None)
    return _launched(request, plan, request.POST)


@require_safe
@role_required(Role.OPERATOR)
def run_launch_notices(request: HttpRequest, pk: int) -> HttpResponse:
    """Render what a launch would wait for, as a fragment of the plan's page."""
    plan = get_object_or_404(TestPlan, pk=pk)
    context = {"notices": launch_notices(plan, user_of(request))}
    return render(request, "runs/partials/launch_notices.html", context)


@require_POST
@role_required(Role.OPERATOR)
def plan_save_and_launch(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Save the plan form and launch its plan, without a confirmation of anything destructive.

    What needs one, and other problems, are shown on the plan's page, which can confirm it.
    """
    plan = None if pk is None else get_object_or_404(TestPlan, pk=pk, archived_at=None)
    if plan is not None:
        require_editable(plan, user_of(request))
    draft = PlanDraft(name="") if plan is None else plan_draft(plan)
    forms = PlanForms(request.POST, user=user_of(request), draft=draft)
    saved = plan_saved(request, forms, plan)
    if saved is None:
        return form_page(request, forms, plan)
    key = request.POST.get("idempotency_key", "")
    return _launched(request, saved, {"idempotency_key": key})


def _launched(request: HttpRequest, plan: TestPlan, sent: Mapping[str, Any]) -> HttpResponse:
    form = LaunchForm(sent)
    if not form.is_valid():
        for texts in form.errors.values():
            messages.error(request, " ".join(str(text) for text in texts))
        return redirect("plan_detail", plan.pk)
    try:
        run = services.run_launch(plan=plan, user=user_of(request), **form.cleaned_data)
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("plan_detail", plan.pk)
    return redirect("run_detail", run.pk)


@require_POST
@role_required(Role.OPERATOR)
def run_cancel(request: HttpRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(Run, pk=pk)
    already = run.is_final
    run = services.run_cancel(run=run, user=user_of(request))
    if already:
        messages.info(request, _("It had ended before."))
    elif run.is_final:
        messages.success(request, _("Cancelled; it had not started."))
    else:
        messages.info(request, _("Cancelling: the worker ends the tool and makes sure of it."))
    return redirect("run_detail", run.pk)


@require_POST
@role_required(Role.OPERATOR)
@fresh_login_required(when=_disturbs)
def run_retry(request: HttpRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(Run, pk=pk)
    try:
        services.run_retry(run=run, user=user_of(request))
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("Its cases without a result are queued once more."))
    return redirect("run_detail", pk)


@require_POST
@role_required(Role.OPERATOR)
@fresh_login_required(when=_disturbs)
def run_add_repeats(request: HttpRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(Run, pk=pk)
    require_editable(run, user_of(request))
    form = (
        UntilForm(request.POST)
        if "precision_percent" in request.POST
        else RepeatsForm(request.POST)
    )
    if not form.is_valid():
        wrong = (str(text) for texts in form.errors.values() for text in texts)
        messages.error(request, " ".join(wrong))
        return redirect("run_detail", pk)
    data = form.cleaned_data
    until = precision_limits(
        data.get("precision_percent"), data.get("max_blocks"), None, data.get("factor", "")
    )
    repeats, of = data.get("repeats", 0), data.get("case", ())
    try:
        repeats_add(run=run, user=user_of(request), repeats=repeats, until=until, of=of)
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        words = _("More repeats of the selected tests are queued, in blocks of their own.")
        every = _("More repeats of every test are queued, in blocks of their own.")
        messages.success(request, words if of else every)
    return redirect("run_detail", pk)


@require_POST
@role_required(Role.OPERATOR)
def run_note(request: HttpRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(Run, pk=pk)
    form = NoteForm(request.POST)
    if form.is_valid():
        run_annotate(run=run, user=user_of(request), **form.cleaned_data)
        messages.success(request, _("The note is saved."))
    else:
        messages.error(request, " ".join(str(text) for text in form.errors["note"]))
    return redirect("run_detail", pk)


@require_safe
def artifact_download(request: HttpRequest, pk: int, number: int, name: str) -> HttpResponseBase:
    """Return a raw file of an attempt as a download, byte for byte."""
    rows = Artifact.objects.select_related("blob")
    result = get_object_or_404(rows, attempt__case_id=pk, attempt__number=number, name=name)
    shown = f"case-{pk}-{number}-{result.name}"
    try:
        return download(artifact_pieces(result), size=result.size, name=shown)
    except ArtifactDeleted as error:
        messages.error(request, error.message)
        return redirect("case_detail", pk)
