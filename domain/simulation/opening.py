"""A table's day around its rounds: opening, first players, idling, a new dealer, money, the close."""

from collections.abc import Mapping

from domain.facts import decks as deck_facts
from domain.facts import devices, players, table_day, table_money, wagers
from domain.facts.table_day import DeviceHere, WagerLimits
from domain.settlement.uth_progressive import opening_meters
from domain.simulation import decks, shuffling
from domain.simulation.table import Setup, TableInPlay

BUY_IN_CENTS = 50_000


def devices_at(setup: Setup, table: TableInPlay) -> tuple[DeviceHere, ...]:
    """Return the devices in service, as the house's options and the dealing method require."""
    name, kind = setup.table, str(table.house["shuffler"])
    found = []
    if kind not in ("none", "continuous"):
        cover_all = kind == "cover-all"
        found.append(
            DeviceHere(
                f"{name}-shuffler",
                "shuffler",
                model="i-Deal Plus" if cover_all else "",
                mode="Ultimate Texas Hold'em Cover All" if cover_all else "",
                counts_decks=kind == "counting",
            )
        )
    if setup.method in ("automated-shoe", "continuous-shoe"):
        mode = setup.dealer_stack or str(table.house.options.get("dealer_stack_delivery") or "")
        again = setup.shoe_reshuffles or setup.method == "continuous-shoe"
        counts = setup.shoe_reshuffles
        found.append(DeviceHere(f"{name}-shoe", "shoe", mode=mode, counts_decks=counts, reshuffles=again))
    if table.house.options.get("progressive") and setup.book == "UTH-MD":
        found.append(DeviceHere(f"{name}-progressive", "progressive"))
    if setup.reading != "none":
        found.append(DeviceHere(f"{name}-cards", "table-reader"))
    return (*found, DeviceHere(f"{name}-chips", "chip-reader"))


def limits(table: TableInPlay) -> dict[str, WagerLimits]:
    """Return the posted limits: those of the setup, or else of the house's options."""
    if table.setup.limits:
        return dict(table.setup.limits)
    options = table.house.options
    bounded = dict.fromkeys(name[: -len("_min")] for name in options if name.endswith(("_min", "_max")))
    return {wager: WagerLimits(options.get(f"{wager}_min"), options.get(f"{wager}_max")) for wager in bounded}


def open_table(table: TableInPlay) -> None:
    """Open the table for its day: what is in force, the staff and devices, and its decks."""
    setup, house, post = table.setup, table.house, table.post
    here = devices_at(setup, table)
    table.stands(here)
    table.meters = _meters(table)
    post.say(
        table_day.TableOpened,
        setup.table,
        setup.gaming_day,
        0,
        setup.book,
        house.book.digest,
        setup.options,
        setup.method,
        setup.positions,
        limits=limits(table),
        devices=here,
        meters_cents=dict(table.meters),
        opener_cents=setup.opener_cents,
        pit=setup.pit,
        zone=setup.zone,
        unrecorded=setup.unrecorded,
        unseen_wagers=setup.unseen_wagers,
        after=0,
    )
    post.say(table_day.PersonCame, table.floorperson, "floorperson")
    post.say(table_day.PersonCame, table.dealer, "dealer")
    for device in here:
        if device.mode:
            post.say(devices.DeviceConfigured, device.device, mode=device.mode)
    for meter, cents in table.meters.items():
        post.say(wagers.MeterRead, meter, cents)
    table.decks = [decks.receive(table) for _ in range(decks.in_service(table))]
    if not decks.skips_inspection(setup):
        for deck in table.decks:
            decks.inspect(table, deck)


def _meters(table: TableInPlay) -> dict[str, int]:
    """Return the meters as left, if they belong to the pay table in force; those of another table begin again."""
    left = dict(table.setup.meters_cents)
    if table.setup.book != "UTH-MD" or not table.house["progressive"]:
        return left
    own = opening_meters(table.house)
    return left if left and left.keys() >= own.keys() else own


