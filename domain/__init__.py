"""The rules of the five games and what follows from them: pure, knowing nobody outside."""
