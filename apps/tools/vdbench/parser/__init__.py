"""Parser of what vdbench prints, and of its summary.html and totals.html."""
