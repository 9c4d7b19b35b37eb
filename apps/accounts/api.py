"""/api/v1/tokens/: the user's own tokens."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, mixins, serializers, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import ApiToken, Role, User
from apps.accounts.selectors import tokens_of
from apps.accounts.services import token_create, token_revoke
from apps.common.api.serializers import StrictModelSerializer, StrictSerializer
from apps.common.api.viewsets import ReadViewSet


class TokenSerializer(StrictModelSerializer[ApiToken]):
    id = serializers.UUIDField(source="reference", read_only=True)

    class Meta:
        model = ApiToken
        fields = [
            *("id", "name", "scope", "read_only", "may_wipe"),
            *("created", "expiry", "last_used_at"),
        ]
        read_only_fields = fields


class NewTokenSerializer(StrictSerializer):
    name = serializers.CharField(max_length=60)
    read_only = serializers.BooleanField(default=False)  # type: ignore[assignment] # the API's word, a field here
    scope = serializers.ChoiceField(
        choices=ApiToken.Scope.choices,
        default=ApiToken.Scope.API,
        help_text="metrics: opens /metrics only, and is read-only; for admins",
    )
    days = serializers.IntegerField(
        min_value=1,
        max_value=3650,
        default=None,
        allow_null=True,
        help_text="null: 90, unless BENCHLAB_TOKEN_DAYS says otherwise; "
        "more than BENCHLAB_TOKEN_MAX_DAYS (365) is refused",
    )


class TokenWithSecretSerializer(TokenSerializer):
    token = serializers.CharField(read_only=True, help_text="Shown this once, never again.")

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "token"]
        read_only_fields = fields


class TokenViewSet(mixins.DestroyModelMixin, ReadViewSet[ApiToken]):
    serializer_class = TokenSerializer
    queryset = ApiToken.objects.none()
    write_role = Role.VIEWER
    fresh_actions = ("create",)
    cursor_ordering = "-created"
    lookup_field = "reference"
    lookup_url_kwarg = "id"
    lookup_value_converter = "uuid"

    def get_queryset(self) -> QuerySet[ApiToken]:
        user = self.request.user
        return tokens_of(user) if isinstance(user, User) else ApiToken.objects.none()

    @extend_schema(responses={200: TokenSerializer}, filters=False)
    @action(detail=False, pagination_class=None)
    def current(self, request: Request) -> Response:
        """Return the token of this request, so that a program can check its rights."""
        if not isinstance(request.auth, ApiToken):
            raise exceptions.NotFound(_("This request has no token."))
        return Response(TokenSerializer(request.auth).data)

    @extend_schema(request=NewTokenSerializer, responses={201: TokenWithSecretSerializer})
    def create(self, request: Request) -> Response:
        serializer = NewTokenSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        assert isinstance(request.user, User)
        token, secret = token_create(user=request.user, **serializer.validated_data)
        token.token = secret
        data: Any = TokenWithSecretSerializer(token).data
        return Response(data, status=status.HTTP_201_CREATED)

    def perform_destroy(self, instance: ApiToken) -> None:
        assert isinstance(self.request.user, User)
        token_revoke(token=instance, by=self.request.user)


router_entries = [("tokens", TokenViewSet)]
