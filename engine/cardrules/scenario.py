"""Text scenarios: announcements, one a line, with what is expected of them.

    chautari scenario 1
    game last_card               # what is said; `#` begins a comment
    rule target 300
    join 0 17                    # seat, player id
    dealer 0
    start
    @1200 1 done                 # at 1200 ms; seat 1
    > played 1 done              # the notices it gives, all of them in this order ...
    > ...                        # ... or any number of others in this place
    2 wild
    colour green
    3 count 5
    0 done
    ! not_your_turn 3            # instead of notices: it is refused for this reason
    = turn 3                     # the state now; lists by seat may leave out zeros at the end
    = mark before                # remember the state ...
    = same before                # ... it has to be that again
    end

Seats count from 0, `-` is nobody. Without `@` the time of the line before holds. The announcement
that ends a match is `- end`; the last line of a scenario is `end` alone.

A recorded match begins with `chautari scenario 1 recorded` and ends with `end <lines> <checksum>`:
number of lines before, crc32 of them as 8 hex digits. Written by hand, plain `end` will do.
"""

from binascii import crc32
from collections import namedtuple

from cardrules import announcement as says
from cardrules import games
from cardrules.announcement import NO_SEAT
from cardrules.keeper import PHASES
from cardrules.log import Log
from cardrules.notices import NOTICES, REASONS

try:
    from collections.abc import Iterable, Iterator
    from typing import Any
except ImportError:
    pass

HEADER = "chautari scenario 1"

ERRORS = (
    "not_a_scenario",  # the first line is another
    "cut",  # the end is missing
    "edited",  # the checksum or the number of lines is wrong
    "unknown_word",
    "bad_number",
    "refused",  # an announcement was refused, which was not expected
    "not_refused",  # it was not, but a refusal was expected
    "reason_differs",
    "notices_differ",
    "state_differs",
)

Say = namedtuple("Say", ("what", "seat", "arg", "ms"))
"""An announcement of a scenario: code, seat or NO_SEAT, number, milliseconds."""

Item = namedtuple("Item", ("line", "say", "expected"))
"""line: number from 1; say: Say, or None for expectations of the state before anything is said;
expected: list of (line, sign, words)."""

Step = namedtuple("Step", ("line", "say", "reason", "notices", "keeper"))
"""What run() gives for each announcement; reason and notices as Log.say() gives them."""

_SEAT_FIRST = (says.JOIN, says.LEAVE, says.DEALER, says.SWAP)
_MASK = 0xFFFFFFFF


class ScenarioError(Exception):
    """line: number from 1; code: one of ERRORS; detail: what was found there, as words of the scenario."""

    def __init__(self, line: int, code: str, detail: str = "") -> None:
        super().__init__(line, code, detail)
        self.line = line
        self.code = code
        self.detail = detail


class _Words:
    """The words of a game: numbers for words and back."""

    def __init__(self) -> None:
        self.codes: dict[str, int] = {}
        self.names: dict[int, str] = {}
        self.words: dict[int, dict[str, int]] = {}
        self.rules: dict[str, int] = {}
        for code in says.COMMON:
            self._add(code, says.COMMON[code])

    def _add(self, code: int, name: str) -> None:
        self.codes[name] = code
        self.names[code] = name

    def game(self, game_id: int) -> None:
        """Add the words of a game."""
        package = games.load(game_id)
        for code in package.NAMES:
            self._add(code, package.NAMES[code])
        self.words = package.WORDS
        for key, name, _, _ in package.SETTINGS:
            self.rules[name] = key

    def any(self, word: str) -> "int | None":
        """Return the number that a word stands for in an expectation, None if it is no word."""
        if word == "-":
            return NO_SEAT
        if word in self.codes:
            return self.codes[word]
        for code in self.words:
            if word in self.words[code]:
                return self.words[code][word]
        return None


def _number(word: str, line: int) -> int:
    try:
        return int(word)
    except ValueError:
        raise ScenarioError(line, "bad_number", word) from None


