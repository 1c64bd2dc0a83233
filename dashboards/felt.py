"""The felt as one self-contained SVG: cards, chips by wager area, dealer and community cards.

The dealer is at the top, so seat 1, at the dealer's left, is on the right, as seen by the players. An unknown card has
a question mark, a hidden card shows its back, and a ring marks what the last fact changed. Color is never the only
signal: words show every state as well.
"""

from collections.abc import Iterable, Sequence
from html import escape

from consumers.room import FACE_DOWN, Card, Chips, FeltPlace, FeltScene, name_of_choice, name_of_wager
from dashboards import formatting

WIDTH, HEIGHT = 1400, 790
_SEAT_WIDTH, _LINE = 226, 25  # the width of a seat with enough room, and of a line below its cards
# Widths of letters, for the widest of the usual system fonts; any other character is as wide as a digit.
_LETTERS = {
    **dict.fromkeys(" ijl.,'|!:;", 0.34),
    **dict.fromkeys("frt-()", 0.42),
    **dict.fromkeys("mwMWQO@%", 0.99),
    **dict.fromkeys("ABCDEFGHKNPRSUVXYZ", 0.75),
}
_DIGIT = 0.65
_SMALLEST = 0.8  # the smallest scale of text before it takes a second line
_CARD_WIDTH, _CARD_HEIGHT, _GAP = 58, 82, 6
_TITLES = {"community": "", "box": "Six card box"}
_SUITS = {"c": ("♣", "clubs"), "d": ("♦", "diamonds"), "h": ("♥", "hearts"), "s": ("♠", "spades")}
_STYLE = """
.cloth{fill:#14532d}.rail{fill:none;stroke:#0b2e19;stroke-width:14}.spot{fill:none;stroke:#d9f2e1;stroke-opacity:.35}
.touched{fill:none;stroke:#ffd166;stroke-width:4}.face{fill:#fff;stroke:#222}.black{fill:#111}.red{fill:#b00020}
.back{fill:#1e3a8a;stroke:#dbe4ff}.weave{stroke:#dbe4ff;stroke-opacity:.5}.unknown{fill:#dfe5ee;stroke:#222;
stroke-dasharray:5 3}.chip{fill:#f1f5f9;stroke:#0f172a;stroke-width:2}.chip.paid{fill:#bbf7d0}
.chip.collected{fill:#fecaca}.chip.returned{fill:#bfdbfe}.chip.withdrawn{fill:#e2e8f0;stroke-dasharray:4 3}
text{font-family:system-ui,sans-serif;fill:#f8fafc;font-size:22px}.rank{font-size:32px;font-weight:700}
.rank.black{fill:#111}.rank.red{fill:#b00020}.small{font-size:20px}.strong{font-weight:700}
.void{fill:#ffd166;font-size:44px;font-weight:800}
"""


