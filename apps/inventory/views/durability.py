"""The page of calculated durability."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.inventory.domain.durability import durability
from apps.inventory.forms import DurabilityForm

EXAMPLE = {
    "k": 1, "m": 2, "disks": 12, "domains": 3, "groups": 1, "afr": 1.5, "rebuild_hours": 8,
}  # fmt: skip
"""A pool of three copies on three hosts; missing values of a query take these."""

MAX_YEARS = 1e12
SMALL = 1e-3
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@require_safe
@login_required
def durability_page(request: HttpRequest) -> HttpResponse:
    """Show the durability of the query's redundancy, disks, failure rate and rebuild time."""
    form = DurabilityForm({**EXAMPLE, **request.GET.dict()})
    valid = form.is_valid()
    context = {
        "form": form,
        "name": request.GET.get("name", "")[:120],
    }
    if valid:
        result = durability(form.disks_described())
        context |= {
            "result": result,
            "years": _("{years} years").format(years=years_text(result.mttdl_years)),
            "loss": probability_text(result.yearly_loss),
            "nines": f"{result.nines:.1f}",
        }
    return render(request, "inventory/durability.html", context, status=200 if valid else 400)


def probability_text(probability: float) -> str:
    """Return a probability with three digits; a small one as "1.1 × 10⁻⁹"."""
    if probability == 0 or probability >= SMALL:
        return f"{probability:.3g}"
    digits, _e, power = f"{probability:.2e}".partition("e")
    return f"{float(digits):g} × 10{str(int(power)).translate(SUPERSCRIPTS)}"


def years_text(years: float) -> str:
    """Return years with three significant digits; a chain of many copies has no useful limit."""
    if years > MAX_YEARS:
        return f"> {MAX_YEARS:,.0f}"
    return f"{float(f'{years:.3g}'):,.0f}" if years >= 100 else f"{years:.3g}"
