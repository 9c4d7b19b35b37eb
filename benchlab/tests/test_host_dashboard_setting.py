"""BENCHLAB_HOST_DASHBOARD is a URL of a web page with known placeholders."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from benchlab.env import env_url_template

TEMPLATE = "https://grafana.lab/d/x?var-host={host}&from={from}&to={to}"


@pytest.mark.parametrize("wrong", [
    "javascript:alert(1)//{host}",
    "//grafana.lab/{host}",
    "https://{host}/",
    "https://grafana.lab/{user}",
    "https://grafana.lab/{host.name}",
    "https://grafana.lab/{0}",
    "https://grafana.lab/{host",
    "https://[grafana/",
    "ftp://grafana.lab/{host}",
])  # fmt: skip
def test_wrong_setting_is_refused(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    monkeypatch.setenv("BENCHLAB_HOST_DASHBOARD", wrong)
    with pytest.raises(ImproperlyConfigured, match="BENCHLAB_HOST_DASHBOARD"):
        env_url_template("BENCHLAB_HOST_DASHBOARD", "host", "from", "to")


def test_right_setting_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHLAB_HOST_DASHBOARD", TEMPLATE)
    assert env_url_template("BENCHLAB_HOST_DASHBOARD", "host", "from", "to") == TEMPLATE
