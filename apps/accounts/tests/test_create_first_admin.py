"""`manage.py create_first_admin` makes one admin, once, and keeps its password from others."""

from __future__ import annotations

import stat
from io import StringIO
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import call_command

from apps.accounts.models import User


@pytest.fixture(autouse=True)
def home(settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("BENCHLAB_ADMIN_PASSWORD", raising=False)
    settings.HOME = tmp_path
    return tmp_path


def command_output() -> str:
    out = StringIO()
    call_command("create_first_admin", stdout=out)
    return out.getvalue()


def test_generated_password_is_stored_for_this_account_only(db: None, home: Path) -> None:
    text = command_output()
    path = home / "secrets" / "admin-password"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    password = path.read_text().strip()
    assert len(password) >= 16
    assert password in text
    admin = User.objects.get()
    assert admin.check_password(password)
    assert admin.is_admin


def test_the_second_time_says_the_same(db: None) -> None:
    assert command_output() == command_output()
    assert User.objects.count() == 1


def test_a_given_password_is_used_and_not_written_down(
    db: None, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHLAB_ADMIN_PASSWORD", "given by somebody")
    text = command_output()
    assert "given by somebody" not in text
    assert User.objects.get().check_password("given by somebody")
    assert not (home / "secrets").exists()


def test_a_password_changed_since_is_not_claimed_to_be_known(db: None) -> None:
    command_output()
    admin = User.objects.get()
    admin.set_password("changed on the page")
    admin.save()
    assert "set in benchlab" in command_output()
