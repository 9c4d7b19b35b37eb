"""/api/v1/analysis/<view>/: results of the analysis views."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from apps.analysis.presenters.downloads import FORMAT_PARAMETERS, file_response
from apps.analysis.presenters.formats import FORMATS, file_of
from apps.analysis.presenters.serializers import AnalysisResultSerializer
from apps.analysis.queries.run_query import without
from apps.analysis.registry import VIEWS
from apps.common.api.viewsets import FormatIsOurs

FILES: dict[tuple[int, str], object] = {
    (200, media_type.partition(";")[0]): OpenApiTypes.BINARY
    for key, (_label, media_type, _render) in FORMATS.items()
    if key != "json"
}


SELECTION: tuple[tuple[str, type[int | str], str], ...] = (
    ("run", int, "Runs that it is about."),
    ("plan", int, "All runs of these plans."),
    ("case", int, "Tests."),
    ("workload", str, "Workloads by their keys."),
    ("tool", str, "Tools."),
    ("param", str, "Parameters: bs:4k, iodepth:1..32, rw:randread. One of each name must hold."),
    ("host", int, "The first host that took part."),
    ("tag", str, "Tags."),
    ("target", int, "Targets: disks, directories, pools, host pairs, groups."),
    ("model", str, "Models of disks, as they were last seen."),
    ("tuning", str, "Tunings: profiles by number, or names as launched or imported."),
    ("owner", int, "Owners of runs."),
)


class AnalysisViewSet(viewsets.ViewSet):
    """Result of an analysis view. Takes the parameters of the view's page."""

    http_method_names = ["get", "head", "options"]
    content_negotiation_class = FormatIsOurs
    lookup_field = "view"
    lookup_value_converter = "slug"

    @extend_schema(
        operation_id="analysis_retrieve",
        parameters=[
            OpenApiParameter("view", str, OpenApiParameter.PATH, enum=sorted(VIEWS)),
            *(
                OpenApiParameter(name, kind, many=True, description=description)
                for name, kind, description in SELECTION
            ),
            OpenApiParameter("imported", bool, description="Only imported results, or none."),
            OpenApiParameter("after", str, description="Measured at or after (ISO 8601)."),
            OpenApiParameter("before", str, description="Measured before (ISO 8601)."),
            OpenApiParameter(
                "selection", str, description="The selection as one JSON object: {host: [3]}."
            ),
            OpenApiParameter("format", str, enum=list(FORMATS), description="Default: json."),
            OpenApiParameter("table", str, description="Table of the CSV or Parquet file."),
        ],
        responses={(200, "application/json"): AnalysisResultSerializer} | FILES,
    )
    def retrieve(self, request: Request, view: str) -> HttpResponseBase:
        if view not in VIEWS:
            raise exceptions.NotFound(_("There is no such view."))
        params = request._request.GET
        result = VIEWS[view].analyse(without(params, *FORMAT_PARAMETERS))
        file_format = params.get("format", "json")
        if file_format == "json":
            return Response(AnalysisResultSerializer(result).data)
        return file_response(file_of(result, file_format, params.get("table", "")))


router_entries = [("analysis", AnalysisViewSet)]
