"""The whole table by its buttons: real rules, journal and settings; board and clock in memory."""

from __future__ import annotations

import asyncio

import pytest
from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.last_card import says
from cardrules.last_card.settings import DRAW_UNTIL, STACKING, TARGET
from rig import Rig
from table import app as table_app
from table import cues


@pytest.fixture
def rig() -> Rig:
    return Rig()


@pytest.fixture
def four() -> Rig:
    """Seats 1, 2, 4, 5; seat 1 deals, seat 2 is on turn."""
    rig = Rig()
    rig.start(1, 2, 4, 5, dealer=1)
    assert rig.keeper.phase == "play" and rig.keeper.turn == 1
    return rig


# Lobby


def test_a_seat_joins_and_leaves(rig: Rig) -> None:
    rig.tap("seat3")
    assert rig.app.active_mask() == 0b100
    rig.tap("seat3")
    assert rig.app.active_mask() == 0


def test_one_player_is_too_few(rig: Rig) -> None:
    rig.tap("seat3", "#")
    assert rig.keeper.phase == "setup"
    assert rig.app.cue == "refused" and "Two or more" in rig.words()


def test_first_dealer_is_offered_at_random_and_can_be_moved() -> None:
    offered = set()
    for _ in range(24):
        rig = Rig()
        rig.tap("seat1", "seat2", "seat4")
        offered.add(rig.app.lobby.dealer)
    assert offered == {0, 1, 3}
    before = rig.app.lobby.dealer
    rig.tap("D")
    assert rig.app.lobby.dealer == {0: 1, 1: 3, 3: 0}[before]
    moved = rig.app.lobby.dealer
    rig.tap("seat5")  # somebody else joins: who was chosen stays
    assert rig.app.lobby.dealer == moved
    rig.tap("#")
    assert rig.keeper.dealer == moved


def test_several_may_join_in_the_same_moment(rig: Rig) -> None:
    rig.together("seat1", "seat2", "seat6")
    assert rig.app.active_mask() == 0b100011


def test_rules_are_chosen_before_the_match_and_locked_in_it(rig: Rig) -> None:
    rig.hold("0")
    rig.tap("1", "1")  # rules, target
    assert "300 <" in rig.words()
    rig.tap("#")
    assert "500" in rig.words()
    rig.tap("4")
    assert "Target: 500" in rig.words()
    rig.tap("2", "2", "*", "*")  # stacking on
    rig.start(1, 2)
    assert rig.keeper.rules == {TARGET: 500, STACKING: 1, DRAW_UNTIL: 0}
    assert rig.app.set("target", 300) == ("match_running",)
    assert rig.app.settings.get("target") == 500


# Play


def test_own_seat_passes_the_turn(four: Rig) -> None:
    four.tap("seat2")
    assert four.keeper.turn == 3 and four.keeper.counts[1] == 6
    assert four.app.scene.pattern == cues.TURN and four.app.scene.seat == 3
    assert four.words().startswith("P2: done")


def test_somebody_else_is_told_whose_turn_it_is(four: Rig) -> None:
    four.app.settings.set("catch_up", 0)
    four.run(600)
    before = four.app.journal.last
    four.tap("seat5")
    assert four.app.journal.last == before and four.keeper.turn == 1
    assert four.app.scene.flash == cues.REFUSED and four.app.scene.flash_seat == 4
    words = four.words()
    assert "Not your turn" in words and "Turn: P2" in words


def test_catch_up_records_both(four: Rig) -> None:
    four.tap("seat4")  # seat 2 forgot to press
    assert four.keeper.turn == 4 and four.keeper.counts[1] == 6 and four.keeper.counts[3] == 6
    words = four.words()
    assert "P2" in words and "P4" in words
    assert [hz for _, hz, duty in four.board.tones if duty][-2:] == list(cues.TWO_NOTES[0::2])
    four.tap("*")
    assert four.keeper.turn == 1 and four.keeper.counts[1] == 7 and four.keeper.counts[3] == 7


