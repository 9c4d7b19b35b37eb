"""Pages of test plans; apps.plans.views.form has the fragments of the form."""

from __future__ import annotations

from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import require_editable, role_required, user_of
from apps.common.errors import ServiceError
from apps.common.web.lists import list_page
from apps.plans.domain.case_groups import case_groups
from apps.plans.domain.param_text import settled
from apps.plans.domain.preconditioning import act_words
from apps.plans.filters import PLAN_COLUMNS, PlanFilter
from apps.plans.forms.plan import AdviceForm, OtherPlanForm, ScheduleForm
from apps.plans.models import TestPlan
from apps.plans.presenters.plan_diff import plan_diff
from apps.plans.presenters.plan_text import advised_text, background_lines, plan_lines
from apps.plans.selectors.drafts import background_targets
from apps.plans.selectors.plans import (
    plan_draft,
    plan_preview,
    plans_visible,
    recent_runs,
)
from apps.plans.selectors.schedules import schedule_of
from apps.plans.selectors.templates import templates
from apps.plans.services.plans import (
    plan_archive,
    plan_clone,
    plan_delete,
    plan_take_advice,
)
from apps.plans.services.schedules import schedule_clear, schedule_set


@require_safe
@login_required
def plan_list(request: HttpRequest) -> HttpResponse:
    result = PlanFilter(request.GET, queryset=plans_visible())
    page = list_page(result.qs, request, PLAN_COLUMNS)
    offered = [(key, _(template.name)) for key, _tool, template in templates()]
    context = {"filter": result, "page": page, "templates": offered}
    return render(request, "plans/plan_list.html", context)


@require_safe
@login_required
def plan_detail(request: HttpRequest, pk: int) -> HttpResponse:
    plan = get_object_or_404(plans_visible(), pk=pk)
    draft, preview = plan_draft(plan), plan_preview(plan)
    editable = plan.is_editable(user_of(request))
    loaded = background_targets(plan.spec)
    context = {
        "plan": plan,
        "spec": plan.spec,
        "draft": draft,
        "lines": plan_lines(plan.spec),
        "steps": [
            (step, settled(step), background_lines(step, loaded)) for step in plan.spec.steps
        ],
        "preview": preview,
        "groups": case_groups(preview.cases, preview.loads),
        "preparation": act_words(plan.spec.preconditioning.kinds),
        "runs": recent_runs(plan),
        "schedule": schedule_of(plan),
        "schedule_form": ScheduleForm(),
        "advice": [(advice, "", advised_text(advice, plan.spec)) for advice in preview.advice],
        "advised_plan": plan if editable and not plan.archived_at else None,
        "editable": editable,
        "launch_key": uuid4().hex,
    }
    return render(request, "plans/plan_detail.html", context)


@require_safe
@login_required
def plan_differences(request: HttpRequest, pk: int) -> HttpResponse:
    """Render the differences between a plan and the one chosen by `other`."""
    plan = get_object_or_404(plans_visible(), pk=pk)
    form = OtherPlanForm(request.GET if "other" in request.GET else None)
    context = {"plan": plan, "form": form}
    if form.is_valid():
        other = form.cleaned_data["other"]
        context |= {"other": other, "sections": plan_diff(plan_draft(plan), plan_draft(other))}
    return render(request, "plans/plan_differences.html", context)


@require_POST
@role_required(Role.OPERATOR)
def plan_copy(request: HttpRequest, pk: int) -> HttpResponse:
    plan = get_object_or_404(TestPlan, pk=pk)
    try:
        copy = plan_clone(plan=plan, user=user_of(request))
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("plan_detail", plan.pk)
    messages.success(request, _("This is your copy. Give it a name of its own."))
    return redirect("plan_edit", copy.pk)


@require_POST
@role_required(Role.OPERATOR)
def plan_put_away(request: HttpRequest, pk: int) -> HttpResponse:
    """Archive a plan, or restore it if `restore` is sent."""
    plan = get_object_or_404(TestPlan, pk=pk)
    archived = "restore" not in request.POST
    plan_archive(plan=plan, user=user_of(request), archived=archived)
    messages.success(request, _("Archived.") if archived else _("Restored."))
    return redirect("plan_detail", plan.pk)


@require_POST
@role_required(Role.OPERATOR)
def plan_remove(request: HttpRequest, pk: int) -> HttpResponse:
    plan = get_object_or_404(TestPlan, pk=pk)
    try:
        plan_delete(plan=plan, user=user_of(request))
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("plan_detail", pk)
    messages.success(request, _("Deleted."))
    return redirect("plan_list")


@require_POST
@role_required(Role.OPERATOR)
def plan_advice(request: HttpRequest, pk: int) -> HttpResponse:
    """Take one piece of the preview's advice; `step` is empty for a field of the plan."""
    plan = get_object_or_404(TestPlan, pk=pk)
    require_editable(plan, user_of(request))
    form = AdviceForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("This advice does not apply to the plan any more."))
        return redirect("plan_detail", plan.pk)
    try:
        plan_take_advice(plan=plan, user=user_of(request), **form.cleaned_data)
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("The plan follows the advice."))
    return redirect("plan_detail", plan.pk)


@require_POST
@role_required(Role.OPERATOR)
def plan_schedule(request: HttpRequest, pk: int) -> HttpResponse:
    """Set the plan's schedule, or remove it if `clear` is sent."""
    plan = get_object_or_404(TestPlan, pk=pk)
    require_editable(plan, user_of(request))
    form = ScheduleForm(request.POST)
    if "clear" in request.POST:
        schedule_clear(plan=plan, user=user_of(request))
        messages.success(request, _("It is no longer launched by the clock."))
    elif form.is_valid():
        schedule = schedule_set(
            plan=plan, user=user_of(request), zone=form.zone, **form.cleaned_data
        )
        messages.success(request, _("Launched {} from now on.").format(schedule.words))
    else:
        messages.error(request, _("Write a time such as 02:30."))
    return redirect("plan_detail", plan.pk)