def begin(table: TableInPlay, seated: Mapping[int, str]) -> None:
    """Begin the game: the first player arrives and may look at the cards; the others sit down."""
    first = next(iter(seated.values()))
    table.post.say(players.PlayerArrived, first)
    for seat, player in seated.items():
        sit(table, seat, player)
    make_decks_ready(table, first)
    table.post.say(table_day.GameCommenced)


def make_decks_ready(table: TableInPlay, player: str) -> None:
    """Show and mix each deck separately; a second one is shuffled at once, to be stored."""
    for deck in table.decks:
        decks.prepare(table, deck, player)
        if deck is not table.deck and not deck.ready:
            shuffling.shuffle(table, deck)


def sit(table: TableInPlay, seat: int, player: str, cents: int = BUY_IN_CENTS) -> None:
    """Seat a player, who buys chips."""
    table.post.say(players.PlayerSeated, seat, player)
    table.post.say(table_money.BoughtIn, seat, player, cents)
    table.seated[seat] = player
    table.tray_cents -= cents
    table.drop_cents += cents


def leave(table: TableInPlay, seat: int) -> None:
    """Have a player leave the seat."""
    table.post.say(players.PlayerLeft, seat, table.seated.pop(seat))


def idle(table: TableInPlay, *, face_up: bool = False) -> None:
    """Spread the cards while nobody plays (UTH-MD 5.H(1), UTH-MA 4(e) s1)."""
    post = table.post
    post.say(table_day.TableIdled)
    for deck in table.decks:
        if table.book != "UTH-MD" or not face_up:
            post.say(deck_facts.CardsSpread, deck.name, face_up=face_up)
        else:
            post.say(players.PlayerAsked, "face-up", deck=deck.name)
            post.say(deck_facts.CardsSpread, deck.name, face_up=True)


def resume(table: TableInPlay, seat: int, player: str) -> None:
    """Resume with a player, who may look at the cards lying face up, and mix them again."""
    post = table.post
    post.say(players.PlayerArrived, player)
    sit(table, seat, player)
    for deck in table.decks:
        post.say(deck_facts.CardsTurned, deck.name, face_up=True)
        post.say(players.InspectionOffered, player=player, deck=deck.name)
        decks.mix(table, deck)
        if deck is not table.deck:
            shuffling.shuffle(table, deck)
    post.say(table_day.GameCommenced)


def relieve(table: TableInPlay, dealer: str) -> None:
    """Change the dealer."""
    table.post.say(table_day.PersonWent, table.dealer, "dealer")
    table.post.say(table_day.PersonCame, dealer, "dealer")
    table.dealer = dealer


def choose(table: TableInPlay, option: str, value: object, *, posted: bool = True) -> None:
    """Change an option of the table, with notice; a part of an object by its dotted name."""
    table.post.say(table_day.OptionChanged, option, value, posted)
    table.play_by(options={option: value})


def post_limits(table: TableInPlay, wager: str, least_cents: int | None, most_cents: int | None = None) -> None:
    """Post new limits for one wager."""
    table.post.say(table_day.LimitsPosted, wager, least_cents, most_cents)


def fill(table: TableInPlay, slip: str, cents: int) -> None:
    """Bring chips to the table."""
    table.post.say(table_money.FillReceived, slip, cents)
    table.tray_cents += cents


def credit(table: TableInPlay, slip: str, cents: int) -> None:
    """Take chips from the table."""
    table.post.say(table_money.CreditSent, slip, cents)
    table.tray_cents -= cents


def close_table(table: TableInPlay) -> None:
    """Close the day: players and decks leave, and the chips are counted."""
    post = table.post
    for seat in list(table.seated):
        leave(table, seat)
    for deck in list(table.decks):
        decks.remove(table, deck, "end of day", decks.VAULT)
    post.say(table_money.InventoryCounted, table.tray_cents, "closing")
    post.say(table_money.DropCounted, table.drop_cents)
    post.say(table_day.PersonWent, table.dealer, "dealer")
    post.say(table_day.PersonWent, table.floorperson, "floorperson")
    post.say(
        table_day.TableClosed,
        closer_cents=table.tray_cents,
        rounds=table.rounds,
        meters_cents=dict(table.meters),
    )
