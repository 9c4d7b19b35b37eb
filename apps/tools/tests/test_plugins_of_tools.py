"""Every plugin is complete, sampled and documented, and no output brings it down."""

import dataclasses
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import apps.tools
from apps.tools.errors import OutputError, ToolError
from apps.tools.parse_cli import as_text, document_of
from apps.tools.parse_result import Output, Parsed
from apps.tools.registry import TOOLS
from apps.tools.targets import ToolTarget
from apps.tools.tool import Tool

ROOMS = Path(apps.tools.__file__).parent
DOCS = ROOMS.parents[1] / "docs" / "reference" / "tools"
BESIDE = {"expected.json", "source.txt"}
# Cuts spread over a file, and each of its last bytes, where what calls itself whole begins. Samples
# of one format differ in length, so between them every part of a line is cut; small ones are cut
# at each byte.
SMALL = 400
CUTS = 50
LAST = 40
# All of Unicode but surrogates, as text() has it, which asks the codec about every character.
ENCODABLE = st.characters(exclude_categories=["Cs"])
# Each status report, or each client of a server, is a result there, and any may be the last one.
WITHOUT_AN_END = {"3.33--text-status", "3.12--server-of-seven-clients"}

plugins = pytest.mark.parametrize("plugin", TOOLS.values(), ids=lambda plugin: plugin.name)
running = pytest.mark.parametrize(
    "plugin", [plugin for plugin in TOOLS.values() if plugin.params], ids=lambda plugin: plugin.name
)


def samples(plugin: Tool) -> list[Path]:
    """The output files of a plugin's samples."""
    folder = ROOMS / plugin.name / "tests" / "samples"
    return sorted(p for p in folder.glob("*/*") if p.name not in BESIDE)


SAMPLES = [(plugin, path) for plugin in TOOLS.values() for path in samples(plugin)]
sampled = pytest.mark.parametrize(
    ("plugin", "path"), SAMPLES, ids=lambda x: x.parent.name if isinstance(x, Path) else x.name
)


def read(plugin: Tool, data: bytes) -> Parsed | None:
    """The plugin's result, None where it refuses with a sentence."""
    parsed, refusal = None, ""
    try:
        parsed = plugin.parse(Output({"stdout": data, "stderr": b""}))
    except (OutputError, ToolError) as error:
        refusal = str(error)
    if parsed is None:
        assert refusal.strip()
        return None
    assert as_text(document_of(parsed))
    assert parsed.measurements
    return parsed


@plugins
def test_a_plugin_is_complete(plugin: Tool) -> None:
    folder = ROOMS / plugin.name
    assert plugin.label
    assert plugin.parser_version >= 1
    assert (folder / "parser").is_dir() or (folder / "parser.py").is_file()
    assert (folder / "tests" / "__init__.py").is_file()
    if plugin.params is not None:
        assert (folder / "params.py").is_file()
        assert (folder / "command.py").is_file()
        assert plugin.programs or _runs_nothing_of_the_host(plugin)
        assert plugin.live_file is None or plugin.progress() is not None


def _runs_nothing_of_the_host(plugin: Tool) -> bool:
    assert plugin.params is not None
    target = ToolTarget(plugin.targets[0], "identity", 1 << 30)
    commands = plugin.build_procedure(plugin.params.from_raw({}), target).commands
    return all(command.argv[0].startswith("@") for command in commands)


@running
def test_every_parameter_can_be_shown_and_set(plugin: Tool) -> None:
    assert plugin.params is not None
    params = plugin.params.from_raw({})
    fields = plugin.params.fields()
    own = {each.name for each in dataclasses.fields(cast(Any, plugin.params))} - {"more"}
    assert own == {name for name, field in fields.items() if not field.advanced}
    # One that came later is left out of a workload's identity while it has its default.
    assert set(params.canonical()) <= set(fields)
    assert params.describe()
    for name, field in fields.items():
        assert field.label, name
        assert field.help.endswith("."), name
        assert (field.kind == "choice") == bool(field.choices), name
        assert (field.kind == "text") == bool(field.pattern and field.example), name
        assert field.optional or not field.advanced, name


@plugins
def test_a_plugin_is_documented(plugin: Tool) -> None:
    text = "".join(page.read_text() for page in DOCS.glob(f"{plugin.name}*.md"))
    names = plugin.params.fields() if plugin.params is not None else {}
    missing = [name for name in names if f"| `{name}` |" not in text]
    assert not missing


@plugins
def test_a_plugin_is_sampled_with_expected_figures_and_sources(plugin: Tool) -> None:
    paths = samples(plugin)
    assert paths
    for path in paths:
        assert "--" in path.parent.name
        assert {each.name for each in path.parent.iterdir()} >= BESIDE, path.parent.name


@plugins
@pytest.mark.parametrize("data", [b"", b"\n", b" \t\r\n", b"\0\0"])
def test_nothing_is_an_error(plugin: Tool, data: bytes) -> None:
    with pytest.raises((OutputError, ToolError)):
        plugin.parse(Output({"stdout": data, "stderr": b""}))


@sampled
def test_no_prefix_of_a_sample_is_called_whole_with_other_figures(plugin: Tool, path: Path) -> None:
    """Cut anywhere: never a traceback, and what calls itself whole says what the whole file
    says."""
    data = path.read_bytes()
    complete = read(plugin, data)
    assert complete is not None
    figures = [(m.operation, m.bandwidth, m.iops, m.latency) for m in complete.measurements]
    step = 1 if len(data) <= SMALL else len(data) // CUTS
    ends_tell = path.parent.name not in WITHOUT_AN_END
    ends = {*range(0, len(data), step), *range(max(0, len(data) - LAST), len(data))}
    for end in sorted(ends):
        part = read(plugin, data[:end])
        if part is not None and part.completeness == "whole" and ends_tell:
            again = [(m.operation, m.bandwidth, m.iops, m.latency) for m in part.measurements]
            assert again == figures, f"the first {end} bytes"


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_samples_bring_nothing_down(data: st.DataObject) -> None:
    plugin, path = data.draw(st.sampled_from(SAMPLES))
    text = bytearray(path.read_bytes()[:20_000])
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 40))
        junk = data.draw(
            st.binary(max_size=12) | st.sampled_from([b"{", b"}", b'"', b"9" * 400, b"-nan", b"\n"])
        )
        text[at : at + length] = junk
    read(plugin, bytes(text))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300) | st.text(ENCODABLE, max_size=300).map(str.encode))
def test_noise_brings_nothing_down(data: bytes) -> None:
    for plugin in TOOLS.values():
        plugin.detect(data)
        read(plugin, data)
