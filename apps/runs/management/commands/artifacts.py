"""`manage.py artifacts`: show, move, check and clean up raw output."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Count, Sum

from apps.blobs.domain.compression import BlobDamaged
from apps.blobs.models import Blob, BlobStore
from apps.blobs.selectors import blobs_unreferenced
from apps.blobs.services.blobs import blobs_delete_unreferenced, stray_files_delete
from apps.blobs.services.migration import blob_verify, blobs_move
from apps.runs.models import Artifact


class Command(BaseCommand):
    help = "Show where raw output is kept; move it; check or tidy up what is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("show", help="what is kept where, and how many bytes")
        move = acts.add_parser("move", help="take everything to one store")
        move.add_argument("store", choices=BlobStore.values)
        move.add_argument("--do", action="store_true", help="move; without it: say what would be")
        acts.add_parser("check", help="read every file that is kept and compare its hash")
        tidy = acts.add_parser("tidy", help="remove bytes that no artifact refers to")
        tidy.add_argument("--do", action="store_true", help="remove; without it: say what would be")

    def handle(self, *args: Any, **options: Any) -> None:
        match options["act"]:
            case "show":
                self._show()
            case "move":
                self._move(BlobStore(options["store"]), do=options["do"])
            case "check":
                self._check()
            case "tidy":
                self._tidy(do=options["do"])

    def _show(self) -> None:
        for store in BlobStore:
            count, packed, size = _sums(store)
            text = f"{store.label}: {count} files, {_mb(packed)} packed of {_mb(size)}"
            self.stdout.write(text)
        stored = Artifact.objects.filter(blob__isnull=False)
        totals = stored.aggregate(count=Count("pk"), size=Sum("size"))
        self.stdout.write(f"{totals['count']} artifacts refer to them, {_mb(totals['size'] or 0)}")

    def _move(self, target: BlobStore, *, do: bool) -> None:
        rows = Blob.objects.exclude(store=target)
        totals = rows.aggregate(count=Count("pk"), packed=Sum("compressed_bytes"))
        text = f"{totals['count']} files, {_mb(totals['packed'] or 0)}, to {target.label}"
        if not do:
            self.stdout.write(f"would move {text}; --do moves them")
            return
        moved = packed = failed = 0
        for each in blobs_move(target=target):
            if each.error:
                failed += 1
                self.stderr.write(f"{each.blob.sha256}: {each.error}; it stays where it is")
            else:
                moved, packed = moved + 1, packed + each.blob.compressed_bytes
        self.stdout.write(f"moved {moved} files, {_mb(packed)}, to {target.label}")
        if failed:
            raise CommandError(f"{failed} files could not be moved.")

    def _check(self) -> None:
        failed = count = 0
        for blob in Blob.objects.order_by("pk").iterator(chunk_size=500):
            count += 1
            try:
                blob_verify(blob)
            except (BlobDamaged, OSError) as error:
                failed += 1
                self.stderr.write(f"{blob.sha256} ({blob.get_store_display()}): {error}")
        self.stdout.write(f"{count} files read, {failed} are not what was stored")
        if failed:
            raise CommandError(f"{failed} files are damaged or missing.")

    def _tidy(self, *, do: bool) -> None:
        unused = blobs_unreferenced()
        totals = unused.aggregate(count=Count("pk"), packed=Sum("compressed_bytes"))
        text = f"{totals['count']} files that nothing refers to, {_mb(totals['packed'] or 0)}"
        if not do:
            self.stdout.write(f"would remove {text}; --do removes them")
            return
        freed = blobs_delete_unreferenced(list(unused.values_list("pk", flat=True)))
        strays = stray_files_delete()
        self.stdout.write(f"removed {_mb(freed)}, and {strays} files that no row knows")


def _sums(store: str) -> tuple[int, int, int]:
    rows = Blob.objects.filter(store=store)
    totals = rows.aggregate(
        count=Count("pk"), packed=Sum("compressed_bytes"), size=Sum("size_bytes")
    )
    return totals["count"], totals["packed"] or 0, totals["size"] or 0


def _mb(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
