"""The people and clients of apps/conftest.py."""

from __future__ import annotations

from apps.conftest import (  # noqa: F401 # fixtures are found by their names
    _fast_and_local,
    _nothing_cached,
    admin,
    admin_client,
    operator,
    owner,
    page_client,
    viewer,
    viewer_client,
)
