"""The pages as they are, but for the sign-in: whoever comes is in. Served by tests/bench/sessions.py and nobody else."""

from consumers.room import Person
from dashboards import app, session

if session.person() is None:
    session.enter(Person("bench", ("manager",)))
app.main()
