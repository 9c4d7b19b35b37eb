"""Pages, mail and files in the language of their reader; data for programs in English."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import openpyxl
import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.accounts.tests.factories import create_user
from apps.alerts.services.alerts import alert_save, alert_send_test
from apps.alerts.services.evaluate import alerts_evaluate
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.inventory.tests.factories import create_host
from apps.remote.errors import host_error
from apps.runs.models import Run
from apps.tools.messages import as_message

CHINESE = {"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.5"}
pytestmark = pytest.mark.django_db
PREFERENCES = {"units": "binary", "time_zone": "UTC", "density": "roomy"}


@pytest.fixture
def run(owner: User) -> Run:
    return create_measured_run(Setup(owner))


def speak(user: User, language: str = "zh-hans") -> None:
    user.language = language
    user.save()


def test_pages_follow_the_language_that_each_user_chose(
    owner: User, viewer: User, client: Client
) -> None:
    titles = {}
    for user, language in ((owner, "en"), (viewer, "zh-hans")):
        client.force_login(user)
        client.post(reverse("preferences"), {**PREFERENCES, "language": language})
        page = client.get(reverse("host_list")).content.decode()
        titles[language] = 'lang="zh-hans"' in page, "主机" in page
    assert titles == {"en": (False, False), "zh-hans": (True, True)}


def test_language_unknown_is_refused(viewer: User, viewer_client: Client) -> None:
    wanted = {**PREFERENCES, "language": "tlh"}
    assert viewer_client.post(reverse("preferences"), wanted).status_code == 400
    viewer.refresh_from_db()
    assert viewer.language == ""


def test_login_page_follows_the_browser(client: Client) -> None:
    assert "登录" in client.get(reverse("login"), headers=CHINESE).content.decode()
    assert "登录" not in client.get(reverse("login")).content.decode()


@pytest.mark.parametrize(
    ("zone", "stored"), [("Asia/Shanghai", "Asia/Shanghai"), ("Mars/Olympus", "UTC"), ("", "UTC")]
)
def test_first_login_stores_language_and_zone_of_the_browser(
    client: Client, zone: str, stored: str
) -> None:
    user = create_user(username="li")
    credentials = {"username": "li", "password": "a long password", "time_zone": zone}
    assert client.post(reverse("login"), credentials, headers=CHINESE).status_code == 302
    user.refresh_from_db()
    assert (user.language, user.time_zone) == ("zh-hans", stored)


def test_later_login_leaves_the_preferences(client: Client) -> None:
    user = create_user(username="li")
    credentials = {"username": "li", "password": "a long password", "time_zone": "Asia/Shanghai"}
    client.post(reverse("login"), {**credentials, "time_zone": ""})
    client.post(reverse("logout"))
    client.post(reverse("login"), credentials, headers=CHINESE)
    user.refresh_from_db()
    assert (user.language, user.time_zone) == ("en", "UTC")


def test_api_answers_in_english_whatever_the_client_accepts(
    viewer: User, viewer_client: Client
) -> None:
    speak(viewer)
    answer = viewer_client.get("/api/v1/analysis/history/", {"workload": "no"}, headers=CHINESE)
    assert answer.status_code == 400
    assert answer.content.decode().isascii()
    assert answer.headers["Content-Language"] == "en"


def test_csv_of_a_page_is_the_same_for_every_reader(
    run: Run, viewer: User, viewer_client: Client, operator_client: Client
) -> None:
    speak(viewer)
    address = reverse("compare")
    files = [
        client.get(address, {"run": str(run.pk), "format": "csv"}).content
        for client in (viewer_client, operator_client)
    ]
    assert files[0] == files[1]


def test_report_files_are_in_the_language_of_the_reader(
    run: Run, viewer: User, viewer_client: Client, operator_client: Client
) -> None:
    speak(viewer)
    for client, is_chinese in ((viewer_client, True), (operator_client, False)):
        address = reverse("run_report", args=[run.pk])
        for file_format in ("html", "md"):
            text = client.get(address, {"format": file_format}).content.decode()
            assert ("中位数" in text) == is_chinese
        book = openpyxl.load_workbook(
            BytesIO(client.get(address, {"format": "xlsx"}).content), read_only=True
        )
        cells = {cell.value for sheet in book for line in sheet.iter_rows() for cell in line}
        assert any("中位数" in str(value) for value in cells) == is_chinese


def test_stored_message_is_shown_in_the_language_of_the_reader(
    viewer: User, viewer_client: Client, operator_client: Client
) -> None:
    fault = as_message(host_error("unreachable", "node7", "no route").message)
    host = create_host(name="node7", health="unreachable", health_text=fault)
    speak(viewer)
    address = reverse("host_detail", args=[host.pk])
    pages = [client.get(address).content.decode() for client in (viewer_client, operator_client)]
    assert ["could not be reached" in page for page in pages] == [False, True]


@pytest.mark.parametrize(("language", "word"), [("zh-hans", "测试"), ("", "Test of the alert")])
def test_mail_of_an_alert_is_in_the_language_of_its_owner(
    owner: User, settings: Any, language: str, word: str
) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    speak(owner, language)
    alert = alert_save(user=owner, fields={"name": "lab", "mail": "lab@example.org"})
    alert_send_test(alert=alert, user=owner)
    alerts_evaluate()
    assert word in mail.outbox[0].body
