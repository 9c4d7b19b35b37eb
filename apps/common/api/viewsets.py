"""Base classes of the API's views."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from django.db.models import Model
from django.utils.translation import gettext as _
from django_filters import BooleanFilter, CharFilter, Filter
from rest_framework import exceptions, mixins, viewsets
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.pagination import PAGING

AnyModel = TypeVar("AnyModel", bound=Model)
FLAGS = ("true", "false")


def _fault(wanted: Filter | None, value: str) -> str:
    """Return why a query value is invalid before its filter parses it; empty if it is not."""
    if isinstance(wanted, BooleanFilter) and value.lower() not in FLAGS:
        return _("This is either true or false.")
    if wanted is not None and not value and type(wanted) is not CharFilter:
        return _("This needs a value. Leave the filter out for all.")
    return ""


class FormatIsOurs(BaseContentNegotiation):
    """`?format=` selects one of our formats, not a DRF renderer."""

    def select_parser(self, request: Request, parsers: Iterable[Any]) -> Any:
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[Any], format_suffix: str | None = None
    ) -> tuple[Any, str]:
        first = next(iter(renderers))
        return first, first.media_type


class ReadViewSet(
    mixins.RetrieveModelMixin, mixins.ListModelMixin, viewsets.GenericViewSet[AnyModel]
):
    """List and retrieve. An unknown query parameter is an error: ignored, it would change the list.

    RolePermission decides who may write: `write_role` (default: operator) and the row's
    `is_editable`.
    """

    # True for tables of millions of rows: filters then select the keys of a page first.
    is_archive = False
    lookup_value_converter = "int"
    http_method_names = ["get", "post", "patch", "delete", "head", "options"]

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        unknown = set(request.query_params) - PAGING - self.filter_names()
        if unknown:
            raise exceptions.ValidationError(
                {name: [_("There is no such filter.")] for name in sorted(unknown)}
            )
        self.check_values(request)
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        assert page is not None, "every list of the API has pages"
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    @property
    def is_filtered(self) -> bool:
        """Return True if the query contains more than pagination."""
        return bool(set(self.request.query_params) - PAGING)

    def check_values(self, request: Request) -> None:
        """Reject values that Django forms would ignore, such as another word for a boolean."""
        filterset = getattr(self, "filterset_class", None)
        filters = filterset.base_filters if filterset else {}
        wrong = {
            name: [words]
            for name, value in request.query_params.items()
            if (words := _fault(filters.get(name), str(value)))
        }
        if wrong:
            raise exceptions.ValidationError(wrong)

    def filter_names(self) -> set[str]:
        """Return the accepted query parameters without pagination."""
        filterset = getattr(self, "filterset_class", None)
        return set(filterset.base_filters) if filterset else set()


class WriteViewSet(mixins.CreateModelMixin, mixins.UpdateModelMixin, ReadViewSet[AnyModel]):
    """List, retrieve, create and update.

    `perform_create` and `perform_update` call a service and set `serializer.instance`.
    """
