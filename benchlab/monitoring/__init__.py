"""Metrics for Prometheus: whether benchlab's work goes on (docs/operations/metrics.md)."""
