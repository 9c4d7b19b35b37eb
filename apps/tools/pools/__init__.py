"""Ceph pools, whatever tool measures them: making them, images in them, and what the cluster says
of itself.
"""