def test_catch_up_can_be_switched_off(four: Rig) -> None:
    four.hold("0")
    four.tap("8", "3", "1", "*", "*")
    assert four.app.settings.get("catch_up") == 0
    four.tap("seat4")
    assert four.keeper.turn == 1 and four.app.cue == "refused"


def test_catch_up_is_only_for_the_next_seat(four: Rig) -> None:
    four.tap("seat5")
    assert four.keeper.turn == 1 and four.app.cue == "refused"


def test_skip_reverse_and_plus_two(four: Rig) -> None:
    four.tap("1")
    assert four.keeper.turn == 4
    four.tap("2")
    assert four.keeper.turn == 3 and four.keeper.direction == -1
    four.tap("3")
    assert four.keeper.counts[1] == 8 and four.keeper.turn == 0


def test_wild_needs_its_colour(four: Rig) -> None:
    four.tap("4")
    assert four.keeper.phase == "colour" and four.app.scene.pattern == cues.COLOUR_WANTED
    four.tap("seat4")
    assert four.app.cue == "refused" and four.keeper.phase == "colour"
    four.tap("C")
    assert four.keeper.turn == 3 and four.keeper.colour == 2
    four.run(3000)
    assert four.app.panel.picture == "square" and "green" in four.words()


def test_draw_and_keep_or_play(four: Rig) -> None:
    four.tap("6", "seat2")
    assert four.keeper.counts[1] == 8 and four.keeper.turn == 3
    four.tap("6", "7")
    assert four.keeper.counts[3] == 7 and four.keeper.turn == 4
    four.tap("6", "1")
    assert four.keeper.counts[4] == 7 and four.keeper.turn == 1


def test_taken_is_harmless(four: Rig) -> None:
    four.tap("3")  # seat 4 takes two
    assert four.keeper.turn == 4 and four.keeper.counts[3] == 9
    four.tap("seat4")
    assert four.keeper.turn == 4 and four.keeper.counts[3] == 9 and "has them" in four.words()


def test_a_second_draw_just_after_taking_a_stack_is_ignored() -> None:
    rig = Rig()
    rig.app.set("stacking", 1)
    rig.start(1, 2, 4, dealer=1)
    rig.tap("5", "A")  # seat 2: Wild Plus Four, red
    assert rig.keeper.owed == 4 and rig.keeper.turn == 3
    rig.tap("6", "6")
    assert rig.keeper.counts[3] == 11 and rig.keeper.owed == 0
    assert rig.keeper.turn == 0 and rig.keeper.counts[0] == 7
    rig.run(300)
    rig.tap("6")
    assert rig.keeper.counts[0] == 8


def test_count_is_corrected(four: Rig) -> None:
    four.tap("8", "seat5", "1", "2", "#")
    assert four.keeper.counts[4] == 12
    four.tap("8", "seat5", "3", "#")
    assert four.keeper.counts[4] == 3
    four.run(3000)
    assert "P5 3" in four.words()


def test_a_digit_and_the_question_can_be_taken_back(four: Rig) -> None:
    before = four.app.journal.last
    four.tap("8", "seat5", "9", "*", "4", "*", "*", "*")
    assert four.app.ask is None and four.app.journal.last == before
    four.tap("8")
    four.run(26000)  # nobody answers
    assert four.app.ask is None


def test_last_card_is_told_to_everyone_until_the_count_changes(four: Rig) -> None:
    four.tap("8", "seat2", "2", "#")
    four.tap("seat2")
    assert four.app.cue == "last_card" and "last card" in four.words()
    assert four.app.scene.held_last == 0b10
    four.run(4000)
    assert "P2 1" in four.words() and four.app.scene.held_last == 0b10
    four.tap("8", "seat2", "2", "#")
    assert four.app.scene.held_last == 0


def test_turned_up_card(four: Rig) -> None:
    four.tap("#", "1")
    assert four.keeper.turn == 3
    four.tap("*")
    four.tap("#", "2")
    assert four.keeper.turn == 0 and four.keeper.direction == -1
    four.tap("*")
    four.tap("#", "4")
    assert four.keeper.phase == "colour" and four.keeper.turn == 1
    four.tap("B")
    assert four.keeper.phase == "play" and four.keeper.turn == 1 and four.keeper.colour == 1


