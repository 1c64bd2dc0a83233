"""The list of pages leads to the beginning of a page also from that page itself: from a case to the list of cases.

Streamlit draws the page that is open once more there, with all that stands in its address.
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
    """Goes to the beginning of this page where somebody asks for it in the list of pages."""
    if _component()(key="again", on_again_change=lambda: None).again:
        navigation.go(path)
