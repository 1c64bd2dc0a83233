"""The pages without the sign-in: every visitor is let in. Only tests/bench/sessions.py serves them."""

from consumers.room import Person
from dashboards import app, session

if session.person() is None:
    session.enter(Person("bench", ("manager",)))
app.main()
