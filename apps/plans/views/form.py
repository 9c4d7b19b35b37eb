"""The plan form: the page, its steps and the live preview."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from apps.accounts.models import Role
from apps.accounts.permissions import require_editable, role_required, user_of
from apps.common.domain.keys import parse_key
from apps.common.errors import ServiceError
from apps.plans.domain.case_groups import case_groups
from apps.plans.domain.expand import tools_offered
from apps.plans.domain.preview import preview_of
from apps.plans.domain.target_matching import runnable_tool
from apps.plans.forms.plan import PlanForms
from apps.plans.forms.steps import StepForm, new_step_form
from apps.plans.models import TestPlan
from apps.plans.presenters.plan_text import advised_text
from apps.plans.schemas.advice import Advice
from apps.plans.schemas.errors import problem_field
from apps.plans.schemas.plan import StepSpec
from apps.plans.schemas.planned import PlannedPlan, Problem
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.selectors.durations import plan_durations
from apps.plans.selectors.over_provisioning import stated_shares, with_stated_shares
from apps.plans.selectors.plans import plan_draft, unused_name
from apps.plans.selectors.repeated_tests import repeated_draft
from apps.plans.selectors.templates import template_draft
from apps.plans.selectors.wear import with_wear
from apps.plans.services.plans import plan_create, plan_update
from apps.tuning.selectors import host_defaults, tunings_current


@role_required(Role.OPERATOR)
def plan_new(request: HttpRequest) -> HttpResponse:
    """Show and save a new plan.

    `?template=`: of a template. `?plan=`: a changed copy. `?workload=` (several), `?name=`: one
    that repeats measured workloads. `?description=`, `?tuning=` (several): prefilled.
    """
    try:
        draft = _described(_new_draft(request), request.GET.get("description", ""))
        draft = _with_tunings(draft, request.GET.getlist("tuning"))
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("plan_list")
    forms = PlanForms(_posted(request), user=user_of(request), draft=draft)
    saved = plan_saved(request, forms, None)
    return redirect("plan_detail", saved.pk) if saved else form_page(request, forms, None)


def _new_draft(request: HttpRequest) -> PlanDraft:
    if number := request.GET.get("plan"):
        plan = get_object_or_404(TestPlan, pk=parse_key(number))
        return replace(plan_draft(plan), name=unused_name(plan.name), team=None)
    if workloads := request.GET.getlist("workload"):
        ids = [parse_key(each) for each in workloads]
        draft = repeated_draft(ids, request.GET.get("name", ""))
        return replace(draft, tunings=host_defaults())
    name = request.GET.get("template")
    draft = template_draft(name) if name else PlanDraft(name="")
    return replace(draft, tunings=host_defaults())


def _described(draft: PlanDraft, text: str) -> PlanDraft:
    """Return the draft with a text before its description."""
    return replace(draft, description="\n\n".join(filter(None, (text[:2_000], draft.description))))


def _with_tunings(draft: PlanDraft, keys: Sequence[str]) -> PlanDraft:
    """Return the draft with these profiles instead of its own; without any it is unchanged."""
    wanted = [parse_key(key) for key in keys]
    chosen = {one.pk: one for one in tunings_current().filter(pk__in=wanted)}
    tunings = [chosen[pk] for pk in dict.fromkeys(wanted) if pk in chosen]
    return replace(draft, tunings=tunings).with_known_baseline() if tunings else draft


@role_required(Role.OPERATOR)
def plan_edit(request: HttpRequest, pk: int) -> HttpResponse:
    plan = get_object_or_404(TestPlan, pk=pk)
    require_editable(plan, user_of(request))
    forms = PlanForms(_posted(request), user=user_of(request), draft=plan_draft(plan))
    if plan_saved(request, forms, plan):
        return redirect("plan_detail", plan.pk)
    return form_page(request, forms, plan)


def plan_saved(request: HttpRequest, forms: PlanForms, plan: TestPlan | None) -> TestPlan | None:
    """Save a sent form as a plan, a new one without `plan`; return None if it is refused."""
    if request.method != "POST" or not forms.is_valid():
        return None
    try:
        if plan is None:
            origin = TestPlan.objects.filter(pk=_origin(request)).first()
            return plan_create(user=user_of(request), draft=forms.draft(), copy_of=origin)
        return plan_update(plan=plan, user=user_of(request), draft=forms.draft())
    except ServiceError as error:
        forms.add_refusal(error)
        return None


def _origin(request: HttpRequest) -> int:
    """Return the key of the plan that the form began with; 0 for another new plan."""
    return parse_key(request.POST.get("copy_of") or request.GET.get("plan") or "")


@require_POST
@role_required(Role.OPERATOR)
def plan_steps(request: HttpRequest) -> HttpResponse:
    """Return the steps after an action.

    `act`: "add:fio", "remove:<key>", "up:<key>", "down:<key>", "copy:<key>", "more:<key>" (add an
    input for the searched parameter), "expect:<key>" (add an expectation), "paste" (steps from the
    text), "order" (the steps in the order sent).
    """
    plan = _edited(request)
    draft = plan_draft(plan) if plan else None
    forms = PlanForms(request.POST, user=user_of(request), draft=draft)
    if request.POST.get("act") == "paste":
        forms.paste(request.POST.get("paste", ""))
    else:
        forms.steps = _acted(forms.steps, request.POST)
    if not request.htmx:  # type: ignore[attr-defined] # django_htmx adds it
        return form_page(request, forms, plan)
    response = render(request, "plans/partials/steps.html", {"forms": forms})
    response["HX-Trigger-After-Settle"] = "stepschanged"
    return response


@require_POST
@role_required(Role.OPERATOR)
def plan_live_preview(request: HttpRequest) -> HttpResponse:
    """Return the cases of the form as entered, and a sentence for each invalid input."""
    plan = _edited(request)
    draft = plan_draft(plan) if plan else None
    forms = PlanForms(request.POST, user=user_of(request), draft=draft)
    data = forms.draft().data()
    preview = preview_of(data, durations=plan_durations(data))
    preview = with_stated_shares(with_wear(preview), data)
    missing = [problem for problem in preview.problems if _is_missing(problem, data)]
    context = {
        "preview": preview,
        "steps": forms.steps,
        "problems": [problem for problem in preview.problems if problem not in missing],
        "missing": missing,
        "groups": case_groups(preview.cases, preview.loads),
        "advice": [_advice_row(forms, advice, data) for advice in preview.advice],
        "shares": stated_shares(data),
        "share_input": forms.plan.add_prefix("preconditioning_sprandom_over_provisioning"),
        "beside": _errors_by_input(forms, (*preview.problems, *preview.warnings), request.POST),
    }
    return render(request, "plans/partials/live_preview.html", context)


def _advice_row(forms: PlanForms, advice: Advice, plan: PlannedPlan) -> tuple[Advice, str, str]:
    """Return advice with the name of its input and the value to enter there."""
    value = advised_text(advice, plan.spec)
    if advice.step is None:
        return advice, forms.plan.add_prefix("preconditioning_sequential_fills"), value
    form, field = forms.place(f"steps.{advice.step}.params.{advice.field}")
    # A parameter that the form hides has no input.
    shown = field == f"p-{advice.field}"
    return advice, form.add_prefix(field) if shown and field else "", value


def _is_missing(problem: Problem, plan: PlannedPlan) -> bool:
    """Return True if a problem is only that the plan has no step or no target yet."""
    about = problem_field(problem)
    return (about == "steps" and not plan.spec.steps) or (about == "targets" and not plan.targets)


def _errors_by_input(
    forms: PlanForms, problems: Iterable[Problem], sent: QueryDict
) -> dict[str, list[str]]:
    """Return errors by input name; inputs that are still empty have none."""
    result: dict[str, list[str]] = {}
    for problem in problems:
        form, field = forms.place(problem_field(problem))
        if field and sent.get(form.add_prefix(field)):
            result.setdefault(form.add_prefix(field), []).append(problem.message)
    for name, texts in forms.plan.errors.items():
        if sent.get(name):
            result.setdefault(name, []).extend(str(text) for text in texts)
    return result


def _acted(steps: list[StepForm], sent: QueryDict) -> list[StepForm]:
    """Return the steps after an action; unchanged for an unknown one."""
    verb, _colon, word = sent.get("act", "").partition(":")
    parameter = sent.get(f"step-{word}-more", "")
    if verb == "add" and runnable_tool(word):
        return [*steps, new_step_form(StepSpec(word, {}))]
    index = next((i for i, step in enumerate(steps) if step.key == word), None)
    if index is None:
        return steps
    steps = list(steps)
    if verb == "more":
        steps[index] = steps[index].with_input(parameter)
    if verb == "expect":
        steps[index].add_row()
    if verb == "copy":
        steps.insert(index + 1, new_step_form(steps[index].data_as_step()))
    if verb in ("remove", "up", "down"):
        step = steps.pop(index)
    if verb in ("up", "down"):
        steps.insert(max(0, index + (1 if verb == "down" else -1)), step)
    return steps


def _posted(request: HttpRequest) -> Any:
    return request.POST if request.method == "POST" else None


def _edited(request: HttpRequest) -> TestPlan | None:
    """Return the plan of the form; None for a new one."""
    return TestPlan.objects.filter(pk=parse_key(request.POST.get("plan", ""))).first()


def form_page(request: HttpRequest, forms: PlanForms, plan: TestPlan | None) -> HttpResponse:
    """Return the page of the form, with what is wrong with a refused one."""
    refused = bool(forms.plan.errors) or any(step.errors for step in forms.steps)
    context = {
        "forms": forms,
        "plan": plan,
        "copy_of": 0 if plan else _origin(request),
        "tools": tools_offered(),
        "launch_key": uuid4().hex,
    }
    return render(request, "plans/plan_form.html", context, status=400 if refused else 200)
