"""Pages that a process keeps as long as a stamp says that what they show is as it was.

Nobody's name, menu or token is kept: where they stood there are marks, in whose place each reader
gets their own. What else differs between readers is in the name under which a page is kept:
language, preferences, and what the view says of their rights.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Any

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.signals import setting_changed
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.translation import get_language
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.ages import Ages, listening
from apps.common.preferences import preferences
from apps.common.templatetags.benchlab_format import relative
from apps.common.templatetags.benchlab_nav import TOKEN, navbar_of

MOST = 32 * 1024**2
"""Bytes of pages that a process keeps."""
LONGEST = 1_000
"""Characters of a query string; what is longer is made each time."""
# Unknown outside of the process, so that no text of a person's can say them.
_TOKEN_MARK, _MENU_MARK = (f"<{secrets.token_hex(16)}>" for _ in range(2))
_TOKENS = re.compile(r'name="csrfmiddlewaretoken" value="([^"]*)"')
_INPUT = '<input type="hidden" name="csrfmiddlewaretoken" value="{}">'


@dataclass(frozen=True)
class KeptPage:
    """A page with marks in place of what belongs to a reader, and the words of time in it."""

    html: str
    status: int
    ages: Ages

    @property
    def size(self) -> int:
        return len(self.html)

    def holds(self) -> bool:
        """Whether its words of time are those of now."""
        return self.ages.hold(relative)

    def answer(self, request: HttpRequest) -> HttpResponse:
        """The page for this reader."""
        html = self.html
        if _MENU_MARK in html:
            html = html.replace(_MENU_MARK, _menu(request))
        if _TOKEN_MARK in html:
            html = html.replace(_TOKEN_MARK, get_token(request))
        return HttpResponse(html, status=self.status)


@dataclass(frozen=True)
class KeptDocument:
    """A document of the API, which is the same for everybody and at any time."""

    content: bytes

    @property
    def size(self) -> int:
        return len(self.content)

    def holds(self) -> bool:
        return True


Kept = KeptPage | KeptDocument


class KeptDocumentResponse(Response):
    """The answer of the API that has been rendered before."""

    def __init__(self, kept: KeptDocument) -> None:
        super().__init__()
        self._kept = kept

    @property
    def rendered_content(self) -> bytes:  # type: ignore[override] # as REST framework's own does
        self.headers["Content-Type"] = JSONRenderer.media_type
        return self._kept.content


class KeptPages:
    """Pages by their names, those that were asked for last, up to MOST bytes."""

    def __init__(self) -> None:
        self._pages: OrderedDict[Hashable, Kept] = OrderedDict()
        self._size = 0
        self._lock = Lock()  # views run in several threads

    def get(self, name: Hashable) -> Kept | None:
        with self._lock:
            page = self._pages.get(name)
            if page is not None:
                self._pages.move_to_end(name)
        return page if page is None or page.holds() else None

    def put(self, name: Hashable, page: Kept) -> None:
        with self._lock:
            before = self._pages.pop(name, None)
            self._size += page.size - (before.size if before else 0)
            self._pages[name] = page
            while self._size > MOST:
                _name, oldest = self._pages.popitem(last=False)
                self._size -= oldest.size

    def clear(self) -> None:
        with self._lock:
            self._pages.clear()
            self._size = 0


PAGES = KeptPages()


def page_kept(
    request: HttpRequest, ask: Callable[[], Hashable | None], make: Callable[[], HttpResponse]
) -> HttpResponse:
    """The page that `make` makes, or made before under the same stamp for a reader with the same
    language and preferences. The stamp, which `ask` asks for, says what the page's rows are like
    and what its reader may do; without one (None) it is made anew.
    """
    query, stamp = request.META.get("QUERY_STRING", ""), ask()
    # Messages are shown once, and templates are edited where DEBUG is on.
    if stamp is None or len(query) > LONGEST or settings.DEBUG or len(get_messages(request)):
        return make()
    name = (stamp, request.path, query, get_language(), preferences())
    page = PAGES.get(name)
    if isinstance(page, KeptPage):
        return page.answer(request)
    with listening() as ages:
        response = make()
    if response.status_code >= 300:  # its address or its refusal stands in more than its text
        return response
    html = marked(request, response.content.decode())
    # A page may show what came after its stamp, as long as no later stamp can be the same.
    if html is not None and ask() == stamp:
        PAGES.put(name, KeptPage(html, response.status_code, ages))
    return response


def document_kept(
    request: Request, ask: Callable[[], Hashable], make: Callable[[], Response]
) -> Response:
    """The API's answer to this request, or the one made before under the same stamp, which says
    what all of it is like.
    """
    stamp = ask()
    name = ("document", stamp, request.build_absolute_uri(), get_language())
    found = PAGES.get(name)
    if isinstance(found, KeptDocument):
        return KeptDocumentResponse(found)
    response = make()
    if ask() == stamp:
        response.add_post_render_callback(lambda done: PAGES.put(name, KeptDocument(done.content)))
    return response


def marked(request: HttpRequest, html: str) -> str | None:
    """The page with marks in place of its token and its menu; None where anything of its reader
    would be left.
    """
    tokens = set(_TOKENS.findall(html))
    if len(tokens) > 1:
        return None
    for token in tokens:
        html = html.replace(token, _TOKEN_MARK)
    html = html.replace(_menu(request), _MENU_MARK)
    return None if '<header class="navbar' in html else html


def _menu(request: HttpRequest) -> str:
    """The reader's menu with the token's mark in its form."""
    user: Any = getattr(request, "user", None)
    return navbar_of(user, request.path).replace(TOKEN, _INPUT.format(_TOKEN_MARK))


@receiver(setting_changed)
def _forget(**_: Any) -> None:
    """Addresses of static files change with the settings of tests."""
    PAGES.clear()
