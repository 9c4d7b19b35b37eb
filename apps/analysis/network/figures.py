"""Heat map of a mesh. Pure."""

from __future__ import annotations

from typing import Any

from apps.analysis.network.mesh import Mesh, PairCell
from apps.common.domain import charts, units
from apps.common.domain.charts import ChartFigure
from apps.common.domain.units import gbit_per_second, mb_per_second
from apps.tools.metrics import METRICS, NETWORK, shown_unit

# Perceptually even, for every kind of colour vision, and in print.
COLOURS = "Viridis"
BASE, ROW = 150, 56
"""Height of the chart in pixels: around the matrix, and of each host."""


def mesh_map(mesh: Mesh, labels: dict[str, str]) -> ChartFigure:
    """Return the heat map, clients down, servers across; light colours are better.

    `labels`: "client", "server".
    """
    metric = METRICS[mesh.figure]
    cells = [[mesh.cell(client, server) for server in mesh.hosts] for client in mesh.hosts]
    scale = charts.scale_for(
        shown_unit(mesh.figure, network=True), [cell.value for row in cells for cell in row]
    )
    trace: ChartFigure = {
        "type": "heatmap",
        "x": list(mesh.hosts),
        "y": list(mesh.hosts),
        "z": [scale.of([cell.value for cell in row]) for row in cells],
        "text": [[cell_text(mesh.figure, cell) for cell in row] for row in cells],
        "texttemplate": "%{text}",
        "customdata": [[hover_text(mesh.figure, cell) for cell in row] for row in cells],
        "hovertemplate": "%{y} → %{x}<br>%{customdata}<extra></extra>",
        "hoverongaps": True,
        "colorscale": COLOURS,
        "reversescale": not metric.higher_is_better,
        "colorbar": {"title": {"text": scale.unit}},
        "xgap": 2,
        "ygap": 2,
    }
    shape = charts.layout(
        "",
        xaxis=_hosts(labels["server"], side="top"),
        yaxis=_hosts(labels["client"], autorange="reversed"),
        margin={"l": 60, "r": 20, "t": 60, "b": 20},
    )
    return {"data": [trace], "layout": shape}


def _hosts(label: str, **more: Any) -> ChartFigure:
    """Return an axis of host names."""
    title = {"text": label, "standoff": 12}
    return charts.axis(label, **more) | {"type": "category", "showgrid": False, "title": title}


def figure_text(figure: str, value: float) -> str:
    """Return a value with its unit."""
    unit = shown_unit(figure, network=True)
    if unit == NETWORK:
        return gbit_per_second(value)
    if unit == "ns":
        return units.nanoseconds(value)
    return f"{units.significant(value)} {unit}".strip() if unit else units.whole(value)


def cell_text(figure: str, cell: PairCell) -> str:
    """Return the value, and for a rate MB/s below."""
    if cell.value is None:
        return ""
    second = f"<br>{mb_per_second(cell.value)}" if figure == "bandwidth" else ""
    return figure_text(figure, cell.value) + second


def hover_text(figure: str, cell: PairCell) -> str:
    """Return the value with its repeats, or the reason without one."""
    if cell.value is None or cell.minimum is None or cell.maximum is None:
        return cell.why
    text = cell_text(figure, cell).replace("<br>", ", ")
    if cell.repeats == 1:
        return text
    ends = f"{figure_text(figure, cell.minimum)} to {figure_text(figure, cell.maximum)}"
    return f"{text}<br>{cell.repeats} repeats, {ends}"


def mesh_height(mesh: Mesh) -> str:
    """Return the CSS height of the chart."""
    return f"{BASE + ROW * max(3, len(mesh.hosts))}px"
