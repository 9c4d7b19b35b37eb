"""Tag and archive several runs."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.accounts.models import Role, User
from apps.accounts.permissions import role_required, user_of
from apps.common.domain.keys import parse_key
from apps.common.errors import ServiceError
from apps.runs.forms import BulkEditForm
from apps.runs.models import Run
from apps.runs.services import archive
from apps.runs.services.annotations import run_tag

MOST = 500


@role_required(Role.OPERATOR)
def runs_bulk_edit(request: HttpRequest) -> HttpResponse:
    """Show the selected runs (`?run=`); change those that the user may edit."""
    user, query = user_of(request), request.POST or request.GET
    keys = map(parse_key, query.getlist("run")[:MOST])
    runs = list(Run.objects.filter(pk__in=keys).select_related("owner").order_by("-pk"))
    mine = [run for run in runs if run.is_editable(user)]
    form = BulkEditForm(request.POST or None)
    if request.method == "POST" and mine and form.is_valid():
        messages.success(request, _done(mine, user, form))
        return redirect("run_list")
    context = {"runs": runs, "others": len(runs) - len(mine), "form": form, "may": bool(mine)}
    return render(request, "runs/runs_bulk_edit.html", context, status=400 if form.errors else 200)


def _done(runs: list[Run], user: User, form: BulkEditForm) -> str:
    """Apply the form; return a message."""
    add, remove = form.cleaned_data["add"], form.cleaned_data["remove"]
    texts = []
    if add or remove:
        for run in runs:
            run_tag(run=run, user=user, add=add, remove=remove)
        words = ngettext("{n} run has its tags.", "{n} runs have their tags.", len(runs))
        texts.append(words.format(n=len(runs)))
    if form.cleaned_data["archive"]:
        texts.append(_archived(runs, user))
    return " ".join(texts)


def _archived(runs: list[Run], user: User) -> str:
    done = 0
    for run in runs:
        try:
            archive.run_archive(run=run, user=user)
        except ServiceError:  # it has not ended: it stays in the list
            continue
        done += 1
    words = ngettext("{n} run is archived.", "{n} runs are archived.", done).format(n=done)
    if done == len(runs):
        return words
    left = _("{n} have not ended yet and stay.").format(n=len(runs) - done)
    return f"{words} {left}"
