"""The lines of the link, by kind, with their shapes.

A **request** goes from PC to table: `[nonce, ...]`. nonce: 8 hex digits, made anew by every program
that opens the line. The number of the line counts up within a nonce. The table carries each request
out once; the same number again brings the same answer again, an older one brings nothing. A PC that
gave up waiting for an answer leaves one number out: so the number next to the last one tells the table
that its last answer was read, and that there is room for another.

An **answer** has the number and the nonce of its request: kind `ack` with `[nonce, ...]`, or `nak`
with `[nonce, code, ...whole numbers]` where code says why not.

Only `new` is sent without being asked. It stays the one unconfirmed line of the table until the PC
says `got` with its number.

Shapes of requests and answers, without the nonce (-> what `ack` carries):

hello         [major, minor, host id] -> see HELLO. At any time, by anyone; opens the session.
ping          [] -> [uptime ms, boot count, state number, highest number in flash, settings fingerprint]
status        [] -> [state number, ...what the table's application says about itself], or, when that is too
              long, refused with `too_long`; [offset] -> chunk of the text of the same
announcements [journal id, after] -> [journal id, first, last, base64 of packed announcements]
              in order, from the first number above `after` that is still there; none: all are known
renew         [journal id] -> [new journal id, highest number in flash]
              the journal has gone back behind what the PC has of it: the table goes on under a new id, with
              the match in play numbered anew and its state as it is. Other id: refused with `other_journal`
acknowledge   [journal id, number, host id, take] -> [number, 1 if this host is the owner else 0]
              number: highest in order that is safe on the PC. Only the owner's makes the table let
              old ones go. The first host becomes owner, take = 1 makes this host the owner.
say           [state number, what, seat, arg] -> [number, highest number in flash]
              refused with `stale` unless nothing was announced since state number
press         [control, action, state number or null] -> []
              control: "seat1" to "seat6", "0" to "9", "A" to "D", "*", "#"; action: "down" "up" "tap".
              What is held down is let go when the PC falls silent.
get           [key] -> [value]
set           [key, value] -> []
settings      [offset] -> chunk of the text of `[[key, value], ...]`, see chunks; its id names the text
put           chunk -> [bytes so far, 1 if complete and taken over else 0]; same text as `settings`
counters      [] -> [numbers in the order of COUNTERS]
faults        [offset] -> chunk of the text of `[code, ...]`
console       [] -> []; the program then ends and leaves the line to the console
reset         [] -> []; the table then starts anew
got           [] no answer; confirms the `new` with the same number

From the table: new [journal id, highest number in flash, state number].

The state number is the number of the latest announcement, whether in flash yet or not.
"""

MAJOR = 1
MINOR = 0
"""Protocol. Another major version: nothing but reading. Another minor: more kinds or more at the end
of a list; both ends leave alone what they do not know."""

HELLO_KIND = "hello"
PING = "ping"
STATUS = "status"
ANNOUNCEMENTS = "announcements"
RENEW = "renew"
ACKNOWLEDGE = "acknowledge"
SAY = "say"
PRESS = "press"
GET = "get"
SET = "set"
SETTINGS = "settings"
PUT = "put"
COUNTERS_KIND = "counters"
FAULTS = "faults"
CONSOLE = "console"
RESET = "reset"
GOT = "got"
NEW = "new"
ACK = "ack"
NAK = "nak"

REQUESTS = (
    HELLO_KIND,
    PING,
    STATUS,
    ANNOUNCEMENTS,
    RENEW,
    ACKNOWLEDGE,
    SAY,
    PRESS,
    GET,
    SET,
    SETTINGS,
    PUT,
    COUNTERS_KIND,
    FAULTS,
    CONSOLE,
    RESET,
)

READING = (HELLO_KIND, PING, STATUS, ANNOUNCEMENTS, GET, SETTINGS, COUNTERS_KIND, FAULTS)
"""Requests without an effect: they may be asked twice, and under another major version."""

HELLO = (
    "major",
    "minor",
    "firmware",
    "engine",
    "board_id",
    "hardware_hint",
    "settings",
    "boots",
    "uptime_ms",
    "journal_id",
    "first",
    "last",
    "seats",
    "in_play",
    "faults",
)
"""What `ack` to hello carries, in this order, after the nonce.

major, minor: protocol; firmware: version text; engine: fingerprint of the rules, "" while not known;
board_id: 8 hex digits made at the first start; hardware_hint: chip id in hex, two boards may share it;
settings: fingerprint; boots: boot count; uptime_ms: modulo 2**32; journal_id: 8 hex digits;
first, last: lowest and highest number in flash, 0 if none; seats: how many; in_play: 0 or 1;
faults: list of codes, the first few (all: request faults).
The first three stay where they are in every version to come.
"""

COUNTERS = (
    "good",
    "bad_checksum",
    "too_long",
    "not_a_frame",
    "unknown",
    "repeats",
    "out_of_date",
    "news_again",
    "dropped",
    "ghosts",
    "lost_presses",
    "heap_free",
    "heap",
)
"""good: valid lines; bad_checksum, too_long, not_a_frame: lines dropped; unknown: kinds nobody knows;
repeats: requests answered again; out_of_date: older requests dropped; news_again: `new` sent again;
dropped: own lines dropped because nobody read; ghosts: scans of the key pad that could not tell which keys
were down; lost_presses: presses that came faster than they could be taken; heap_free, heap: bytes of the
board's memory that were free after its latest sweep, and in all (0: not known)."""

REASONS = (
    "unknown_kind",
    "no_session",
    "bad_values",
    "stale",
    "other_journal",
    "unknown_control",
    "unknown_setting",
    "setting_value",
    "chunk_order",
    "too_long",
    "read_only",
    "failed",
)
"""Codes of `nak`, beside the reasons of the rules.

unknown_kind; no_session: hello first (the table was started anew); bad_values: shape not as above;
stale(state number); other_journal: the journal id is another one now; unknown_control;
unknown_setting; setting_value: the setting cannot have this value; chunk_order(offset wanted);
too_long: ask for it in chunks; read_only: hello spoke another major version; failed: the table could
not do it and has noted a fault."""

QUIET_MS = 6000
"""A PC not heard of for so long is gone: held controls are let go, `new` is no longer sent."""

NEWS_FIRST_MS = 500
NEWS_LONGEST_MS = 4000
"""`new` is sent again after NEWS_FIRST_MS, doubling up to NEWS_LONGEST_MS, while the PC is there."""
