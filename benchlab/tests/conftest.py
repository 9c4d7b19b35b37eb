"""The people and clients of apps/conftest.py, here too."""

from __future__ import annotations

from apps.conftest import (  # noqa: F401 # fixtures are found by their names
    _fast_and_local,
    admin,
    admin_client,
    api,
    operator,
    operator_client,
    owner,
    page_client,
    stranger,
    viewer,
    viewer_client,
)
