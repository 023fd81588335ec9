"""The codes a keeper answers with: notices (what has changed) and reasons (why something is refused)."""

NOTICES = (
    "match_new", "match_started", "rule", "joined", "joins_next_round", "left", "returned", "swapped",
    "dealer", "round_started", "turned", "turn", "direction", "skipped", "owes", "takes", "drew", "kept",
    "passed", "played", "caught_up", "colour_wanted", "colour", "last_card", "count", "out_asked", "out",
    "taken", "entering", "entered", "round_scored", "round_won", "score", "round_void", "match_won",
    "match_ended", "corrected", "paused", "resumed", "undone", "redone",
)  # fmt: skip
"""A notice is (code, seat or NO_SEAT, value)."""

REASONS = (
    "no_match", "match_running", "not_joining", "seat_unknown", "seat_taken", "seat_absent", "seats_too_few",
    "seats_too_many", "rule_unknown", "rule_value", "not_your_turn", "wrong_phase", "paused", "not_paused",
    "colour_needed", "already_drew", "must_draw_first", "owes", "stack_only", "nothing_to_undo",
    "nothing_to_redo", "count_impossible", "sum_impossible", "kind_used_up", "too_many_cards", "not_entered",
    "round_unknown", "out_open", "match_over", "unknown_what", "argument", "points_differ",
)  # fmt: skip
"""A reason is (code, numbers...)."""