def test_after_asking_for_the_turned_up_card_a_seat_plays_as_usual(four: Rig) -> None:
    four.tap("#", "seat2")
    assert four.app.ask is None and four.keeper.turn == 3


def test_pause_stops_the_clocks_and_any_seat_goes_on(four: Rig) -> None:
    four.run(2000)
    four.tap("0")
    assert four.keeper.paused and four.app.scene.pattern == cues.PAUSED
    clock = four.keeper.clock_ms[1]
    assert 2000 <= clock < 3000
    four.run(5000)
    four.together("seat5", "seat2")
    assert not four.keeper.paused and four.keeper.turn == 1
    four.tap("seat2")
    assert four.keeper.clock_ms[1] - clock < 1500


def test_figures_in_play(four: Rig) -> None:
    four.tap("seat2", "#")
    assert "P2 6" in four.words()
    four.tap("#")
    assert "Points" in four.words() and "P2 0" in four.words()
    four.tap("#")
    assert "0:0" in four.words()
    four.tap("seat4")  # a press acts at once and closes the figures
    assert four.app.info == "" and four.keeper.turn == 4


def test_what_the_keys_mean_now(four: Rig) -> None:
    four.hold("#")
    assert "Keys 1/" in four.words()
    four.tap("#")
    assert "Keys 2/" in four.words()
    four.tap("seat2")
    assert four.keeper.turn == 3


def test_undo_names_what_it_takes_back_and_hold_does_it_again(four: Rig) -> None:
    four.tap("1")
    four.tap("*")
    assert four.keeper.turn == 1 and "Back: P2: Skip" in four.words()
    four.hold("*")
    assert four.keeper.turn == 4 and "Again: P2: Skip" in four.words()


