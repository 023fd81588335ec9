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
    # Sequence Stacks
    "chip",  # a sequence is finished or a chip stolen, this seat has it; value: 0 red, 1 blue
    "chip_lost",  # a chip was stolen from this seat; value: its colour
    "no_chip",  # a sequence is finished, but none of these is in the bank; value: its colour
    "blocked",  # the chip goes back to the bank; value: its colour
    "card_stolen",  # the top card of this seat's discard pile is taken
    "skips",  # value: opponents who will be skipped
    "one_chip",  # one chip from winning; value: 1 a red one, 2 a blue one, 3 either
    "wins_unless_blocked",  # value: chips
    "drawn_unless_blocked",  # the last chip of both banks is taken
    "match_drawn",  # both banks are empty
    # Twenty-Two
    "hand",  # value: cards that each is dealt
    "exchanged",  # value: cards
    "trick",  # this seat took it and leads; value: cards that were led
    "each_holds",  # value: cards that each still holds, as corrected
    "last_trick",  # each holds one card
    "last_rank",  # value: rank that takes the last trick, 2 to 14
    "keeps",  # this seat keeps its card; value: points
    "in_danger",  # one card may be enough to be out; value: points
    "eliminated",  # value: points
    "match_shared",  # value: points
    "sudden_death",  # those who tie for the lowest score play one more hand
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
    # Sequence Stacks
    "confirm_open",  # seat that confirms that nobody blocks
    "nothing_to_block",
    "no_such_chip",  # seat that has none of that colour
    "would_win",  # seat that a stolen chip would make win
    "own_chip",  # seat: nobody steals from himself
    # Twenty-Two
    "exchange_over",
    "exchange_missed",  # seat: somebody behind it has exchanged already
    "exchange_most",  # cards that can still be exchanged
    "trick_most",  # cards that can be led: one has to be left for the last trick
    "last_trick",
    "not_last",  # cards that each still holds
    "rank_unknown",  # number
    "rank_first",
    "rank_gone",  # rank, cards of it that can be in hands
    "nobody_keeps",
    "left_most",  # cards that each can hold
)
