"""The form of a plan offers one pass of preconditioning."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.inventory.models import CatalogueEntry
from apps.inventory.tests.factories import create_disk_model
from apps.plans.domain.preview import preview_of
from apps.plans.schemas.preconditioning import Preconditioning
from apps.plans.selectors.over_provisioning import FIELD, stated_shares, with_stated_shares
from apps.plans.selectors.plans import plan_draft
from apps.plans.tests.factories import a_step, create_disk, create_plan
from apps.plans.tests.test_plan_form import plan as posted
from apps.plans.tests.test_plan_form import step

NAME = "preconditioning_sprandom_over_provisioning"


@pytest.mark.django_db
def test_the_form_has_the_field_as_a_share(owner_client: Client) -> None:
    page = owner_client.get(reverse("plan_new")).content.decode()
    assert NAME in page


@pytest.mark.django_db
def test_the_catalogue_states_the_share_of_a_disk(owner: User, owner_client: Client) -> None:
    model = create_disk_model("S4510")
    disk, other = create_disk(size=10**12, model=model), create_disk(size=10**12)
    entry = CatalogueEntry.objects.create(pattern="S45*", source="sheet", spr_op=0.28)
    reads = create_plan(owner=owner, targets=[disk, other], steps=[a_step(rw="randread")])
    plan = plan_draft(reads).data()
    (one,) = stated_shares(plan)
    assert (one.share, one.disks, one.source) == ("0.28", (str(disk),), "sheet")
    for share, warned in ((None, False), (0.07, True), (0.28, False)):
        once = Preconditioning(sprandom_over_provisioning=share)
        spec = msgspec.structs.replace(plan.spec, preconditioning=once)
        planned = dataclasses.replace(plan, spec=spec)
        preview = with_stated_shares(preview_of(planned), planned)
        assert (FIELD in {problem.field for problem in preview.warnings}) is warned
        assert [one.is_planned for one in stated_shares(planned)] == [share == 0.28]
    sent = posted("k", targets=[f"disk:{disk.pk}"]) | step("k", rw="randread")
    shown = owner_client.post(reverse("plan_live_preview"), sent).content.decode()
    assert f'data-advice-input="{NAME}" data-advice-value="0.28"' in shown
    entry.delete()
    assert stated_shares(plan) == []
