"""GET /api/v1/version/: versions of benchlab and of what it runs on."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import exceptions, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from benchlab.ops.versions import versions


@extend_schema_serializer(many=False)  # one object, although the URL is a list's
class VersionSerializer(serializers.Serializer[Any]):
    version = serializers.CharField(help_text="Of benchlab; `.dev0` before the next release.")
    api = serializers.CharField(help_text="Of the API, as in its URL.")
    min_client = serializers.CharField(help_text="The oldest `benchlab-client` that works here.")
    python = serializers.CharField()
    postgresql = serializers.CharField()


class VersionViewSet(viewsets.ViewSet):
    """Versions, for clients and for a comparison of several machines."""

    http_method_names = ["get", "head", "options"]

    @extend_schema(operation_id="version_retrieve", responses=VersionSerializer)
    def list(self, request: Request) -> Response:
        if request.query_params:
            unknown = {name: [_("There is no such filter.")] for name in request.query_params}
            raise exceptions.ValidationError(unknown)
        return Response(versions())


router_entries = [("version", VersionViewSet)]
