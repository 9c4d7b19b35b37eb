"""Pages preload exactly the modules that every page imports."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings
from django.template.loader import get_template

MODULES = Path(settings.BASE_DIR, "static/js/lib")
IMPORT = re.compile(
    r"""^import\b[^"]*"\./(\w+\.js)"|^[^*\n]*\bimport\("\./(\w+\.js)"\)""", re.MULTILINE
)


def imported_by(name: str, known: set[str]) -> set[str]:
    """Return the modules that a module imports, directly or not."""
    for pair in IMPORT.findall((MODULES / name).read_text()):
        module = "".join(pair)
        if module not in known:
            known.add(module)
            imported_by(module, known)
    return known


def test_preloads_of_every_page_are_the_imports_of_its_script() -> None:
    html = get_template("components/module_preloads.html").render()

    preloaded = set(re.findall(r"js/lib/(\w+)(?:\.\w+)?\.js", html))

    assert {f"{name}.js" for name in preloaded} == imported_by("site.js", set())
