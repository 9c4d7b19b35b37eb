"""Kinds of webhook receivers: address, signature, body, and the meaning of their responses.

DingTalk, WeCom and Feishu answer a refused message with status 200 and an error number. Only their
0 is a delivery.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from django.utils.translation import gettext as _

from apps.alerts.domain.bodies import (
    AlertBody,
    Content,
    dingtalk,
    encode,
    feishu,
    generic,
    slack,
    teams,
    wecom,
)
from apps.tools.messages import message

MAX_ANSWER_CHARACTERS = 200
MIN_CREDENTIAL = 8
"""Characters of a part of an address that may be a credential."""


class MessageRefused(Exception):
    """The receiver refused the message, and would refuse it again."""


@dataclass(frozen=True)
class Request:
    """Request before it is sent. The signature is made last, because it ages."""

    address: str
    content: Content
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def body(self) -> bytes:
        return encode(self.content)


@dataclass(frozen=True)
class Receiver:
    """Kind of receiver.

    `hosts`: of its public service, which no other kind accepts. `credential`: query parameter of
    an address of these hosts that authenticates it. `numbers`, `texts`: names of the response's
    error number and text; empty if the status alone counts. `is_final`: decides whether an error
    number is a refusal that a retry does not change.
    """

    name: str
    body: Callable[[AlertBody], Content]
    sign: Callable[[Request, str, float], Request] | None = None
    hosts: frozenset[str] = frozenset()
    credential: str = ""
    numbers: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    is_final: Callable[[int], bool] = lambda _number: False


def _sign_generic(request: Request, secret: str, now: float) -> Request:
    """HMAC-SHA-256 of the timestamp (seconds since 1970), a dot and the body, in headers."""
    timestamp = str(int(now))
    text = timestamp.encode() + b"." + request.body
    digest = hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()
    signature = (("X-Benchlab-Timestamp", timestamp), ("X-Benchlab-Signature", f"sha256={digest}"))
    return replace(request, headers=(*request.headers, *signature))


def _sign_dingtalk(request: Request, secret: str, now: float) -> Request:
    """Add milliseconds and HMAC-SHA-256 to the query; a pasted signature is replaced."""
    timestamp = str(int(now * 1000))
    text = f"{timestamp}\n{secret}".encode()
    digest = hmac.new(secret.encode(), text, hashlib.sha256).digest()
    parts = urlsplit(request.address)
    query = _unsigned(parts)
    query += [("timestamp", timestamp), ("sign", base64.b64encode(digest).decode())]
    return replace(request, address=parts._replace(query=urlencode(query)).geturl())


def _unsigned(parts: SplitResult) -> list[tuple[str, str]]:
    """Return the parameters of an address without those of a signature."""
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    return [pair for pair in pairs if pair[0] not in ("timestamp", "sign")]


def recipient_of(address: str) -> str:
    """Return one spelling of an address: without a pasted signature and the usual port."""
    parts = urlsplit(address)
    host, usual = (parts.hostname or "").rstrip("."), {"https": 443, "http": 80}
    port = parts.port or usual.get(parts.scheme)
    path, query = parts.path or "/", urlencode(sorted(_unsigned(parts)))
    return f"{parts.scheme}://{host}:{port}{path}?{query}"


def _sign_feishu(request: Request, secret: str, now: float) -> Request:
    """Add seconds and HMAC-SHA-256 to the body: of nothing, with timestamp and secret as key."""
    timestamp = str(int(now))
    digest = hmac.new(f"{timestamp}\n{secret}".encode(), b"", hashlib.sha256).digest()
    signature: Content = {"timestamp": timestamp, "sign": base64.b64encode(digest).decode()}
    return replace(request, content=signature | request.content)


def _dingtalk_is_final(number: int) -> bool:
    """Signature, keyword or IP (310000), token or format (400xx, 400xxx), contents, size."""
    text = str(number)
    return text.startswith(("400", "4301")) or number in (310000, 460101)


_WECOM_FINAL = frozenset({93000, 93004, 40008, 40058, 44004})
_FEISHU_FINAL = frozenset({9499, 19001, 19002, 19021, 19022, 19024})

RECEIVERS = {
    "generic": Receiver("JSON", generic, _sign_generic),
    "slack": Receiver("Slack", slack, hosts=frozenset({"hooks.slack.com"})),
    "teams": Receiver("Microsoft Teams", teams),
    "dingtalk": Receiver(
        "DingTalk", dingtalk, _sign_dingtalk,
        hosts=frozenset({"oapi.dingtalk.com", "api.dingtalk.com"}), credential="access_token",
        numbers=("errcode",), texts=("errmsg",), is_final=_dingtalk_is_final,
    ),
    "wecom": Receiver(
        "WeCom", wecom,
        hosts=frozenset({"qyapi.weixin.qq.com"}), credential="key",
        numbers=("errcode",), texts=("errmsg",), is_final=_WECOM_FINAL.__contains__,
    ),
    "feishu": Receiver(
        "Feishu", feishu, _sign_feishu,
        hosts=frozenset({"open.feishu.cn", "open.larksuite.com"}),
        numbers=("code", "StatusCode"), texts=("msg", "StatusMessage"),
        is_final=_FEISHU_FINAL.__contains__,
    ),
}  # fmt: skip
"""Receivers by the webhook of an alert."""


def receiver_fault(kind: str, address: str) -> str:
    """Return why an address does not fit the kind of receiver; empty if it does."""
    parts = urlsplit(address)
    host = (parts.hostname or "").rstrip(".")
    for key, receiver in RECEIVERS.items():
        if host in receiver.hosts and key != kind:
            text = _("This is an address of {name}. Choose {name}.")
            return text.format(name=receiver.name)
    chosen = RECEIVERS[kind]
    if host not in chosen.hosts:
        return ""
    if parts.scheme != "https":
        return _("An address of {name} begins with https://.").format(name=chosen.name)
    if chosen.credential and not dict(parse_qsl(parts.query)).get(chosen.credential):
        text = _("An address of {name} has the parameter {parameter}. Copy the whole address.")
        return text.format(name=chosen.name, parameter=chosen.credential)
    return ""


def request_for(kind: str, body: AlertBody, address: str, secret: str, now: float) -> Request:
    """Return the request, signed at `now` (seconds since 1970) if there is a secret."""
    receiver = RECEIVERS[kind]
    request = Request(address, receiver.body(body))
    return receiver.sign(request, secret, now) if receiver.sign and secret else request


def response_check(kind: str, response: bytes, secrets: Sequence[str]) -> None:
    """Check the error number of a response with a good status.

    `secrets` do not occur in the reported text. Raises: OSError if a retry may succeed;
    MessageRefused if not.
    """
    receiver = RECEIVERS[kind]
    if not receiver.numbers:
        return
    try:
        answer = json.loads(response)
    except (ValueError, RecursionError):
        answer = None
    values = answer if isinstance(answer, dict) else {}
    number = next((values[name] for name in receiver.numbers if name in values), None)
    if not isinstance(number, int) or isinstance(number, bool):
        raise OSError(message("The response has no error number of %(name)s.", name=receiver.name))
    if number == 0:
        return
    text = next((str(values[name]) for name in receiver.texts if values.get(name)), "")
    problem = message("Error %(number)d: %(text)s", number=number, text=_cleaned(text, secrets))
    raise MessageRefused(problem) if receiver.is_final(number) else OSError(problem)


def _cleaned(text: str, secrets: Sequence[str]) -> str:
    """Return the beginning of a foreign text without control characters and secrets."""
    for secret in secrets:
        text = text.replace(secret, "***") if secret else text
    printable = "".join(sign if sign.isprintable() else " " for sign in text[:2_000])
    return " ".join(printable.split())[:MAX_ANSWER_CHARACTERS] or "–"


def secrets_of(address: str, secret: str) -> list[str]:
    """Return the parts of an address that authenticate it, and the secret; the longest first."""
    parts = urlsplit(address)
    values = [value for _name, value in parse_qsl(parts.query)]
    last = parts.path.rpartition("/")[2]
    parts_of_address = (value for value in (*values, last) if len(value) >= MIN_CREDENTIAL)
    return sorted({secret, address, *parts_of_address} - {""}, key=len, reverse=True)
