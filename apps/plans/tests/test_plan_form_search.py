"""Parameters that are found by search, and steps that are pasted."""

from __future__ import annotations

import re

from django.test import Client

from apps.accounts.models import User
from apps.plans.models import TestPlan
from apps.plans.schemas.plan import StepSpec
from apps.plans.selectors.plans import plan_draft
from apps.plans.tests.factories import create_plan
from apps.plans.tests.test_plan_form import NEW, keys, plan, step
from apps.tuning.models import TuningProfile

STEPS = "/plans/steps/"
JOBS = (
    "[global]\nsize=1g\nfilename=/dev/vdb\n[first]\nrw=randwrite\nbssplit=4k/60:64k/40\n"
    "[second]\nstonewall\nrw=read\nexec_prerun=<b>reboot</b>\n[third]\nstonewall\nrw=read\n"
)


def test_rare_parameters_have_no_input_until_they_are_searched_for(operator_client: Client) -> None:
    data = plan("a") | step("a")
    html = operator_client.post(STEPS, data | {"act": "nothing:a"}).content.decode()
    assert 'name="step-a-p-bssplit"' not in html
    assert '<option value="bssplit">bssplit: Set a specific mix of block sizes.' in html
    sent = data | {"act": "more:a", "step-a-more": "bssplit"}
    html = operator_client.post(STEPS, sent).content.decode()
    assert 'name="step-a-p-bssplit"' in html
    assert '<option value="bssplit">' not in html


def test_a_choice_that_was_searched_for_stays_until_something_is_chosen(
    operator_client: Client,
) -> None:
    data = plan("a") | step("a") | {"step-a-p-verify-shown": "1"}
    html = operator_client.post(STEPS, data | {"act": "copy:a"}).content.decode()
    assert html.count('-p-verify"') >= 1
    assert len(keys(html)) == 2


def test_a_parameter_nobody_knows_changes_nothing(operator_client: Client) -> None:
    sent = plan("a") | step("a") | {"act": "more:a", "step-a-more": "exec_prerun"}
    html = operator_client.post(STEPS, sent).content.decode()
    assert "p-exec_prerun" not in html


def test_what_was_searched_for_is_saved_and_shown_again(operator_client: Client) -> None:
    values = {"bssplit": "4k/60:64k/40; 8k", "thinktime": "", "verify": [], "rw": "randwrite"}
    data = plan("a") | step("a", **values) | {"step-a-p-verify-shown": "1"}
    assert operator_client.post(NEW, data).status_code == 302
    saved = TestPlan.objects.get()
    params = plan_draft(saved).spec.steps[0].params
    assert params["bssplit"] == ["4k/60:64k/40", "8k"]
    assert "thinktime" not in params
    assert "verify" not in params
    html = operator_client.get(f"/plans/{saved.pk}/edit/").content.decode()
    assert 'value="4k/60:64k/40; 8k"' in html


def test_hostile_value_is_shown_with_an_error_at_its_input(operator_client: Client) -> None:
    data = plan("a") | step("a", bssplit="4k --filename=/dev/sda")
    answer = operator_client.post(NEW, data)
    assert answer.status_code == 400
    assert re.search(r'p-bssplit_error">Write it as 4k/60:64k/40', answer.content.decode())


def test_pasted_sections_become_steps_and_every_line_is_answered(operator_client: Client) -> None:
    data = plan("a") | step("a") | {"act": "paste", "paste": JOBS}
    html = operator_client.post(STEPS, data).content.decode()
    assert len(keys(html)) == 3
    assert "2 steps were added" in html
    assert 'value="4k/60:64k/40"' in html
    assert "It runs a command on the host." in html
    assert "exec_prerun=&lt;b&gt;reboot&lt;/b&gt;" in html
    assert re.findall(r'data-line="(\d+)"', html) == ["3", "4", "8", "10", "11", "12"]
    assert "A step names no disk and no file" in html


def test_more_steps_than_a_plan_has_are_not_added(operator_client: Client) -> None:
    jobs = "".join(f"[s{number}]\nstonewall\nrw=read\n" for number in range(51))
    html = operator_client.post(STEPS, plan() | {"act": "paste", "paste": jobs}).content
    assert keys(html.decode()) == []
    assert b"at most 50 steps" in html


def test_texts_of_nothing_add_no_step(operator_client: Client) -> None:
    for text in ("", "some words\n", "#" * 70_000):
        sent = plan() | {"act": "paste", "paste": text}
        assert keys(operator_client.post(STEPS, sent).content.decode()) == []


def test_commands_of_several_tools_become_steps_in_order(operator_client: Client) -> None:
    text = "dd if=/dev/zero of=/dev/sdb bs=1M count=9\nfor b in 4k 8k; do\n"
    text += "fio --name=a --rw=read --bs=$b\ndone\necho 2 > /sys/block/sdb/queue/nr_requests\n"
    html = operator_client.post(STEPS, plan() | {"act": "paste", "paste": text}).content.decode()

    assert len(keys(html)) == 2
    assert re.findall(r'form="(pasted-\w+)" hidden', html) == ["pasted-tuning"]
    assert 'value="4096, 8192"' in html or "4k, 8k" in html or "4 KiB, 8 KiB" in html


def test_lines_of_a_pasted_text_open_a_tuning_that_is_not_saved(operator_client: Client) -> None:
    sent = {"proposed": "1", "sysctl": "echo 2 > /sys/block/sdb/queue/nr_requests"}
    answer = operator_client.post("/tunings/new/", sent)

    assert answer.status_code == 200
    assert "queue/nr_requests</textarea>" in answer.content.decode()
    assert not TuningProfile.objects.filter(name="").exists()


def test_the_page_of_a_plan_shows_what_was_searched_for(
    operator_client: Client, operator: User
) -> None:
    params = {"rw": "randread", "size": "1G", "random_distribution": "zipf:1.2"}
    made = create_plan(owner=operator, steps=[StepSpec("fio", params)])
    html = operator_client.get(f"/plans/{made.pk}/").content.decode()
    assert "random_distribution zipf:1.2" in html
