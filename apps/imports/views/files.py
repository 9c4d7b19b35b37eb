"""Pages of one file of an import."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from apps.common.web.downloads import download
from apps.imports.domain.unused_lines import unused_lines
from apps.imports.models import FileState, ImportFile
from apps.imports.presenters.preview import file_rows
from apps.imports.selectors.content import content_of, content_pieces
from apps.imports.selectors.imports import files_shown, imports_visible

SHOWN_BYTES = 20_000
POINTS_SHOWN = 200


@require_safe
@login_required
def file_detail(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show the results and the unused lines of a file."""
    imported = get_object_or_404(imports_visible(), pk=pk)
    file = get_object_or_404(files_shown(imported), number=number)
    data = content_of(ImportFile.objects.select_related("primary_file").get(pk=file.pk))
    parts = list(file.parts.order_by("number").values_list("path", "size"))
    unused, all_tried = (
        unused_lines(data, tool=file.tool, path_params=file.path_params)
        if file.state == FileState.PARSED and "json" not in file.format and not parts
        else ([], True)
    )
    context = {
        "imported": imported,
        "file": file,
        "row": file_rows(imported, [file], most=POINTS_SHOWN)[0],
        "parts": parts,
        "pieces": list(file.pieces.defer("content").order_by("number")),
        "silent": unused,
        "all_tried": all_tried,
        "text": data[:SHOWN_BYTES].decode("utf-8", "replace").replace("\0", "\N{SYMBOL FOR NULL}"),
        "is_cut": len(data) > SHOWN_BYTES,
    }
    return render(request, "imports/file_detail.html", context)


@require_safe
@login_required
def file_download(request: HttpRequest, pk: int, number: int) -> StreamingHttpResponse:
    """Download a file's bytes; never rendered as a page."""
    rows = ImportFile.objects.select_related("primary_file").defer(
        "content", "primary_file__content"
    )
    file = get_object_or_404(rows, batch_id=pk, number=number)
    name = file.path.rsplit("/", 1)[-1]
    return download(content_pieces(file), size=file.size, name=name)
