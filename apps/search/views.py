"""Search page."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.search.selectors.search import search, suggestions, words_of

MOST = 8
MOST_OF_ONE = 200
MOST_SUGGESTED = 8


@require_safe
@login_required
def search_page(request: HttpRequest) -> HttpResponse:
    """Search for `?q=`; `?kind=` lists all matches of one kind."""
    text = " ".join(words_of(request.GET.get("q", "")))
    kind = request.GET.get("kind", "")
    hits = search(text, kinds=[kind], most=MOST_OF_ONE) if kind else search(text, most=MOST)
    alike = any(one.alike for one in hits)
    context = {"text": text, "searched": text, "hits": hits, "alike": alike}
    context |= {"kind": kind, "most": MOST_OF_ONE}
    return render(request, "search/search.html", context)


@require_safe
@login_required
def search_suggestions(request: HttpRequest) -> HttpResponse:
    """Render the first matches for `?q=` as options of the command palette."""
    text = " ".join(words_of(request.GET.get("q", "")))
    context = {"text": text, "hits": suggestions(text, most=MOST_SUGGESTED)}
    return render(request, "search/suggestions.html", context)
