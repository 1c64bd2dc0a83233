"""The hand replayed in the browser: the felt, a scrubber that steps or plays fact by fact, and the list of facts.

All scenes go to the browser once; stepping needs no server. The step is in the address, so that a link leads to the
same moment. If new facts arrive, a reader at the last fact moves along with them.
"""

from typing import Any

import streamlit as st

_CSS = """
.cw-play{display:grid;grid-template-columns:minmax(0,7fr) minmax(17rem,2fr);gap:1rem}
.cw-controls{display:flex;gap:.5rem;align-items:center;margin:.4rem 0}
.cw-controls button{font:inherit;min-width:3rem;padding:.35rem .8rem;border-radius:.5rem;border:1px solid currentColor;
background:transparent;color:inherit;cursor:pointer}.cw-controls input{flex:1;
accent-color:var(--accent)}
.cw-said{font-size:1.15rem;font-weight:600;min-height:1.7em}
.cw-facts{max-height:34rem;overflow:auto;margin:0;padding:0;list-style:none;font-size:.95rem}
.cw-facts button{all:unset;display:block;width:100%;box-sizing:border-box;padding:.25rem .5rem;cursor:pointer;
border-left:4px solid transparent}.cw-facts button:focus-visible{outline:2px solid currentColor}
.cw-facts button[aria-current]{border-left-color:currentColor;font-weight:650}
.cw-facts time{opacity:.75;font-variant-numeric:tabular-nums;margin-right:.5rem}
.cw-facts small{opacity:.75;margin-left:.5rem;white-space:nowrap}
@media(max-width:1300px){.cw-play{grid-template-columns:1fr}}
"""
_JS = """
function element(name, attributes, text) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}
function build(root, data, step) {
  root.replaceChildren();
  const felt = element('div', {}), said = element('div', { class: 'cw-said', 'aria-live': 'polite' });
  const controls = element('div', { class: 'cw-controls', role: 'group', 'aria-label': 'Play the hand' });
  const back = element('button', { type: 'button', 'aria-label': 'One fact back' }, '◀');
  const play = element('button', { type: 'button' }, 'Play');
  const on = element('button', { type: 'button', 'aria-label': 'One fact on' }, '▶');
  const range = element('input', { type: 'range', min: 0, max: data.scenes.length - 1, 'aria-label': 'Fact' });
  controls.append(back, play, on, range);
  const facts = element('ol', { class: 'cw-facts', 'aria-label': 'Fact by fact' });
  const rows = data.scenes.map((scene, number) => {
    const row = element('button', { type: 'button' });
    row.append(element('time', {}, scene.time), scene.says, element('small', {}, scene.source));
    row.addEventListener('click', () => show(number));
    const item = element('li');
    item.append(row);
    facts.append(item);
    return row;
  });
  const left = element('div');
  left.append(felt, controls, said);
  root.append(left, facts);
  let at = -1, timer = null;
  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = 'Play';
  }
  function show(number) {
    const next = Math.min(data.scenes.length - 1, Math.max(0, number));
    if (next === at) return;
    if (at >= 0) rows[at].removeAttribute('aria-current');
    at = next;
    const scene = data.scenes[at];
    felt.innerHTML = scene.felt;
    said.textContent = scene.time + '  ' + scene.says;
    range.value = at;
    range.setAttribute('aria-valuetext', 'fact ' + (at + 1) + ' of ' + data.scenes.length + ': ' + scene.says);
    rows[at].setAttribute('aria-current', 'step');
    const top = rows[at].offsetTop - facts.offsetTop;
    if (top < facts.scrollTop || top > facts.scrollTop + facts.clientHeight - 40) facts.scrollTop = top - 80;
    const here = new URL(location.href);
    here.searchParams.set('step', at + 1);
    here.searchParams.delete('fact');
    history.replaceState(history.state, '', here);
  }
  back.addEventListener('click', () => { stop(); show(at - 1); });
  on.addEventListener('click', () => { stop(); show(at + 1); });
  range.addEventListener('input', () => { stop(); show(Number(range.value)); });
  play.addEventListener('click', () => {
    if (timer) return stop();
    if (at === data.scenes.length - 1) show(0);
    play.textContent = 'Pause';
    timer = setInterval(() => (at < data.scenes.length - 1 ? show(at + 1) : stop()), data.every);
  });
  root.stop = stop;
  root.at = () => at;
  root.last = data.scenes.length - 1;
  show(step);
}
export default function (component) {
  const { data, parentElement } = component;
  let root = parentElement.querySelector('.cw-play');
  if (!root) {
    root = element('div', { class: 'cw-play' });
    parentElement.appendChild(root);
  }
  if (root.hand !== data.hand || root.last !== data.scenes.length - 1) {
    const same = root.hand === data.hand, ended = same && root.at() === root.last;
    if (root.stop) root.stop();
    root.hand = data.hand;
    build(root, data, ended ? data.scenes.length - 1 : same ? root.at() : data.step);
  }
  return () => root.stop && root.stop();
}
"""
MILLISECONDS_A_FACT = 700


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return st.components.v2.component("catwalk_scrubber", js=_JS, css=_CSS, isolate_styles=False)


def scrubber(hand: str, scenes: list[dict[str, str]], step: int, *, key: str) -> None:
    """Play these scenes, each with its `felt`, `time` and `says`; `hand` distinguishes hands."""
    data = {"hand": hand, "scenes": scenes, "step": step, "every": MILLISECONDS_A_FACT}
    _component()(data=data, key=key)
