"""One of everything that the API shows, for tests that ask every address."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from django.http import QueryDict

from apps.acceptance.models import Acceptance
from apps.acceptance.tests.factories import create_acceptance
from apps.accounts.models import ApiToken, SavedView, Team, User
from apps.accounts.services import token_create
from apps.accounts.tests.factories import create_team, create_user
from apps.alerts.models import Alert
from apps.analysis.queries.comparison_query import parse_comparison_query
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.analysis.verdicts.comparison import grouped
from apps.bookings.models import Booking, BookingRequest
from apps.bookings.tests.factories import create_booking, create_request
from apps.imports.models import Import
from apps.imports.tests.factories import create_import
from apps.inventory.models import (
    CatalogueEntry,
    Credential,
    Directory,
    Disk,
    Host,
    HostAuthority,
    HostBatch,
    HostPair,
    Pool,
    TargetGroup,
)
from apps.inventory.tests.factories import (
    create_batch,
    create_directory,
    create_disk_model,
    create_group,
    create_pool,
    public_line,
)
from apps.plans.models import TestPlan
from apps.reports.models import SavedReport, ShareLink
from apps.reports.services import ReportDraft, SectionDraft, report_create, share_link_create
from apps.results.models import Baseline, Measurement, Series
from apps.results.tests.factories import create_results
from apps.runs.models import ApprovalPolicy, Artifact, Case, Run
from apps.runs.tests.factories import create_attempt, create_disk, create_host, create_plan
from apps.runs.tests.factories import create_run as launch
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import Setting


@dataclass(frozen=True)
class World:
    """A host with an enrolled disk, a directory and a pool, a pair, a group, a plan, its measured
    run, all of one owner.

    `compared` is another run, with two tunings to compare.
    """

    owner: User
    team: Team
    person: User
    host: Host
    disk: Disk
    directory: Directory
    pool: Pool
    pair: HostPair
    group: TargetGroup
    tuning: TuningProfile
    plan: TestPlan
    run: Run
    case: Case
    measurement: Measurement
    series: Series
    artifact: Artifact
    token: ApiToken
    compared: Run
    imported: Import
    key: Credential
    batch: HostBatch
    authority: HostAuthority
    report: SavedReport
    share: ShareLink
    share_token: str
    baseline: Baseline
    catalogue_entry: CatalogueEntry
    alert: Alert
    policy: ApprovalPolicy
    booking: Booking
    booking_request: BookingRequest
    acceptance: Acceptance
    saved_view: SavedView

    @functools.cached_property
    def slug(self) -> str:
        """The name of the one group of workloads in the comparison of `compared`."""
        _repeats, found = grouped(parse_comparison_query(QueryDict(f"run={self.compared.pk}")))
        return found.groups[0].slug


def create_world(owner: User) -> World:
    """Everything there is one of, belonging to `owner`."""
    host = create_host()
    disk = create_disk(host=host, owner=owner, model=create_disk_model())
    tuning = TuningProfile.objects.create(
        name="no scheduler",
        owner=owner,
        settings=(Setting("queue", "scheduler", "none"),),
    )
    run = launch(owner=owner, target=create_disk(host=host, owner=owner))
    case = run.cases.get()
    create_results(create_attempt(case))
    compared = create_measured_run(Setup(owner=owner, repeats=2, histograms=True))
    asked = SectionDraft(view="sweep", query=f"run={compared.pk}")
    report = report_create(user=owner, draft=ReportDraft("Sweeps", sections=[asked]))
    share, share_token = share_link_create(report=report, user=owner, days=1)
    return World(
        owner=owner,
        team=create_team(),
        person=create_user(),
        host=host,
        disk=disk,
        directory=create_directory(owner=owner, host=host),
        pool=create_pool(owner=owner, host=host),
        pair=HostPair.objects.create(client=host, server=create_host()),
        group=create_group(owner=owner),
        tuning=tuning,
        plan=create_plan(owner=owner, target=disk),
        run=run,
        case=case,
        measurement=Measurement.objects.filter(case=case)[0],
        series=Series.objects.filter(attempt__case=case)[0],
        artifact=Artifact.objects.filter(attempt__case=case)[0],
        token=token_create(user=owner, name="script", read_only=False, days=1)[0],
        compared=compared,
        imported=create_import(owner),
        key=Credential.objects.create(name="spare", public_key=public_line(), encrypted_key=b""),
        batch=create_batch(owner, host),
        authority=HostAuthority.objects.create(patterns="*.lab", public_key=public_line()),
        report=report,
        share=share,
        share_token=share_token,
        alert=Alert.objects.create(owner=owner, name="failures", mail="lab@example.org"),
        policy=ApprovalPolicy.objects.create(
            name="wipes elsewhere", on_wipe=True, host_tag="other"
        ),
        booking=create_booking(owner, host, start=1, end=2),
        booking_request=create_request(owner, host),
        acceptance=create_acceptance(owner, disk, state="ended"),
        saved_view=SavedView.objects.create(
            owner=owner, page="run_list", name="failed", query="state=failed"
        ),
        baseline=Baseline.objects.create(
            owner=owner, run=compared, target=compared.targets.all()[0].target
        ),
        catalogue_entry=CatalogueEntry.objects.create(pattern="S4510*", source="data sheet"),
    )
