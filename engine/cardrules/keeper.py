"""What the keepers of all games share: seats, phases, clocks, snapshots, and one way to say things."""

from cardrules.announcement import (
    BOOT,
    CLOSE,
    DEALER,
    END,
    GAME,
    JOIN,
    LEAVE,
    NO_SEAT,
    PAUSE,
    RESUME,
    RULE,
    START,
    SWAP,
    VOID,
)
from cardrules.seating import ACTIVE, EMPTY, LEFT, WAITING, Ring

SETUP = "setup"
PLAY = "play"
COLOUR = "colour"
OUT = "out"
SCORING = "scoring"
SCORED = "scored"
OVER = "over"
SHORT = "short"
PHASES = (SETUP, PLAY, COLOUR, OUT, SCORING, SCORED, OVER, SHORT)
IN_ROUND = (PLAY, COLOUR, OUT, SCORING, SCORED)
TIMED = (PLAY, COLOUR, OUT)

SNAPSHOT_VERSION = 1
WORD = 0xFFFFFFFF


def pack_numbers(numbers):
    """Return whole numbers of any sign as bytes, seven bits a byte."""
    data = bytearray()
    for number in numbers:
        number = number << 1 if number >= 0 else (-number << 1) - 1
        while number > 127:
            data.append(number & 127 | 128)
            number >>= 7
        data.append(number)
    return bytes(data)


def unpack_numbers(data):
    """Return the list that pack_numbers() packed. Raises ValueError when cut short."""
    numbers = []
    number = 0
    shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(-((number + 1) >> 1) if number & 1 else number >> 1)
            number = 0
            shift = 0
    if shift:
        raise ValueError("snapshot cut short")
    return numbers


