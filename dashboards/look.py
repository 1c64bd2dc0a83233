"""How things look everywhere: amounts, times, ages, severities; each said in words as well as by colour."""

from datetime import UTC, datetime, tzinfo
from html import escape
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

STALE_SECONDS = 15
GAMES = {
    "UTH-MA": "Ultimate Texas Hold'em · MA",
    "UTH-MD": "Ultimate Texas Hold'em · MD",
    "PIK": "Pik-it",
    "FAH": "Fast Action Hold'em",
    "COL": "Colorado Hold'em",
}
# The scale of severities, gravest first, each with the sign that stands beside its word.
SEVERITIES = {"money": "$", "integrity": "◆", "procedure": "●", "information": "i"}

STYLE = """
<style>
:root{--ok:#15803d;--warn:#b45309;--bad:#b91c1c;--calm:#475569}
[data-testid="stMainBlockContainer"]{padding-top:2.6rem;max-width:110rem}
.cw-tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.8rem;margin:.3rem 0 1rem}
.cw-tile{display:block;border:1px solid color-mix(in srgb,currentColor 22%,transparent);border-radius:.6rem;
padding:.7rem .9rem;text-decoration:none!important;color:inherit!important;border-left:.45rem solid var(--calm)}
.cw-tile:hover,.cw-tile:focus{outline:2px solid currentColor}
.cw-tile.money{border-left-color:var(--bad)}.cw-tile.integrity{border-left-color:var(--warn)}
.cw-tile.quiet{border-left-color:var(--ok)}.cw-tile.shut{opacity:.65}
.cw-name{font-size:1.5rem;font-weight:700;line-height:1.1}.cw-game{font-size:.95rem}
.cw-row{display:flex;justify-content:space-between;gap:.6rem;font-variant-numeric:tabular-nums;font-size:1rem}
.cw-big{font-size:1.15rem;font-weight:650}.cw-pit{font-size:1.1rem;margin:.8rem 0 .1rem;font-weight:650}
.cw-age{font-size:.92rem;opacity:.85}.cw-age.stale{opacity:1;color:#fff;background:var(--bad);padding:.15rem .6rem;
border-radius:.4rem;font-weight:650}
.cw-list{display:flex;flex-direction:column;gap:.4rem;max-height:70vh;overflow:auto;padding:.2rem}
.cw-line{display:block;text-decoration:none!important;color:inherit!important;padding:.5rem .7rem;border-radius:.5rem;
border:1px solid color-mix(in srgb,currentColor 18%,transparent)}
.cw-line:hover,.cw-line:focus{outline:2px solid currentColor}.cw-line[aria-current]{border-width:3px}
.cw-badge{display:inline-block;border:1px solid currentColor;border-radius:.4rem;padding:0 .45rem;font-size:.9rem;
font-weight:650;white-space:nowrap}
.cw-badge.money{color:var(--bad)}.cw-badge.integrity{color:var(--warn)}
@media (prefers-color-scheme:dark){:root{--ok:#4ade80;--warn:#fbbf24;--bad:#f87171;--calm:#94a3b8}
.cw-age.stale{color:#111}}
</style>
"""


def money(cents: int | None, currency: str = "USD") -> str:
    """An amount as people read it; a dash where nobody knows it."""
    if cents is None:
        return "–"
    sign, whole = "−" if cents < 0 else "", abs(cents)
    mark = {"USD": "$", "EUR": "€", "GBP": "£"}.get(currency, f"{currency} ")
    dollars, rest = divmod(whole, 100)
    return f"{sign}{mark}{dollars:,}.{rest:02}" if rest else f"{sign}{mark}{dollars:,}"


def zone(name: str | None) -> tzinfo:
    """A zone by its name; UTC where nobody knows it."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def clock(moment: datetime | None, of: tzinfo = UTC) -> str:
    """A time of day, to the second, in a zone."""
    if moment is None:
        return "–"
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(of).strftime("%H:%M:%S")


def moment(at: datetime | None, of: tzinfo = UTC) -> str:
    """A day and a time of day, to the minute, in a zone."""
    if at is None:
        return "–"
    aware = at if at.tzinfo else at.replace(tzinfo=UTC)
    return aware.astimezone(of).strftime("%Y-%m-%d %H:%M")


def percent(share: float | None, digits: int = 1) -> str:
    """A share in percent."""
    return "–" if share is None else f"{share:.{digits}%}".replace("-", "−")


def number(value: float | None, digits: int = 1) -> str:
    """A number that is not whole."""
    return "–" if value is None else f"{value:,.{digits}f}".replace("-", "−")


def about(cents: float | None, currency: str = "USD") -> str:
    """An amount that was worked out and not counted, to the dollar."""
    return money(None if cents is None else round(cents / 100) * 100, currency)


def dollars(cents: float) -> float:
    """An amount for the axis of a chart."""
    return cents / 100


def count(number: int | None) -> str:
    """A number with its thousands apart."""
    return "–" if number is None else f"{number:,}"


def plain(text: str) -> str:
    """Words as they are, where markup is understood: nothing in them is taken for it."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]()#+-.!|<>~$:" else letter for letter in text)


def severity(name: str) -> str:
    """A severity as a badge: sign and word."""
    return f'<span class="cw-badge {escape(name)}">{SEVERITIES.get(name, "?")} {escape(name)}</span>'


def age(made_at: datetime) -> str:
    """How old what is shown is; it turns into a warning by itself when nothing new comes."""
    return (
        f'<span class="cw-age" role="status" data-made-at="{made_at.timestamp():.0f}" '
        f'data-stale-after="{STALE_SECONDS}"></span>'
    )
