"""Results that others made: what was sent, what was understood of it, and what it became."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import OwnedModel
from apps.common.fields.messages import MessageField
from apps.common.fields.versioned_json import SchemaField
from apps.imports.domain.limits import LONGEST_PATH
from apps.imports.schemas.stored import (
    LINES,
    PLACES,
    POINTS,
    PROPOSED,
    SAID,
    Lines,
    Places,
    Points,
    Proposed,
    Said,
)
from apps.runs.models import Case, Run
from apps.runs.schemas import REMARKS, Remarks
from apps.tools.split_output.job_import import MAX_TEXT


class ImportState(models.TextChoices):
    RECEIVED = "received", _("being read")
    READ = "read", _("read, not stored yet")
    STORING = "storing", _("being stored")
    STORED = "stored", _("stored")
    DISCARDED = "discarded", _("discarded")


class FileState(models.TextChoices):
    WAITING = "waiting", _("not read yet")
    UNDERSTOOD = "understood", _("understood")
    REFUSED = "not_understood", _("not understood")
    LEFT_OUT = "left_out", _("left out")
    SPLIT = "split", _("split")


# Beside the parsers' words for completeness: one of several outputs that ran at the same time.
SHARE = "share"


class Import(OwnedModel):
    """Files that somebody sent at once. What is said here of host, target and tuning holds for
    every file that says nothing else.

    `is_named`: a person said its name; else it is named by what it holds. `dry_run`: to be looked
    at only, and forgotten soon. `as_run`: the job file or command line that was run, of which
    the outputs do not tell everything; known before the files are read. `ignore_names`: tests that
    only the names of their jobs tell apart are repeats of each other. `keep_duplicates`: an output
    that a text has twice counts twice. `busy_until`: somebody reads
    or stores it now; later than that, somebody else may (apps.imports.services.lease).
    """

    name = models.CharField(_("name"), max_length=120)
    is_named = models.BooleanField(default=True)
    note = models.TextField(_("note"), blank=True)
    as_run = models.TextField(_("options as they were run"), blank=True, max_length=MAX_TEXT)
    host_name = models.CharField(_("host"), max_length=64, blank=True)
    target_name = models.CharField(_("target"), max_length=200, blank=True)
    tuning_name = models.CharField(_("tuning"), max_length=80, blank=True)
    ignore_names = models.BooleanField(_("names of jobs mean nothing"), default=False)
    keep_duplicates = models.BooleanField(_("keep repeated outputs"), default=False)
    dry_run = models.BooleanField(default=False)
    state = models.CharField(
        max_length=12, choices=ImportState.choices, default=ImportState.RECEIVED
    )
    reason = MessageField(blank=True)
    run = models.OneToOneField(
        Run, on_delete=models.SET_NULL, null=True, blank=True, related_name="imported"
    )
    busy_until = models.DateTimeField(null=True, editable=False)

    def __str__(self) -> str:
        return self.name

    @property
    def is_working(self) -> bool:
        """Whether benchlab still has something to do before a person has."""
        return self.state in (ImportState.RECEIVED, ImportState.STORING)


class ImportFile(models.Model):
    """One file of an import: its bytes packed, and what a tool's room made of them.

    `points` are those of schemas.stored, one for each case it would become; `keys` are their
    keys, `nameless_keys` the same without the names of jobs, `places` where each is stored.
    `ignore_commands`: commands that stand above outputs in the text give no options.
    `belongs_to` is the file whose result this one is a
    part of (a log), `role` its name in `parse_result.Output.files`; `said` are parameters that
    names of folders say. `host_name`, `target_name` and `tuning_name` are what a person says of
    this file, `proposed` what paths say under the same names: it counts where nobody says anything.
    After storing, `case` is the first case and its artifact has the bytes. A text with outputs of
    several tools is SPLIT: each tool's lines are a file of their own, `cut_from` it, `lines` their
    numbers there, [[first, last]].
    """

    of = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="files", db_index=False)
    number = models.PositiveIntegerField()
    path = models.CharField(_("file"), max_length=LONGEST_PATH)
    archive = models.CharField(max_length=LONGEST_PATH, blank=True)
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
    places: models.Field[Places, Places] = SchemaField(schema=PLACES, default=list)
    warnings: models.Field[Sequence[str], Remarks] = SchemaField(schema=REMARKS, default=list)
    refusal = MessageField(blank=True)
    role = models.CharField(max_length=420, default="stdout")
    said: models.Field[Said, Said] = SchemaField(schema=SAID, default=dict)
    belongs_to = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="parts"
    )
    host_name = models.CharField(_("host"), max_length=64, blank=True)
    target_name = models.CharField(_("target"), max_length=200, blank=True)
    tuning_name = models.CharField(_("tuning"), max_length=80, blank=True)
    proposed: models.Field[Proposed, Proposed] = SchemaField(schema=PROPOSED, default=dict)
    ignore_names = models.BooleanField(_("names of jobs mean nothing"), default=False)
    keep_duplicates = models.BooleanField(_("keep repeated outputs"), default=False)
    ignore_commands = models.BooleanField(_("commands above outputs are not theirs"), default=False)
    known_as = models.CharField(max_length=500, blank=True)
    keep = models.BooleanField(_("store"), default=True)
    cut_from = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="pieces"
    )
    lines: models.Field[Lines, Lines] = SchemaField(schema=LINES, default=list)
    case = models.ForeignKey(
        Case, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["of", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["of", "number"], name="files_are_numbered")
        ]

    def __str__(self) -> str:
        return self.path

    @property
    def line_words(self) -> str:
        """ "3-18, 25-30": the lines of the text it was cut from."""
        return ", ".join(f"{first}-{last}" for first, last in self.lines)
