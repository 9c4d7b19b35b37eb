"""YAML without objects, tags and alias bombs (PyYAML bounds neither depth nor aliases)."""

from __future__ import annotations

from typing import Any

import yaml
from django.utils.translation import gettext as _

from apps.inventory.domain.host_lists.rows import ListError

MAX_DEPTH = 40
MAX_NODES = 100_000
Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MERGE = "tag:yaml.org,2002:merge"


class SecretValue:
    """A value that Ansible decrypts or computes: `!vault`, `!unsafe`, or another tag."""


def plain_tree(text: str) -> Any:
    """Return dicts, lists, texts, whole numbers, booleans and None.

    Values with a tag of their own become SecretValue; nothing is constructed.
    Raises: ListError.
    """
    try:
        _check_events(text)
        node = yaml.compose(text, Loader=Loader)
        return None if node is None else _Converter().value(node, 0)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        problem = getattr(error, "problem", None) or _("it cannot be parsed")
        raise ListError(
            _("The text is no YAML, line %(line)d: %(problem)s.")
            % {"line": line, "problem": problem}
        ) from error


def _check_events(text: str) -> None:
    """Bound depth and size before anything recursive runs."""
    depth = 0
    for count, event in enumerate(yaml.parse(text, Loader=Loader)):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise ListError(_("The YAML is nested deeper than %(limit)d.") % {"limit": MAX_DEPTH})
        if count > 2 * MAX_NODES:
            raise ListError(_too_large())


def _too_large() -> str:
    return _("The YAML has more than %(limit)d values, its aliases counted.") % {"limit": MAX_NODES}


class _Converter:
    """Converts nodes; counts each visit, so that aliases cannot multiply without limit."""

    def __init__(self) -> None:
        self.count = 0

    def value(self, node: Any, depth: int) -> Any:
        self.count += 1
        if self.count > MAX_NODES:
            raise ListError(_too_large())
        if depth > MAX_DEPTH:
            raise ListError(_("The YAML is nested deeper than %(limit)d.") % {"limit": MAX_DEPTH})
        if not str(node.tag).startswith("tag:yaml.org,2002:"):
            return SecretValue()
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, depth)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(one, depth + 1) for one in node.value]
        return _scalar(node)

    def _mapping(self, node: Any, depth: int) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if key_node.tag == MERGE:
                sources = self.value(value_node, depth + 1)
                for source in sources if isinstance(sources, list) else [sources]:
                    if isinstance(source, dict):
                        merged = source | merged
                continue
            key = self.value(key_node, depth + 1)
            if isinstance(key, str | int):
                values[str(key)] = self.value(value_node, depth + 1)
        return merged | values


def _scalar(node: Any) -> Any:
    kind = str(node.tag).rpartition(":")[2]
    text = str(node.value)
    if kind == "null":
        return None
    if kind == "bool":
        return text.lower() in ("yes", "true", "on")
    # YAML 1.1 reads 0644 and 22:10 as other numbers; a name or a port is meant as it is written.
    return text
