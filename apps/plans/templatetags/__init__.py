"""Template filters of the plan pages."""
