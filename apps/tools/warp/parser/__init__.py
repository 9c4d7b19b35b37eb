"""Parser of the reports of warp."""
