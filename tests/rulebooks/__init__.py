"""The five rule books against their texts, and houses against their rule books."""
