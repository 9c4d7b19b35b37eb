"""Approvals of runs, and the policies that ask for them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.accounts.views.fresh_login import fresh_login_required
from apps.common.errors import ServiceError
from apps.common.forms import made
from apps.common.web.lists import list_page
from apps.runs.filters import APPROVAL_COLUMNS, POLICY_COLUMNS
from apps.runs.forms import ApprovalForm, ApprovalPolicyForm
from apps.runs.models import ApprovalPolicy
from apps.runs.presenters.approvals import approval_page, approval_tabs
from apps.runs.selectors.approvals import approvals_waiting, policies_listed
from apps.runs.selectors.runs import runs_visible
from apps.runs.services.approvals import (
    approval_decide,
    approval_policy_delete,
    approval_policy_save,
)


@require_safe
def approval_list(request: HttpRequest) -> HttpResponse:
    """Render the queued runs that wait for an approval."""
    page = list_page(approvals_waiting(), request, APPROVAL_COLUMNS, default="run")
    context = {"page": page, "tabs": approval_tabs(user_of(request))}
    return render(request, "runs/approval_list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@fresh_login_required()
def run_approval(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the effects of a run; approve or refuse them."""
    run, user = get_object_or_404(runs_visible(), pk=pk), user_of(request)
    form = ApprovalForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            approval_decide(run=run, user=user, **form.decision_values())
        except ServiceError as error:
            messages.error(request, error.message)
            return redirect("run_approval", run.pk)
        messages.success(request, _("Your decision is recorded."))
        return redirect("run_detail", run.pk)
    context = {"run": run, "form": form, **approval_page(run, user)}
    status = 400 if form.errors else 200
    return render(request, "runs/run_approval.html", context, status=status)


@require_safe
@role_required(Role.ADMIN)
def approval_policy_list(request: HttpRequest) -> HttpResponse:
    page = list_page(policies_listed(), request, POLICY_COLUMNS, default="name")
    context = {"page": page, "tabs": approval_tabs(user_of(request))}
    return render(request, "runs/approval_policy_list.html", context)


@role_required(Role.ADMIN)
@fresh_login_required()
def approval_policy_edit(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Change a policy; without `pk` create one."""
    user = user_of(request)
    policy = get_object_or_404(ApprovalPolicy, pk=pk) if pk else None
    form = ApprovalPolicyForm(
        request.POST if request.method == "POST" else None,
        instance=ApprovalPolicy.objects.get(pk=policy.pk) if policy else None,
    )
    saved = made(
        form, lambda: approval_policy_save(user=user, fields=form.cleaned_data, policy=policy)
    )
    if saved:
        messages.success(request, _("The policy is saved. It counts for every start from now on."))
        return redirect("approval_policy_list")
    context = {"form": form, "policy": policy}
    status = 400 if form.errors else 200
    return render(request, "runs/approval_policy_form.html", context, status=status)


@require_POST
@role_required(Role.ADMIN)
@fresh_login_required()
def approval_policy_remove(request: HttpRequest, pk: int) -> HttpResponse:
    policy = get_object_or_404(ApprovalPolicy, pk=pk)
    approval_policy_delete(user=user_of(request), policy=policy)
    messages.success(request, _("The policy is deleted."))
    return redirect("approval_policy_list")
