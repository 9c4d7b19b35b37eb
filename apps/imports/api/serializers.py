"""Serializers of imports."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts.models import Team
from apps.common.api.serializers import StrictModelSerializer, StrictSerializer
from apps.imports.models import Import, ImportFile
from apps.imports.selectors.imports import files_shown, import_counts, stored_points
from apps.imports.selectors.repeat_numbers import StoredPoint
from apps.imports.selectors.stored_names import NO_HOST, stored_names
from apps.tools.pasted_commands.job_import import MAX_TEXT

FILES_SHOWN = 500
IGNORE_NAMES = "Tests that only the names of their jobs tell apart are repeats of each other."
KEEP_DUPLICATES = "An output that a text has twice counts as two results."
IGNORE_COMMANDS = "Commands that stand above outputs in the text give no options."


class UploadSerializer(StrictSerializer):
    """Form with files (multipart/form-data)."""

    file = serializers.ListField(child=serializers.FileField(allow_empty_file=True))
    path = serializers.ListField(
        child=serializers.CharField(max_length=1000, allow_blank=True),
        required=False, default=list,
        help_text="What each file is called below the folder it came from, in the files' order.",
    )  # fmt: skip
    name = serializers.CharField(
        max_length=120, required=False, default="", allow_blank=True,
        help_text="Of the run it becomes; without one, made of what it holds and what was sent.",
    )  # fmt: skip
    note = serializers.CharField(required=False, default="", allow_blank=True)
    host_name = serializers.CharField(
        max_length=64, required=False, default="", allow_blank=True,
        help_text=f"Where it was measured; “{NO_HOST}” if nobody says.",
    )  # fmt: skip
    target_name = serializers.CharField(
        max_length=200, required=False, default="", allow_blank=True
    )
    tuning_name = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    ignore_job_names = serializers.BooleanField(default=False, help_text=IGNORE_NAMES)
    keep_duplicates = serializers.BooleanField(default=False, help_text=KEEP_DUPLICATES)
    job_options = serializers.CharField(
        max_length=MAX_TEXT, required=False, default="", allow_blank=True,
        help_text="The command line or job file that was run; outputs leave options out.",
    )  # fmt: skip
    team = serializers.PrimaryKeyRelatedField(
        queryset=Team.objects.all(), required=False, default=None, allow_null=True
    )
    dry_run = serializers.BooleanField(
        default=False, help_text="Show what would be understood and keep nothing."
    )


class OperationValuesSerializer(StrictSerializer):
    """Values of one operation: bytes/s, operations/s, ns; null if not reported."""

    operation = serializers.CharField()
    component = serializers.CharField(allow_blank=True)
    bandwidth = serializers.FloatField(allow_null=True)
    iops = serializers.FloatField(allow_null=True)
    latency_mean = serializers.FloatField(allow_null=True)


class MonitoredTestSerializer(StrictSerializer):
    """Result of another file.

    `number`: that file; `index`: the point there; `line`: its first line in the text.
    """

    number = serializers.IntegerField()
    index = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment] # the API's word, a field here
    line = serializers.IntegerField()
    key = serializers.CharField(help_text="The key of its workload.")


class PointSerializer(StrictSerializer):
    """Case to be created.

    `exact`: every parameter of the workload is known. `target` and `tuning` are suggestions;
    `becomes.points` of the file has the names that apply.
    """

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment] # the API's word, a field here
    params = serializers.DictField()
    exact = serializers.BooleanField()
    occurrence = serializers.IntegerField()
    measurements = OperationValuesSerializer(many=True)
    call = serializers.IntegerField(help_text="The call of the tool that printed it, from 1.")
    target = serializers.CharField(allow_blank=True)
    tuning = serializers.CharField(allow_blank=True)
    completeness = serializers.CharField()
    warnings = serializers.ListField(child=serializers.CharField())
    lines = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True,
        help_text="First and last line of its output in the text that was sent.",
    )  # fmt: skip
    same_as = serializers.IntegerField(
        allow_null=True,
        help_text="Index of the earlier point whose output is printed once more. Such a point is "
        "not stored, unless `keep_duplicates` is set.",
    )  # fmt: skip
    command_line = serializers.IntegerField(
        help_text="Line of the command in the text that states its options; 0 where none does."
    )
    beside = MonitoredTestSerializer(
        allow_null=True, help_text="The test that a recording of devices stands beside."
    )


class PlacedSerializer(StrictSerializer):
    """Names of a stored point; `repeat` is null if it is not stored."""

    host = serializers.CharField()
    target = serializers.CharField(allow_blank=True)
    tuning = serializers.CharField()
    repeat = serializers.IntegerField(allow_null=True)


class BecomesSerializer(StrictSerializer):
    """Names under which a file is stored.

    `repeats`: the repeat of each point; empty if the file is not stored. `points`: names and repeat
    of each point.
    """

    host = serializers.CharField()
    target = serializers.CharField(allow_blank=True)
    tuning = serializers.CharField()
    repeats = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    points = PlacedSerializer(many=True)


class ImportFileSerializer(StrictModelSerializer[ImportFile]):
    points = PointSerializer(many=True, read_only=True)
    warnings = serializers.ListField(child=serializers.CharField(), read_only=True)
    suggested_names = serializers.DictField(
        child=serializers.CharField(), read_only=True,
        help_text="What paths say of host, target and tuning; it counts where nobody says any.",
    )  # fmt: skip
    becomes = serializers.SerializerMethodField()
    split_from = serializers.IntegerField(
        source="split_from.number", default=None, read_only=True, allow_null=True,
        help_text="Number of the text with several outputs whose lines these are.",
    )  # fmt: skip
    lines = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), read_only=True,
        help_text="First and last number of each stretch of lines there.",
    )  # fmt: skip
    parts = serializers.IntegerField(
        source="part_count", read_only=True, help_text="Files that belong to it."
    )

    class Meta:
        model = ImportFile
        fields = [
            "number", "path", "archive", "size", "sha256", "state", "tool", "format", "version",
            "completeness", "points", "warnings", "parse_error", "duplicate_of", "selected",
            "host_name", "target_name", "tuning_name", "ignore_job_names", "keep_duplicates",
            "ignore_commands", "suggested_names", "becomes", "parts", "split_from", "lines", "case",
        ]  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(BecomesSerializer)
    def get_becomes(self, row: ImportFile) -> dict[str, object]:
        names = stored_names(self.context["imported"], row)
        placed: list[StoredPoint] = self.context["placed"].get(row.number, [])
        return {
            **vars(names),
            "repeats": [each.repeat for each in placed],
            "points": [{**vars(each.names), "repeat": each.repeat} for each in placed],
        }


class CountsSerializer(StrictSerializer):
    """Files by state.

    `split` texts contain several outputs, each a file of its own. `parts` belong to another file's
    result; `selected` files would be stored; `duplicates` are stored already.
    """

    waiting = serializers.IntegerField()
    parsed = serializers.IntegerField()
    failed = serializers.IntegerField()
    skipped = serializers.IntegerField()
    split = serializers.IntegerField()
    selected = serializers.IntegerField()
    duplicates = serializers.IntegerField()
    parts = serializers.IntegerField()


class ImportSerializer(StrictModelSerializer[Import]):
    owner = serializers.SlugRelatedField("username", read_only=True)  # type: ignore[var-annotated]
    team = serializers.PrimaryKeyRelatedField(
        queryset=Team.objects.all(), allow_null=True, required=False
    )

    class Meta:
        model = Import
        fields = [
            "id", "name", "note", "host_name", "target_name", "tuning_name", "ignore_job_names",
            "keep_duplicates", "job_options", "dry_run", "state", "reason", "run", "owner", "team",
            "created_at",
        ]  # fmt: skip
        read_only_fields = ["job_options", "dry_run", "state", "reason", "run", "created_at"]


class ImportDetailSerializer(ImportSerializer):
    counts = serializers.SerializerMethodField()
    files = serializers.SerializerMethodField(
        help_text=f"The first {FILES_SHOWN}; `files/` has them all."
    )

    class Meta(ImportSerializer.Meta):
        fields = [*ImportSerializer.Meta.fields, "counts", "files"]

    @extend_schema_field(CountsSerializer)
    def get_counts(self, imported: Import) -> dict[str, int]:
        return import_counts(imported)

    @extend_schema_field(ImportFileSerializer(many=True))
    def get_files(self, imported: Import) -> Any:
        return files_json(imported, files_shown(imported)[:FILES_SHOWN])


def files_json(imported: Import, rows: Any) -> Any:
    """Serialise files of one import with the names of their results."""
    context = {"imported": imported, "placed": stored_points(imported)}
    return ImportFileSerializer(rows, many=True, context=context).data


class FileChangeSerializer(StrictSerializer):
    """New names of one file; omitted fields do not change."""

    number = serializers.IntegerField(min_value=1)
    host_name = serializers.CharField(max_length=64, required=False, allow_blank=True)
    target_name = serializers.CharField(max_length=200, required=False, allow_blank=True)
    tuning_name = serializers.CharField(max_length=80, required=False, allow_blank=True)
    selected = serializers.BooleanField(required=False)
    ignore_job_names = serializers.BooleanField(required=False, help_text=IGNORE_NAMES)
    keep_duplicates = serializers.BooleanField(required=False, help_text=KEEP_DUPLICATES)
    ignore_commands = serializers.BooleanField(required=False, help_text=IGNORE_COMMANDS)


class ImportChangeSerializer(StrictSerializer):
    """New names of an import and its files."""

    name = serializers.CharField(
        max_length=120, required=False, allow_blank=True,
        help_text="Nothing: made of what it holds again.",
    )  # fmt: skip
    note = serializers.CharField(required=False, allow_blank=True)
    host_name = serializers.CharField(max_length=64, required=False, allow_blank=True)
    target_name = serializers.CharField(max_length=200, required=False, allow_blank=True)
    tuning_name = serializers.CharField(max_length=80, required=False, allow_blank=True)
    ignore_job_names = serializers.BooleanField(required=False, help_text=IGNORE_NAMES)
    keep_duplicates = serializers.BooleanField(required=False, help_text=KEEP_DUPLICATES)
    team = serializers.PrimaryKeyRelatedField(
        queryset=Team.objects.all(), required=False, allow_null=True
    )
    files = FileChangeSerializer(many=True, required=False)
