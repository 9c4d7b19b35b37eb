"""The catalogue of disk models: list, entries, CSV in and out."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.common.forms import made
from apps.common.web.pagination import keyset
from apps.inventory.filters import CatalogueFilter
from apps.inventory.forms import CatalogueEntryForm, CatalogueImportForm
from apps.inventory.models import CatalogueEntry
from apps.inventory.presenters import csv_of_catalogue, lab_tabs
from apps.inventory.selectors.catalogue import catalogue_entries
from apps.inventory.services import (
    catalogue_entry_delete,
    catalogue_entry_save,
    catalogue_examples_add,
    catalogue_import,
)
from apps.inventory.services.catalogue import CatalogueImport
from apps.inventory.views.saving import acted


@require_safe
def catalogue_list(request: HttpRequest) -> HttpResponse:
    result = CatalogueFilter(request.GET, queryset=CatalogueEntry.objects.all())
    page = keyset(result.qs, request, order="pattern")
    context = {"filter": result, "page": page, "tabs": lab_tabs()}
    return render(request, "inventory/catalogue_list.html", context)


@role_required(Role.DISK_OWNER)
def catalogue_edit(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Change an entry; without `pk` create one."""
    entry = get_object_or_404(CatalogueEntry, pk=pk) if pk else None
    form = CatalogueEntryForm(request.POST or None, entry=entry)
    user = user_of(request)
    if made(form, lambda: catalogue_entry_save(user=user, values=form.values(), entry=entry)):
        messages.success(request, _("The entry is saved, for all disks that it fits."))
        return redirect("catalogue_list")
    status = 400 if form.errors else 200
    context = {"form": form, "entry": entry}
    return render(request, "inventory/catalogue_form.html", context, status=status)


@require_POST
@role_required(Role.DISK_OWNER)
def catalogue_delete(request: HttpRequest, pk: int) -> HttpResponse:
    entry, user = get_object_or_404(CatalogueEntry, pk=pk), user_of(request)
    done = _("The entry is deleted.")
    acted(request, lambda: catalogue_entry_delete(user=user, entry=entry), done)
    return redirect("catalogue_list")


@role_required(Role.DISK_OWNER)
def catalogue_import_page(request: HttpRequest) -> HttpResponse:
    form = CatalogueImportForm(request.POST or None, request.FILES or None)
    user = user_of(request)
    done: list[CatalogueImport] = []
    if made(form, lambda: done.append(catalogue_import(user=user, text=form.cleaned_data["text"]))):
        messages.success(request, _import_words(done[0]))
        return redirect("catalogue_list")
    status = 400 if form.errors else 200
    return render(request, "inventory/catalogue_import.html", {"form": form}, status=status)


@require_POST
@role_required(Role.DISK_OWNER)
def catalogue_examples(request: HttpRequest) -> HttpResponse:
    messages.success(request, _import_words(catalogue_examples_add(user=user_of(request))))
    return redirect("catalogue_list")


@require_safe
def catalogue_export(request: HttpRequest) -> HttpResponse:
    response = HttpResponse(csv_of_catalogue(catalogue_entries()), "text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="disk-catalogue.csv"'
    return response


def _import_words(done: CatalogueImport) -> str:
    words = _("New entries: %(created)d, changed: %(changed)d, unchanged: %(same)d.")
    return words % {"created": done.created, "changed": done.changed, "same": done.same}
