"""Pages of imports: send files, check the preview, store it."""

from __future__ import annotations

from itertools import chain

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import require_editable, role_required, user_of
from apps.common.errors import ServiceError
from apps.common.forms import add_refusal, made
from apps.common.web.lists import list_page
from apps.common.web.pagination import keyset
from apps.imports.filters import IMPORT_COLUMNS
from apps.imports.forms.imports import ManyForm, NamesForm, file_changes
from apps.imports.forms.uploads import pasted, uploaded
from apps.imports.models import FileState, Import, ImportState
from apps.imports.presenters.preview import file_rows
from apps.imports.selectors.imports import (
    files_shown,
    import_counts,
    imports_listed,
    imports_visible,
    is_forgotten,
)
from apps.imports.services import (
    import_begin,
    import_discard,
    import_hint,
    import_store,
    import_update,
)

FILES_ON_A_PAGE = 100
LAST = 286  # status of the last response to a poll (static/js/lib/polling.js)


@require_safe
@login_required
def import_list(request: HttpRequest) -> HttpResponse:
    page = list_page(imports_listed(), request, IMPORT_COLUMNS)
    context = {"page": page, "form": NamesForm(user=user_of(request)), **_bounds()}
    return render(request, "imports/import_list.html", context)


@role_required(Role.OPERATOR)
def import_new(request: HttpRequest) -> HttpResponse:
    """Show the form that sends files; create an import on POST."""
    form = NamesForm(request.POST if request.method == "POST" else None, user=user_of(request))
    sent = uploaded(request.FILES.getlist("file"), request.POST.getlist("path"))
    files = chain(sent, pasted(request.POST.get("text", "")))
    user = user_of(request)
    if imported := made(form, lambda: import_begin(user=user, draft=form.draft(), files=files)):
        return redirect("import_detail", imported.pk)
    context = {"form": form, "text": request.POST.get("text", ""), **_bounds()}
    status = 400 if form.errors else 200
    return render(request, "imports/import_new.html", context, status=status)


@require_safe
@login_required
def import_detail(request: HttpRequest, pk: int) -> HttpResponse:
    imported = get_object_or_404(imports_visible(), pk=pk)
    _hint_if_forgotten(imported)
    return _page(request, imported, NamesForm(user=user_of(request), imported=imported))


def _page(request: HttpRequest, imported: Import, form: NamesForm) -> HttpResponse:
    """Render the preview. A rejected form retains all input, with status 400."""
    user = user_of(request)
    page = keyset(files_shown(imported), request, size=FILES_ON_A_PAGE, order="number")
    for file in page.rows:
        for name, value in file_changes(request.POST, [file]).get(file.number, {}).items():
            setattr(file, name, value)
    context = {
        "imported": imported,
        "counts": import_counts(imported),
        "page": page,
        "rows": file_rows(imported, page.rows),
        "form": form,
        "many": ManyForm(),
        "editable": imported.is_editable(user) and imported.state == ImportState.READ,
        "discardable": imported.is_editable(user)
        and imported.state in (ImportState.RECEIVED, ImportState.READ),
    }
    status = 400 if form.errors else 200
    return render(request, "imports/import_detail.html", context, status=status)


@require_safe
@login_required
def import_state(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the progress of reading or storing; the last response reloads the page."""
    imported = get_object_or_404(imports_visible(), pk=pk)
    _hint_if_forgotten(imported)
    context = {"imported": imported, "counts": import_counts(imported)}
    status = 200 if imported.is_working else LAST
    return render(request, "imports/partials/progress.html", context, status=status)


@require_POST
@role_required(Role.OPERATOR)
def import_names(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the names on the page; with `then=store` also store the import."""
    imported = _editable_import(request, pk)
    form = NamesForm(request.POST, user=user_of(request), imported=imported)
    if not form.is_valid():
        return _page(request, imported, form)
    try:
        imported = _save(request, imported)
        if request.POST.get("then") == "store":
            return _stored(request, imported)
        messages.success(request, _("Kept."))
    except ServiceError as error:
        if error.status != 400:
            messages.error(request, error.message)
            return redirect("import_detail", pk)
        add_refusal(form, error)
        return _page(request, imported, form)
    return redirect("import_detail", pk)


@require_POST
@role_required(Role.OPERATOR)
def import_bulk_names(request: HttpRequest, pk: int) -> HttpResponse:
    """Set names of all files whose path contains a text; save the page's other input."""
    imported = _editable_import(request, pk)
    form = ManyForm(request.POST)
    if form.is_valid() and form.names():
        rows = imported.files.filter(
            state=FileState.PARSED, primary_file=None,
            path__icontains=form.cleaned_data["contains"],
        )  # fmt: skip
        changes = {number: form.names() for number in rows.values_list("number", flat=True)}
        try:
            _save(request, imported)
            import_update(imported=imported, user=user_of(request), names={}, files=changes)
            messages.success(request, _("%(files)d files changed.") % {"files": len(changes)})
        except ServiceError as error:
            messages.error(request, error.message)
    else:
        messages.error(request, _("Write at least one name to set."))
    return redirect("import_detail", pk)


@require_POST
@role_required(Role.OPERATOR)
def import_store_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Store the import."""
    try:
        return _stored(request, _editable_import(request, pk))
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("import_detail", pk)


@require_POST
@role_required(Role.OPERATOR)
def import_discard_page(request: HttpRequest, pk: int) -> HttpResponse:
    try:
        import_discard(imported=_editable_import(request, pk), user=user_of(request))
        messages.success(request, _("Discarded: nothing was stored."))
        return redirect("import_list")
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("import_detail", pk)


def _save(request: HttpRequest, imported: Import) -> Import:
    """Save the names on the page: those of the import, if sent, and of files."""
    form = NamesForm(request.POST, user=user_of(request), imported=imported)
    names = form.cleaned_data if "name" in request.POST and form.is_valid() else {}
    rows = imported.files.filter(state=FileState.PARSED, primary_file=None).only("batch", "number")
    files = file_changes(request.POST, rows)
    return import_update(imported=imported, user=user_of(request), names=names, files=files)


def _stored(request: HttpRequest, imported: Import) -> HttpResponse:
    done = import_store(imported=imported, user=user_of(request))
    if done.run_id and done.state == ImportState.STORED:
        messages.success(request, _("Stored. This is the run it became."))
        return redirect("run_detail", done.run_id)
    return redirect("import_detail", done.pk)


def _editable_import(request: HttpRequest, pk: int) -> Import:
    imported = get_object_or_404(Import, pk=pk)
    require_editable(imported, user_of(request))
    return imported


def _hint_if_forgotten(imported: Import) -> None:
    """Notify a worker again if the message about this import was lost."""
    if is_forgotten(imported):
        import_hint(imported)


def _bounds() -> dict[str, int]:
    return {"most_mib": settings.BENCHLAB_IMPORT_MAX_MIB}
