"""Imports of foreign results, and their files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import OwnedModel
from apps.common.fields.messages import MessageField
from apps.common.fields.versioned_json import SchemaField
from apps.imports.domain.limits import MAX_PATH_LENGTH
from apps.imports.schemas.stored import (
    LINES,
    PATH_PARAMS,
    POINTS,
    PROPOSALS,
    SUGGESTED_NAMES,
    Lines,
    PathParams,
    Points,
    Proposals,
    SuggestedNames,
)
from apps.runs.models import Case, Run
from apps.runs.schemas import REMARKS, Remarks
from apps.tools.pasted_commands.job_import import MAX_TEXT


class ImportState(models.TextChoices):
    RECEIVED = "received", _("being read")
    READ = "read", _("read, not stored yet")
    STORING = "storing", _("being stored")
    STORED = "stored", _("stored")
    DISCARDED = "discarded", _("discarded")


class FileState(models.TextChoices):
    WAITING = "waiting", _("not read yet")
    PARSED = "parsed", _("parsed")
    FAILED = "failed", _("failed")
    SKIPPED = "skipped", _("skipped")
    SPLIT = "split", _("split")


# Completeness beyond the parsers' values: one of several outputs that ran at the same time.
SHARE = "share"


class Import(OwnedModel):
    """Files sent at once. Its host, target and tuning apply to files without their own.

    `is_named`: named by a user, else by its content. `dry_run`: only previewed, deleted after an
    hour. `job_options`: job file or command line, entered before the files are read, for options
    missing in the output. `ignore_job_names`: cases that differ in job names only are repeats.
    `keep_duplicates`: a repeated output counts twice. The lease of a reading or storing process
    expires at `lease_until` (apps.imports.services.lease).
    """

    name = models.CharField(_("name"), max_length=120)
    is_named = models.BooleanField(default=True)
    note = models.TextField(_("note"), blank=True)
    job_options = models.TextField(_("options as they were run"), blank=True, max_length=MAX_TEXT)
    host_name = models.CharField(_("host"), max_length=64, blank=True)
    target_name = models.CharField(_("target"), max_length=200, blank=True)
    tuning_name = models.CharField(_("tuning"), max_length=80, blank=True)
    ignore_job_names = models.BooleanField(_("names of jobs mean nothing"), default=False)
    keep_duplicates = models.BooleanField(_("keep repeated outputs"), default=False)
    dry_run = models.BooleanField(default=False)
    state = models.CharField(
        max_length=12, choices=ImportState.choices, default=ImportState.RECEIVED
    )
    reason = MessageField(blank=True)
    run = models.OneToOneField(
        Run, on_delete=models.SET_NULL, null=True, blank=True, related_name="imported"
    )
    lease_until = models.DateTimeField(null=True, editable=False)

    def __str__(self) -> str:
        return self.name

    @property
    def is_working(self) -> bool:
        """Return True while a worker has to read or store it."""
        return self.state in (ImportState.RECEIVED, ImportState.STORING)


class ImportFile(models.Model):
    """File of an import: compressed bytes and parse result.

    `points`: one per future case (schemas.stored); `keys`: their keys; `nameless_keys`: the same
    without job names; `proposals`: names that each point
    suggests. `ignore_commands`: commands above outputs
    give no options. `primary_file`: the file whose result this one is part of (a log); `role`: its
    name in `parse_result.Output.files`. `path_params`: parameters named by folders. `host_name`,
    `target_name` and `tuning_name` are entered by a user, `suggested_names` come from paths and
    apply otherwise. After storing, `case` is the first case, and its artifact has the bytes. A text
    with outputs of several tools is SPLIT: each tool's lines are a file with `split_from`; `lines`
    are their numbers, [[first, last]].
    """

    batch = models.ForeignKey(
        Import, on_delete=models.CASCADE, related_name="files", db_index=False
    )
    number = models.PositiveIntegerField()
    path = models.CharField(_("file"), max_length=MAX_PATH_LENGTH)
    archive = models.CharField(max_length=MAX_PATH_LENGTH, blank=True)
    size = models.BigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True, db_index=True)
    content = models.BinaryField(default=b"")
    state = models.CharField(max_length=16, choices=FileState.choices, default=FileState.WAITING)
    tool = models.CharField(max_length=20, blank=True)
    format = models.CharField(max_length=20, blank=True)
    version = models.CharField(max_length=40, blank=True)
    completeness = models.CharField(max_length=8, blank=True)
    points: models.Field[Points, Points] = SchemaField(schema=POINTS, default=list)
    keys = ArrayField(models.CharField(max_length=64), default=list)
    nameless_keys = ArrayField(models.CharField(max_length=64), default=list)
    proposals: models.Field[Proposals, Proposals] = SchemaField(schema=PROPOSALS, default=list)
    warnings: models.Field[Sequence[str], Remarks] = SchemaField(schema=REMARKS, default=list)
    parse_error = MessageField(blank=True)
    role = models.CharField(max_length=420, default="stdout")
    path_params: models.Field[PathParams, PathParams] = SchemaField(
        schema=PATH_PARAMS, default=dict
    )
    primary_file = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="parts"
    )
    host_name = models.CharField(_("host"), max_length=64, blank=True)
    target_name = models.CharField(_("target"), max_length=200, blank=True)
    tuning_name = models.CharField(_("tuning"), max_length=80, blank=True)
    suggested_names: models.Field[SuggestedNames, SuggestedNames] = SchemaField(
        schema=SUGGESTED_NAMES, default=dict
    )
    ignore_job_names = models.BooleanField(_("names of jobs mean nothing"), default=False)
    keep_duplicates = models.BooleanField(_("keep repeated outputs"), default=False)
    ignore_commands = models.BooleanField(_("commands above outputs are not theirs"), default=False)
    duplicate_of = models.CharField(max_length=500, blank=True)
    selected = models.BooleanField(_("store"), default=True)
    split_from = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="pieces"
    )
    lines: models.Field[Lines, Lines] = SchemaField(schema=LINES, default=list)
    case = models.ForeignKey(
        Case, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["batch", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["batch", "number"], name="files_are_numbered")
        ]

    def __str__(self) -> str:
        return self.path

    @property
    def line_words(self) -> str:
        """Return "3-18, 25-30": the lines of the text it was split from."""
        return ", ".join(f"{first}-{last}" for first, last in self.lines)
