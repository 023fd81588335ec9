"""The words in which rules answer: codes, never texts. A catalogue elsewhere puts them in words.

A notice is a tuple (code, seat, value): seat NO_SEAT if it concerns nobody in particular, value 0 if
there is nothing to say. A reason is a tuple (code, numbers...): why an announcement is refused.
"""

NOTICES = (
    "match_new",  # value: game id
    "practice",  # a program holds the cards
    "match_started",
    "rule",  # value: key * 65536 + value
    "joined",  # value: player id
    "joins_next_round",  # value: player id
    "left",
    "returned",
    "swapped",  # value: other seat
    "dealer",
    "round_started",  # value: number of the round
    "turned",  # value: code of the card turned up
    "turn",
    "direction",  # value: 1 clockwise, -1 the other way
    "skipped",
    "owes",  # value: cards
    "takes",  # value: cards taken for plus cards, and the turn is lost
    "drew",  # value: cards
    "kept",  # value: cards drawn in this turn
    "passed",  # nothing was left to draw
    "played",  # value: code of the announcement
    "caught_up",  # seat: who forgot to press; value: the seat that pressed
    "colour_wanted",
    "colour",  # value: 0 to 3
    "last_card",
    "count",  # value: cards it holds, as corrected
    "out_asked",
    "out",
    "taken",  # a harmless press: the cards owed were taken before
    "entering",  # value: cards of that hand
    "entered",  # value: points of that hand
    "round_scored",  # seat: winner of the round; value: points, still to be confirmed
    "round_won",  # value: points
    "score",  # value: points in the match
    "round_void",  # value: number of the round
    "match_won",  # value: points in the match
    "match_ended",
    "corrected",  # seat: winner of the round as corrected; value: number of the round
    "paused",
    "resumed",
    "undone",  # value: code of the announcement taken back; seat: its seat
    "redone",
)

REASONS = (
    "no_match",
    "match_running",
    "match_over",
    "game_unknown",  # game id
    "unknown_what",  # code
    "arg_unknown",  # number: the announcement takes no such number
    "seat_unknown",
    "seat_taken",  # seat
    "seat_absent",  # seat
    "seats_too_few",  # seats needed
    "rule_unknown",  # key
    "rule_value",  # key, value
    "not_your_turn",  # seat on turn
    "wrong_phase",  # index in keeper.PHASES
    "paused",
    "not_paused",
    "colour_needed",  # seat that names it
    "already_drew",
    "must_draw_first",
    "owes",  # seat, cards
    "stack_only",  # code of the only card that answers
    "wrong_card",  # code: that card cannot have been turned up
    "round_begun",  # nothing can be turned up any more
    "nothing_to_undo",
    "nothing_to_redo",
    "count_impossible",  # highest count
    "sum_impossible",  # cards, nearest possible sum below, above; -1 if there is none
    "kind_used_up",  # kind: 0 to 9, 10 action, 11 wild
    "not_entered",  # seat that comes first
    "points_differ",  # points of the round
    "points_impossible",  # lowest, highest
    "round_unknown",  # rounds there are
    "out_open",  # seat that is asked
)
