"""What django-allauth takes from benchlab: its HTTP client, and the address of the user."""

from __future__ import annotations

import time
from typing import Any

import requests
import urllib3
from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.http import HttpRequest

from apps.common.web.request import current_address

READ_SECONDS = 5
"""For the connection and for each read."""
DEADLINE_SECONDS = 10
"""For a whole response: a timeout of each read alone lets a slow provider hold a web thread."""
MAX_RESPONSE_BYTES = 1024 * 1024
PIECE_BYTES = 65_536


class ProviderSession(requests.Session):
    """Requests to the provider with a limit of time and size; redirects are not followed.

    A redirect would lead benchlab, with the client secret, to an address that the provider's
    metadata does not name.
    """

    def request(self, method: Any, url: Any, *args: Any, **options: Any) -> requests.Response:
        end = time.monotonic() + DEADLINE_SECONDS
        options |= {"timeout": READ_SECONDS, "allow_redirects": False, "stream": True}
        response = super().request(method, url, *args, **options)
        response._content = _content(response, end)  # as requests reads it, within the limits
        if response.status_code >= 500:
            response.raise_for_status()
        return response


def _content(response: requests.Response, end: float) -> bytes:
    content = b""
    try:
        while piece := response.raw.read1(PIECE_BYTES, decode_content=True):
            content += piece
            if time.monotonic() > end:
                raise requests.ReadTimeout("The response is not complete in time.")
            if len(content) > MAX_RESPONSE_BYTES:
                raise requests.RequestException("The response is too large.")
    except urllib3.exceptions.HTTPError as error:
        raise requests.ConnectionError(error) from error
    return content


class SocialAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc] # allauth ships no type information
    def get_requests_session(self) -> requests.Session:
        return ProviderSession()


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc] # as above
    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that benchlab's throttles and audit log use."""
        return current_address()
