"""/causes/ of comparisons and histories: conditions that would explain a difference, by fit."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.analysis.causes.kinds import Kind
from apps.analysis.causes.report import CauseReport


class CandidateSerializer(serializers.Serializer[Any]):
    """Condition that fits the affected repeats. It agrees with them; it is no proven cause."""

    kind = serializers.ChoiceField(choices=[one.value for one in Kind])
    name = serializers.CharField()
    value = serializers.CharField(help_text="What the affected repeats have.")
    affected_with = serializers.IntegerField(help_text="Affected repeats with the condition.")
    affected_total = serializers.IntegerField(help_text="Affected repeats of which it is known.")
    others_with = serializers.IntegerField()
    others_total = serializers.IntegerField()
    score = serializers.FloatField(help_text="Fit from 0 to 1, lower for few repeats.")
    p = serializers.FloatField(
        help_text="Probability of such a fit by chance, for all possible splits of this condition."
    )
    equals_factor = serializers.BooleanField(
        help_text="These repeats do not separate it from the compared factor."
    )
    fit_text = serializers.CharField()
    notes = serializers.ListField(child=serializers.CharField())
    details = serializers.ListField(child=serializers.CharField())


class MissingTuningSerializer(serializers.Serializer[Any]):
    """Tuning profile that the run needs and nobody has made."""

    label = serializers.CharField()  # type: ignore[assignment] # named as in the API, a field here
    url = serializers.CharField(help_text="Prefilled form of the profile.")


class DecidingRunSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(help_text="What to vary and what to hold constant.")
    url = serializers.CharField(help_text="Form of a plan for it; empty if no plan can repeat it.")
    missing_tunings = MissingTuningSerializer(many=True)


class CauseReportSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    affected_text = serializers.CharField()
    affected = serializers.IntegerField()
    others = serializers.IntegerField()
    candidates = CandidateSerializer(many=True, help_text="The best fit first; at most 10.")
    more = serializers.IntegerField(help_text="Number of further conditions that fit.")
    separated = serializers.BooleanField(
        help_text="All affected repeats ran before or after all others."
    )
    deciding_run = DecidingRunSerializer(allow_null=True)


@extend_schema_serializer(many=False)
class CausesSerializer(serializers.Serializer[Any]):
    reports = CauseReportSerializer(
        many=True, help_text="One for each of the first three differences."
    )


def causes_document(reports: tuple[CauseReport, ...]) -> Any:
    """Return the reports as a document."""
    return CausesSerializer({"reports": reports}).data
