"""Names of imports that no user named: their contents and what was sent."""

from __future__ import annotations

from django.db.models import Case, CharField, F, Func, IntegerField, Min, Sum, Value, When
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.imports.models import FileState, Import
from apps.tools.registry import TOOLS

MAX_LENGTH = Import._meta.get_field("name").max_length or 0


# Computed by the database: an import may have 100,000 files.
_SENT = Case(When(archive="", then=F("path")), default=F("archive"))
_TOP = Func(_SENT, Value("^[^/]*/?"), function="substring", output_field=CharField())
_RESULTS = Func(F("keys"), function="cardinality", output_field=IntegerField())


def source_name(imported: Import) -> str:
    """Return the submitted file, folder or archive: "a.txt", "runs/", "a.txt and 3 more"."""
    rows = imported.files.filter(split_from=None).order_by().values_list(_TOP)
    tops = [name for name, _first in rows.annotate(first=Min("number")).order_by("first")]
    if len(tops) < 2:
        return "".join(tops)
    return _("%(first)s and %(others)d more") % {"first": tops[0], "others": len(tops) - 1}


def import_default_name_set(imported: Import) -> None:
    """Name an import by its contents, unless a user named it: "fio, 12 results: results/".

    Before it is read, the name is the submitted file, folder or archive.
    """
    source = source_name(imported) or _("Imported results")
    name = _fitted(_contents(imported), source)
    changed = Import.objects.filter(pk=imported.pk, is_named=False).update(name=name)
    if changed:
        imported.name = name


def _contents(imported: Import) -> str:
    rows = imported.files.filter(state=FileState.PARSED, primary_file=None).order_by()
    tools = rows.values_list("tool").annotate(first=Min("number"), results=Sum(_RESULTS))
    counts = list(tools.order_by("first"))
    results = sum(number for _tool, _first, number in counts)
    if not results:
        return ""
    labels = list(dict.fromkeys(TOOLS[tool].label for tool, *_more in counts if tool in TOOLS))
    text = ngettext("%(results)d result", "%(results)d results", results) % {"results": results}
    return f"{', '.join(labels)}, {text}: "


def _fitted(contents: str, source: str) -> str:
    """Join both within MAX_LENGTH characters; a long source loses its beginning."""
    limit = MAX_LENGTH - len(contents)
    return contents + (source if len(source) <= limit else f"...{source[3 - limit :]}")
