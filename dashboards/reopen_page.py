"""Let the menu lead to the start of the page that is already open, such as from a case to the list of cases.

Otherwise Streamlit draws the open page again with its whole address.
"""

from typing import Any

import streamlit as st

from dashboards import navigation

_JS = """
export default function ({ parentElement, setTriggerValue }) {
  parentElement.again = setTriggerValue;
  if (parentElement.listens) return;
  parentElement.listens = event => {
    const link = event.target.closest('[data-testid="stSidebarNavLink"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.pathname === location.pathname && location.search) parentElement.again('again', location.search);
  };
  document.addEventListener('click', parentElement.listens, true);
  return () => document.removeEventListener('click', parentElement.listens, true);
}
"""


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return st.components.v2.component("catwalk_again", js=_JS, isolate_styles=False)


def again(path: str) -> None:
    """Open the start of this page if its menu entry is clicked."""
    if _component()(key="again", on_again_change=lambda: None).again:
        navigation.go(path)
