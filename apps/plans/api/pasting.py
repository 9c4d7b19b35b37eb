"""Pasted commands in the API."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from apps.common.api.serializers import StrictSerializer
from apps.plans.api.serializers import ParamsField
from apps.tools.pasted_commands.job_import import MAX_TEXT
from apps.tools.registry import TOOLS


class TextSerializer(StrictSerializer):
    tool = serializers.CharField(
        max_length=32,
        required=False,
        allow_blank=True,
        default="",
        help_text="Only steps of this tool; empty: of every tool.",
    )
    text = serializers.CharField(max_length=MAX_TEXT, trim_whitespace=False)

    def validate_tool(self, name: str) -> str:
        if name and (name not in TOOLS or not TOOLS[name].command_names):
            raise serializers.ValidationError(_("benchlab reads no commands of this tool."))
        return name


class PastedStepSerializer(StrictSerializer):
    """A step as `plans/` accepts it, with the line of the text that it starts at."""

    tool = serializers.CharField()
    name = serializers.CharField()
    params = ParamsField()
    line = serializers.IntegerField()


class PastedNoteSerializer(StrictSerializer):
    """A note about a line.

    "understood": it is in a step. "left": it is in none, without effect on what is measured.
    "refused": there is no step because of it.
    """

    line = serializers.IntegerField()
    kind = serializers.CharField(help_text='"understood", "left" or "refused".')
    text = serializers.CharField()


class PastedOutputSerializer(StrictSerializer):
    """Lines of tool output, which can be imported."""

    tool = serializers.CharField()
    first = serializers.IntegerField()
    last = serializers.IntegerField()


class PastedSerializer(StrictSerializer):
    steps = PastedStepSerializer(many=True)
    notes = PastedNoteSerializer(many=True)
    tuning = serializers.ListField(
        child=serializers.CharField(), help_text="Lines that set the host, for a tuning."
    )
    outputs = PastedOutputSerializer(many=True)
