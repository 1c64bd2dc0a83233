"""The cookie of a session: the browser fetches it for a ticket that is good once, and no script ever reads it."""

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
    """Have the browser keep the session of this tab, where it came in here."""
    if ticket := session.ticket():
        _component()(key="cookie", data={"ticket": ticket})


async def give(request: Request) -> Response:
    """The cookie, for a ticket; nothing for anything else."""
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
