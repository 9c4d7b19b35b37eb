"""Archive and delete a run."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.accounts.views.fresh_login import fresh_login_required
from apps.common.errors import ServiceError
from apps.runs.forms import DeletionForm
from apps.runs.models import Artifact, Run
from apps.runs.services import archive


@require_POST
@role_required(Role.OPERATOR)
def run_archive(request: HttpRequest, pk: int) -> HttpResponse:
    """Archive a run, or restore it when `restore` is sent."""
    run, user = get_object_or_404(Run, pk=pk), user_of(request)
    archived = "restore" not in request.POST
    try:
        archive.run_archive(run=run, user=user, archived=archived)
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("Archived.") if archived else _("Restored."))
    return redirect("run_detail", pk)


@role_required(Role.OPERATOR)
@fresh_login_required()
def run_delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what a deletion removes; delete the run if its name is typed."""
    run, user = get_object_or_404(Run, pk=pk), user_of(request)
    if not archive.may_delete(run, user):
        raise PermissionDenied(_("Only its owner and admins may delete a run."))
    form = DeletionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            archive.run_delete(run=run, user=user, **form.cleaned_data)
        except ServiceError as error:
            form.add_error("name" if "name" in error.fields else None, error.message)
        else:
            messages.success(request, _("%(run)s is deleted.") % {"run": run})
            return redirect("run_list")
    artifacts = Artifact.objects.filter(attempt__case__run=run, blob__isnull=False)
    context = {
        "run": run,
        "form": form,
        "why_not": archive.undeletable(run),
        "raw_bytes": artifacts.aggregate(size=Sum("size"))["size"] or 0,
    }
    return render(request, "runs/run_delete.html", context)
