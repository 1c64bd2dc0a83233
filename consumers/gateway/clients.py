"""The clients of the gateway: a connection or a run of a command, and what each has proved about its identity."""

import re
from typing import Literal

import msgspec

from consumers.gateway.letter_records import shortened
from domain.facts.refused import Refused, RefusedGroups
from domain.ledger.admission import Speaker


class InputReport(msgspec.Struct):
    """The results so far: placed, repeated, dead, held and greetings add up to the lines read."""

    read: int = 0
    placed: int = 0
    repeated: int = 0
    dead: int = 0
    greetings: int = 0
    sealed: int = 0
    held: int = 0  # revocations in force that wait for the property's next day
    said: int = 0  # the gateway's own facts: refusals and clock corrections
    causes: RefusedGroups = msgspec.field(default_factory=RefusedGroups)  # why lines were refused


_AT_THE_SOCKET = " at the socket"
_TOPIC = "topic "
_CONNECTED = re.compile(
    r"\b(user [0-9]+), socket [0-9.]+$|\b(address [0-9a-f.:%]+ by \w+), connection [0-9.]+$"
    r"|^([A-Za-z0-9.-]*inputs\.[A-Za-z0-9-]+)/0$"
)


def label_of(came_from: str) -> str:
    """The label of the client behind a letter's origin; empty if that was neither a connection nor a topic."""
    found = _CONNECTED.search(came_from)
    if found is None:
        return ""
    if found[3]:
        return _TOPIC + found[3]
    return found[1] + _AT_THE_SOCKET if found[1] else found[2]


class OwnTopic(msgspec.Struct, frozen=True):
    """A Kafka topic to which only one source may write."""

    source: str
    name: str
    id: str  # the cluster's own: a topic made again under the same name has another

    @property
    def client(self) -> "Client":
        """The client whose lines are the records of its one partition."""
        return Client(f"{self.name}/0", peer=_TOPIC + self.name, topic=self)


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of one line. The fields after `code` are those of its refusal."""

    line: int
    answer: Literal["taken", "repeat", "refused"]
    code: str = ""
    says: str = ""
    type: str = ""
    field: str = ""
    came: str = ""
    allowed: str = ""
    cure: str = ""


def refused_answer(line: int, refused: Refused) -> Answer:
    """Return the answer that a line was refused."""
    told = msgspec.structs.asdict(refused)
    return Answer(line, "refused", **(told | {"says": shortened(refused.says)}))


class Client(msgspec.Struct):
    """A client: a connection, or the console, which is a command run on the gateway's own files."""

    name: str
    uid: int | None = None  # the connected account, as the operating system reports it; None if it does not
    console: bool = False
    registrar: bool = False  # a command that asked for its user's role
    proved: dict[str, str] = {}  # the sources whose secret it has shown, with the digest of that secret
    report: InputReport = msgspec.field(default_factory=InputReport)
    came_from: str = ""  # the origin of the lines that a console command passes on
    greeted_at: int = 0  # the number of the line that said so; the command's own lines count from there
    tries: Literal["", "retry", "vouch"] = ""  # whether its lines are numbers of dead letters to retry
    counted: bool = True  # whether refusals are recorded; a retried letter's already was
    vouched: bool = False  # whether a person says that what its lines say happened, possible or not
    left_at: int | None = None  # the number of its first line not taken; no later line is taken
    why_left: str = ""
    left_for: str = ""  # the rule
    peer: str = ""  # the origin of a client of the network: "address 10.0.0.5 by TLS"
    answers: list[Answer] | None = None  # the results not sent yet, for a client that gets each line's
    topic: OwnTopic | None = None  # whose records its lines are

    @property
    def is_console(self) -> bool:
        """Whether it is a command on the gateway's own files, whichever source it speaks for."""
        return self.console or (self.uid is None and not self.peer)

    @property
    def is_stranger(self) -> bool:
        """Whether it comes over the network and has proved nothing: nothing that it sends may take space here."""
        return bool(self.peer) and not self.proved and self.topic is None

    @property
    def label(self) -> str:
        """The client's label, the same for all connections of one account of the machine, or of one address."""
        return self.peer or (self.name if self.is_console else f"{self.account}{_AT_THE_SOCKET}")

    @property
    def account(self) -> str:
        """The account of the machine, or the address of the network, whose connections count together."""
        return self.peer or f"user {self.uid}"

    def leave(self, at: int, rule: str, why: str) -> None:
        """Take neither this line nor any later one."""
        self.left_at, self.left_for, self.why_left = at, rule, why

    def come_back(self) -> None:
        """Take its lines again, from the first that was not taken."""
        self.left_at, self.left_for, self.why_left = None, "", ""

    def let_in(self, at: int, role: str, name: str) -> None:
        """Give a console command its rights; its lines keep the name and number they have in its input."""
        self.name, self.came_from, self.greeted_at = role, name, at
        self.console, self.registrar = role in ("console", "registrar"), role == "registrar"
        self.tries = "vouch" if role == "vouch" else "retry" if role == "retry" else ""

    def answer(self, answer: Answer) -> None:
        """Note the result of a line if the client wants to know it."""
        if self.answers is not None:
            self.answers.append(answer)

    @property
    def speaker(self) -> Speaker:
        """The client in the form that the rules of admission use."""
        return Speaker(self.console, self.registrar, self.uid, self.proved, self.topic.source if self.topic else "")


CONSOLE = Client("console", console=True)
REGISTRAR = Client("registrar", console=True, registrar=True)
