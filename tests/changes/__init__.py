"""Small changes as a newcomer makes them, each tried on a copy of the project with the list that CONTRIBUTING gives it."""
