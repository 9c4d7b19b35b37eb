"""The page of the fleet's wear."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.inventory.presenters import lab_tabs
from apps.inventory.selectors.inventory import disks_for_list
from apps.results.selectors.wear import DAYS, fleet_lives, plan_costs


@require_safe
def wear(request: HttpRequest) -> HttpResponse:
    context = {
        "lives": fleet_lives(disks_for_list()),
        "costs": plan_costs(),
        "days": DAYS,
        "tabs": lab_tabs(),
    }
    return render(request, "results/wear.html", context)
