"""The tables that follow from the records alone, derived a second time, from docs/export-format.md, through the facts' own types."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from domain.facts import deal, decks, payments, table_day, table_money, wagers
from domain.facts.codec import decode
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from domain.facts.watching import Corrected
from domain.watch import record as of_findings
from domain.watch.corrected import Corrections, also, corrected, within_reach
from projections.export.columns import Cutter
from projections.export.day import day_of, rows_of
from projections.export.zones import zone_of
from tests.export.builder import Records, local

Row = list[object]
OVER = (wagers.BetsClosed, deal.CardDealt, deal.StackDispensed, deal.StackDelivered)


def read_as_corrected(records: Records) -> dict[str, list[Fact]]:
    """Every stream of a table, each fact as it should have been said."""
    streams = {
        stream: [decode(each) for each in stored]
        for (kind, stream), stored in sorted(records.items())
        if kind == "facts"
    }
    known: dict[tuple[str, int], tuple[Corrected, ...]] = {}
    for stream in sorted(streams):
        for fact in streams[stream]:
            if isinstance(fact, Corrected) and owner(fact.corrects_stream) == owner(stream):
                about = (fact.corrects_stream, fact.corrects_sequence)
                if about < (stream, fact.sequence):
                    known[about] = (*known.get(about, ()), fact)
    return {
        stream: [read for fact in facts if (read := corrected(fact, known.get((stream, fact.sequence)))) is not None]
        for stream, facts in streams.items()
        if owner(stream) != PROPERTY
    }


def paid(records: Records) -> Iterator[Row]:
    for stream, facts in read_as_corrected(records).items():
        rounds: dict[int, dict[tuple[int, str], Row]] = {}
        over: set[int] = set()
        newest = 0
        for fact in facts:
            at = fact.round
            if at is None:
                at = newest = newest + 1 if isinstance(fact, deal.RoundOpened) else newest
            newest = max(newest, at)
            if at:
                _act(rounds.setdefault(at, {}), over, at, fact)
        for number, rows in sorted(rounds.items()):
            yield from ([stream, number, seat, wager, *row] for (seat, wager), row in sorted(rows.items()))


def _act(rows: dict[tuple[int, str], Row], over: set[int], at: int, fact: Fact) -> None:
    match fact:
        case wagers.WagerPlaced() | wagers.WagerChanged():
            if (fact.seat, fact.wager) not in rows:
                rows[fact.seat, fact.wager] = [fact.cents, 0, 0, 0]
            elif at not in over:
                rows[fact.seat, fact.wager][0] = fact.cents
        case wagers.WagerWithdrawn() if at not in over:
            rows.pop((fact.seat, fact.wager), None)
        case wagers.WagerWithdrawn():
            rows.setdefault((fact.seat, fact.wager), [None, 0, 0, 0])
        case payments.WagerCollected() | payments.WagerPaid() | payments.WagerReturned():
            row = rows.setdefault((fact.seat, fact.wager), [None, 0, 0, 0])
            column = (payments.WagerCollected, payments.WagerPaid, payments.WagerReturned).index(type(fact)) + 1
            held = row[column]
            row[column] = None if held is None or fact.cents is None else int(str(held)) + fact.cents
        case _ if isinstance(fact, OVER):
            over.add(at)


def money(records: Records) -> Iterator[Row]:
    for stream, facts in read_as_corrected(records).items():
        of = {kind: [fact for fact in facts if isinstance(fact, kind)] for kind in (*_SUMS, table_money.DropCounted)}
        opener = next((f.opener_cents for f in reversed(facts) if isinstance(f, table_day.TableOpened)), None)
        closer = next((f.closer_cents for f in reversed(facts) if isinstance(f, table_day.TableClosed)), None)
        fills, sent, bought = (sum(fact.cents or 0 for fact in of[kind]) for kind in _SUMS)
        drops = [fact.cents for fact in of[table_money.DropCounted]]
        drops += [f.drop_cents for f in facts if isinstance(f, table_day.TableClosed) and f.drop_cents is not None]
        drop = sum(drops) if drops else None
        win = None if opener is None or closer is None or drop is None else closer + sent + drop - opener - fills
        yield [stream, *stream.split("/"), opener, fills, sent, drop, closer, bought, win]


_SUMS = (table_money.FillReceived, table_money.CreditSent, table_money.BoughtIn)


def openers(records: Records) -> Iterator[Row]:
    before: dict[str, tuple[str, int | None]] = {}
    for stream, facts in read_as_corrected(records).items():
        name, day = stream.split("/")
        opened = [fact for fact in facts if isinstance(fact, table_day.TableOpened)][-1]
        closed_on, closer = before.get(name, (None, None))
        opener = opened.opener_cents
        differs = None if opener is None or closer is None else opener - closer
        duty = _duty(closed_on, opener, differs)
        yield [stream, name, day, local(opened.at), closed_on, closer, opener, differs, duty]
        closed = [fact for fact in facts if isinstance(fact, table_day.TableClosed)]
        before[name] = (day, closed[-1].closer_cents if closed else None)


# From how many cents on | what is to be done.
_DUTIES = (
    (10_000, "signed report, copy to the regulator"),
    (2_501, "signed report"),
    (1, "report at once"),
    (0, ""),
)


def _duty(closed_on: str | None, opener: int | None, differs: int | None) -> str:
    if closed_on is None:
        return "first day on record"
    if opener is None:
        return "the opener is not on record"
    if differs is None:
        return "the previous closer is not on record"
    return next(says for least, says in _DUTIES if abs(differs) >= least)


def statistics(records: Records, games: Mapping[str, str]) -> Iterator[Row]:
    """Statistics of single days: the question covers no dates."""
    rows: dict[tuple[str, str, str], list[Row]] = {}
    for row in money(records):
        rows.setdefault((str(row[2]), "game", games[str(row[0])]), []).append(row)
        rows.setdefault((str(row[2]), "table", str(row[1])), []).append(row)
    for (day, by, of), held in sorted(rows.items()):
        drops = [int(str(row[6])) for row in held if row[6] is not None]
        counted = [(int(str(row[6])), int(str(row[9]))) for row in held if row[9] is not None]
        drop, win = sum(drop for drop, _ in counted), sum(win for _, win in counted)
        hold = (Fraction(10_000 * win, drop) + Fraction(1, 2)).__floor__() if drop else None
        yield [
            *(day, by, of, "day", len(held), len(counted), sum(drops) if drops else None),
            *(win if counted else None, hold, *[None] * 7),
        ]


def card_record(records: Records) -> Iterator[Row]:
    """The record of decks and counts as the scenes have them: none names the deck in play, and every round is over."""
    for stream, facts in read_as_corrected(records).items():
        newest = before = 0
        for fact in facts:
            newest = max(newest, fact.round or newest)
            place = [stream, *stream.split("/"), fact.sequence, local(fact.at)]
            match fact:
                case decks.DeckReceived():
                    yield [*place, "deck-received", newest or None, fact.deck, fact.cards, *[None] * 5]
                case payments.StubCounted():
                    since = newest - before
                    yield [*place, "stub-counted", newest, "deck-1", fact.cards, since, None, None, fact.by, None]
                    before = newest


def played(records: Records, wrong: Mapping[tuple[object, ...], int]) -> dict[str, list[Row]]:
    """Rounds, hands and wagers as the fold of the read models has them; amounts owed are invented: those handed back,
    except for the wagers that are wrong."""
    found: dict[str, list[Row]] = {"rounds": [], "hands": [], "wagers": []}
    known = dict[str, Corrections]()
    streams = {
        stream: [decode(each) for each in stored]
        for (kind, stream), stored in sorted(records.items())
        if kind == "facts"
    }
    for facts in streams.values():
        for fact in facts:
            if isinstance(fact, Corrected) and within_reach(fact):
                also(known.setdefault(fact.corrects_stream, {}), fact)
    for stream, facts in streams.items():
        if owner(stream) != PROPERTY:
            rows = rows_of(day_of(stream, facts, known.get(stream, {})), Cutter(zone_of("America/New_York")))
            _owed({name: [list(row) for row in rows[name]] for name in found}, wrong, found)
    return found


def _owed(rows: dict[str, list[Row]], wrong: Mapping[tuple[object, ...], int], found: dict[str, list[Row]]) -> None:
    by_hand: dict[tuple[object, ...], list[int]] = {}
    for row in rows["wagers"]:
        if row[13] != "":
            differs = wrong.get((row[0], row[3], row[4], row[6]), 0)
            row[14:] = [int(str(row[13])) - differs, differs, "UTH-MD 12.B", "certain", ""]
        by_hand.setdefault((row[0], row[3], row[4]), []).append(row)  # type: ignore[arg-type]
    by_round: dict[tuple[object, ...], list[object]] = {}
    for row in rows["hands"]:
        of = by_hand.get((row[0], row[3], row[4]), [])
        row[12:] = [_total(each[14] for each in of), _total(each[15] for each in of)]  # type: ignore[index]
        by_round.setdefault((row[0], row[3]), []).append(row[12])
    for row in rows["rounds"]:
        row[21] = _total(by_round.get((row[0], row[3]), []))
    for name, each in rows.items():
        found[name] += each


def _total(cells: Iterable[object]) -> object:
    told = list(cells)
    return "" if "" in told else sum(int(str(cell)) for cell in told)


def errors(wagers: Iterable[Row], rounds: Iterable[Row], names: Mapping[tuple[object, ...], str]) -> Iterator[Row]:
    of = {(row[0], row[3]): row for row in rounds}
    for row in wagers:
        stream, name, day, number, seat, player, wager, staked, *_, back, owed, differs, clause, basis, _undecided = row
        if differs:
            cents, told = int(str(differs)), of[stream, number]
            yield [
                *(stream, name, day, number, told[7], told[13], seat, player, wager, staked, owed, back),
                *(max(-cents, 0), max(cents, 0), clause, basis, names.get((stream, number, seat, wager), "")),
            ]


def findings(records: Records, gists: str = "what the clause says") -> Iterator[Row]:
    for (kind, stream), stored in sorted(records.items()):
        if kind == "findings":
            yield from _findings(stream, map(of_findings.decode, stored), gists)


def _findings(stream: str, told: Iterable[Fact], gists: str) -> Iterator[Row]:
    held: dict[str, tuple[str, of_findings.FindingRaised]] = {}
    for each in told:
        if isinstance(each, of_findings.FindingRaised):
            held[each.finding] = ("standing", each)
        elif isinstance(each, of_findings.FindingWithdrawn) and each.finding in held:
            held[each.finding] = ("withdrawn", held[each.finding][1])
    for name, (state, each) in sorted(held.items()):
        about = each.about or stream
        yield [
            *(about, *about.split("/"), name, each.code, each.severity, state, each.says, "; ".join(each.clauses)),
            *(each.round, each.to_round, each.seat, each.wager, each.dealer, each.deck, each.short_cards),
            *(local(each.at), each.trigger, each.known_by),
            *(each.expected_cents, each.observed_cents, "; ".join(map(str, each.evidence)), each.basis, gists),
        ]
