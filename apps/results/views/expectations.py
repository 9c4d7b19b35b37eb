"""Page of the expectations of an imported run."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from apps.accounts.models import Role
from apps.accounts.permissions import require_editable, role_required, user_of
from apps.common.forms import made
from apps.results.forms import ImportedExpectationsForm
from apps.results.selectors.imported_expectations import (
    imported_expectations,
    operations_measured,
    target_names,
)
from apps.results.services.imported_expectations import imported_expectations_set
from apps.runs.models import Run


@role_required(Role.OPERATOR)
def run_expectations(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and replace the expectations of an imported run."""
    run = get_object_or_404(Run, pk=pk)
    user = user_of(request)
    require_editable(run, user)
    if not run.is_imported:
        messages.error(request, _("A launched run keeps the expectations of its plan."))
        return redirect("run_detail", pk)
    form = ImportedExpectationsForm(
        request.POST or None,
        stored=imported_expectations(run),
        names=target_names(run),
        operations=operations_measured(run),
    )
    if made(form, lambda: imported_expectations_set(run=run, user=user, wanted=form.wanted)):
        messages.success(request, _("The expectations are saved and evaluated."))
        return redirect("run_detail", pk)
    status = 400 if form.errors else 200
    context = {"run": run, "form": form}
    return render(request, "results/run_expectations.html", context, status=status)
