"""A provider of OpenID Connect inside the test: answers benchlab's HTTP client, signs tokens."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test import Client
from jwt.algorithms import RSAAlgorithm

ISSUER = "https://sso.example"
CLIENT_ID = "benchlab"
EVENT = "http://schemas.openid.net/event/backchannel-logout"
Claims = dict[str, Any]
Change = Callable[[Claims], None]

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class TestProvider:
    """Endpoints as a `requests.Session`; `change` edits the claims of the next tokens."""

    __test__ = False

    def __init__(self) -> None:
        self.person: Claims = {
            "sub": "248289", "preferred_username": "grace", "groups": ["/storage"],
        }  # fmt: skip
        self.user_info: Claims = {}
        self.change: Change = lambda claims: None
        self.metadata_issuer = ISSUER
        self.metadata_changes: Claims = {}
        self.key, self.algorithm, self.kid = KEY, "RS256", "1"
        self.is_away = False
        self.codes: dict[str, Claims] = {}
        self.numbers = count()
        self.requests: list[str] = []

    def sign(self, claims: Claims, **headers: Any) -> str:
        return jwt.encode(claims, self.key, self.algorithm, {"kid": self.kid, **headers})

    def authorize(self, address: str) -> tuple[str, Claims]:
        """The person logs in: returns the query of the callback, and the request's parameters."""
        sent = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        code = f"code-{next(self.numbers)}"
        self.codes[code] = sent
        return f"?code={code}&state={sent['state']}", sent

    def id_token(self, sent: Claims) -> str:
        now = int(time.time())
        claims = {
            "iss": ISSUER, "aud": CLIENT_ID, "iat": now, "exp": now + 300, "auth_time": now,
            "nonce": sent["nonce"], **self.person,
        }  # fmt: skip
        self.change(claims)
        return self.sign(claims)

    def logout_token(self, change: Change = lambda claims: None) -> str:
        claims = {
            "iss": ISSUER, "aud": CLIENT_ID, "iat": int(time.time()),
            "jti": f"logout-{time.time()}", "sub": self.person["sub"], "events": {EVENT: {}},
        }  # fmt: skip
        change(claims)
        return self.sign(claims, typ="logout+jwt")

    # What benchlab's client calls.
    def __enter__(self) -> TestProvider:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def get(self, address: str, headers: Any = None) -> requests.Response:
        self.requests.append(address)
        if self.is_away:
            raise requests.ConnectTimeout
        if address.endswith("/openid-configuration"):
            return answer({
                "issuer": self.metadata_issuer,
                "authorization_endpoint": f"{ISSUER}/authorize",
                "token_endpoint": f"{ISSUER}/token",
                "userinfo_endpoint": f"{ISSUER}/userinfo",
                "jwks_uri": f"{ISSUER}/jwks",
                **self.metadata_changes,
            })  # fmt: skip
        if address.endswith("/jwks"):
            key = json.loads(RSAAlgorithm.to_jwk(KEY.public_key()))
            return answer({"keys": [{**key, "kid": "1", "use": "sig", "alg": "RS256"}]})
        return answer({"sub": self.person["sub"], **self.user_info})

    def request(self, method: str, address: str, data: Any, **others: Any) -> requests.Response:
        if self.is_away:
            raise requests.ConnectTimeout
        sent = self.codes.pop(data["code"], None)
        if sent is None or "code_verifier" not in data:
            return answer({"error": "invalid_grant"}, status=400)
        return answer(
            {"access_token": "a", "token_type": "Bearer", "id_token": self.id_token(sent)}
        )


def answer(document: Claims, status: int = 200) -> requests.Response:
    response = requests.Response()
    response.status_code = status
    response.headers["content-type"] = "application/json"
    response._content = json.dumps(document).encode()
    return response


def sign_on(client: Client, provider: TestProvider, query: str = "") -> Any:
    """Go through a whole sign-on. Return benchlab's answer to the callback."""
    begun = client.get(f"/login/sign-on/{query}")
    assert begun.status_code == 302, begun.content.decode()
    back, _sent = provider.authorize(begun["Location"])
    return client.get(f"/login/sign-on/callback/{back}")
