"""HTTP to one server: the token, repeated requests, and errors as sentences."""

from __future__ import annotations

import contextlib
import datetime
import json
import re
import time
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, Union
from urllib.parse import urlsplit

import httpx

from benchlab_client.errors import NetworkError, ServerError, UsageError
from benchlab_client.version import VERSION

RETRY_DELAYS = (0.5, 1.0, 2.0, 4.0)
"""Seconds before each repetition of a safe request."""
RETRY_STATUSES = (502, 503, 504)
MAX_RETRY_AFTER = 30.0
SAFE_METHODS = ("GET", "HEAD")
MAX_ANSWER_BYTES = 256 * 1024 * 1024
"""Limit of an answer that is held in memory; files are streamed without a limit."""
TIMEOUT = httpx.Timeout(60.0, connect=10.0)
Params = Mapping[str, Any]
Primitive = Union[str, int, float, bool, None]


def base_url(url: str) -> str:
    """Return the server's address without `/api/v1/` and a slash at the end. Raises: UsageError."""
    text = url.strip().rstrip("/")
    if text.endswith("/api/v1"):
        text = text[: -len("/api/v1")]
    try:
        parts = urlsplit(text)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname)
        _port = parts.port
    except ValueError:
        valid = False
    if not valid or parts.query or parts.fragment:
        raise UsageError(f"{url!r} is no address of a server, such as https://benchlab.example.")
    if parts.username is not None or parts.password is not None:
        raise UsageError("The address of the server must not contain a user or a password.")
    return text


class Transport:
    """Sends requests to one server. Redirects are never followed: they could leak the token."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        http: Optional[httpx.BaseTransport] = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = base_url(url)
        if token and not re.fullmatch(r"[!-~]+", token):
            raise UsageError("A token is one word of printable ASCII characters.")
        headers = {"User-Agent": f"benchlab-client/{VERSION}", "Accept": "*/*"}
        if token:
            headers["Authorization"] = f"Token {token}"
        self._sleep = sleep
        # Certificates: httpx reads SSL_CERT_FILE and SSL_CERT_DIR; proxies: HTTPS_PROXY, NO_PROXY.
        self._http = httpx.Client(
            headers=headers, timeout=TIMEOUT, follow_redirects=False, transport=http
        )

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        params: Optional[Params] = None,
        repeatable: Optional[bool] = None,
        **content: Any,
    ) -> httpx.Response:
        """Return a successful answer. `repeatable`: the server allows a repetition.

        Raises: NetworkError, ServerError.
        """
        with self.stream(method, path, params=params, repeatable=repeatable, **content) as response:
            try:
                body = _content(response)
            except httpx.HTTPError as error:
                raise self._network_error(method, error) from error
            return httpx.Response(response.status_code, content=body, request=response.request)

    @contextlib.contextmanager
    def stream(
        self,
        method: str,
        path: str,
        *,
        params: Optional[Params] = None,
        repeatable: Optional[bool] = None,
        **content: Any,
    ) -> Iterator[httpx.Response]:
        """Yield a successful answer whose body is not read yet. Raises: as `send`."""
        again = method in SAFE_METHODS if repeatable is None else repeatable
        request = self._http.build_request(
            method, self._address(path), params=query_items(params or {}) or None, **content
        )
        response = self._answer(request, RETRY_DELAYS if again else ())
        try:
            self._raise_for(response)
            yield response
        finally:
            response.close()

    def _address(self, path: str) -> str:
        if "://" in path or path.startswith("/") or ".." in path.split("/"):
            raise UsageError(f"{path!r} is no path below /api/v1/.")
        return f"{self.url}/api/v1/{path}"

    def _answer(self, request: httpx.Request, delays: Tuple[float, ...]) -> httpx.Response:
        for delay in (*delays, None):
            try:
                response = self._http.send(request, stream=True)
            except httpx.HTTPError as error:
                if delay is None or isinstance(error, httpx.UnsupportedProtocol):
                    raise self._network_error(request.method, error) from error
                self._sleep(delay)
                continue
            if delay is None or response.status_code not in RETRY_STATUSES:
                return response
            response.close()
            self._sleep(_retry_after(response, delay))
        raise AssertionError("The last pass returns or raises.")

    def _network_error(self, method: str, error: Exception) -> NetworkError:
        reason = str(error) or type(error).__name__
        text = f"{self.url} gave no answer: {reason}."
        if method not in SAFE_METHODS:
            text += " The request may have taken effect: look before you repeat it."
        return NetworkError(text)

    def _raise_for(self, response: httpx.Response) -> None:
        if response.is_success:
            return
        if response.is_redirect:
            target = response.headers.get("Location", "")
            raise NetworkError(
                f"{self.url} redirects to {target}. The client follows no redirect, because it "
                "would send the token there: use the new address if you trust it."
            )
        try:
            error = json.loads(_content(response))["error"]
            kind, message = str(error["kind"]), str(error["message"])
            fields = _sentences(error.get("fields"))
        except (httpx.HTTPError, ValueError, LookupError, TypeError, RecursionError):
            raise NetworkError(
                f"{self.url} answered {response.status_code} {response.reason_phrase} without an "
                "error of benchlab: is this the right address?"
            ) from None
        raise ServerError(response.status_code, kind, message, fields)


def query_items(params: Params) -> List[Tuple[str, Primitive]]:
    """Return the query's items: lists repeat the name, None is left out."""
    items: List[Tuple[str, Primitive]] = []
    for name, value in params.items():
        values = value if isinstance(value, (list, tuple, set)) else [value]
        items += [(name, _text(one)) for one in values if one is not None]
    return items


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    return str(value)


def _content(response: httpx.Response) -> bytes:
    """Return the decoded body. Raises: httpx.HTTPError; DecodingError above MAX_ANSWER_BYTES."""
    pieces, size = [], 0
    for piece in response.iter_bytes():
        size += len(piece)
        if size > MAX_ANSWER_BYTES:
            raise httpx.DecodingError("it is too large", request=response.request)
        pieces.append(piece)
    return b"".join(pieces)


def _retry_after(response: httpx.Response, delay: float) -> float:
    text = response.headers.get("Retry-After", "")
    return min(float(text), MAX_RETRY_AFTER) if text.isdecimal() else delay


def _sentences(fields: Any) -> Dict[str, List[str]]:
    """Return sentences by the path of their field: nested objects of the error are flattened."""
    flat: Dict[str, List[str]] = {}

    def walk(name: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, one in value.items():
                walk(f"{name}.{key}" if name else str(key), one)
        elif isinstance(value, list):
            for number, one in enumerate(value):
                walk(f"{name}.{number}" if isinstance(one, (dict, list)) else name, one)
        elif value not in (None, ""):
            flat.setdefault(name, []).append(str(value))

    walk("", fields)
    return flat
