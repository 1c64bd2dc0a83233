"""Open the room of a record: its log, its published read models, its desk and its accounts."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from consumers.accounts.accounts import ACCOUNTS, Accounts
from consumers.accounts.door import SignInDoor
from consumers.accounts.failures import Failures
from consumers.accounts.sessions import Proof, Sessions
from consumers.accounts.sign_in_file import SignInFile
from consumers.desk.opening import open_desk
from consumers.editions import install_editions
from consumers.exporting.orders import EXPORTS, Home, Shelf
from consumers.logs.opening import open_log
from consumers.room.hands import Hands
from consumers.room.readings import Readings
from consumers.room.room import Room
from consumers.room.signing_in import SignIn, sign_in_of
from consumers.signing.words import SIGNER
from consumers.trust.tree_file import TREE_FILE
from consumers.watching.finding_hands import verified_day

READ: Final = "read"  # the projector's folder, in the data folder


class OpenedRoom(msgspec.Struct, frozen=True):
    """A room and its ways to sign in: local accounts, a sign-in service, or both."""

    room: Room
    door: SignInDoor | None
    sign_in: SignIn
    sessions: Sessions


class NoRoomError(ValueError):
    """An environment that names no record for the room."""


def opened(environment: Mapping[str, str] = os.environ) -> OpenedRoom:
    """Open the room of the record that `CATWALK_DATA` names, or `CATWALK_KAFKA` with `CATWALK_STATE`."""
    data, kafka = _path(environment, "CATWALK_DATA"), _path(environment, "CATWALK_KAFKA")
    state = _path(environment, "CATWALK_STATE") or data
    if state is None:
        raise NoRoomError("no record is named: set CATWALK_DATA, or CATWALK_KAFKA and CATWALK_STATE")
    install_editions(environment)
    log = open_log(data=data, kafka=kafka)
    hands = Hands(log, lambda stream: verified_day(log, stream, data=data, kafka=kafka))
    desk = open_desk(state, environment)
    room = Room(Readings(state / READ), desk, hands)
    room.tree = state / TREE_FILE
    room.log = log
    room.shelf = Shelf(Home(data or state, data, kafka, state / EXPORTS), desk)
    room.signer = _path(environment, SIGNER)
    how, named = sign_in_of(environment), _path(environment, "CATWALK_ACCOUNTS")
    # With a sign-in service, local accounts are a second way in, which must be requested by name.
    accounts = None if how.service and named is None else Accounts(named or state / ACCOUNTS)
    file = SignInFile(state)
    door = None if accounts is None else SignInDoor(accounts, Failures(file), lambda: desk)
    return OpenedRoom(room, door, how, Sessions(file, _proof(accounts)))


def _proof(accounts: Accounts | None) -> Proof:
    return accounts.proof if accounts is not None else lambda _: None


def _path(environment: Mapping[str, str], name: str) -> Path | None:
    value = environment.get(name, "")
    return Path(value) if value else None
