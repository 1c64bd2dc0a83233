"""A table's gaming day and its rounds, folded from facts: what happened, whether it was right or not."""
