"""What every call of the client uses: JSON, pages, files."""

from __future__ import annotations

from typing import Any, Dict, Iterator, Mapping, Optional, Type, TypeVar
from urllib.parse import parse_qsl, urlsplit

from benchlab_client.errors import NetworkError
from benchlab_client.transport import Params, Transport

PAGE_SIZE = 100
Self = TypeVar("Self", bound="BaseClient")
Json = Dict[str, Any]


class BaseClient:
    """Untyped access to `/api/v1/`."""

    transport: Transport

    @property
    def url(self) -> str:
        """Return the server's address, without a slash at the end."""
        return self.transport.url

    def page_url(self, path: str) -> str:
        """Return the address of a page, for example of `runs/7/`."""
        return f"{self.url}/{path.lstrip('/')}"

    def close(self) -> None:
        """Close the connections."""
        self.transport.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], *_rest: object) -> None:
        self.close()

    def get_json(self, path: str, **params: Any) -> Any:
        """Return the answer to GET. A list repeats its parameter, None leaves it out.

        Raises: NetworkError, ServerError.
        """
        return self._json(self.transport.send("GET", path, params=params))

    def post_json(self, path: str, body: Optional[Mapping[str, Any]] = None) -> Any:
        """Return the answer to POST, which is never repeated. Raises: as `get_json`."""
        return self._json(self.transport.send("POST", path, json=body or {}))

    def patch_json(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return the answer to PATCH, which is never repeated. Raises: as `get_json`."""
        return self._json(self.transport.send("PATCH", path, json=body))

    def pages(self, path: str, params: Params) -> Iterator[Any]:
        """Yield the rows of all pages, newest first.

        Only the query of `next` is used: a page's address cannot lead to another server.
        Raises: NetworkError, also for an empty or repeated page with a next one; ServerError.
        """
        query: Dict[str, Any] = {"page_size": PAGE_SIZE, **params}
        while True:
            page = self.get_json(path, **query)
            yield from page["results"]
            if not page.get("next"):
                return
            last, query = query, {}
            for name, value in parse_qsl(urlsplit(page["next"]).query):
                query.setdefault(name, []).append(value)
            if query == last or not page["results"]:
                raise NetworkError(f"{self.url} answered with a list that has no end.")

    def _json(self, response: Any) -> Any:
        if response.status_code == 204:
            return None
        try:
            return response.json()
        except (ValueError, RecursionError):
            raise NetworkError(
                f"{self.url} answered something else than JSON: is this the right address?"
            ) from None
