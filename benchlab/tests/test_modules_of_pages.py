"""Modules of pages get names with a hash when they are collected for a server."""

from __future__ import annotations

import shutil
from pathlib import Path

from django.conf import settings

from apps.common.web.storage import ModuleStaticFilesStorage


def test_every_module_is_collected_under_a_name_with_a_hash(tmp_path: Path) -> None:
    """A hash is made of what a module imports: two that import each other, be it in a comment that
    names a type, have none, and no server starts.
    """
    shutil.copytree(Path(settings.BASE_DIR) / "static" / "js", tmp_path / "js")
    storage = ModuleStaticFilesStorage(location=str(tmp_path), base_url="/static/")
    names = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.js")]
    made = list(storage.post_process({name: (storage, name) for name in names}))
    assert [(name, failed) for name, _, failed in made if isinstance(failed, Exception)] == []
    hashed = {name: new for name, new, _ in made if str(new).endswith(".js")}
    chart = (tmp_path / hashed["js/lib/chart.js"]).read_text()
    assert Path(hashed["js/lib/chart_files.js"]).name in chart
