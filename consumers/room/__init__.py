"""The façade of the room: everything its pages may ask and do."""

from eventsourcing.persistence import OperationalError as OutOfReachError

from consumers.accounts.accounts import AccountsError
from consumers.accounts.door import KeptOutError, SignInDoor
from consumers.accounts.sessions import Session, Sessions
from consumers.room.case_files import CaseFileEntry
from consumers.room.case_files import Told as EntryTold
from consumers.room.cases import CaseLine, CaseTold, cents_of, micros
from consumers.room.decks import DeckBook
from consumers.room.exports import GAMES, ExportAsked, ExportLine, NoExportError
from consumers.room.hands import HandView
from consumers.room.incidents import IncidentRow
from consumers.room.looking import RoomVisit, ShownAnswer, SignInOverError
from consumers.room.numbers import PayTables
from consumers.room.opening import NoRoomError, OpenedRoom, opened
from consumers.room.people import DealerTold
from consumers.room.record import Health, LastCheckpoint
from consumers.room.reviews import Whose
from consumers.room.room import QUEUE_PAGE, Queued, Room, ToldFinding
from consumers.room.signing_in import Came, NotInError, SignIn, came, sign_in_of
from consumers.room.tables import TableDayView
from consumers.watching.finding_hands import NoSuchHandError
from domain.desk.access import RecordProved
from domain.desk.acting import RefusedError
from domain.desk.case import Case, VideoHold, hand_name
from domain.desk.case_records import Outcome, PersonAs, Subject
from domain.desk.export import Export
from domain.desk.review import DISPOSITIONS, Disposition, Review
from domain.desk.roles import ForbiddenError, Person, Right, Role
from domain.spoken import name_of_choice, name_of_wager
from domain.table.scene import FACE_DOWN, Card, Chips, FeltPlace, FeltScene
from domain.watch.reconstruction import Step

__all__ = [
    "DISPOSITIONS",
    "FACE_DOWN",
    "GAMES",
    "QUEUE_PAGE",
    "AccountsError",
    "Came",
    "Card",
    "Case",
    "CaseFileEntry",
    "CaseLine",
    "CaseTold",
    "Chips",
    "DealerTold",
    "DeckBook",
    "Disposition",
    "EntryTold",
    "Export",
    "ExportAsked",
    "ExportLine",
    "FeltPlace",
    "FeltScene",
    "ForbiddenError",
    "HandView",
    "Health",
    "IncidentRow",
    "KeptOutError",
    "LastCheckpoint",
    "NoExportError",
    "NoRoomError",
    "NoSuchHandError",
    "NotInError",
    "OpenedRoom",
    "OutOfReachError",
    "Outcome",
    "PayTables",
    "Person",
    "PersonAs",
    "Queued",
    "RecordProved",
    "RefusedError",
    "Review",
    "Right",
    "Role",
    "Room",
    "RoomVisit",
    "Session",
    "Sessions",
    "ShownAnswer",
    "SignIn",
    "SignInDoor",
    "SignInOverError",
    "Step",
    "Subject",
    "TableDayView",
    "ToldFinding",
    "VideoHold",
    "Whose",
    "came",
    "cents_of",
    "hand_name",
    "hands",
    "micros",
    "name_of_choice",
    "name_of_wager",
    "opened",
    "room",
    "sign_in_of",
    "signing_in",
    "tables",
]