class Keeper:
    """The public state of one match. Subclasses add a game's rules.

    GAME_ID: its number; SETTINGS: its house rules; SEATS_MAX: seats it can use.
    """

    GAME_ID = 0
    SETTINGS = ()
    SEATS_MIN = 2
    SEATS_MAX = 6

    def __init__(self, seats: int = 6) -> None:
        self.game = self.GAME_ID
        self.notices = []
        self.ring = Ring(seats)
        self.phase = SETUP
        self.paused = False
        self.dealer = NO_SEAT
        self.turn = NO_SEAT
        self.round = 0
        self.winner = NO_SEAT
        self.scores = [0] * seats
        self.players = [0] * seats
        self.clock_ms = [0] * seats
        self.rules = {key: default for key, _name, _values, default in self.SETTINGS}
        self.rounds = []  # confirmed facts: (winner seat, points)
        self._ms = 0

    # What may be said.

    def why_not(self, what: int, seat: int = NO_SEAT, arg: int = 0):
        """Return None if this may be said now, else the reason, a tuple (code, numbers...). Changes nothing."""
        if seat != NO_SEAT and not 0 <= seat < len(self.ring):
            return ("seat_unknown", len(self.ring))
        if not 0 <= arg <= WORD:
            return ("argument",)
        if what == BOOT:
            return None
        if what == RESUME:
            return None if self.paused else ("not_paused",)
        if self.paused:
            return ("paused",)
        if what == GAME:
            return None if arg == self.game else ("argument",)
        phase = self.phase
        if what == PAUSE:
            return None if phase in IN_ROUND else self._wrong_phase()
        if what == RULE:
            return self._why_not_rule(arg)
        if what in (JOIN, LEAVE, DEALER) and seat == NO_SEAT:
            return ("seat_unknown", len(self.ring))
        if what == JOIN:
            if phase == OVER:
                return ("match_over",)
            if self.ring.states[seat] in (ACTIVE, WAITING):
                return ("seat_taken", seat)
            if self.ring.states[seat] == EMPTY and self._sitting() >= self.SEATS_MAX:
                return ("seats_too_many", self.SEATS_MAX)
            return None
        if what == LEAVE:
            if phase == OVER:
                return ("match_over",)
            return None if self.ring.states[seat] in (ACTIVE, WAITING) else ("seat_absent", seat)
        if what == DEALER:
            if phase != SETUP:
                return ("match_running",)
            return None if self.ring.is_active(seat) else ("seat_absent", seat)
        if what == START:
            if phase != SETUP:
                return ("match_running",)
            return None if self.ring.count() >= self.SEATS_MIN else ("seats_too_few", self.SEATS_MIN)
        if what == SWAP:
            if phase == OVER:
                return ("match_over",)
            if seat == NO_SEAT or arg >= len(self.ring) or arg == seat:
                return ("seat_unknown", len(self.ring))
            if self.ring.states[seat] == EMPTY and self.ring.states[arg] == EMPTY:
                return ("seat_absent", seat)
            return None
        if what == VOID:
            return None if phase in IN_ROUND else self._wrong_phase()
        if what == END:
            return None if phase not in (SETUP, OVER) else self._wrong_phase()
        return self._why_not_game(what, seat, arg)

    def _wrong_phase(self):
        return ("match_over",) if self.phase == OVER else ("wrong_phase", PHASES.index(self.phase))

    def _why_not_rule(self, arg):
        if self.phase != SETUP:
            return ("match_running",)
        for key, _name, values, _default in self.SETTINGS:
            if key == arg >> 16:
                return None if (arg & 0xFFFF) in values else ("rule_value", key)
        return ("rule_unknown", arg >> 16)

    def _why_not_game(self, what, seat, arg):
        return ("unknown_what", what)

    def _sitting(self):
        return len(self.ring) - self.ring.states.count(EMPTY)

    def allowed(self):
        """Return what may be said now, arguments aside: a list of (what, seat or NO_SEAT)."""
        return []

    # Saying it.

    def apply(self, what: int, seat: int = NO_SEAT, arg: int = 0, ms: int = 0):
        """Say it. Return (None, notices), or (reason, []) with nothing changed."""
        reason = self.why_not(what, seat, arg)
        if reason is not None:
            return reason, []
        self.notices = []
        self.step(what, seat, arg, ms)
        return None, self.notices

    def step(self, what: int, seat: int, arg: int, ms: int) -> None:
        """Change the state by an announcement known to be allowed; what changed is added to notices."""
        if what == BOOT:
            self._ms = ms
            return
        if self.turn != NO_SEAT and not self.paused and self.phase in TIMED:
            self.clock_ms[self.turn] += (ms - self._ms) & WORD
        self._ms = ms
        if what > 31:
            self._step_game(what, seat, arg)
        elif what == PAUSE:
            self.paused = True
            self.note("paused", seat)
        elif what == RESUME:
            self.paused = False
            self.note("resumed", seat)
            self._note_turn()
        elif what == GAME:
            self.note("match_new", NO_SEAT, arg)
        elif what == RULE:
            self.rules[arg >> 16] = arg & 0xFFFF
            self.note("rule", NO_SEAT, arg)
        elif what == JOIN:
            self._join(seat, arg)
        elif what == LEAVE:
            self._leave(seat)
        elif what == DEALER:
            self.dealer = seat
            self.note("dealer", seat)
        elif what == START:
            if self.dealer == NO_SEAT:
                self.dealer = self.ring.active()[0]
            self.note("match_started")
            self._begin_round()
        elif what == SWAP:
            self._swap(seat, arg)
            self.note("swapped", seat, arg)
        elif what == VOID:
            self._void()
        elif what == END:
            self.phase = OVER
            self.turn = NO_SEAT
            self.note("match_ended")
        else:
            self._step_game(what, seat, arg)

    def note(self, code: str, seat: int = NO_SEAT, value: int = 0) -> None:
        """Add a notice."""
        self.notices.append((code, seat, value))

    def _note_turn(self):
        if self.turn != NO_SEAT and self.phase == PLAY:
            self.note("turn", self.turn)

    def _join(self, seat, player):
        state = self.ring.states[seat]
        if state == LEFT:
            self.ring.states[seat] = ACTIVE
            if player:
                self.players[seat] = player
            self.note("returned", seat)
            if self.phase == SHORT and self.ring.count() >= self.SEATS_MIN:
                self._begin_round()
            return
        self.players[seat] = player
        self.scores[seat] = 0
        self.clock_ms[seat] = 0
        if self.phase == SETUP:
            self.ring.states[seat] = ACTIVE
            self.note("joined", seat, player)
            return
        self.ring.states[seat] = WAITING
        self.note("joins_next_round", seat, player)
        if self.phase == SHORT:
            self._seat_the_waiting()
            if self.ring.count() >= self.SEATS_MIN:
                self._begin_round()

    def _leave(self, seat):
        if self.phase == SETUP or self.ring.states[seat] == WAITING:
            self.ring.states[seat] = EMPTY
            self.players[seat] = 0
            if self.dealer == seat and self.phase == SETUP:
                self.dealer = NO_SEAT
            self.note("left", seat)
            return
        self.ring.states[seat] = LEFT
        self.note("left", seat)
        self._left(seat)

    def _left(self, seat):
        """A seat in play has left: the game says what that means for the round."""

    def _seat_the_waiting(self):
        states = self.ring.states
        for seat in range(len(states)):
            if states[seat] == WAITING:
                states[seat] = ACTIVE

    def _swap(self, one, other):
        for line in (self.ring.states, self.players, self.scores, self.clock_ms):
            line[one], line[other] = line[other], line[one]
        for name in ("dealer", "turn", "winner"):
            seat = getattr(self, name)
            if seat == one:
                setattr(self, name, other)
            elif seat == other:
                setattr(self, name, one)
        for i in range(len(self.rounds)):
            winner, points = self.rounds[i]
            if winner in (one, other):
                self.rounds[i] = (other if winner == one else one, points)

    def _void(self):
        self.note("round_void", NO_SEAT, self.round)
        self._next_round()

    def _next_round(self):
        self.dealer = self.ring.next(self.dealer, 1)
        self._begin_round()

    def _begin_round(self):
        """Deal; phase SHORT when too few are there."""

    # Snapshots.

    def _numbers(self):
        numbers = [
            self.GAME_ID, SNAPSHOT_VERSION, len(self.ring), PHASES.index(self.phase), int(self.paused), self.dealer,
            self.turn, self.round, self.winner, self.ring.direction, self._ms,
        ]  # fmt: skip
        for line in (self.ring.states, self.scores, self.players, self.clock_ms):
            numbers.extend(line)
        for key, _name, _values, _default in self.SETTINGS:
            numbers.append(self.rules[key])
        numbers.append(len(self.rounds))
        for winner, points in self.rounds:
            numbers.append(winner)
            numbers.append(points)
        return numbers

    def _take(self, numbers):
        """Set the state from the numbers, from the first on; return how many were used."""
        seats = len(self.ring)
        if numbers[:3] != [self.GAME_ID, SNAPSHOT_VERSION, seats]:
            raise ValueError("snapshot of another game, version or number of seats")
        self.phase = PHASES[numbers[3]]
        self.paused = bool(numbers[4])
        self.dealer, self.turn, self.round, self.winner, self.ring.direction, self._ms = numbers[5:11]
        at = 11
        lines = []
        for _ in range(4):
            lines.append(numbers[at : at + seats])
            at += seats
        self.ring.states, self.scores, self.players, self.clock_ms = lines
        for key, _name, _values, _default in self.SETTINGS:
            self.rules[key] = numbers[at]
            at += 1
        count = numbers[at]
        at += 1
        self.rounds = [(numbers[at + 2 * i], numbers[at + 2 * i + 1]) for i in range(count)]
        return at + 2 * count

    def snapshot(self) -> bytes:
        """Return the whole state; equal states give equal bytes."""
        return pack_numbers(self._numbers())

    def restore(self, data: bytes) -> None:
        """Take the state of a snapshot. Raises ValueError when it is damaged or of another kind."""
        numbers = unpack_numbers(data)
        try:
            used = self._take(numbers)
        except IndexError:
            raise ValueError("snapshot cut short")
        if used != len(numbers):
            raise ValueError("snapshot of another length")
        self.notices = []
