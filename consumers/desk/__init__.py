"""Acts at the desk, made durable."""
