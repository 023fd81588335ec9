"""Keeps what a derivation found: matches anew each time, facts and house rules once and for all."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict

from cardrules import announcement as says
from cardrules.announcement import Announcement
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

import chautari
from chautari import models
from chautari.derive import LEFT, RUNNING, SETUP, UNKNOWN_GAME, Derived, derive
from chautari.reading import said_of
from chautari.records import now


def derive_journal(session: Session, journal: models.Journal, dirty: int) -> set[int]:
    """Derive the matches that the announcements from number dirty on belong to; return their ids.

    The match before them is derived, too: it may have been left by a new one. A match that was only
    set up and never started is none yet.
    """
    games = list(
        session.scalars(
            select(models.Said.number)
            .where(models.Said.journal == journal.id, models.Said.what == says.GAME)
            .order_by(models.Said.number)
        )
    )
    kept = set()
    for i in range(max(0, bisect_left(games, dirty) - 1), len(games)):
        following = games[i + 1] if i + 1 < len(games) else None
        said = said_of(session, journal.id, games[i] - 1, following)
        match_id = _derive_match(session, journal, said, following)
        if match_id is not None:
            kept.add(match_id)
    return kept


def _derive_match(
    session: Session, journal: models.Journal, said: list[Announcement], following: int | None
) -> int | None:
    first = said[0].number
    row = session.scalars(
        select(models.Match).where(models.Match.journal == journal.id, models.Match.first_number == first)
    ).first()
    rules = {
        rule.name: rule.value
        for rule in session.scalars(
            select(models.HouseRule).where(
                models.HouseRule.journal == journal.id, models.HouseRule.match_number == first
            )
        )
    }
    whole = next((i for i, each in enumerate(said) if each.number != first + i), len(said))
    found = derive(said[:whole], first - 1 if row is None else row.last_number, rules)
    if found.state in (SETUP, RUNNING) and following is not None:
        found.state = LEFT
    gap = whole < len(said) or (following is not None and following != found.last + 1)
    if row is None and not gap and not found.round and found.state != UNKNOWN_GAME:
        return None
    return _keep_match(session, journal, row, found, gap, rules)


def _keep_match(
    session: Session,
    journal: models.Journal,
    row: models.Match | None,
    found: Derived,
    gap: bool,
    rules: dict[str, int],
) -> int:
    if row is None:
        row = models.Match(journal=journal.id, first_number=found.number)
        session.add(row)
    row.last_number = found.last
    row.start_number = found.start
    row.last_play = found.last_play
    row.game = found.game
    row.missing = gap
    row.practice = found.practice
    row.state = found.state
    row.round = found.round
    row.winner = says.NO_SEAT if found.winner is None else found.winner
    row.refused = len(found.refused)
    row.engine = chautari.__version__
    session.flush()
    # What the table called its seats at the time is not in the announcements: it is kept.
    called = {}
    for seat in session.scalars(select(models.MatchSeat).where(models.MatchSeat.match == row.id)):
        called[seat.chair] = seat.name
        session.delete(seat)
    session.flush()
    names = {
        seat.seat: seat.name
        for seat in session.scalars(
            select(models.SeatName).where(models.SeatName.board_id == journal.board_id)
        )
        if seat.player == 0
    }
    for chair in found.chairs:
        name = names.get(chair.seat, "")
        if found.state not in (SETUP, RUNNING):
            name = called.get(chair.chair) or name
        session.add(
            models.MatchSeat(
                match=row.id,
                chair=chair.chair,
                seat=chair.seat,
                player=chair.player,
                name="" if chair.player else name,
                score=chair.score,
                clock_ms=chair.clock_ms,
                present=chair.present,
            )
        )
    _store_facts(session, journal, found)
    _store_rules(session, journal, found, rules)
    for number, reason in found.refused:
        _differs(session, journal, found.number, number, "refused", "accepted at the table", reason)
    return row.id


def _store_facts(session: Session, journal: models.Journal, found: Derived) -> None:
    first = found.number
    stored = {
        fact.number: fact
        for fact in session.scalars(
            select(models.Fact).where(models.Fact.journal == journal.id, models.Fact.match_number == first)
        )
    }
    scores: dict[int, dict[int, int]] = defaultdict(dict)
    for part in session.scalars(
        select(models.FactScore).where(
            models.FactScore.journal == journal.id, models.FactScore.number.in_(list(stored))
        )
    ):
        scores[part.number][part.chair] = part.points
    for fact in found.facts:
        old = stored.pop(fact.number, None)
        new_words = _fact_words(fact.round, fact.winner, {s.chair: s.points for s in fact.scores})
        if old is not None:
            old_words = _fact_words(old.round, old.winner, scores[old.number])
            if old_words != new_words:
                _differs(session, journal, first, fact.number, "fact", old_words, new_words)
            elif old.standing != (fact.number in found.standing_before):
                _differs(
                    session,
                    journal,
                    first,
                    fact.number,
                    "fact",
                    "counts" if old.standing else "does not count",
                    "counts" if fact.number in found.standing_before else "does not count",
                )
                continue
            old.standing = fact.number in found.standing
            continue
        if fact.number <= found.known_to:
            # It was derived from before and was no fact then: a newer engine sees more.
            _differs(session, journal, first, fact.number, "fact_new", "", new_words)
            continue
        session.add(
            models.Fact(
                journal=journal.id,
                number=fact.number,
                match_number=first,
                round=fact.round,
                winner=fact.winner,
                points=fact.points,
                standing=fact.number in found.standing,
                engine=chautari.__version__,
            )
        )
        session.flush()
        for score in fact.scores:
            session.add(
                models.FactScore(
                    journal=journal.id,
                    number=fact.number,
                    chair=score.chair,
                    seat=score.seat,
                    player=score.player,
                    points=score.points,
                )
            )
    for number, old in stored.items():
        words = _fact_words(old.round, old.winner, scores[number])
        _differs(session, journal, first, number, "fact_missing", words, "")
    session.flush()


def _store_rules(session: Session, journal: models.Journal, found: Derived, stored: dict[str, int]) -> None:
    """Keep the house rules; a difference to what was derived before is told and changes nothing."""
    before = found.rules_before
    for name in sorted(stored.keys() | before.keys()) if stored and before else ():
        if stored.get(name) != before.get(name):
            old = f"{name} {stored[name]}" if name in stored else ""
            new = f"{name} {before[name]}" if name in before else ""
            _differs(session, journal, found.number, found.number, "rule", old, new)
    if stored and stored.items() != before.items() and found.rules:
        return
    # New announcements may have taken the start back, changed the rules and started again.
    if found.rules.items() == stored.items():
        return
    session.execute(
        delete(models.HouseRule).where(
            models.HouseRule.journal == journal.id, models.HouseRule.match_number == found.number
        )
    )
    for name, value in found.rules.items():
        session.add(models.HouseRule(journal=journal.id, match_number=found.number, name=name, value=value))


def _differs(
    session: Session,
    journal: models.Journal,
    first: int,
    number: int,
    kind: str,
    stored: str,
    derived: str,
) -> None:
    query = select(models.Difference.id).where(
        models.Difference.journal == journal.id,
        models.Difference.number == number,
        models.Difference.kind == kind,
        models.Difference.stored == stored,
        models.Difference.derived == derived,
    )
    session.flush()
    if session.scalars(query).first() is None:
        session.add(
            models.Difference(
                journal=journal.id,
                match_number=first,
                number=number,
                kind=kind,
                stored=stored,
                derived=derived,
                engine=chautari.__version__,
                found=now(),
            )
        )


def _fact_words(round_number: int, winner: int, scores: dict[int, int]) -> str:
    points = ", ".join(f"{chair + 1}: {points}" for chair, points in sorted(scores.items()) if points)
    return f"round {round_number}, seat {winner + 1} won, points {points or 'none'}"
