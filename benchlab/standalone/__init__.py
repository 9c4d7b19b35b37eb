"""Starting benchlab on one bare machine: the standard library only, no Django."""
