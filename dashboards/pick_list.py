"""Lists and tiles to choose from, drawn by our own component, with links, keyboard control and live ages.

A choice comes back as the value that its element has in `data-go`. The arrow keys, and J and K, move between elements;
in a list the tab key stops at one row only. An element with `data-made-at` shows its age; one with `data-stale-after`
turns into a warning by itself, without the server.

New content is merged into the old, and not while a mouse button is down. So the list does not scroll back to the top
every few seconds, and selected text, the focus and clicks are kept.
"""

from typing import Any

import streamlit as st

_JS = """
const span = s => s < 120 ? s + ' s' : s < 7200 ? Math.floor(s / 60) + ' min' : Math.floor(s / 3600) + ' h';
function ages(root) {
  for (const each of root.querySelectorAll('[data-made-at]')) {
    const seconds = Math.max(0, Math.floor(Date.now() / 1000 + root.ahead - Number(each.dataset.madeAt)));
    const stale = 'staleAfter' in each.dataset && seconds >= Number(each.dataset.staleAfter);
    const words = stale ? 'STALE: nothing new for ' + span(seconds) : 'as of ' + span(seconds) + ' ago';
    each.classList.toggle('stale', stale);
    if (each.textContent !== words) each.textContent = words;
  }
}
function moved(root, by) {
  const all = [...root.querySelectorAll('[data-go]')];
  const at = all.indexOf(document.activeElement);
  const next = all[Math.min(all.length - 1, Math.max(0, at + by))];
  if (next) next.focus();
}
function roving(root, to) {
  const rows = [...root.querySelectorAll('.cw-list [data-go]')];
  const one = rows.includes(to) ? to : rows.find(each => each.getAttribute('aria-current')) || rows[0];
  for (const each of rows) each.tabIndex = each === one ? 0 : -1;
}
const kind = node => [node.nodeName, node.classList?.[0], node.getAttribute?.('aria-label'),
  node.dataset?.go ?? (node.nodeName === 'TR' ? node.querySelector('[data-go]')?.dataset.go : '')].join('|');
function renew(old, made) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== made.data) old.data = made.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!made.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of made.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (!('madeAt' in made.dataset)) within(old, made);
}
function within(old, made) {
  const wanted = [...made.childNodes], kinds = new Set(wanted.map(kind));
  for (const each of [...old.childNodes]) if (!kinds.has(kind(each))) each.remove();
  wanted.forEach((node, at) => {
    let same = old.childNodes[at];
    while (same && kind(same) !== kind(node)) same = same.nextSibling;
    if (same) renew(same, node);
    if (!same || same !== old.childNodes[at]) old.insertBefore(same || node, old.childNodes[at] || null);
  });
  while (old.childNodes.length > wanted.length) old.lastChild.remove();
}
function draw(root) {
  if (root.shown === root.html || performance.now() < root.pressed + 600) return;
  const made = document.createElement('template');
  made.innerHTML = root.html;
  within(root, made.content);
  root.shown = root.html;
  roving(root, document.activeElement);
  ages(root);
}
export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  let root = parentElement.querySelector('.cw-root');
  if (!root) {
    root = document.createElement('div');
    root.className = 'cw-root';
    parentElement.appendChild(root);
    root.addEventListener('click', event => {
      const chosen = event.target.closest('[data-go]');
      if (!chosen || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      root.choose('go', chosen.dataset.go);
    });
    root.pressed = -Infinity;
    root.addEventListener('pointerdown', () => { root.pressed = performance.now(); });
    root.addEventListener('click', () => { root.pressed = -Infinity; draw(root); });
    root.addEventListener('keydown', event => {
      const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      moved(root, by);
    });
    root.addEventListener('focusin', event => roving(root, event.target));
    root.timer = setInterval(() => { draw(root); ages(root); }, 1000);
  }
  root.choose = setTriggerValue;
  root.ahead = data.now - Date.now() / 1000;
  root.html = data.html;
  draw(root);
  ages(root);
  return () => clearInterval(root.timer);
}
"""


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return st.components.v2.component("catwalk_choices", js=_JS, isolate_styles=False)


def choices(html: str, now_seconds: float, *, key: str) -> str:
    """Draw the elements and return the choice of this moment, or an empty text."""
    result = _component()(data={"html": html, "now": now_seconds}, key=key, on_go_change=lambda: None)
    return str(result.go or "")
