"""A plan begins at a disk's page: three questions, and nothing runs before it is launched."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.plans.domain.preview import preview_of
from apps.plans.domain.wizard_goals import QUESTIONS, SECONDS, PlanWizard, loads
from apps.plans.models import TestPlan
from apps.plans.selectors.plans import plan_draft
from apps.plans.services.wizard import wizard_plan_create
from apps.plans.tests.factories import create_disk
from apps.tuning.models import TuningProfile
from apps.tuning.services import TuningDraft, tuning_create

READ = "small-reads"
SETTING = {"kind": "queue", "name": "scheduler", "value": "none"}


def ask(client: Client, pk: int, **answers: object) -> str:
    """The address it leads to; the page where it is refused."""
    sent = {"question": "schedulers", "loads": [READ], "seconds": "10"} | answers
    answer = client.post(reverse("disk_start", args=[pk]), sent)
    return answer.headers.get("Location", "") or answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_answer_becomes_a_plan_that_can_run(owner: User, question: str) -> None:
    disk = create_disk()
    made = wizard_plan_create(
        target=disk, user=owner, start=PlanWizard(question, list(loads()), min(SECONDS))
    )
    preview = preview_of(plan_draft(made).data())
    assert preview.problems == ()
    assert (len(made.spec.steps), made.spec.repeats) == (len(loads()), 6)
    assert made.spec.preconditioning.sequential_fills == 1


@pytest.mark.django_db
def test_schedulers_are_compared_on_filled_blocks(owner: User) -> None:
    made = wizard_plan_create(
        target=create_disk(), user=owner, start=PlanWizard("schedulers", [READ], 60)
    )
    assert [tuning.name for tuning in made.tunings.order_by("name")] == [
        "Host defaults", "Scheduler mq-deadline", "Scheduler none",
    ]  # fmt: skip
    assert made.baseline is not None
    assert made.baseline.name == "Host defaults"
    (step,) = plan_draft(made).spec.steps
    assert (step.params["rw"], step.params["runtime"], step.params["size"]) == (
        "randread", 60, None,
    )  # fmt: skip


@pytest.mark.django_db
def test_depths_are_one_list(owner: User) -> None:
    made = wizard_plan_create(
        target=create_disk(), user=owner, start=PlanWizard("depths", ["large-writes"], 10)
    )
    (step,) = plan_draft(made).spec.steps
    assert step.params["iodepth"] == ["1", "2", "4", "8", "16", "32", "64", "128"]
    assert (made.spec.preconditioning.sequential_fills, made.tunings.count()) == (0, 1)


@pytest.mark.django_db
def test_writes_come_before_reads(owner: User) -> None:
    asked = PlanWizard("as-it-is", ["large-reads", "small-writes"], 10)
    made = wizard_plan_create(target=create_disk(), user=owner, start=asked)
    assert [step.params["rw"] for step in plan_draft(made).spec.steps] == ["randwrite", "read"]


@pytest.mark.django_db
def test_a_profile_that_sets_the_same_is_used_and_names_stay_free(owner: User) -> None:
    mine = tuning_create(user=owner, draft=TuningDraft("noop of old", settings=[SETTING]))
    other = {**SETTING, "name": "nr_requests", "value": "64"}
    tuning_create(user=owner, draft=TuningDraft("Scheduler mq-deadline", settings=[other]))
    disk = create_disk()
    first, second = (
        wizard_plan_create(target=disk, user=owner, start=PlanWizard("schedulers", [READ], 10))
        for _ in range(2)
    )
    assert mine in first.tunings.all()
    assert second.name == f"{first.name} 2"
    assert set(first.tunings.all()) == set(second.tunings.all())
    assert TuningProfile.objects.filter(name="Scheduler mq-deadline 2").count() == 1


def test_the_page_leads_to_the_plan_and_launches_nothing(owner_client: Client) -> None:
    disk = create_disk()
    assert reverse("disk_start", args=[disk.pk]) in owner_client.get(
        reverse("disk_detail", args=[disk.pk])
    ).content.decode()  # fmt: skip
    where = ask(owner_client, disk.pk)
    assert where == reverse("plan_detail", args=[TestPlan.objects.get().pk])
    page = owner_client.get(where).content.decode()
    assert "Nothing runs before you launch it." in page
    assert "the whole disk" in page
    assert not TestPlan.objects.get().runs.exists()


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"loads": []}, "This field is required."),
        ({"loads": ["sparkling"]}, "sparkling is not one of the available choices."),
        ({"seconds": "11"}, "11 is not one of the available choices."),
        ({"question": "why"}, "why is not one of the available choices."),
    ],
)
def test_unusable_input_is_an_error(
    owner_client: Client, answers: dict[str, object], sentence: str
) -> None:
    assert sentence in ask(owner_client, create_disk().pk, **answers)
    assert not TestPlan.objects.exists()


def test_a_disk_that_is_not_enrolled_gets_no_plan(owner_client: Client) -> None:
    disk = create_disk(enrolled=False)
    assert "Enrol the disk first" in ask(owner_client, disk.pk)
    page = owner_client.get(reverse("disk_detail", args=[disk.pk])).content.decode()
    assert reverse("disk_start", args=[disk.pk]) not in page
    assert not TuningProfile.objects.filter(name__startswith="Scheduler").exists()


def test_one_scheduler_is_no_question(owner_client: Client) -> None:
    disk = create_disk(facts={"queue": {"schedulers": ["none"]}})
    page = owner_client.get(reverse("disk_start", args=[disk.pk])).content.decode()
    assert 'value="schedulers"' not in page
    assert 'value="depths"' in page


def test_operators_begin_a_plan_and_viewers_do_not(
    owner_client: Client, stranger_client: Client, viewer_client: Client
) -> None:
    disk = create_disk()
    assert ask(owner_client, disk.pk).startswith("/plans/")
    assert ask(stranger_client, disk.pk).startswith("/plans/")
    assert viewer_client.get(reverse("disk_start", args=[disk.pk])).status_code == 403
    page = viewer_client.get(reverse("disk_detail", args=[disk.pk])).content.decode()
    assert reverse("disk_start", args=[disk.pk]) not in page
