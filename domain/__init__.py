"""The rules of the five games and what follows from them: pure, without imports from the other packages."""
