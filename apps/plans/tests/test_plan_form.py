"""The plan form: saving, refusing, putting steps together, the live preview."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import AuditEntry, User
from apps.plans.models import TestPlan
from apps.plans.selectors.plans import plan_draft
from apps.plans.tests.factories import create_disk, create_plan

NEW = "/plans/new/"


def step(key: str, **params: Any) -> dict[str, object]:
    values = {"rw": "randread", "bs": "4k", "size": "1G", "iodepth": "8", "numjobs": "1"}
    values |= {"rwmixread": "50", "runtime": "10", "time_based": "true", "ramp_time": "0"}
    values |= {"loops": "1", "ioengine": "libaio", "direct": "true", "invalidate": "true"}
    values |= {
        "thread": "false",
        "shared_file": "false",
        "cpus_allowed_policy": "shared",
        "offset": "0",
    }
    values |= {"refill_buffers": "true", "norandommap": "true", "randrepeat": "false"}
    values |= {"fsync": "0", "fdatasync": "0", "end_fsync": "false"}
    values |= {"group_reporting": "true", **params}
    return {f"step-{key}-tool": "fio", **{f"step-{key}-p-{k}": v for k, v in values.items()}}


def plan(*steps: str, **values: Any) -> dict[str, object]:
    posted = {"name": "mine", "repeats": "6", "order": "interleaved", "step": list(steps)}
    return posted | values


def keys(html: str) -> list[str]:
    return re.findall(r'name="step" value="(\w+)"', html)


def test_a_plan_is_saved_as_it_was_typed(owner_client: Client) -> None:
    disk = create_disk()
    data = plan("b", "a", targets=[f"disk:{disk.pk}"]) | step("a", rw=["randread", "read"])
    answer = owner_client.post(NEW, data | step("b", rw="randwrite", iodepth="1, 4"))
    saved = TestPlan.objects.get()
    assert answer.headers["Location"] == reverse("plan_detail", args=[saved.pk])
    first, second = plan_draft(saved).spec.steps
    assert first.params["iodepth"] == ["1", "4"]
    assert second.params["rw"] == ["randread", "read"]
    assert plan_draft(saved).targets == [disk]


def test_bad_value_is_shown_with_an_error_at_its_field(owner_client: Client) -> None:
    answer = owner_client.post(NEW, plan("a") | step("a", bs="4k, huge"))
    html = answer.content.decode()
    assert answer.status_code == 400
    assert re.search(r'id="id_step-a-p-bs_error">Write a size', html)
    assert 'value="4k, huge"' in html
    assert not TestPlan.objects.exists()


@pytest.mark.parametrize("bad", [{"name": ""}, {"repeats": "0"}, {"targets": ["disk:999"]}])
def test_a_bad_plan_is_not_saved(owner_client: Client, bad: dict[str, object]) -> None:
    assert owner_client.post(NEW, plan("a", **bad) | step("a")).status_code == 400
    assert not TestPlan.objects.exists()


def test_editing_shows_and_keeps_what_was_there(owner: User, owner_client: Client) -> None:
    saved = create_plan(owner=owner)
    address = reverse("plan_edit", args=[saved.pk])
    html = owner_client.get(address).content.decode()
    assert 'value="1G"' in html
    assert len(keys(html)) == 1
    owner_client.post(address, plan("a", name="renamed") | step("a"))
    assert TestPlan.objects.get().name == "renamed"


def test_the_template_is_filled_in_but_not_saved(owner_client: Client) -> None:
    html = owner_client.get(f"{NEW}?template=standard-four").content.decode()
    assert len(keys(html)) == 4
    assert 'value="100G"' in html
    assert not TestPlan.objects.exists()


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        ("up:b", ["b", "a", "c"]),
        ("up:a", ["a", "b", "c"]),
        ("down:a", ["b", "a", "c"]),
        ("down:c", ["a", "b", "c"]),
        ("remove:b", ["a", "c"]),
        ("nonsense:b", ["a", "b", "c"]),
        ("up:x", ["a", "b", "c"]),
        ("add:nonsense", ["a", "b", "c"]),
    ],
)
def test_steps_are_moved_and_removed(owner_client: Client, act: str, expected: list[str]) -> None:
    data = plan("a", "b", "c", act=act) | step("a") | step("b") | step("c")
    answer = owner_client.post(reverse("plan_steps"), data, headers={"HX-Request": "true"})
    assert keys(answer.content.decode()) == expected
    assert answer.headers["HX-Trigger-After-Settle"] == "stepschanged"


def test_steps_are_added_and_copied(owner_client: Client) -> None:
    data = plan("a", act="add:fio") | step("a", iodepth="77")
    html = owner_client.post(reverse("plan_steps"), data).content.decode()
    assert len(keys(html)) == 2
    assert "<html" in html, "without scripts the whole form comes back"
    data["act"] = "copy:a"
    html = owner_client.post(reverse("plan_steps"), data).content.decode()
    assert html.count('value="77"') == 2


def preview(client: Client, data: dict[str, object]) -> tuple[str, dict[str, list[str]]]:
    html = client.post(reverse("plan_live_preview"), data).content.decode()
    match = re.search(r'id="plan-problems"[^>]*>(.*?)</script>', html)
    assert match
    return html, json.loads(match[1])


def test_the_preview_shows_cases_and_places_problems(owner_client: Client) -> None:
    disk = create_disk(enrolled=False)
    data = plan("a", targets=[f"disk:{disk.pk}"], repeats="3")
    html, beside = preview(owner_client, data | step("a", rw="randwrite", numjobs="4, 99"))
    assert "random write 4 KiB, QD 8, 4 jobs" in html
    assert beside["step-a-p-numjobs"][0].endswith("they take turns."), "a warning, at its input"
    assert "not enrolled" in beside["step-a-p-rw"][0]
    assert "at least 4" in beside["repeats"][0]


def test_the_preview_of_nonsense_is_a_page_all_the_same(owner_client: Client) -> None:
    junk = {"name": "x", "repeats": "many", "order": "?", "step": ["a", "../b", "q"]}
    _html, beside = preview(owner_client, {**junk, "step-a-tool": "fio", "step-q-tool": "none"})
    assert "repeats" in beside
    assert "order" in beside


def test_viewers_get_no_form(viewer_client: Client) -> None:
    assert viewer_client.get(NEW).status_code == 403
    for name in ("plan_steps", "plan_live_preview"):
        assert viewer_client.post(reverse(name), {}).status_code == 403


def expecting(key: str, number: int, **parts: str) -> dict[str, object]:
    row = {"metric": "iops", "direction": "", "value": "", "tolerance": "", "operation": ""}
    return {
        f"step-{key}-e{number}-{name}": v for name, v in (row | {"source": "own"} | parts).items()
    }


def test_expectations_are_entered_stored_and_shown(owner_client: Client) -> None:
    data = plan("a") | step("a") | expecting("a", 0, value="6000", tolerance="5")
    data |= expecting("a", 1, metric="latency_p99", value="10 ms", operation="read")
    data |= expecting("a", 2, metric="", value="ignored")
    owner_client.post(NEW, data)
    saved = TestPlan.objects.get()
    first, second = plan_draft(saved).spec.steps[0].expectations
    assert (first.metric, first.direction, first.value, first.tolerance) == (
        "iops",
        "least",
        6000,
        5,
    )
    assert (second.direction, second.value, second.unit) == ("most", 1e7, "ms")
    html = owner_client.get(reverse("plan_edit", args=[saved.pk])).content.decode()
    assert 'value="10 ms"' in html
    assert 'value="6,000 IOPS"' in html
    shown = owner_client.get(reverse("plan_detail", args=[saved.pk])).content.decode()
    assert "IOPS at least 6,000 IOPS, 5 % tolerance" in shown


def test_an_expectation_that_cannot_be_read(owner_client: Client) -> None:
    answer = owner_client.post(NEW, plan("a") | step("a") | expecting("a", 0, value="10 ms"))
    assert answer.status_code == 400
    assert re.search(r'id="id_step-a-e0-value_error">Write a number', answer.content.decode())
    answer = owner_client.post(NEW, plan("a") | step("a") | expecting("a", 0))
    assert re.search(r'id="id_step-a-e0-metric_error">An expect', answer.content.decode())
    assert not TestPlan.objects.exists()


def test_one_more_expectation_can_be_added(owner_client: Client) -> None:
    data = plan("a", act="expect:a") | step("a") | expecting("a", 0, value="6000")
    html = owner_client.post(reverse("plan_steps"), data, headers={"HX-Request": "true"})
    assert "step-a-e1-metric" in html.content.decode()
    assert 'value="6000"' in html.content.decode()


def test_copy_of_a_plan_is_saved_only_with_its_change(owner_client: Client) -> None:
    disk = create_disk()
    data = plan("a", targets=[f"disk:{disk.pk}"]) | step("a", iodepth="8")
    owner_client.post(NEW, data)
    first = TestPlan.objects.get()
    page = owner_client.get(f"{NEW}?plan={first.pk}").content.decode()
    assert f"{first.name} (copy)" in page
    assert TestPlan.objects.count() == 1
    (key,) = keys(page)
    assert f'name="step-{key}-p-iodepth"' in page
    assert owner_client.get(f"{NEW}?plan=x").status_code == 404
    assert f'name="copy_of" value="{first.pk}"' in page
    owner_client.post(NEW, data | {"name": "copy", "copy_of": str(first.pk)})
    created = AuditEntry.objects.get(action="create", label="copy")
    assert created.detail == {"copy_of": first.pk}


def test_steps_of_a_long_plan_are_folded_lines(owner_client: Client) -> None:
    """Few steps are open; the words of a line follow the entries with each preview."""
    address = reverse("plan_new")
    many = owner_client.get(address, {"template": "standard-four"}).text
    assert many.count('class="plan-step-line"') == 4
    assert 'data-group="step" open' not in many
    posted = {"act": "add:fio"}
    one = owner_client.post(reverse("plan_steps"), posted, headers={"HX-Request": "true"}).text
    assert 'data-group="step" open' in one
    entered = {"step": "a", "step-a-tool": "fio", "step-a-name": "Deep", "step-a-p-iodepth": "64"}
    preview = owner_client.post(reverse("plan_live_preview"), entered).text
    assert 'id="step-line-a" hx-swap-oob="true"><strong>Deep</strong>' in preview
