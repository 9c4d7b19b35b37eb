"""Services of imports: receive, read, name, store and discard."""

from apps.imports.services.editing import ImportDraft, import_discard, import_update
from apps.imports.services.read import import_read
from apps.imports.services.receive import import_receive
from apps.imports.services.request import import_begin, import_hint, import_store
from apps.imports.services.store import import_write

__all__ = [
    "ImportDraft",
    "import_begin",
    "import_discard",
    "import_hint",
    "import_read",
    "import_receive",
    "import_store",
    "import_update",
    "import_write",
]
