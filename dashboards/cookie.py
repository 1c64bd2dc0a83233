"""The session cookie: the browser fetches it with a one-time ticket, and no script ever reads it."""

from typing import Any, Final

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from dashboards import session

PATH: Final = "/sign-in/cookie"
_LONGEST: Final = 200  # bytes of a ticket
_JS: Final = """
const fetched = new Set();
export default function ({ data }) {
  const ticket = data && data.ticket;
  if (!ticket || fetched.has(ticket)) return;
  fetched.add(ticket);
  fetch('PATH', { method: 'POST', body: ticket, credentials: 'same-origin' });
}
""".replace("PATH", PATH)


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return st.components.v2.component("catwalk_cookie", js=_JS, isolate_styles=False)


def keep() -> None:
    """Let the browser store the session of this tab after a sign-in."""
    if ticket := session.ticket():
        _component()(key="cookie", data={"ticket": ticket})


async def give(request: Request) -> Response:
    """Return the cookie for a ticket, or an empty answer."""
    ticket = b""
    async for piece in request.stream():
        ticket += piece
        if len(ticket) > _LONGEST:
            return Response(status_code=413)
    given = await run_in_threadpool(session.sessions().cookie, ticket.decode("ascii", "replace"))
    if given is None:
        return Response(status_code=403)
    secure = session.how().secure
    answer = Response(status_code=204)
    name, (value, seconds) = session.cookie_name(secure=secure), given
    answer.set_cookie(name, value, max_age=seconds, path="/", secure=secure, httponly=True, samesite="strict")
    return answer
