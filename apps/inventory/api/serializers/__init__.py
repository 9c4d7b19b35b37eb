"""Serializers of hosts, disks and other targets, one module each."""
