"""What people in the room do with what was found: reviews of findings, and cases."""
