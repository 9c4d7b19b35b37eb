"""GET /api/v1/search/: rows that contain the search words."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import exceptions, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from apps.search.selectors.kinds import RESULT_KINDS
from apps.search.selectors.search import Hits, SearchResult, search, words_of

MOST = 50


class SearchHitSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(allow_null=True, help_text="null: a metric, which has no row.")
    name = serializers.CharField()
    about = serializers.CharField(help_text="A line about it; may be empty.")
    page = serializers.CharField(help_text="The address of its page, without a host.")


class SearchHitsSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=list(RESULT_KINDS))
    alike = serializers.BooleanField(
        help_text="True: nothing holds the words; these names are like them."
    )
    more = serializers.BooleanField(help_text=f"There are more than the {MOST} that are listed.")
    results = SearchHitSerializer(many=True)


@extend_schema_serializer(many=False)  # one object, although the URL is a list's
class SearchSerializer(serializers.Serializer[Any]):
    hits = SearchHitsSerializer(many=True)


PARAMETERS = [
    OpenApiParameter(
        "q", str, required=True, description="Words; a result contains every one of them."
    ),
    OpenApiParameter("kind", str, enum=list(RESULT_KINDS), description="Only this kind."),
]


class SearchViewSet(viewsets.ViewSet):
    """Search of runs, cases, plans, hosts, disks, pools, tuning profiles, workloads, metrics."""

    http_method_names = ["get", "head", "options"]

    @extend_schema(
        operation_id="search_retrieve", parameters=PARAMETERS, responses=SearchSerializer
    )
    def list(self, request: Request) -> Response:
        query = request.query_params
        unknown = set(query) - {"q", "kind"}
        if unknown:
            raise exceptions.ValidationError(
                {name: [_("There is no such filter.")] for name in sorted(unknown)}
            )
        if not words_of(query.get("q", "")):
            raise exceptions.ValidationError({"q": [_("Write at least one word.")]})
        kinds = query.getlist("kind") or list(RESULT_KINDS)
        if not set(kinds) <= set(RESULT_KINDS):
            raise exceptions.ValidationError({"kind": [_("There is no such kind.")]})
        hits = search(query["q"], kinds=kinds, most=MOST)
        return Response({"hits": [_document(one) for one in hits]})


def _document(hits: Hits) -> dict[str, object]:
    results = [_row(one) for one in hits.results]
    return {"kind": hits.kind.key, "alike": hits.alike, "more": hits.more, "results": results}


def _row(result: SearchResult) -> dict[str, object]:
    return {"id": result.id, "name": result.name, "about": result.about, "page": result.address}


router_entries = [("search", SearchViewSet)]
