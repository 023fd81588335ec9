"""Reads the history: announcements as they came, matches and rounds as they stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from cardrules import announcement as says
from cardrules.announcement import Announcement
from sqlalchemy import select
from sqlalchemy.orm import Session

from chautari import models
from chautari.players import code, shown
from chautari.records import Chair, Match, Round, game_name
from chautari.times import Times


def find_journal(session: Session, board_id: str, journal_id: str) -> models.Journal | None:
    return session.scalars(
        select(models.Journal).where(
            models.Journal.board_id == board_id, models.Journal.journal_id == journal_id
        )
    ).first()


def said_of(session: Session, journal: int, after: int, before: int | None) -> list[Announcement]:
    table = models.Said
    query = select(table.number, table.ms, table.seat, table.what, table.arg).where(
        table.journal == journal, table.number > after
    )
    if before is not None:
        query = query.where(table.number < before)
    return [Announcement(*row) for row in session.execute(query.order_by(table.number))]


def announcement_of(row: models.Said | models.Aside) -> Announcement:
    return Announcement(row.number, row.ms, row.seat, row.what, row.arg)


def match_key(journal: models.Journal, number: int) -> str:
    return f"{journal.board_id}-{journal.journal_id}-{number}"


def matches_of(session: Session, match_id: int | None = None, practice: bool | None = None) -> list[Match]:
    query = (
        select(models.Match, models.Journal)
        .join(models.Journal, models.Match.journal == models.Journal.id)
        .order_by(models.Match.id)
    )
    if match_id is not None:
        query = query.where(models.Match.id == match_id)
    if practice is not None:
        query = query.where(models.Match.practice.is_(practice))
    rows = list(session.execute(query))
    people = {player.id: player.name for player in session.scalars(select(models.Player))}
    seats: dict[int, list[models.MatchSeat]] = defaultdict(list)
    for seat in session.scalars(select(models.MatchSeat).order_by(models.MatchSeat.chair)):
        seats[seat.match].append(seat)
    rules: dict[tuple[int, int], dict[str, int]] = defaultdict(dict)
    for rule in session.scalars(select(models.HouseRule).order_by(models.HouseRule.name)):
        rules[rule.journal, rule.match_number][rule.name] = rule.value
    totals: dict[tuple[int, int], dict[int, int]] = defaultdict(lambda: defaultdict(int))
    closed: dict[tuple[int, int], set[int]] = defaultdict(set)
    for fact, score in session.execute(
        select(models.Fact, models.FactScore)
        .join(
            models.FactScore,
            (models.Fact.journal == models.FactScore.journal)
            & (models.Fact.number == models.FactScore.number),
        )
        .where(models.Fact.standing.is_(True))
    ):
        totals[fact.journal, fact.match_number][score.chair] += score.points
        closed[fact.journal, fact.match_number].add(fact.round)
    times: dict[int, Times] = {}
    result = []
    for row, journal in rows:
        if journal.id not in times:
            times[journal.id] = Times(session, journal.id)
        when = times[journal.id]
        key = (journal.id, row.first_number)
        result.append(
            Match(
                id=row.id,
                key=match_key(journal, row.first_number),
                board_id=journal.board_id,
                journal_id=journal.journal_id,
                first_number=row.first_number,
                last_number=row.last_number,
                start_number=row.start_number,
                game=row.game,
                game_name=game_name(row.game),
                state=row.state,
                round=row.round,
                rounds=len(closed[key]),
                winner=None if row.winner == says.NO_SEAT else row.winner,
                rules=dict(rules[key]),
                chairs=_chairs(seats[row.id], people, totals[key]),
                missing=row.missing,
                practice=row.practice,
                refused=row.refused,
                started=when.at(row.start_number),
                ended=when.at(row.last_play),
            )
        )
    return result


def rounds_of(session: Session, journal: int, first: int) -> list[Round]:
    facts = list(
        session.scalars(
            select(models.Fact)
            .where(
                models.Fact.journal == journal,
                models.Fact.match_number == first,
                models.Fact.standing.is_(True),
            )
            .order_by(models.Fact.number)
        )
    )
    scores: dict[int, dict[int, int]] = defaultdict(dict)
    chairs: dict[int, dict[int, int]] = defaultdict(dict)
    for part in session.scalars(
        select(models.FactScore).where(
            models.FactScore.journal == journal, models.FactScore.number.in_([fact.number for fact in facts])
        )
    ):
        scores[part.number][part.chair] = part.points
        chairs[part.number][part.seat] = part.chair
    times = Times(session, journal)
    return sorted(
        (
            Round(
                round=fact.round,
                winner=chairs[fact.number].get(fact.winner),
                points=fact.points,
                scores=dict(sorted(scores[fact.number].items())),
                number=fact.number,
                corrected=_is_correction(session, journal, fact.number),
                when=times.at(fact.number),
            )
            for fact in facts
        ),
        key=lambda each: each.round,
    )


def _is_correction(session: Session, journal: int, number: int) -> bool:
    return session.get_one(models.Said, (journal, number)).what == says.CORRECT


def _chairs(
    rows: Sequence[models.MatchSeat], people: dict[int, str], totals: dict[int, int]
) -> tuple[Chair, ...]:
    known = shown((row.player, people[row.player]) for row in rows if row.player in people)
    result = []
    for row in rows:
        name = (
            known.get(row.player)
            or row.name
            or (f"#{code(row.player)}" if row.player else f"Seat {row.seat + 1}")
        )
        result.append(
            Chair(row.chair, row.seat, row.player, name, totals.get(row.chair, 0), row.clock_ms, row.present)
        )
    return tuple(sorted(result, key=lambda chair: chair.seat))