def felt(scene: FeltScene, positions: int, height: int = HEIGHT) -> str:
    """Return the felt after one fact."""
    low, wide = height - 150, _wide(scene, positions)
    cloth = f"M20 30 H{WIDTH - 20} V{low} Q{WIDTH / 2:.0f} {height + 130} 20 {low} Z"
    parts = [
        f'<path class="cloth" d="{cloth}"/><path class="rail" d="{cloth}"/>',
        *_place("dealer", scene.dealer, (WIDTH / 2, 128), scene.touched),
        *_place("community", scene.community, (WIDTH / 2, 280), scene.touched),
    ]
    if scene.box.cards:
        parts += _place("box", scene.box, (240, 150), scene.touched)
    if scene.burned:
        parts.append(_words(f"burned {scene.burned}", (WIDTH - 140, 90), "small"))
    for number in range(1, max([positions, *scene.seats]) + 1):
        place = scene.seats.get(number, FeltPlace())
        parts += _place(f"seat {number}", place, _where(number, positions), scene.touched, wide)
    if scene.voided:
        parts.append(_words("VOID", (WIDTH / 2, 390), "void"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="100%" role="img" '
        f'aria-label="{escape(told(scene))}"><style>{_STYLE}</style>{"".join(parts)}</svg>'
    )


def height_of(scenes: Iterable[FeltScene], positions: int) -> int:
    """Return one height of the felt that fits every scene of a hand, so that it does not jump."""
    high = HEIGHT
    for scene in scenes:
        wide = _wide(scene, positions)
        for number, place in scene.seats.items():
            x, y = _where(number, positions)
            lowest = y + _CARD_HEIGHT / 2 + 40 + _LINE * sum(len(_said(chips, wide)) for chips in place.chips)
            outwards = (min(x, WIDTH - x) - wide / 3) / WIDTH
            high = max(high, round(lowest + 150 - 560 * outwards * (1 - outwards)))  # where the rail passes below it
    return high


def _wide(scene: FeltScene, positions: int) -> float:
    """Return the largest width of a seat."""
    return min(_SEAT_WIDTH, (WIDTH - 60) / max([positions, *scene.seats]) - 4)


def told(scene: FeltScene) -> str:
    """Return the picture in words, for readers who cannot see it."""
    places = [("dealer", scene.dealer), ("community", scene.community), ("six card box", scene.box)]
    places += [(f"seat {number}", place) for number, place in scene.seats.items()]
    said = (f"{name}: {', '.join(_described(place))}" for name, place in places if place.cards or place.chips)
    return f"{scene.says} On the felt: {'; '.join(said)}."


def _described(place: FeltPlace) -> Iterable[str]:
    yield from (_name(card) for card in place.cards)
    yield from (f"{name_of_wager(chips.wager)} {_amount(chips.cents)} {chips.state}" for chips in place.chips)


def _name(card: Card) -> str:
    if card.face == FACE_DOWN:
        return "a card face down"
    if card.face == "??":
        return "an unseen card"
    return f"{card.face[0].replace('T', '10')} of {_SUITS[card.face[1]][1]}"


def _where(seat: int, positions: int) -> tuple[float, float]:
    """Return the center of a seat's cards on the arc, with seat 1 on the right."""
    share = (seat - 0.5) / max(positions, seat)
    return WIDTH - 30 - (WIDTH - 60) * share, 470 + 240 * share * (1 - share)


def _place(name: str, place: FeltPlace, at: tuple[float, float], touched: str, wide: float = _SEAT_WIDTH) -> list[str]:
    (x, y), title = at, _TITLES.get(name, name.capitalize())
    parts = []
    if name == touched:
        box = f'x="{x - wide / 2:.0f}" y="{y - 96:.0f}" width="{wide:.0f}" height="{_high(place, wide)}"'
        parts.append(f'<rect class="touched" {box} rx="18"/>')
    if title:
        parts.append(_words(title, (x, y - (73 if place.player else 51)), "small strong"))
        parts.append(_words(place.player, (x, y - 51), "small", room=wide - 12))
    seat = name.startswith("seat")
    parts += _cards(place.cards, x, y, dim=place.taken, room=wide - 36 if seat else 340)
    said = " · ".join(part for part in (name_of_choice(place.choice), "cards taken" if place.taken else "") if part)
    if said:
        parts.append(_words(said, (x, y + _CARD_HEIGHT / 2 + 20), "small", room=wide - 12))
    parts += _all_chips(place.chips, x - wide / 2, y + _CARD_HEIGHT / 2 + 30, wide)
    return parts


def _high(place: FeltPlace, wide: float) -> int:
    """Return the height of a place with the lines below its cards."""
    return 172 + _LINE * sum(len(_said(chips, wide)) for chips in place.chips)


def _cards(cards: Sequence[Card], x: float, y: float, *, dim: bool, room: float) -> list[str]:
    step = min(_CARD_WIDTH + _GAP, room / len(cards)) if cards else 0
    left = x - (step * (len(cards) - 1) + _CARD_WIDTH) / 2
    drawn = [_card(card, left + step * number, y - _CARD_HEIGHT / 2) for number, card in enumerate(cards)]
    return [f'<g opacity="{0.55 if dim else 1}">', *drawn, "</g>"] if drawn else []


def _card(card: Card, x: float, y: float) -> str:
    box = f'x="{x:.1f}" y="{y:.1f}" width="{_CARD_WIDTH}" height="{_CARD_HEIGHT}" rx="6"'
    middle = x + _CARD_WIDTH / 2
    if card.face == FACE_DOWN:
        lines = "".join(
            f'<path class="weave" d="M{x + 6:.1f} {y + 14 + 16 * row:.1f} h{_CARD_WIDTH - 12}"/>' for row in range(4)
        )
        return f'<rect class="back" {box}/>{lines}'
    if card.face == "??":
        return f'<rect class="unknown" {box}/>{_words("?", (middle, y + 52), "rank black")}'
    rank, (suit, _) = card.face[0].replace("T", "10"), _SUITS[card.face[1]]
    ink = "red" if card.face[1] in "dh" else "black"
    closed = "" if card.open else f'<rect class="unknown" fill-opacity="0" {box}/>'
    face = _words(rank, (middle, y + 35), f"rank {ink}") + _words(suit, (middle, y + 70), f"rank {ink}")
    return f'<rect class="face" {box}/>{face}{closed}'


def _all_chips(chips: Sequence[Chips], left: float, y: float, wide: float) -> list[str]:
    parts, top = [], y
    for held in chips:
        parts.append(f'<circle class="chip {held.state}" cx="{left + 12:.0f}" cy="{top + 9:.0f}" r="8"/>')
        for line in _said(held, wide):
            parts.append(_words(line, (left + 25, top + 15), "small", "start", room=wide - 29))
            top += _LINE
    return parts


def _said(chips: Chips, wide: float) -> list[str]:
    """Return a wager in words: on one line if there is room, else with its outcome on a second line."""
    wager, became = f"{name_of_wager(chips.wager)} {_amount(chips.cents)}", _became(chips)
    one = not became or _SMALLEST * _long(f"{wager}{became}") <= wide - 29
    return [f"{wager}{became}"] if one else [wager, became.strip()]


def _long(text: str) -> float:
    """Return the approximate width of words in small letters."""
    return 20 * sum(_LETTERS.get(letter, _DIGIT) for letter in text)


def _became(chips: Chips) -> str:
    if chips.state == "lying":
        return ""
    return f" paid {_amount(chips.paid_cents)}" if chips.state == "paid" else f" {chips.state}"


def _amount(cents: int | None) -> str:
    """Return an amount as printed on the felt."""
    return "not seen" if cents is None else formatting.money(cents)


def _words(text: str, at: tuple[float, float], kind: str, anchor: str = "middle", *, room: float | None = None) -> str:
    """Return words at a place, in smaller letters if they are longer than their room."""
    x, y = at
    fits = room is None or _long(text) <= room
    small = "" if fits or room is None else f' style="font-size:{20 * room / _long(text):.1f}px"'
    return f'<text class="{kind}" x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}"{small}>{escape(text)}</text>'
