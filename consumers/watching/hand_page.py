"""A reconstructed hand as one self-contained HTML file: no script, no font, no network."""

from collections.abc import Iterable
from datetime import tzinfo
from html import escape

from consumers.watching.hand_text import AROUND, BETWEEN, at_risk, bases, by_clause, chosen, clock, date
from domain.money import dollars
from domain.spoken import name_of_wager, plain
from domain.watch.reconstruction import FindingLine, Reconstruction, SeatHand, Step

_STYLE = """
body{font:16px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1b1f24;background:#fff}
h1{font-size:1.4rem;margin:0}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}table{border-collapse:collapse;width:100%}
th,td{padding:.25rem .6rem;text-align:left;border-bottom:1px solid #d6dae0;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.card{display:inline-block;min-width:1.7em;padding:.1em .25em;
margin-right:.2em;border:1px solid #777;border-radius:.25em;text-align:center;background:#fff;color:#111}
.red{color:#b00020}.unseen{background:repeating-linear-gradient(45deg,#cfd6e4 0 4px,#eef1f7 4px 8px);color:#444}
.differs{font-weight:700}.finding{border-left:.3rem solid #b26a00;padding:.2rem .8rem;margin:.6rem 0;background:#fff7e8}
.fact{display:inline-block;max-width:100%}.finding,li,p,h1,h2{overflow-wrap:anywhere}
td{overflow-wrap:anywhere}td.n,.steps td:first-child,.wagers td:nth-child(2){white-space:nowrap}
@media print{body{margin:0;max-width:none;padding:0;font-size:10pt}
.finding,tr,h1,h2{break-inside:avoid}h2{break-after:avoid}
.hand{break-before:page}.hand:first-child{break-before:auto}.card,.finding{print-color-adjust:exact}}
@media screen and (prefers-color-scheme:dark){body{color:#e6e9ee;background:#14171b}th,td{border-color:#3a414b}
.finding{background:#2a2315}}
"""
_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def page(hands: Iterable[Reconstruction], zone: tzinfo) -> str:
    """One page with these hands."""
    body = "\n".join(_hand(hand, zone) for hand in hands)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Hand reconstruction</title>'
        f"<style>{_STYLE}</style></head><body>{body}</body></html>\n"
    )


def cards(shown: str) -> str:
    """Cards as HTML; an unseen card looks unseen."""
    return "".join(_card(card) for card in shown.split()) or "&ndash;"


def _card(card: str) -> str:
    if card == "??":
        return '<span class="card unseen" title="not seen">?</span>'
    red = " red" if card[1] in "dh" else ""
    return f'<span class="card{red}">{escape(card[0].replace("T", "10"))}{_SUITS[card[1]]}</span>'


def _hand(hand: Reconstruction, zone: tzinfo) -> str:
    void = f" &middot; VOID {escape(hand.void_clause)}" if hand.void else ""
    with_what = (plain(hand.method), f"dealer {hand.dealer}" if hand.dealer else "", hand.deck)
    dealt = "".join(f" &middot; {escape(part)}" for part in with_what if part)
    when = f"{date(hand.began, zone)} {clock(hand.began, zone)} to {clock(hand.ended, zone)} {escape(str(zone))}"
    head = f"<h1>{escape(hand.stream)} round {hand.round}{void}</h1><p>{escape(hand.title)} &middot; {when}{dealt}</p>"
    places = [("Dealer", hand.dealer_cards, hand.dealer_hand), ("Community", hand.community, ""), ("Box", hand.box, "")]
    rows = [_row("td", (name, _Raw(cards(held)), made)) for name, held, made in places if held]
    rows += [_seat(seat) for seat in hand.seats]
    steps = [
        _row("th", ("time", "fact", "what happened", "source"), right=(1,)),
        *(_step(step, zone) for step in hand.steps),
    ]
    parts = "\n".join(
        [
            head,
            _findings(hand),
            _around(hand),
            f"<h2>Cards</h2><table>{''.join(rows)}</table>",
            _wagers(hand),
            _undecided(hand),
            f"<h2>Step by step</h2><table class=steps>{''.join(steps)}</table>",
            f"<p>{BETWEEN}: {_named(hand.between)}</p>" if hand.between else "",
        ]
    )
    return f'<section class="hand">{parts}</section>'


def _step(step: Step, zone: tzinfo) -> str:
    """A fact, its source, and its place on video."""
    seen = f", camera {step.camera} {step.time_code or ''}".rstrip() if step.camera else ""
    return _row("td", (clock(step.at, zone), str(step.sequence), step.says, step.source + seen), right=(1,))


class _Raw(str):
    """Text that is already HTML."""

    __slots__ = ()


def _row(tag: str, cells: Iterable[str], right: tuple[int, ...] = ()) -> str:
    shown = (
        f"<{tag}{' class=n' if place in right else ''}>{cell if isinstance(cell, _Raw) else escape(cell)}</{tag}>"
        for place, cell in enumerate(cells)
    )
    return f"<tr>{''.join(shown)}</tr>"


def _seat(seat: SeatHand) -> str:
    said = " ".join(part for part in (seat.player, chosen(seat)) if part)
    second = f" and {seat.second}" if seat.second else ""
    made = seat.hand + (f" (kept {seat.kept}{second})" if seat.kept else "")
    made += f" (selected {seat.selected})" if seat.selected else ""
    return _row("td", (f"Seat {seat.seat} {said}", _Raw(cards(seat.cards)), made))


def _wagers(hand: Reconstruction) -> str:
    right = (2, 3, 4, 5)
    rows = [_row("th", ("seat", "wager", "staked", "owed", "handed back", "difference", "clause"), right)]
    for seat in hand.seats:
        for line in seat.wagers:
            differs = line.difference_cents
            shown = f"{'+' if differs > 0 else ''}{dollars(differs)}" if differs else ""
            amounts = (dollars(cents) for cents in (line.staked_cents, line.owed_cents, line.handed_back_cents))
            mark = _Raw(f'<span class="differs">{escape(shown)}</span>') if shown else ""
            rows.append(_row("td", (str(seat.seat), name_of_wager(line.wager), *amounts, mark, by_clause(line)), right))
    means = "".join(f"<li>({escape(basis)}): {escape(says)}</li>" for basis, says in bases(hand))
    return f"<h2>Wagers</h2><table class=wagers>{''.join(rows)}</table>{f'<ul>{means}</ul>' if means else ''}"


def _undecided(hand: Reconstruction) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in hand.undecided)
    return f"<h2>Not decided</h2><ul>{lines}</ul>" if lines else ""


def _findings(hand: Reconstruction) -> str:
    if not hand.findings:
        return f"<p>{escape(hand.nothing_found)}</p>"
    return f"<h2>To review</h2>{_each(hand.findings)}"


def _around(hand: Reconstruction) -> str:
    return f"<h2>{escape(AROUND)}</h2>{_each(hand.around)}" if hand.around else ""


def _each(findings: Iterable[FindingLine]) -> str:
    shown = []
    for finding in findings:
        clauses = "".join(f"<li>{escape(name)}: {escape(gist)}</li>" for name, gist in finding.clauses.items())
        shown.append(
            f'<div class="finding"><strong>{escape(finding.severity)}: {escape(finding.code)}</strong>'
            f"{at_risk(finding)} {escape(finding.says)}<ul>{clauses}</ul>shown by {_named(finding.evidence)}</div>"
        )
    return "".join(shown)


def _named(facts: Iterable[str]) -> str:
    return ", ".join(f'<span class="fact">{escape(fact)}</span>' for fact in facts)
