"""/api/v1/imports/: send files, preview them, name them, store or discard them."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.permissions import user_of
from apps.common.api.pagination import NewestFirst
from apps.common.api.viewsets import ReadViewSet
from apps.imports.api.serializers import (
    ImportChangeSerializer,
    ImportDetailSerializer,
    ImportFileSerializer,
    ImportSerializer,
    UploadSerializer,
    files_json,
)
from apps.imports.filters import ImportFilter
from apps.imports.forms.uploads import uploaded
from apps.imports.models import Import
from apps.imports.selectors.imports import files_shown, imports_visible, is_forgotten
from apps.imports.services import (
    ImportDraft,
    import_begin,
    import_discard,
    import_hint,
    import_store,
    import_update,
)


class ByNumber(NewestFirst):
    """Files in the order in which they were sent."""

    ordering = "number"


class ImportViewSet(ReadViewSet[Import]):
    """Results from files, stored as a run on request."""

    queryset = imports_visible()
    filterset_class = ImportFilter

    def get_parsers(self) -> list[BaseParser]:
        request = getattr(self, "request", None)
        # Only a new import is sent as a form. drf-spectacular calls this without a request.
        if request is not None and request.method == "POST" and "pk" not in self.kwargs:
            return [MultiPartParser()]
        return super().get_parsers()

    def get_serializer_class(self) -> type[ImportSerializer]:
        return ImportSerializer if self.action == "list" else ImportDetailSerializer

    def get_queryset(self) -> QuerySet[Import]:
        queryset = super().get_queryset()
        return queryset.filter(dry_run=False) if self.action == "list" else queryset

    def get_object(self) -> Import:
        imported = super().get_object()
        if is_forgotten(imported):
            import_hint(imported)
        return imported

    @extend_schema(
        request={"multipart/form-data": UploadSerializer},
        responses={
            201: ImportDetailSerializer,
            200: ImportDetailSerializer,
            202: ImportDetailSerializer,
        },
    )
    def create(self, request: Request) -> Response:
        """Send files and read their results.

        A small import is read in the response. A larger one is `received` until a worker has read
        it. With `dry_run` nothing is stored (200). A worker reads a large dry run (202): poll
        `imports/{id}/` (Location) until its state is `read`. It expires after one hour.
        """
        serializer = UploadSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        params = dict(serializer.validated_data)
        files = uploaded(params.pop("file"), params.pop("path"))
        dry_run = params.pop("dry_run")
        with transaction.atomic():
            imported = import_begin(
                user=user_of(request), draft=ImportDraft(**params), files=files, dry_run=dry_run
            )
            data = ImportDetailSerializer(imported).data
            is_over = dry_run and not imported.is_working
            if is_over:
                transaction.set_rollback(True)
        headers = {} if is_over else {"Location": f"{request.path}{imported.pk}/"}
        return Response(data, _status(dry_run, is_over), headers=headers)

    @extend_schema(request=ImportChangeSerializer, responses={200: ImportDetailSerializer})
    def partial_update(self, request: Request, pk: Any = None) -> Response:
        """Change names of the import or of its files."""
        serializer = ImportChangeSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        names = dict(serializer.validated_data)
        files = {row.pop("number"): row for row in map(dict, names.pop("files", []))}
        imported = import_update(
            imported=self.get_object(), user=user_of(request), names=names, files=files
        )
        return Response(ImportDetailSerializer(imported).data)

    @extend_schema(request=None, responses={200: ImportDetailSerializer})
    @action(detail=True, methods=["post"])
    def store(self, request: Request, pk: Any = None) -> Response:
        """Store the parsed and selected files as a run."""
        imported = import_store(imported=self.get_object(), user=user_of(request))
        return Response(ImportDetailSerializer(imported).data)

    @extend_schema(request=None, responses={200: ImportDetailSerializer})
    @action(detail=True, methods=["post"])
    def discard(self, request: Request, pk: Any = None) -> Response:
        """Delete the files of an import that is not stored."""
        imported = import_discard(imported=self.get_object(), user=user_of(request))
        return Response(ImportDetailSerializer(imported).data)

    @extend_schema(responses={200: ImportFileSerializer(many=True)}, filters=False)
    @action(detail=True, methods=["get"], pagination_class=ByNumber)
    def files(self, request: Request, pk: Any = None) -> Response:
        """List every file with its results, in the order sent."""
        imported = self.get_object()
        rows: Any = files_shown(imported)
        return self.get_paginated_response(files_json(imported, self.paginate_queryset(rows)))


def _status(dry_run: bool, is_over: bool) -> int:
    if is_over:
        return status.HTTP_200_OK
    return status.HTTP_202_ACCEPTED if dry_run else status.HTTP_201_CREATED


router_entries = (("imports", ImportViewSet),)
