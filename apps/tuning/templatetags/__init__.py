"""Template filters of the tuning pages."""