def _lines(text: str) -> list[str]:
    """Return the lines before the end, checked. Raises ScenarioError."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    heading = lines[0].split("#")[0].split()
    if heading not in (HEADER.split(), HEADER.split() + ["recorded"]):
        raise ScenarioError(1, "not_a_scenario", lines[0][:40])
    last = len(lines) - 1
    while last > 0 and not lines[last].split("#")[0].strip():
        last -= 1
    words = lines[last].split("#")[0].split()
    if not words or words[0] != "end" or last == 0:
        for place in range(1, last):
            if lines[place].startswith("end ") and len(lines[place].split()) == 3:
                raise ScenarioError(place + 2, "edited", lines[place + 1][:40])
        raise ScenarioError(last + 1, "cut", "")
    body = lines[:last]
    if len(words) == 1 and len(heading) == 3:
        return body
    right = ["end"] + _check(body)
    if words != right:
        # The last line itself may be cut.
        cut = not text.endswith("\n") and " ".join(right).startswith(" ".join(words))
        raise ScenarioError(last + 1, "cut" if cut else "edited", " ".join(words))
    return body


def _check(body: list[str]) -> list[str]:
    """Return number of lines and checksum of the lines before the end, as words."""
    check = 0
    for line in body:
        check = crc32((line + "\n").encode(), check)
    return [str(len(body)), "%08x" % (check & _MASK)]


def parse(text: str) -> "list[Any]":
    """Return the Items of a scenario. Raises ScenarioError."""
    words = _Words()
    items: list[Any] = []
    ms = 0
    lines = _lines(text)
    for place in range(1, len(lines)):
        line = place + 1
        found = lines[place].split("#")[0].split()
        if not found:
            continue
        if found[0] in (">", "!", "="):
            if not items:
                items.append(Item(line, None, []))
            if len(found) < 2 or (items[-1].say is None and found[0] != "="):
                raise ScenarioError(line, "unknown_word", found[0])
            items[-1].expected.append((line, found[0], found[1:]))
            continue
        if found[0][0] == "@":
            ms = _number(found[0][1:], line) & _MASK
            del found[0]
        say = _say(found, words, line, ms)
        if say.what == says.GAME:
            try:
                words.game(say.arg)
            except ValueError:
                pass  # the log will refuse it
        items.append(Item(line, say, []))
    return items


def _say(found: list[str], words: _Words, line: int, ms: int) -> "Any":
    seat = NO_SEAT
    arg = 0
    seated = bool(found) and (found[0][0] in "0123456789" or found[0] == "-")
    if seated:
        seat = NO_SEAT if found[0] == "-" else _number(found[0], line)
        del found[0]
    if not found:
        raise ScenarioError(line, "unknown_word", "")
    word = found.pop(0)
    if word == "code" and found:
        what = _number(found.pop(0), line)  # a code without a word
    elif word in words.codes:
        what = words.codes[word]
    else:
        raise ScenarioError(line, "unknown_word", word)
    if what in _SEAT_FIRST and not seated and found:
        seat = NO_SEAT if found[0] == "-" else _number(found[0], line)
        del found[0]
    if what == says.RULE and len(found) == 2:
        key = words.rules[found[0]] if found[0] in words.rules else _number(found[0], line)
        arg = key * 65536 + _number(found[1], line)
    elif what == says.CORRECT and len(found) == 2:
        arg = _number(found[0], line) * 65536 + _number(found[1], line) + 32768
    elif what == says.GAME and len(found) == 1 and found[0] in games.GAMES:
        arg = games.GAMES[found[0]]
    elif found:
        known = words.words.get(what, {})
        arg = known[found[0]] if found[0] in known else _number(found[0], line)
        if len(found) > 1:
            raise ScenarioError(line, "unknown_word", found[1])
    return Say(what, seat, arg, ms)


def run(text: str, log: "Any" = None) -> "Iterator[Any]":
    """Say a scenario and give a Step for each announcement, once its expectations are found true.

    log: the Log to say it to, a new one if None. Raises ScenarioError.
    """
    log = log if log is not None else Log()
    words = _Words()
    marks: dict[str, bytes] = {}
    for item in parse(text):
        reason = None
        notices: list[tuple[str, int, int]] = []
        say = item.say
        if say is not None:
            reason, notices = log.say(say.what, say.seat, say.arg, say.ms)
            if reason is None and say.what == says.GAME:
                words.game(say.arg)
            _compare(item, reason, notices, words)
        for line, sign, expected in item.expected:
            if sign == "=":
                _compare_state(line, expected, log, words, marks)
        if say is not None:
            yield Step(item.line, say, reason, notices, log.keeper)


def _compare(item: "Any", reason: "Any", notices: "Any", words: _Words) -> None:
    refusal: tuple[Any, ...] | None = None
    refused_at = 0
    wanted: list[Any] = []  # notices, None for any number of others
    for line, sign, expected in item.expected:
        if sign == "!":
            refusal = _reason(line, expected, words)
            refused_at = line
        elif sign == ">":
            wanted.append((line, _notice(line, expected, words)))
    if refusal is None and reason is not None:
        raise ScenarioError(item.line, "refused", _spoken(reason, words))
    if refusal is not None:
        if reason is None:
            raise ScenarioError(refused_at, "not_refused", _spoken(refusal, words))
        if reason != refusal:
            raise ScenarioError(refused_at, "reason_differs", _spoken(reason, words))
    if not wanted:
        return
    at = 0
    others = False
    for line, notice in wanted:
        if notice is None:
            others = True
            continue
        while others and at < len(notices) and notices[at] != notice:
            at += 1
        if at >= len(notices) or notices[at] != notice:
            found = _spoken(notices[at], words) if at < len(notices) else ""
            raise ScenarioError(line, "notices_differ", found)
        others = False
        at += 1
    if at < len(notices) and not others:
        raise ScenarioError(wanted[-1][0], "notices_differ", _spoken(notices[at], words))


def _reason(line: int, expected: list[str], words: _Words) -> "tuple[Any, ...]":
    code = expected[0]
    if code not in REASONS:
        raise ScenarioError(line, "unknown_word", code)
    numbers = []
    for word in expected[1:]:
        kinds = words.words.get(words.codes.get("card", 0), {}) if code == "kind_used_up" else {}
        if code == "wrong_phase" and word in PHASES:
            numbers.append(PHASES.index(word))
        elif word in kinds:
            numbers.append(kinds[word])
        else:
            number = words.any(word)
            numbers.append(_number(word, line) if number is None else number)
    return (code,) + tuple(numbers)


def _notice(line: int, expected: list[str], words: _Words) -> "tuple[str, int, int] | None":
    if expected == ["..."]:
        return None
    if expected[0] not in NOTICES:
        raise ScenarioError(line, "unknown_word", expected[0])
    numbers = [NO_SEAT, 0]
    for place in range(1, len(expected)):
        if place > 2:
            raise ScenarioError(line, "unknown_word", expected[place])
        number = words.any(expected[place])
        numbers[place - 1] = _number(expected[place], line) if number is None else number
    return expected[0], numbers[0], numbers[1]


def _spoken(notice: "Any", words: _Words) -> str:
    """Return a notice or reason in words of a scenario."""
    out = [str(notice[0])]
    for number in notice[1:]:
        out.append(str(number))
    return " ".join(out)


_FIELDS = (
    "phase paused dealer turn direction round scores players clock_ms rounds winner ended counts owed"
    " owed_kind colour top drew out_seat entering entries stock points active absent waiting to_enter"
    " chips bank skips blockable due one_chip wins_match"
    " undo redo winners places"
    " hand left pack spare exchanges may_exchange leader rank keeping kept outs sudden next_hand next_dealer"
).split()


def _field(name: str, log: "Any") -> "Any":
    """Return a part of the state as a string, a number or a list of numbers."""
    keeper = log.keeper
    if name in ("undo", "redo"):
        target = log.undo_target() if name == "undo" else log.redo_target()
        return target[0] if target is not None else NO_SEAT
    if name in ("active", "absent", "waiting"):
        return getattr(keeper.ring, name)()
    value = getattr(keeper, name)
    if name in ("to_enter", "places"):
        return value()
    if name == "one_chip":
        return [value(seat) for seat in range(keeper.seats)]
    if name in ("rounds", "entries", "chips"):
        flat: list[int] = []
        for pair in value:
            flat.extend(pair)
        return flat
    return value


def _compare_state(
    line: int, expected: list[str], log: "Any", words: _Words, marks: dict[str, bytes]
) -> None:
    name = expected[0]
    if name in ("mark", "same") and len(expected) == 2:
        state = log.keeper.snapshot() if log.keeper is not None else b""
        if name == "mark":
            marks[expected[1]] = state
        elif expected[1] not in marks:
            raise ScenarioError(line, "unknown_word", expected[1])
        elif marks[expected[1]] != state:
            raise ScenarioError(line, "state_differs", "")
        return
    if name not in _FIELDS:
        raise ScenarioError(line, "unknown_word", name)
    if log.keeper is None:
        raise ScenarioError(line, "state_differs", "")
    found = _field(name, log)
    if name == "phase":
        if expected[1:] != [found]:
            raise ScenarioError(line, "state_differs", found)
        return
    numbers = []
    for word in expected[1:]:
        number = words.any(word)
        numbers.append(_number(word, line) if number is None else number)
    if isinstance(found, list):
        # Lists by seat and of pairs may leave out the zeros at the end; lists of seats have none there.
        if name not in ("active", "absent", "waiting", "to_enter", "rounds"):
            numbers += [0] * (len(found) - len(numbers))
        if numbers != found:
            raise ScenarioError(line, "state_differs", " ".join([str(number) for number in found]))
    elif numbers != [int(found)]:
        raise ScenarioError(line, "state_differs", str(int(found)))


def write(announcements: "Iterable[Any]", game: int = 1) -> str:
    """Return announcements (with fields what, seat, arg, ms) as a recorded scenario, checksum included.

    game: whose words are used until a GAME says otherwise.
    """
    words = _Words()
    words.game(game)
    lines = [HEADER + " recorded"]
    ms = 0
    for one in announcements:
        if one.what == says.GAME:
            try:
                words.game(one.arg)
            except ValueError:
                pass
        said = []
        if one.ms != ms:
            ms = one.ms
            said.append("@" + str(ms))
        if one.seat != NO_SEAT:
            said.append(str(one.seat))
        elif one.what in _SEAT_FIRST or one.what == says.END:
            said.append("-")  # so that a seat is not looked for, and the end not taken for the scenario's
        said.extend(_written(one.what, one.arg, words))
        lines.append(" ".join(said))
    return "\n".join(lines + [" ".join(["end"] + _check(lines)), ""])


def _written(what: int, arg: int, words: _Words) -> list[str]:
    """Return the words for code and number."""
    if what not in words.names:
        return ["code", str(what)] + ([str(arg)] if arg else [])
    said = [words.names[what]]
    if what == says.GAME:
        for name in games.GAMES:
            if games.GAMES[name] == arg:
                return said + [name]
        return said + [str(arg)]
    if what == says.RULE:
        key = str(arg >> 16)
        for name in words.rules:
            if words.rules[name] == arg >> 16:
                key = name
        return said + [key, str(arg & 65535)]
    if what == says.CORRECT:
        return said + [str(arg >> 16), str((arg & 65535) - 32768)]
    known = words.words.get(what, {})
    for word in known:
        if known[word] == arg:
            return said + [word]
    if arg or known or what in (says.SWAP, says.CLOSE):
        said.append(str(arg))
    return said
