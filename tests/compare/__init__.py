"""Compare two versions of the code over the same records: findings, rows and exports."""
