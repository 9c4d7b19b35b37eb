"""Install packages as far as the host's owner allows it."""

from ..errors import RefusalError
from ..host.install import install
from ..schema import Emit, Request, Response
from .document import is_stopped, limits_or_refusal, limits_path
from .rules import matches, stop_reason, with_note


def install_if_allowed(base: str, request: Request, emit: Emit) -> Response:
    """Run the verb `install`. Raises: RefusalError if the owner forbids the package."""
    limits, package = limits_or_refusal(), str(request["package"])
    if is_stopped():
        raise RefusalError([stop_reason(limits)])
    if limits.tools is not None and not matches(package, limits.tools):
        sentence = "Owner: the tools in {} do not include {}.".format(limits_path(), package)
        raise RefusalError([with_note(sentence, limits)])
    return install(base, request, emit)
