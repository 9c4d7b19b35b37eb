"""`manage.py compilemessages`: write the catalogues that gettext reads, without GNU msgfmt."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import polib
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Write the binary catalogue of each language, if it is older than its texts."

    def handle(self, *args: Any, **options: Any) -> None:
        for folder in settings.LOCALE_PATHS:
            for texts in sorted(Path(folder).glob("*/LC_MESSAGES/*.po")):
                compile_catalogue(texts)


def compile_catalogue(texts: Path) -> Path:
    """Write the .mo file beside `texts` and return it.

    Written beside and renamed, since several processes may start at once.
    """
    catalogue = texts.with_suffix(".mo")
    if catalogue.exists() and catalogue.stat().st_mtime >= texts.stat().st_mtime:
        return catalogue
    draft = texts.with_suffix(f".{os.getpid()}.tmp")
    polib.pofile(str(texts)).save_as_mofile(str(draft))
    draft.replace(catalogue)
    return catalogue
