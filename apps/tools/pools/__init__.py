"""Ceph pools for all tools: creation, RBD images, and facts about the cluster."""
