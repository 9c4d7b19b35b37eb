"""API of approvals and of the policies that ask for them."""

from __future__ import annotations

from typing import ClassVar

from rest_framework import mixins, serializers
from rest_framework.serializers import BaseSerializer

from apps.accounts.models import Role
from apps.accounts.permissions import user_of
from apps.common.api.serializers import (
    SchemaSerializerField,
    StrictModelSerializer,
    StrictSerializer,
)
from apps.common.api.viewsets import WriteViewSet
from apps.runs.models import ApprovalPolicy
from apps.runs.selectors.approvals import policies_listed
from apps.runs.services.approvals import (
    POLICY_FIELDS,
    approval_policy_delete,
    approval_policy_save,
)

STATES = ["not_needed", "waiting", "approved", "refused", "void"]


class ApprovalSerializer(StrictSerializer):
    """Approval of a run. A decision names the `digest` of the effects that were read."""

    state = serializers.ChoiceField(choices=STATES, read_only=True)
    digest = serializers.CharField(read_only=True)
    policies = serializers.ListField(child=serializers.CharField(), read_only=True)
    effects = SchemaSerializerField(read_only=True, allow_null=True)
    differences = serializers.ListField(
        child=serializers.CharField(),
        read_only=True,
        help_text="From the last approved run of the plan.",
    )
    decided_by = serializers.CharField(read_only=True)
    decided_at = serializers.DateTimeField(read_only=True, allow_null=True)
    note = serializers.CharField(read_only=True)


class DecisionSerializer(StrictSerializer):
    digest = serializers.RegexField(r"^[0-9a-f]{64}$", max_length=64)
    approve = serializers.BooleanField()
    note = serializers.CharField(max_length=2_000, required=False, allow_blank=True, default="")


class ApprovalPolicySerializer(StrictModelSerializer[ApprovalPolicy]):
    class Meta:
        model = ApprovalPolicy
        fields: ClassVar[list[str]] = ["id", *POLICY_FIELDS, "created_at"]


class ApprovalPolicyViewSet(mixins.DestroyModelMixin, WriteViewSet[ApprovalPolicy]):
    """Policies that name the acts that need an approval (admins write)."""

    queryset = policies_listed()
    serializer_class = ApprovalPolicySerializer
    write_role = Role.ADMIN
    fresh_actions = ("create", "update", "partial_update", "destroy")

    def perform_create(self, serializer: BaseSerializer[ApprovalPolicy]) -> None:
        fields, user = serializer.validated_data, user_of(self.request)
        serializer.instance = approval_policy_save(user=user, fields=fields)

    def perform_update(self, serializer: BaseSerializer[ApprovalPolicy]) -> None:
        fields, user = serializer.validated_data, user_of(self.request)
        policy = serializer.instance
        serializer.instance = approval_policy_save(user=user, fields=fields, policy=policy)

    def perform_destroy(self, instance: ApprovalPolicy) -> None:
        approval_policy_delete(user=user_of(self.request), policy=instance)