def test_undo_and_redo_light_up_before_the_match_is_folded_again(
    four: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    us = [0]
    monkeypatch.setattr(table_app, "_us", lambda: us[0])
    monkeypatch.setattr(table_app, "_us_since", lambda now, start: now - start)
    four.app.worst_press_us = 0
    four.tap("1")
    four.run(2000)
    shows, say = four.board.pixels.show, four.app.log.say
    seen = []

    def show(buf: bytearray) -> None:
        shows(buf)
        us[0] += 100

    def slow(what: int, seat: int, arg: int, ms: int) -> object:
        seen.append((four.app.scene.flash, bytes(four.board.pixels.frame)))
        us[0] += 50_000
        return say(what, seat, arg, ms)

    monkeypatch.setattr(four.board.pixels, "show", show)
    monkeypatch.setattr(four.app.log, "say", slow)
    for press, flash in (("*", cues.UNDONE), ("hold *", cues.REDONE)):
        four.run(2000)
        before = bytes(four.board.pixels.frame)
        four.board.press("*")
        four.run(900 if press == "hold *" else 48)
        four.board.release("*")
        four.run(4)
        assert seen[-1][0] == flash and seen[-1][1] != before
        four.run(40)
        assert four.app.worst_press_us == 100  # to the frame that answered, not to the end of the fold
    assert len(seen) == 2 and four.keeper.turn == 4
    # what no frame answers first is measured to its end
    four.tap("seat5")
    assert four.app.worst_press_us == 50_100


def test_undo_with_nothing_to_take_back_says_no(rig: Rig) -> None:
    rig.tap("*")
    while rig.app.log.undo_target() is not None:
        rig.tap("*")
    rig.run(2000)
    last = rig.app.journal.last
    rig.tap("*")
    assert rig.app.scene.flash == cues.REFUSED and rig.app.cue == "refused"
    assert rig.app.journal.last == last


def test_undo_tap_then_hold_is_one_each(four: Rig) -> None:
    four.tap("seat2", "seat4")
    last = four.app.journal.last
    four.tap("*")
    four.hold("*")
    assert four.app.journal.last == last + 2 and four.keeper.turn == 4


def test_two_seats_in_one_scan(four: Rig) -> None:
    four.together("seat2", "seat4")
    assert four.keeper.turn == 3 and four.keeper.counts[3] == 7
    assert four.app.cue == "refused" and four.app.scene.flash_seat == 3


# Round end


def go_out(rig: Rig, seat: int) -> None:
    """Seat (people's number, on turn) goes out with a number card."""
    rig.tap("8", f"seat{seat}", "1", "#")
    rig.tap(f"seat{seat}")
    assert rig.keeper.phase == "out", rig.keeper.phase
    rig.tap(f"seat{seat}")
    assert rig.keeper.phase == "scoring"


def hold_cards(rig: Rig, **counts: int) -> None:
    for seat, count in counts.items():
        rig.tap("8", seat, str(count), "#")


def test_cards_are_entered_and_the_round_scored(four: Rig) -> None:
    hold_cards(four, seat4=2, seat5=1, seat1=2)
    go_out(four, 2)
    assert four.keeper.entering == 3
    four.tap("7", "A")  # 7 + 20, moves on by itself
    assert four.keeper.entering == 4
    four.tap("B")
    assert four.keeper.entering == 0
    four.tap("0", "9")
    assert four.keeper.phase == "scored"
    assert "+86 = 86" in four.words()
    four.tap("#")
    assert four.keeper.phase == "play" and four.keeper.scores[1] == 86
    assert four.keeper.round == 2 and four.keeper.dealer == 1 and four.keeper.turn == 3


def test_out_is_asked_and_denied(four: Rig) -> None:
    four.tap("8", "seat2", "1", "#", "seat2")
    assert four.keeper.phase == "out" and four.app.scene.pattern == cues.OUT_ASKED
    four.tap("seat4")
    assert four.app.cue == "refused"
    four.tap("8", "3", "#")
    assert four.keeper.phase == "play" and four.keeper.counts[1] == 3 and four.keeper.turn == 3


def test_out_key_whatever_the_count_says(four: Rig) -> None:
    four.tap("9", "seat2")
    assert four.keeper.phase == "scoring" and four.keeper.out_seat in (1, NO_SEAT)


def test_zero_tap_is_the_digit_and_hold_the_menu(four: Rig) -> None:
    hold_cards(four, seat4=2)
    go_out(four, 2)
    four.tap("0")
    assert four.keeper.entries[3][0] == 1
    four.hold("0")
    assert four.app.menu is not None and four.keeper.entries[3][0] == 1


def test_ok_ends_a_hand_early_and_undo_takes_one_card_back(four: Rig) -> None:
    go_out(four, 2)
    four.tap("5", "5", "*")
    four.run(2500)
    assert "1 of 7" in four.words()
    four.tap("#")
    assert four.keeper.entering == 4


def test_an_impossible_sum_is_refused_with_what_is_possible(four: Rig) -> None:
    hold_cards(four, seat4=1)
    go_out(four, 2)
    four.tap("D", "3", "7", "#")
    assert four.keeper.entering == 3 and four.app.ask is not None
    words = four.words()
    assert "20" in words and "50" in words
    four.tap("*", "*", "5", "0", "#")
    assert four.keeper.entering == 4


def test_a_blank_hand_is_not_a_zero(four: Rig) -> None:
    hold_cards(four, seat4=1, seat5=1, seat1=1)
    go_out(four, 2)
    four.tap("5", "5")
    assert four.app.say(common.CLOSE, NO_SEAT, 10) == ("not_entered", 0)
    four.tap("0")
    assert four.keeper.phase == "scored"


def test_undo_reaches_back_over_the_round_end(four: Rig) -> None:
    hold_cards(four, seat4=1, seat5=1, seat1=1)
    go_out(four, 2)
    four.tap("5", "6", "7", "#")
    assert four.keeper.round == 2
    four.tap("*")
    assert four.keeper.phase == "scored" and four.keeper.round == 1
    four.tap("*", "8", "#")
    assert four.keeper.scores[1] == 19


def test_match_won_and_rematch_with_one_press() -> None:
    rig = Rig()
    rig.app.set("target", 200)
    rig.start(1, 2, dealer=1)
    go_out(rig, 2)
    rig.tap("B", "B", "B", "B", "A", "A", "A")
    assert rig.keeper.phase == "scored"
    rig.tap("#")
    assert rig.keeper.phase == "over" and rig.app.scene.pattern == cues.MATCH_WON
    rig.tap("#")  # twice by mistake: undo must still reach the round
    assert rig.keeper.phase == "over" and rig.keeper.scores[1] == 260
    rig.run(3000)
    words = rig.words()
    assert "P2" in words and "260" in words and "rematch" in words
    rig.tap("seat1")  # a press that means nothing here destroys nothing
    assert rig.keeper.phase == "over"
    rig.tap("#")
    assert rig.keeper.phase == "play" and rig.app.active_mask() == 0b11 and rig.keeper.scores[1] == 0


def test_undoing_a_rule_sets_it_back_for_good() -> None:
    rig = Rig()
    rig.tap("seat1", "seat2")
    rig.hold("0")
    rig.app.close_menu()
    rig.run(1200)
    assert rig.app.set("target", 200) is None
    assert rig.keeper.rules[1] == 200
    rig.tap("*")
    assert rig.keeper.rules[1] == 300 and rig.app.settings.get("target") == 300
    rig.tap("#")
    assert rig.keeper.phase == "play" and rig.keeper.rules[1] == 300
    rig.tap("*")  # the start
    rig.run(100)
    assert rig.keeper.phase == "setup"


def test_a_redone_rule_is_set_again() -> None:
    rig = Rig()
    rig.tap("seat1", "seat2")
    rig.app.set("stacking", 1)
    rig.tap("*")
    assert rig.app.settings.get("stacking") == 0
    rig.hold("*")
    assert rig.keeper.rules[2] == 1 and rig.app.settings.get("stacking") == 1


def test_leaving_the_menu_once_too_often_takes_nothing_back() -> None:
    rig = Rig()
    rig.tap("seat1", "seat2")
    rig.hold("0")
    rig.tap("*")
    assert rig.app.menu is None
    rig.tap("*")
    assert rig.app.active_mask() == 0b11
    rig.run(1100)
    rig.tap("*")
    assert rig.app.active_mask() == 0b01


def test_the_screen_says_when_ok_ends_the_match() -> None:
    rig = Rig()
    rig.app.set("target", 200)
    rig.start(1, 2, dealer=1)
    go_out(rig, 2)
    rig.tap("B", "B", "B", "A", "0", "0", "0")
    assert rig.keeper.phase == "scored" and rig.keeper.points == 170
    assert "next round" in rig.words()
    rig.tap("*", "A")
    assert rig.keeper.points == 190 and "next round" in rig.words()
    rig.tap("*", "*", "A", "A")
    assert rig.keeper.points == 210 and "finish" in rig.words()


def test_the_colour_called_stays_on_the_screen_while_cards_are_owed() -> None:
    rig = Rig()
    rig.app.set("stacking", 1)
    rig.start(1, 2, 3, dealer=1)
    rig.tap("5", "C")
    rig.run(3000)
    words = rig.words()
    assert "green" in words and "+4" in words and "P3" in words
    assert rig.app.panel.picture == "square"
    rig.tap("5", "D")
    rig.run(3000)
    words = rig.words()
    assert "blue" in words and "+8" in words and "P1" in words
    assert rig.app.panel.picture == "diamond"


def test_undo_after_the_last_round_opens_it_again() -> None:
    rig = Rig()
    rig.app.set("target", 200)
    rig.start(1, 2, dealer=1)
    go_out(rig, 2)
    rig.tap("B", "B", "B", "B", "A", "A", "A", "#")
    assert rig.keeper.phase == "over"
    rig.tap("*")
    assert rig.keeper.phase == "scored" and rig.keeper.scores[1] == 0


# Menu


def test_leave_and_come_back(four: Rig) -> None:
    four.hold("0")
    four.tap("1", "seat1")
    assert four.app.menu is None and four.app.active_mask() == 0b11010
    assert four.app.scene.absent == 1 and four.keeper.turn == 1
    four.hold("0")
    four.tap("2", "seat1")
    assert four.app.active_mask() == 0b11011 and four.keeper.turn == 1


def test_join_late_swap_and_void(four: Rig) -> None:
    four.hold("0")
    four.tap("2", "seat6")
    assert four.app.menu is None
    four.hold("0")
    four.tap("3", "seat2", "seat4")
    assert four.app.menu is None
    four.hold("0")
    four.tap("4")
    four.tap("#")  # too short: nothing
    four.hold("#", 2200)
    assert four.keeper.dealer == 0
    four.tap("#")
    # nobody scored: still the first round, but the next dealer, and who joined late is in
    assert four.keeper.rounds == [] and four.keeper.dealer == 1
    assert four.app.active_mask() == 0b111011


def test_ending_the_match_takes_a_long_hold_and_a_confirmation(four: Rig) -> None:
    four.hold("0")
    four.tap("5")
    four.hold("#", 1500)
    four.tap("#")
    assert four.keeper.phase == "play"
    four.hold("#", 2100)
    assert four.keeper.phase == "play"
    four.tap("*")  # no, not really
    four.tap("*", "*")
    assert four.app.menu is None and four.keeper.phase == "play"
    four.hold("0")
    four.tap("5")
    four.hold("#", 2100)
    four.tap("#")
    assert four.keeper.phase == "over" and four.app.scene.pattern == cues.MATCH_ENDED
    four.tap("*")  # and it can be taken back
    assert four.keeper.phase == "play" and four.keeper.turn == 1


def test_an_old_round_is_corrected(four: Rig) -> None:
    hold_cards(four, seat4=1, seat5=1, seat1=1)
    go_out(four, 2)
    four.tap("5", "6", "7", "#")
    four.hold("0")
    four.tap("6", "1", "#", "seat5", "4", "0", "#")
    assert four.app.menu is None
    assert four.keeper.scores[1] == 0 and four.keeper.scores[4] == 40
    four.hold("0")
    four.tap("6", "9", "#", "seat5", "4", "0", "#")
    assert four.app.cue == "refused" and "1" in four.words()


def test_menu_goes_back_step_by_step(four: Rig) -> None:
    last = four.app.journal.last
    four.hold("0")
    four.tap("8", "1")
    assert "normal" in four.words()
    four.tap("*")
    assert "Sound" in four.words()
    four.tap("*")
    assert "Leave" in four.words()
    four.tap("#")
    assert "Void" in four.words()
    four.tap("*")
    assert four.app.menu is None and four.app.journal.last == last
    four.hold("0")
    four.run(41000)
    assert four.app.menu is None


def test_sound_off_low_normal_is_remembered(four: Rig) -> None:
    four.hold("0")
    four.tap("8", "1", "1", "*", "*")
    assert four.app.sound.level == 0
    before = len([1 for _, hz, duty in four.board.tones if duty])
    four.tap("seat2")
    assert len([1 for _, hz, duty in four.board.tones if duty]) == before
    four.run(8000)
    again = four.restart()
    assert again.app.sound.level == 0


# Power


def test_power_cut_brings_everything_back(four: Rig) -> None:
    four.tap("2")  # reverse
    four.tap("4", "D")  # wild, blue
    four.run(200)
    before = four.app.status()
    for _ in range(3):
        again = four.restart()
        after = again.app.status()
        assert after[:-1] == before[:-1]
        assert again.app.scene.colour == 3
        assert "Welcome back" in again.words() or "blue" in again.words()
    again.tap("*")
    assert again.keeper.phase == "colour"


def test_power_cut_in_entry(four: Rig) -> None:
    hold_cards(four, seat4=3)
    go_out(four, 2)
    four.tap("5", "A")
    four.run(200)
    again = four.restart()
    assert again.keeper.phase == "scoring" and again.keeper.entering == 3
    again.run(3000)
    assert "2 of 3" in again.words() and again.app.panel.figure == "25"


# Parts that fail


def test_screen_dies_in_play_and_the_rest_goes_on(four: Rig) -> None:
    four.board.screen.dead = True
    four.tap("seat2")
    four.run(1200)
    assert "screen" in four.app.faults and four.app.scene.flash == cues.FAULT
    four.tap("seat4")
    assert four.keeper.turn == 4
    assert four.app.scene.seat == 4


def test_no_screen_at_power_on() -> None:
    from fake_board import Board

    board = Board()
    board.faults.append("screen")
    board.screen.dead = True
    rig = Rig(board=board)
    rig.start(1, 2)
    assert rig.keeper.phase == "play"


def test_stuck_seat_is_named_and_the_others_play() -> None:
    from fake_board import Board

    board = Board()
    board.press("seat2")
    rig = Rig(board=board)
    rig.run(1800)
    assert "stuck_seat2" in rig.app.faults and "Seat 2 stuck" in rig.words()
    rig.start(1, 3)
    assert rig.keeper.phase == "play" and rig.app.active_mask() == 0b101
    board.release("seat2")
    rig.run(1000)
    assert rig.app.faults == []


def test_key_pad_fault_is_shown() -> None:
    from fake_board import Board

    board = Board()
    board.faults.append("keys")
    rig = Rig(board=board)
    rig.run(600)
    assert "Key pad fault" in rig.words()


def test_lights_tell_again_of_a_fault_while_nobody_plays() -> None:
    from fake_board import Board

    board = Board()
    board.faults.append("screen")
    board.screen.dead = True
    rig = Rig(board=board)
    rig.run(10000)
    heard = rig.board.heard
    told = 0
    for _ in range(50):
        rig.run(1000)
        told += rig.app.scene.flash == cues.FAULT
    assert told >= 2 and rig.board.heard == heard


def test_faults_stand_in_the_menu(four: Rig) -> None:
    four.app.faults.append("flash_full")
    four.hold("0")
    four.tap("8", "7")
    assert "Memory full" in four.words()


# Sleep


def test_screen_dims_in_play_and_never_blanks(four: Rig) -> None:
    four.app.settings.set("blank_s", 120)
    four.app.settings.set("dim_s", 30)
    four.run(29000)
    assert four.board.screen.level != four.app.screen.dim_contrast
    four.run(3000)
    assert four.board.screen.level == four.app.screen.dim_contrast and four.board.screen.on
    four.run(120000)
    assert four.board.screen.on
    four.tap("seat2")
    assert four.keeper.turn == 3
    assert four.board.screen.level == four.app.screen.full_contrast


def test_out_of_play_it_blanks_and_the_first_press_only_wakes(rig: Rig) -> None:
    rig.app.settings.set("blank_s", 120)
    rig.run(121000)
    assert not rig.board.screen.on and sum(rig.board.pixels.frame) == 0
    rig.tap("seat1")
    assert rig.board.screen.on and rig.app.active_mask() == 0
    rig.tap("seat1")
    assert rig.app.active_mask() == 1
    rig.run(121000)
    rig.tap("#")  # the same for a key that acts on release
    assert rig.board.screen.on and rig.app.cue != "refused"


# Others


def test_remote_press_goes_the_same_way(four: Rig) -> None:
    four.app.remote("seat2", True)
    four.run(60)
    four.app.remote("seat2", False)
    four.run(60)
    assert four.keeper.turn == 3
    four.app.remote("nonsense", True)
    four.run(60)
    assert four.keeper.turn == 3


def test_what_the_pc_says_is_seen_at_the_table(four: Rig) -> None:
    assert four.app.say(says.DONE, 1, 0) is None
    assert four.words().startswith("P2: done")
    assert four.app.say(says.DONE, 1, 0) is not None


def test_screen_turns_to_the_player(four: Rig) -> None:
    four.run(200)
    assert not four.board.screen.turned  # seat 2 sits below
    four.tap("seat2")
    four.run(200)
    assert four.board.screen.turned
    four.app.set("turn_screen", 0)
    four.run(200)
    assert not four.board.screen.turned


def test_names_of_any_kind(rig: Rig) -> None:
    rig.app.settings.set("names", ["Åsa", "अनु", "🎲", "Maximiliana Constantinopolitan", "", "Bo"])
    rig.run(600)
    assert [rig.app.name(s) for s in range(6)][:3] == ["Asa", "P2", "P3"]
    assert rig.app.name(4) == "P5"
    rig.start(1, 4, dealer=1)
    rig.tap("1")
    rig.run(200)
    assert rig.app.head.startswith("Maxi") and rig.app.head.endswith(": Skip")


def test_lights_come_before_the_screen_and_the_journal(four: Rig) -> None:
    four.run(500)
    frames, pages = four.board.pixels.frames, four.board.screen.pages
    four.board.press("seat2")
    four.run(4)
    assert four.board.pixels.frames == frames + 1 and four.board.screen.pages == pages
    assert four.app.journal.waiting == 1
    four.run(100)
    assert four.app.journal.waiting == 0 and four.board.screen.pages > pages


def test_at_most_one_page_a_tick(four: Rig) -> None:
    four.board.press("seat2")
    most = 0
    for _ in range(60):
        before = four.board.screen.pages
        four.run(4)
        most = max(most, four.board.screen.pages - before)
    assert most == 1


# The program


def test_a_part_that_fails_ends_the_program_and_says_why(rig: Rig) -> None:
    async def breaks(_app: object) -> None:
        await asyncio.sleep(0.01)
        raise ValueError("a wire came loose")

    async def goes_on(app: table_app.App) -> None:
        while True:
            app.tick(rig.board.ticks_ms())
            await asyncio.sleep(0.001)

    with pytest.raises(ValueError, match="a wire came loose"):
        asyncio.run(table_app._main(rig.app, (goes_on, breaks)))


def test_the_program_ends_when_a_service_ends_and_leaves_all_written_and_dark(four: Rig) -> None:
    async def console(_app: object) -> None:
        await asyncio.sleep(0)

    four.board.press("seat2")
    four.run(4)
    assert four.app.journal.waiting
    asyncio.run(table_app._main(four.app, (console,)))
    four.app.leave()
    assert not four.app.journal.waiting and sum(four.board.pixels.frame) == 0 and not four.board.screen.on
    four.board.release("seat2")
    assert four.restart().keeper.turn == 3


def test_a_pc_that_connects_is_shown_once(rig: Rig) -> None:
    class Line:
        connected = True

    rig.run(3000)
    rig.app.link = Line()
    rig.run(700)
    assert rig.app.scene.flash == cues.LINK and "PC connected" in rig.words()
    rig.run(4000)
    assert rig.app.scene.flash == cues.NOTHING and "PC connected" not in rig.words()


def test_settings_from_the_pc_act_without_a_restart(rig: Rig) -> None:
    rig.app.settings.set("brightness", 9)
    rig.app.settings.set("sound", 1)
    rig.app.settings.set("target", 200)
    rig.run(700)
    assert rig.app.lights.brightness == 9 and rig.app.sound.level == 1
    assert rig.keeper.rules[TARGET] == 200


def test_a_game_that_is_not_known_here_gives_way_to_the_first(rig: Rig) -> None:
    rig.app.settings.set("game", 3)
    rig.start(1, 2)
    assert rig.keeper.game == 1 and rig.keeper.phase == "play"


def test_nothing_is_left_over_from_hold_to_confirm(four: Rig) -> None:
    # one gesture, one action: the hold that asks for confirmation does not confirm, nor does it beep early
    four.hold("0")
    four.tap("4")
    heard = four.board.heard
    four.board.press("#")
    four.run(1000)
    beeps = [hz for _, hz, duty in four.board.tones[-(four.board.heard - heard) :] if duty]
    assert beeps == [cues.TICK[0]]
    four.run(5000)
    four.board.release("#")
    four.run(100)
    assert four.app.ask is not None and four.keeper.dealer == 0


def test_ghost_keys_say_nothing(four: Rig) -> None:
    last = four.app.journal.last
    for key in ("2", "B"):  # with "A" they would make "5" look pressed
        four.board.press(key)
    four.run(100)
    said = four.app.journal.last
    four.board.press("A")
    four.run(100)
    assert four.app.journal.last == said
    for key in ("2", "B", "A"):
        four.board.release(key)
    four.run(200)
    assert four.app.journal.last == said and said > last
